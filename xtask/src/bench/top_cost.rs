//! Measures the cost of `omphalos top`. One program repeats the same piece of work. A round has
//! three parts of several pieces each: the program alone, the program alone once more, and the
//! program while `omphalos top` looks at it. A machine does other things too, so there are many
//! such rounds in a row; the figure is their median with the range that holds it in 95 of 100
//! cases. The bench cannot resolve anything smaller than the difference between the two parts
//! alone.
//!
//! `omphalos top` exists all the time: it is stopped (SIGSTOP) during the parts alone. The looks
//! that it missed come at once when it goes on, during a piece that is not counted. Beside the
//! program's figures stands the processors' time that the looks themselves take.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::Outcome;
use crate::tools::{self, make_dir, root, target_dir};

/// The number of rounds, and of pieces in each of a round's three parts; a piece takes some 0.1
/// seconds.
const ROUNDS: usize = 16;
const PIECES_OF_PART: usize = 8;

/// The number of pieces during which the looks' own time is counted.
const PIECES: usize = 60;

/// The numbers of threads, unless the arguments give others.
const THREADS: [&str; 3] = ["2", "8", "64"];

/// The ticks a second of the processor times in /proc.
const TICKS: f64 = 100.0;

/// The time that a piece took, in seconds.
#[derive(Clone, Copy)]
struct Took {
    processor: f64,
    wall: f64,
}

/// Measures and prints; `words` are numbers of threads.
pub fn run(tree: &Path, words: &[String]) -> Outcome {
    println!("top cost: a program under `omphalos top` over the same by itself, {ROUNDS} rounds");
    println!(
        "{:>7} {:>9} {:>10} {:>24} {:>24} {:>14}",
        "threads", "alone s", "", "processor time", "wall time", "of processors"
    );
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
    let mut watched = Watched::start(tree, program, threads)?;
    watched.piece()?;
    let top = Looker::start(tree, watched.child.id())?;
    // Its first look finds names and lines, which it keeps.
    watched.piece()?;
    let own = own(&mut watched, &top)?;
    let mut rounds: Vec<[Took; 3]> = Vec::new();
    for round in 0..ROUNDS {
        let mut took = [Took { processor: 0.0, wall: 0.0 }; 3];
        // The order changes from round to round, so that a machine that slows down favours none of
        // the parts.
        for turn in 0..3 {
            let which = (round + turn) % 3;
            top.look(which == LOOKED_AT)?;
            watched.piece()?;
            for _ in 0..PIECES_OF_PART {
                let piece = watched.piece()?;
                took[which].processor += piece.processor;
                took[which].wall += piece.wall;
            }
        }
        rounds.push(took);
    }
    let over = |which: usize, part: fn(&Took) -> f64| {
        let ratio = |took: &[Took; 3]| part(&took[which]) / part(&took[0]);
        let [low, median, high] = spread(rounds.iter().map(ratio).collect());
        format!("{median:.4} ({low:.4}-{high:.4})")
    };
    let wall = |took: &[Took; 3]| took[0].wall / PIECES_OF_PART as f64;
    let alone = spread(rounds.iter().map(wall).collect())[1];
    let parts: [fn(&Took) -> f64; 2] = [|took| took.processor, |took| took.wall];
    let [again, looked_at] = [1, LOOKED_AT].map(|which| parts.map(|part| over(which, part)));
    let [processor, wall] = again;
    println!("{threads:>7} {alone:>9.3} {:>10} {processor:>24} {wall:>24}", "again");
    let [processor, wall] = looked_at;
    println!("{:>17} {:>10} {processor:>24} {wall:>24} {own:>13.2}%", "", "looked at");
    Ok(())
}

/// The index of the part of a round in which `omphalos top` looks.
const LOOKED_AT: usize = 2;

/// Returns the share of all processors' time, in percent, that the looks themselves take. `omphalos
/// top` is not stopped meanwhile, because after a stop it makes up at once for looks that it
/// missed.
fn own(watched: &mut Watched, top: &Looker) -> Outcome<f64> {
    let (began, mut looked_for) = (top.used()?, 0.0);
    for _ in 0..PIECES {
        looked_for += watched.piece()?.wall;
    }
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get()) as f64;
    Ok((top.used()? - began) / looked_for / processors * 100.0)
}

/// Returns the median between two bounds. The bounds hold the median of all possible rounds in 95
/// of 100 cases.
fn spread(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let far = (values.len() as f64).sqrt() as usize;
    let at = |index: usize| values[index.min(values.len() - 1)];
    [at(middle.saturating_sub(far)), at(middle), at(middle + far)]
}

fn failed(what: &str) -> String {
    format!("{what} failed: see xtask/src/bench/watched.c")
}

/// The program that `omphalos top` looks at; it ends when its input does.
struct Watched {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Watched {
    fn start(tree: &Path, program: &Path, threads: &str) -> Outcome<Watched> {
        let mut command = Command::new(program);
        command.env("OMP_NUM_THREADS", threads).env("LD_LIBRARY_PATH", tree.join("lib"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|_| failed("the program"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(failed("the program"));
        };
        Ok(Watched { child, input, output: BufReader::new(output) })
    }

    /// Makes the program do its work once, and returns the time that it took.
    fn piece(&mut self) -> Outcome<Took> {
        let mut line = String::new();
        self.input.write_all(b".").map_err(|_| failed("the program"))?;
        self.output.read_line(&mut line).map_err(|_| failed("the program"))?;
        let numbers: Vec<f64> = line.split_whitespace().flat_map(str::parse).collect();
        match numbers[..] {
            [processor, wall] => Ok(Took { processor, wall }),
            _ => Err(failed("the program")),
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `omphalos top`.
struct Looker(Child);

impl Looker {
    fn start(tree: &Path, pid: u32) -> Outcome<Looker> {
        let mut command = Command::new(tree.join("bin/omphalos"));
        command.args(["top", "--plain", &pid.to_string()]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let child = command.spawn();
        Ok(Looker(child.map_err(|error| format!("cannot start omphalos: {error}"))?))
    }

    /// Lets it continue if `does`, or else stops it.
    fn look(&self, does: bool) -> Outcome {
        let signal = if does { "-CONT" } else { "-STOP" };
        tools::run(Command::new("kill").arg(signal).arg(self.0.id().to_string()))
    }

    /// Returns the processor time that it has used, in seconds.
    fn used(&self) -> Outcome<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id()));
        let stat = stat.map_err(|_| failed("omphalos top"))?;
        // The fields behind the name, which may hold any characters: user and system time are the
        // 12th and 13th.
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: f64 = fields.skip(11).take(2).flat_map(str::parse::<f64>).sum();
        Ok(ticks / TICKS)
    }
}

impl Drop for Looker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
