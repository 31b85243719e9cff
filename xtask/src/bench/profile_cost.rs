//! The row of what profiling costs: one program, with regions of a millisecond and more, under
//! `omphalos run` and `omphalos profile` in turn. The ratio of the two is the figure.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::tools::{self, have, make_dir, root, step, target_dir};

/// Pairs of runs; each gives one ratio.
const PAIRS: usize = 9;

/// Measures and prints, for each compiler that is there.
pub fn run(tree: &Path) -> Outcome {
    println!(
        "profile cost: wall time of `omphalos profile --no-report` over `omphalos run`, 1 kHz, 2 \
         threads"
    );
    println!("{:<10} {:>10} {:>12} {:>8}   of pairs", "compiler", "run ms", "profile ms", "ratio");
    for compiler in ["gcc", "clang-19"].into_iter().filter(|compiler| have(compiler)) {
        let program = compile(compiler)?;
        row(compiler, tree, &program)?;
    }
    Ok(())
}

fn compile(compiler: &str) -> Outcome<PathBuf> {
    let folder = target_dir().join("bench");
    make_dir(&folder)?;
    let program = folder.join(format!("regions-{compiler}"));
    let mut command = Command::new(compiler);
    command.args(["-O2", "-g", "-fopenmp", "-o"]).arg(&program);
    tools::run(command.arg(root().join("xtask/src/bench/regions.c")))?;
    Ok(program)
}

fn row(compiler: &str, tree: &Path, program: &Path) -> Outcome {
    let plain = || timed(tree, &["run"], program);
    let profiled = || timed(tree, &["profile", "--no-report", "-o", "cost.omph"], program);
    let (mut run, mut profile, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    plain()?;
    for pair in 0..PAIRS {
        // Which goes first changes, so that a machine that slows down favours neither.
        let (first, second) = match pair % 2 {
            0 => (plain()?, profiled()?),
            _ => {
                let second = profiled()?;
                (plain()?, second)
            }
        };
        ratios.push(second.as_secs_f64() / first.as_secs_f64());
        run.push(first.as_secs_f64() * 1e3);
        profile.push(second.as_secs_f64() * 1e3);
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "{compiler:<10} {:>10.1} {:>12.1} {:>8.3}   {:.3} to {:.3}",
        median(&mut run),
        median(&mut profile),
        median(&mut ratios),
        ratios[0],
        ratios[PAIRS - 1]
    );
    Ok(())
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn timed(tree: &Path, arguments: &[&str], program: &Path) -> Outcome<Duration> {
    let mut command = Command::new(tree.join("bin/omphalos"));
    command.args(arguments).arg(program).env("OMP_NUM_THREADS", "2");
    command.current_dir(program.parent().expect("a program has a folder"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status().map_err(|error| format!("cannot start omphalos: {error}"))?;
    let elapsed = start.elapsed();
    if !status.success() {
        step("run it by hand to see why it failed");
        return Err(format!("{status} from {command:?}"));
    }
    Ok(elapsed)
}
