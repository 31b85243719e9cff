//! The rows of what `omphalos top` costs: one program by itself and looked at by `omphalos top`, in
//! turn, with several numbers of threads. The figures are the program's processor time, the median
//! of the pairs, and the time that went by, the least with over the least without: a machine does
//! other things too.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::Outcome;
use crate::tools::{self, make_dir, root, target_dir};

/// Pairs of runs, of two seconds and more each.
const PAIRS: usize = 5;

/// Numbers of threads, unless others are asked for.
const THREADS: [&str; 3] = ["2", "8", "64"];

/// What a run took, in seconds.
struct Took {
    user: f64,
    system: f64,
    wall: f64,
}

/// Measures and prints; `words`: numbers of threads.
pub fn run(tree: &Path, words: &[String]) -> Outcome {
    println!("top cost: a program under `omphalos top` over the same by itself, {PAIRS} pairs");
    println!("{:>7} {:>10} {:>14} {:>12}", "threads", "alone s", "processor time", "wall time");
    let program = compile()?;
    let asked: Vec<&str> = match words {
        [] => THREADS.to_vec(),
        _ => words.iter().map(String::as_str).collect(),
    };
    for threads in asked {
        row(tree, &program, threads)?;
    }
    Ok(())
}

fn compile() -> Outcome<PathBuf> {
    let folder = target_dir().join("bench");
    make_dir(&folder)?;
    let program = folder.join("watched");
    let mut command = Command::new("gcc");
    command.args(["-O2", "-g", "-fopenmp", "-o"]).arg(&program);
    tools::run(command.arg(root().join("xtask/src/bench/watched.c")))?;
    Ok(program)
}

fn row(tree: &Path, program: &Path, threads: &str) -> Outcome {
    let (mut processor, mut walls) = (Vec::new(), [f64::INFINITY; 2]);
    one(tree, program, threads, false)?;
    for pair in 0..PAIRS {
        // Which goes first changes, so that a machine that slows down favours neither.
        let first = one(tree, program, threads, pair % 2 == 1)?;
        let second = one(tree, program, threads, pair % 2 == 0)?;
        let (alone, looked_at) = if pair % 2 == 1 { (second, first) } else { (first, second) };
        processor.push((looked_at.user + looked_at.system) / (alone.user + alone.system));
        walls = [walls[0].min(alone.wall), walls[1].min(looked_at.wall)];
    }
    processor.sort_by(f64::total_cmp);
    let (processor, wall) = (processor[PAIRS / 2], walls[1] / walls[0]);
    println!("{threads:>7} {:>10.2} {processor:>14.4} {wall:>12.4}", walls[0]);
    Ok(())
}

fn one(tree: &Path, program: &Path, threads: &str, is_looked_at: bool) -> Outcome<Took> {
    let failed = |what: &str| format!("{what} failed: run {} by hand", program.display());
    let mut command = Command::new(program);
    command.env("OMP_NUM_THREADS", threads).env("LD_LIBRARY_PATH", tree.join("lib"));
    let child = command.stdout(Stdio::piped()).spawn().map_err(|_| failed("the program"))?;
    let top = if is_looked_at { Some(look_at(tree, &child)?) } else { None };
    let output = child.wait_with_output().map_err(|_| failed("the program"))?;
    if let Some(mut top) = top {
        top.wait().map_err(|_| failed("omphalos top"))?;
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [user, system, wall] = numbers[..] else { return Err(failed("the program")) };
    Ok(Took { user, system, wall })
}

fn look_at(tree: &Path, child: &Child) -> Outcome<Child> {
    let mut command = Command::new(tree.join("bin/omphalos"));
    command.args(["top", "--plain", &child.id().to_string()]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.spawn().map_err(|error| format!("cannot start omphalos: {error}"))
}
