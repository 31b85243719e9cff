//! `programs`: runs real programs of Debian and PyPI on the runtime that they were built for and on
//! ours.
//!
//! The table is `tests/programs/others.txt`; `tests/programs/inputs.py` makes its inputs. Each
//! program runs with several team sizes, and some times on each runtime in turn. On ours it must
//! end with exit status 0, and print what it printed in one of the runs on the stock runtime with
//! the same team size.
//!
//! What must hold: if a program fails on its own runtime, the error says that the table is wrong.

mod compare;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::tools::{self, make_dir, root, step, target_dir};
use crate::{Outcome, dist, packages};
use table::{Program, read_table};

const USAGE: &str = "`programs` takes [--runs N] [--threads N,N...] [part of a name ...]";
/// The seconds that a program may take.
const LIMIT: &str = "300";

/// The runtime that a program runs on.
#[derive(Clone, Copy, PartialEq)]
enum Runtime {
    /// Its own.
    Stock,
    /// Its own; the loader also writes which files it loads.
    StockShown,
    /// Ours.
    Ours,
}

/// The choices that the arguments make.
struct Options {
    runs: usize,
    threads: Vec<u32>,
    names: Vec<String>,
}

/// Runs the programs that `arguments` name, or all.
pub fn run(arguments: &[String]) -> Outcome {
    let options = parse(arguments)?;
    let tree = dist::run()?;
    let folder = target_dir().join("programs");
    let inputs = folder.join("inputs");
    let mut programs = read_table(&root().join("tests/programs/others.txt"))?;
    let is_meant = |name: &str| options.names.iter().any(|part| name.contains(part.as_str()));
    programs.retain(|program| options.names.is_empty() || is_meant(&program.name));
    let debian = programs.iter().flat_map(|program| &program.debian);
    packages::ensure(&debian.map(String::as_str).collect::<Vec<_>>())?;
    install_by_pip(&folder, &programs)?;
    make_dir(&inputs)?;
    let script = root().join("tests/programs/inputs.py");
    tools::run(Command::new("python3").arg(script).arg(&inputs))?;
    let place = Place { folder, inputs, omphalos: tree.join("bin/omphalos") };
    let mut faults = Vec::new();
    for program in &programs {
        let start = Instant::now();
        let said = match place.measure(program, &options) {
            Ok(true) => "same".to_owned(),
            Ok(false) => "same, and the stock runtime's results differ among themselves".into(),
            Err(why) => {
                faults.push(program.name.as_str());
                why
            }
        };
        println!("{:<20} {:>4} s  {said}", program.name, start.elapsed().as_secs());
    }
    let right = programs.len() - faults.len();
    println!("{right} of {} programs do what they do on their own runtime", programs.len());
    if faults.is_empty() { Ok(()) } else { Err(format!("wrong: {}", faults.join(", "))) }
}

fn parse(arguments: &[String]) -> Outcome<Options> {
    let mut options = Options { runs: 5, threads: vec![1, 2, 4, 8], names: Vec::new() };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().map(String::as_str).unwrap_or_default();
        match argument.as_str() {
            "--runs" => options.runs = value().parse().map_err(|_| USAGE)?,
            "--threads" => {
                let sizes: Result<_, _> = value().split(',').map(str::parse).collect();
                options.threads = sizes.map_err(|_| USAGE)?;
            }
            _ if argument.starts_with('-') => return Err(USAGE.into()),
            _ => options.names.push(argument.clone()),
        }
    }
    Ok(options)
}

/// Makes a Python environment, if there is none, and installs in it what the programs need from
/// PyPI.
fn install_by_pip(folder: &Path, programs: &[Program]) -> Outcome {
    let wanted: Vec<&String> = programs.iter().flat_map(|program| &program.pip).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let place = folder.join("python");
    if !place.join("bin/pip").exists() {
        make_dir(folder)?;
        packages::ensure(&["python3-venv"])?;
        tools::run(Command::new("python3").args(["-m", "venv"]).arg(&place))?;
    }
    step("installing by pip what is missing");
    tools::run(Command::new(place.join("bin/pip")).args(["install", "--quiet"]).args(wanted))
}

struct Place {
    folder: PathBuf,
    inputs: PathBuf,
    omphalos: PathBuf,
}

impl Place {
    /// Runs a program on both runtimes, and compares. Returns whether all results of the stock
    /// runtime are the same. The error describes a fault of ours, or of the table.
    fn measure(&self, program: &Program, options: &Options) -> Outcome<bool> {
        if !self.loads_a_runtime(program)? {
            return Err("the table is wrong: no OpenMP runtime is loaded".into());
        }
        let mut is_steady = true;
        for &threads in &options.threads {
            let (mut stock, mut ours) = (Vec::new(), Vec::new());
            for _ in 0..options.runs {
                stock.push(self.once(program, threads, Runtime::Stock)?);
                ours.push(self.once(program, threads, Runtime::Ours)?);
            }
            if let Some((status, _, errors)) = stock.iter().find(|(status, ..)| *status != Some(0))
            {
                return Err(format!(
                    "the table is wrong: {status:?} on its own runtime: {}",
                    last(errors)
                ));
            }
            if stock[0].1.trim().is_empty() {
                return Err("the table is wrong: nothing is printed that could be compared".into());
            }
            is_steady &= stock.iter().all(|result| result.1 == stock[0].1);
            for (status, result, errors) in &ours {
                if *status != Some(0) {
                    return Err(format!(
                        "{threads} threads: exit status {status:?}: {}",
                        last(errors)
                    ));
                }
                let is_same = |stock: &String| program.comparison.is_same(stock, result);
                if !stock.iter().any(|(_, stock, _)| is_same(stock)) {
                    let kept = self.folder.join(format!("{}-{threads}", program.name));
                    let keep = |end: &str, text: &String| {
                        std::fs::write(kept.with_extension(end), text).map_err(|e| e.to_string())
                    };
                    keep("ours", result)?;
                    keep("stock", &stock[0].1)?;
                    return Err(format!(
                        "{threads} threads: another result: {}.ours, .stock",
                        kept.display()
                    ));
                }
            }
        }
        Ok(is_steady)
    }

    /// Whether a process of the script initialises an OpenMP runtime, according to the loader's
    /// messages.
    fn loads_a_runtime(&self, program: &Program) -> Outcome<bool> {
        let loaded = self.folder.join("loaded");
        let _ = std::fs::remove_dir_all(&loaded);
        make_dir(&loaded)?;
        self.once(program, 2, Runtime::StockShown)?;
        let entries = std::fs::read_dir(&loaded).map_err(|error| error.to_string())?;
        let is_runtime = |line: &str| {
            line.contains("calling init")
                && ["/libgomp", "/libomp", "/libiomp5"].iter().any(|name| line.contains(name))
        };
        let texts = entries.flatten().filter_map(|entry| std::fs::read(entry.path()).ok());
        let mut texts = texts.map(|text| String::from_utf8_lossy(&text).into_owned());
        Ok(texts.any(|text| text.lines().any(is_runtime)))
    }

    /// Runs the program once; returns its exit status, its output and its messages. There is no
    /// status if a signal ended it.
    fn once(
        &self,
        program: &Program,
        threads: u32,
        runtime: Runtime,
    ) -> Outcome<(Option<i32>, String, String)> {
        let work = self.folder.join("work");
        let _ = std::fs::remove_dir_all(&work);
        make_dir(&work)?;
        let script = format!("set -e -o pipefail\n{}", program.script);
        let mut command = Command::new("timeout");
        command.args(["--kill-after=5", LIMIT]);
        if runtime == Runtime::Ours {
            command.arg(&self.omphalos).arg("run");
        }
        command.args(["bash", "-c", &script]).current_dir(&work).env_clear();
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/usr/lib/x86_64-linux-gnu/bin");
        command.env("HOME", &work).env("TMPDIR", &work).env("LC_ALL", "C.UTF-8");
        command.env("IN", &self.inputs).env("PYTHON", self.folder.join("python/bin/python"));
        command.env("T", threads.to_string()).env("OMP_NUM_THREADS", threads.to_string());
        if runtime == Runtime::StockShown {
            command.env("LD_DEBUG", "files").env("LD_DEBUG_OUTPUT", self.folder.join("loaded/by"));
        }
        let output = command.output().map_err(|error| format!("timeout: {error}"))?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok((output.status.code(), text(output.stdout), text(output.stderr)))
    }
}

/// Returns the last line of a program's messages.
fn last(errors: &str) -> &str {
    errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no message")
}
