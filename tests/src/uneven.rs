//! `bench uneven`: programs whose work is uneven, on every runtime, and the time that no runtime
//! can beat.
//!
//! `bench/uneven.c` prints each row's time divided by the time of work that is shared perfectly.
//! Ours must be within [`NEAR`] of the best peer's on each row.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::compiler::Compiler;
use crate::exec;
use crate::micro::{Settings, Setup, measured};
use crate::paths;
use crate::peers::contenders;
use crate::runtime::Runtime;

/// The ratio to the best peer above which a line beneath the table names a row.
const NEAR: f64 = 1.05;
/// The time limit of all rows on one runtime.
const LIMIT: Duration = Duration::from_secs(600);

/// The choice of what to measure.
pub struct Choice<'a> {
    /// Team sizes.
    pub threads: &'a [u32],
    /// The number of processes for each runtime; the least figure counts.
    pub runs: usize,
    /// `OMP_WAIT_POLICY` of every process.
    pub wait: Option<&'static str>,
    /// Words, one of which a row's name must contain; all rows if there are none.
    pub rows: &'a [String],
}

/// Compiles the program, and returns its path and the names of its rows.
///
/// # Errors
/// When the program does not compile or run.
pub fn compiled(compiler: Compiler) -> Result<(PathBuf, String), String> {
    let source = paths::repository().join("bench/uneven.c");
    let program = compiler.compile_with(&source, &["-O2", "-fopenmp"])?;
    let mut command = Command::new(&program);
    Runtime::Stock.apply(&mut command);
    let listed = exec::run(command.arg("--list"))?;
    Ok((program, listed.stdout))
}

/// Prints the names of the rows.
///
/// # Errors
/// When the program does not compile or run.
pub fn list(compiler: Compiler) -> Result<(), String> {
    print!("{}", compiled(compiler)?.1);
    Ok(())
}

/// Measures and prints the rows of this compiler's programs.
///
/// # Errors
/// When the program does not compile or hangs, or no row's name has one of the words.
pub fn run(compiler: Compiler, choice: &Choice) -> Result<(), String> {
    let (program, listed) = compiled(compiler)?;
    let is_meant = |row: &&str| {
        choice.rows.is_empty() || choice.rows.iter().any(|word| row.contains(word.as_str()))
    };
    let rows: Vec<String> = listed.lines().filter(is_meant).map(String::from).collect();
    if rows.is_empty() {
        return Err(format!("no row has {:?} in its name: see --list", choice.rows));
    }
    let all = contenders(compiler.is_gnu())?;
    let setups: Vec<Setup> = all.iter().map(Setup::plain).collect();
    for &threads in choice.threads {
        let mut least = vec![BTreeMap::<String, f64>::new(); setups.len()];
        for round in 0..choice.runs {
            for turn in 0..setups.len() {
                let index = (turn + round) % setups.len();
                let mut command = Command::new(&program);
                setups[index]
                    .command(&mut command, Settings { threads, ms: 10, wait: choice.wait });
                let outcome = exec::run_within(command.args(&rows), LIMIT)
                    .map_err(|what| format!("on {}: {what}", setups[index].name))?;
                for each in outcome.stdout.lines().filter_map(measured) {
                    let best = least[index].entry(each.row).or_insert(f64::INFINITY);
                    *best = best.min(each.value);
                }
            }
        }
        println!(
            "{} -O2, {threads} threads, least of {} runs: time / time of work shared perfectly",
            compiler.command(),
            choice.runs
        );
        let names: Vec<&str> = setups.iter().map(|setup| setup.name).collect();
        print!("{}", table(&names, &rows, &least));
    }
    Ok(())
}

/// Writes the figures of each runtime, ours first, and the ratio of ours to the best peer's.
fn table(names: &[&str], rows: &[String], least: &[BTreeMap<String, f64>]) -> String {
    let mut text = format!("{:<30}", "row");
    names.iter().for_each(|name| text += &format!(" {name:>9}"));
    text += "   ratio\n";
    let (mut far, mut logarithms) = (Vec::new(), Vec::new());
    for row in rows {
        let of = |figures: &BTreeMap<String, f64>| figures.get(row).copied();
        text += &format!("{row:<30}");
        for figures in least {
            text += &crate::figures::cell(of(figures), 9, 2);
        }
        let peers = least.iter().skip(1).filter_map(of).fold(f64::INFINITY, f64::min);
        let ratio = least.first().and_then(of).map(|ours| ours / peers).filter(|r| *r > 0.0);
        text += &crate::figures::cell(ratio, 7, 2);
        text.push('\n');
        if let Some(ratio) = ratio {
            logarithms.push(ratio.ln());
            if ratio > NEAR {
                far.push(format!("{row} {ratio:.2}"));
            }
        }
    }
    let mean = (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp();
    text += &format!("geometric mean of {} ratios {mean:.2}; above {NEAR}: ", logarithms.len());
    text + &if far.is_empty() { "none".into() } else { far.join(", ") } + "\n\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_far_from_the_best_peer_are_named() {
        let rows = ["near".to_string(), "far".to_string()];
        let figures = |near, far| BTreeMap::from([("near".into(), near), ("far".into(), far)]);
        let text = table(
            &["ours", "a", "b"],
            &rows,
            &[figures(1.0, 2.0), figures(1.2, 1.0), figures(1.0, 1.6)],
        );
        assert!(text.ends_with("above 1.05: far 2.00\n\n"), "{text}");
    }
}
