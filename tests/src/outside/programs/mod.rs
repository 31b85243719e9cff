//! Whole programs that others wrote, timed on our runtime and on the peers.
//!
//! Each program is built once, with the compiler's own flags for OpenMP; every runtime gets the
//! same binary. A round runs it once on each runtime, a different one first each time, so that a
//! change of the machine's speed affects all of them. The ratio to a peer is the median over the
//! rounds of our time divided by the peer's; the row's ratio is the one to the best peer.
//!
//! A run of a peer that did not end within the limit counts as the limit, so that the true ratio is
//! at most the one in the table; after the second such run the peer is left out of the row's other
//! rounds.
//!
//! What must hold: the result of every run is judged, and a wrong one gives no figure; a peer that
//! fails loses its column and nothing else; a line beneath the row says what a peer lacks.

mod list;
mod row;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::options::Options;
use crate::exec;
use crate::figures::geometric_mean;
use crate::peers::{Contender, contenders};
use list::{Program, programs};
use row::Row;

/// The words by which a program says that its result is wrong.
const BAD: &[&str] = &["UNSUCCESSFUL", "error"];

/// Builds and measures the chosen programs. Returns whether every one of them is right on ours.
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
                print!("{row}");
                rows.push(row);
            }
            Err(why) => {
                println!("{:<28} {why}", program.name);
                right = false;
            }
        }
    }
    let mean = |rows: &mut dyn Iterator<Item = &Row>| {
        let ratios: Vec<f64> = rows.filter_map(Row::ratio).collect();
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
    let mut row = Row::new(program, options, contenders);
    let mut answer = None;
    for round in 0..options.rounds {
        for turn in 0..contenders.len() {
            let index = (turn + round) % contenders.len();
            if !row.goes_on(index) {
                continue;
            }
            let outcome = once(program, options, &folder, &contenders[index]);
            let same = |(seconds, result): (f64, String)| match answer
                .get_or_insert_with(|| result.clone())
            {
                same if *same == result => Ok(Some(seconds)),
                other => Err(format!("{result}, where another run has {other}")),
            };
            match outcome.and_then(|ended| ended.map_or(Ok(None), same)) {
                Ok(seconds) => row.add(index, seconds)?,
                Err(why) => row.fail(index, &brief(&why))?,
            }
        }
    }
    Ok(row)
}

/// Returns a message on one line, without threads' stacks.
fn brief(why: &str) -> String {
    why.split("stacks:").next().unwrap_or(why).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Builds the program in a folder of its own, unless it is there already.
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

/// Runs the program once, and returns its seconds and its result; `None` if it did not end in time.
fn once(
    program: &Program,
    options: &Options,
    folder: &Path,
    contender: &Contender,
) -> Result<Option<(f64, String)>, String> {
    let mut command = shell(&program.run, folder);
    contender.runtime.apply(&mut command);
    command.env("OMP_NUM_THREADS", "2");
    let start = Instant::now();
    let Some(outcome) = exec::run_timed(&mut command, options.limit)? else { return Ok(None) };
    let seconds = start.elapsed().as_secs_f64();
    if !outcome.success() {
        return Err(outcome.describe());
    }
    let both = format!("{}\n{}", outcome.stdout, outcome.stderr);
    let after = |word: &str| -> Vec<String> {
        let rests = both.lines().filter_map(|line| line.split_once(word));
        rests.map(|(_, rest)| rest.trim().to_string()).collect()
    };
    let missing = |word: &str| format!("no line with {word:?}: {}", outcome.describe());
    let results = after(program.result);
    if let Some(bad) = results.iter().find(|result| BAD.contains(&result.as_str())) {
        return Err(format!("{}: {bad}", program.result));
    }
    let result = results.into_iter().next_back().ok_or_else(|| missing(program.result))?;
    let Some(word) = program.seconds else { return Ok(Some((seconds, result))) };
    let said = after(word);
    let said = said.iter().map(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
    let said: Option<Vec<f64>> = said.collect();
    let said = said.filter(|each| !each.is_empty()).ok_or_else(|| missing(word))?;
    Ok(Some((said.iter().sum(), result)))
}

fn shell(script: &str, folder: &Path) -> Command {
    let mut command = Command::new("bash");
    command.args(["-ec", script]).current_dir(folder);
    command
}
