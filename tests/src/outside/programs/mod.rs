//! Whole programs that others wrote, timed on our runtime and on the peers.
//!
//! Each program is built once, with the compiler's own flags for OpenMP; every runtime gets the same
//! binary. A round runs it once on each runtime, a different one first each time, so that a change of
//! the machine's speed meets them all. A ratio is the median over the rounds of our time by a peer's;
//! the row's ratio is the one to the peer that does best.
//!
//! What must hold: a program's result is judged on every run, and a wrong one is no figure; a peer
//! that fails or does not end within the limit loses its column and nothing else.

mod list;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::options::Options;
use crate::exec;
use crate::figures::{cell, geometric_mean, median};
use crate::peers::{Contender, contenders};
use list::{Program, programs};

/// What a program says of a result that is wrong.
const BAD: &[&str] = &["UNSUCCESSFUL", "error"];

/// A program's seconds on each runtime, ours first, and our ratio to the best of the others.
struct Row {
    name: String,
    tasks: bool,
    seconds: Vec<Option<f64>>,
    ratio: Option<f64>,
}

/// Builds and measures the chosen programs; whether every one of them is right on ours.
pub fn run(options: &Options) -> Result<bool, String> {
    let chosen: Vec<Program> =
        programs(options)?.into_iter().filter(|p| options.chosen(&p.name)).collect();
    if chosen.is_empty() {
        return Err(format!("{}: no program of that name there", options.from.display()));
    }
    let contenders = contenders(options.tools.gnu)?;
    print!("{:<28}", format!("{}, 2 threads", options.tools.c));
    contenders.iter().for_each(|each| print!(" {:>9}", each.name));
    println!(" {:>7}", "ratio");
    let (mut rows, mut right) = (Vec::new(), true);
    for program in &chosen {
        match measure(program, options, &contenders) {
            Ok(row) => {
                print!("{:<28}", row.name);
                row.seconds.iter().for_each(|seconds| print!("{}", cell(*seconds, 9, 4)));
                println!("{}", cell(row.ratio, 7, 3));
                rows.push(row);
            }
            Err(why) => {
                println!("{:<28} {why}", program.name);
                right = false;
            }
        }
    }
    let mean = |rows: &mut dyn Iterator<Item = &Row>| {
        let ratios: Vec<f64> = rows.filter_map(|row| row.ratio).collect();
        format!("{:.3} of {}", geometric_mean(&ratios), ratios.len())
    };
    println!(
        "seconds: medians of {} rounds; geometric mean of the ratios {}, of those with tasks {}",
        options.rounds,
        mean(&mut rows.iter()),
        mean(&mut rows.iter().filter(|row| row.tasks))
    );
    Ok(right)
}

fn measure(program: &Program, options: &Options, contenders: &[Contender]) -> Result<Row, String> {
    let folder = build(program, options)?;
    let mut results: Vec<Option<Vec<f64>>> = vec![Some(Vec::new()); contenders.len()];
    let mut answer = None;
    for round in 0..options.rounds {
        for turn in 0..contenders.len() {
            let index = (turn + round) % contenders.len();
            let Some(figures) = &mut results[index] else { continue };
            let outcome = once(program, options, &folder, &contenders[index]);
            let outcome = outcome.and_then(|(seconds, result)| {
                match answer.get_or_insert_with(|| result.clone()) {
                    same if *same == result => Ok(seconds),
                    other => Err(format!("{result}, where another run has {other}")),
                }
            });
            match outcome {
                Ok(seconds) => figures.push(seconds),
                Err(why) if index == 0 => return Err(brief(&why)),
                Err(why) => {
                    eprintln!("{} on {}: {}", program.name, contenders[index].name, brief(&why));
                    results[index] = None;
                }
            }
        }
    }
    let ours = results[0].clone().unwrap_or_default();
    let ratio = |peer: &Vec<f64>| {
        let pairs: Vec<f64> = ours.iter().zip(peer).map(|(ours, peer)| ours / peer).collect();
        median(&pairs)
    };
    let ratio = results[1..].iter().flatten().map(ratio).reduce(f64::max);
    let seconds = results.iter().map(|each| each.as_ref().map(|each| median(each))).collect();
    Ok(Row { name: program.name.clone(), tasks: program.tasks, seconds, ratio })
}

/// The first lines of a message, without threads' stacks.
fn brief(why: &str) -> String {
    why.split("stacks:").next().unwrap_or(why).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Builds the program in a folder of its own, unless it lies there already.
fn build(program: &Program, options: &Options) -> Result<PathBuf, String> {
    let safe = program.name.replace('/', "-");
    let folder = options.work.join("programs").join(options.tools.label()).join(safe);
    if folder.join("program").exists() {
        return Ok(folder);
    }
    let complain = |e| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(complain)?;
    let mut command = shell(&program.build, &folder);
    let outcome = exec::run_within(&mut command, options.limit * 20)?;
    if !outcome.success() {
        return Err(format!("does not build: {}", outcome.describe()));
    }
    Ok(folder)
}

/// Runs it once: the seconds, and what it says of its result.
fn once(
    program: &Program,
    options: &Options,
    folder: &Path,
    contender: &Contender,
) -> Result<(f64, String), String> {
    let mut command = shell(&program.run, folder);
    contender.runtime.apply(&mut command);
    command.env("OMP_NUM_THREADS", "2");
    let start = Instant::now();
    let outcome = exec::run_within(&mut command, options.limit)?;
    let seconds = start.elapsed().as_secs_f64();
    if !outcome.success() {
        return Err(outcome.describe());
    }
    let both = format!("{}\n{}", outcome.stdout, outcome.stderr);
    let after = |word: &str| {
        let (_, rest) = both.lines().find_map(|line| line.split_once(word))?;
        Some(rest.trim().to_string())
    };
    let missing = |word: &str| format!("no line with {word:?}: {}", outcome.describe());
    let result = after(program.result).ok_or_else(|| missing(program.result))?;
    if BAD.contains(&result.as_str()) {
        return Err(format!("{}: {result}", program.result));
    }
    let Some(word) = program.seconds else { return Ok((seconds, result)) };
    let said = after(word).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    Ok((said.ok_or_else(|| missing(word))?, result))
}

fn shell(script: &str, folder: &Path) -> Command {
    let mut command = Command::new("bash");
    command.args(["-ec", script]).current_dir(folder);
    command
}
