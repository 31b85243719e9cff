//! Measures the cost of profiling: each program of `bench/profile/rows.c` runs under `omphalos run`
//! and `omphalos profile` in turn. The figure is the processor time that profiling adds to the
//! whole command, from its begin to its end. Beside it stand the time that the report's head gives
//! for the agent, and the rate at which the profile grows. To measure while other programs run,
//! give this one priority: `chrt -f 1 cargo xtask …`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Outcome;
use crate::tools::{self, make_dir, output, root, target_dir};

/// Pairs of runs; each gives one ratio.
const PAIRS: usize = 9;

/// Measures the rows whose names contain a word of `arguments`, or all. The compiler is gcc and the
/// number of threads is 2, unless `--compiler NAME,…` and `--threads N,…` say otherwise.
pub fn run(tree: &Path, arguments: &[String]) -> Outcome {
    let mut chosen = Chosen { compiler: "gcc".into(), threads: "2".into(), words: Vec::new() };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let place = match argument.as_str() {
            "--compiler" => &mut chosen.compiler,
            "--threads" => &mut chosen.threads,
            word => {
                chosen.words.push(word.to_owned());
                continue;
            }
        };
        rest.next().ok_or(format!("{argument} needs a value"))?.clone_into(place);
    }
    println!("processor time of `omphalos profile` over `omphalos run`: {}", processor());
    for compiler in chosen.compiler.split(',') {
        let program = compile(compiler)?;
        for threads in chosen.threads.split(',') {
            table(tree, &program, compiler, threads, &chosen)?;
        }
    }
    Ok(())
}

fn table(tree: &Path, program: &Path, compiler: &str, threads: &str, chosen: &Chosen) -> Outcome {
    println!("{threads} threads, {compiler}, least and median of {PAIRS}");
    println!(
        "{:<18} {:>8} {:>9} {:>7} {:>7}   {:<16} {:>7} {:>9} {:>9} {:>8}",
        "row",
        "run ms",
        "added ms",
        "least",
        "median",
        "of pairs",
        "head",
        "head/true",
        "by median",
        "MB/min"
    );
    let list = output(&mut Command::new(program))?;
    let names = list.lines().filter_map(|line| line.split(' ').next());
    for name in names.filter(|name| chosen.takes(name)) {
        row(name, threads, tree, program)?;
    }
    Ok(())
}

struct Chosen {
    compiler: String,
    threads: String,
    words: Vec<String>,
}

impl Chosen {
    fn takes(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()))
    }
}

fn compile(compiler: &str) -> Outcome<PathBuf> {
    let folder = target_dir().join("bench");
    make_dir(&folder)?;
    let program = folder.join(format!("profile-rows-{compiler}"));
    let mut command = Command::new(compiler);
    command.args(["-O2", "-g", "-fopenmp", "-o"]).arg(&program);
    tools::run(command.arg(root().join("bench/profile/rows.c")))?;
    Ok(program)
}

/// The times of one run: processor time in ms, and seconds by the clock.
struct Run {
    cpu: f64,
    elapsed: f64,
}

fn row(name: &str, threads: &str, tree: &Path, program: &Path) -> Outcome {
    let profile = target_dir().join("bench/cost.omph");
    let start = |arguments: &[&str]| {
        let mut command = Command::new(program);
        command.arg("of").arg(tree.join("bin/omphalos")).args(arguments);
        if arguments == ["profile"] {
            command.args(["--no-report", "-o"]).arg(&profile);
        }
        command.arg(program).arg(name).env("OMP_NUM_THREADS", threads);
        read(&output(&mut command)?)
    };
    let (mut plain, mut profiled) = (Vec::new(), Vec::new());
    let (mut ratios, mut said, mut grows) = (Vec::new(), Vec::new(), Vec::new());
    start(&["run"])?;
    for pair in 0..PAIRS {
        // The order alternates, so that a machine that slows down favours neither of the two.
        let first = if pair % 2 == 0 { Some(start(&["run"])?) } else { None };
        let with = start(&["profile"])?;
        let without = first.map_or_else(|| start(&["run"]), Ok)?;
        said.push(agents(tree, &profile)?);
        let size = std::fs::metadata(&profile).map_err(|error| error.to_string())?.len();
        grows.push(size as f64 / 1e6 / with.elapsed * 60.0);
        ratios.push(with.cpu / without.cpu);
        plain.push(without.cpu);
        profiled.push(with.cpu);
    }
    let percent = |ratio: f64| format!("{:.1}%", (ratio - 1.0) * 100.0);
    let ratio = median(&mut ratios);
    let (head, typical) = (median(&mut said), median(&mut plain));
    let added_typically = median(&mut profiled) - typical;
    let added = profiled[0] - plain[0];
    println!(
        "{name:<18} {:>8.1} {added:>9.1} {:>7} {:>7}   {:<16} {:>7} {:>9.2} {:>9.2} {:>8.2}",
        plain[0],
        percent(profiled[0] / plain[0]),
        percent(ratio),
        format!("{} to {}", percent(ratios[0]), percent(ratios[PAIRS - 1])),
        percent(1.0 + head / typical),
        head / added,
        head / added_typically,
        median(&mut grows),
    );
    Ok(())
}

fn read(printed: &str) -> Outcome<Run> {
    // The line that the program prints itself, then the time of the whole command.
    let words: Vec<f64> = printed.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[_, elapsed, _, cpu] = words.as_slice() else {
        return Err(format!("the program printed {printed:?}"));
    };
    Ok(Run { cpu: cpu / 1e3, elapsed: elapsed / 1e6 })
}

/// Returns the agent's time in ms, from the report's head.
fn agents(tree: &Path, profile: &Path) -> Outcome<f64> {
    let mut command = Command::new(tree.join("bin/omphalos"));
    let json = output(command.args(["report", "--json=-"]).arg(profile))?;
    let report: Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
    let agents = report["summary"]["agent_ns"].as_f64();
    agents.map(|time| time / 1e6).ok_or("the report says nothing of the agent".to_owned())
}

/// Returns the median, and leaves the values sorted.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns the processor's name.
fn processor() -> String {
    let known = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = known.lines().find(|line| line.starts_with(name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let of = |name| field(name).unwrap_or_default();
    format!("{} (family {}, model {})", of("model name"), of("cpu family"), of("model\t"))
}
