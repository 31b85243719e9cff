//! Runs the programs of the tests, and of the bench, on the release: a bare machine's own compilers
//! build them.
//!
//! The runners are those of this machine: they need no newer C library than the bare one has. They
//! look for the sources where they were built, so the work tree is visible at the same path inside.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::{Machine, names, suite};
use crate::Outcome;
use crate::bench::iomp5;
use crate::release::VERSION;
use crate::tools::{self, cargo, copy, output, root, step, target_dir};

/// The pieces of the tests: the word that chooses a piece, its test binary, the flags for its
/// programs, and what it shows.
const PIECES: [(&str, &str, &str, &str); 7] = [
    ("names", "names", "", "names of entry points, and of the code of constructs"),
    ("conformance", "conformance", "", "conformance at -O2"),
    ("conformance-O0", "conformance", "-O0", "conformance at -O0"),
    ("reports", "reports", "", "reports of programs that know the truth"),
    ("hangs", "hangs", "", "hangs"),
    ("gdb", "gdb", "", "gdb and lldb"),
    ("debugger", "debugger", "", "OMPD"),
];

/// The variables that a tester may set for the runners, as in `cargo xtask test`.
const TOLD: [&str; 2] = ["OMPHALOS_TEST_LIMIT", "OMPHALOS_TEST_ONLY"];

/// The packages that the tests need besides LLVM.
const OTHERS: [&str; 9] = [
    "gcc", "g++", "gfortran", "gdb", "libc6-dev", "libopenmpi-dev", "openmpi-bin", "python3-venv",
    "zstd",
];

/// The folder inside for the runners.
const RUNNERS: &str = "opt/runners";

/// The folder inside for the bench that travels.
const PACKED: &str = "/var/tmp/bench-pack";

/// A machine that has compilers, debuggers, the released tree and the runners.
pub struct Prepared {
    machine: Machine,
    suite: String,
    llvm: u32,
}

/// Installs everything that the tests need: the system's gcc and debugger, and this LLVM.
pub fn prepare(mut machine: Machine, suite: &str, llvm: u32) -> Outcome<Prepared> {
    let mut packages: Vec<String> = ["clang", "clang-tools", "flang", "lldb", "llvm"]
        .map(|name| format!("{name}-{llvm}"))
        .into();
    packages.extend([format!("libomp-{llvm}-dev"), format!("libclang-rt-{llvm}-dev")]);
    packages.extend(OTHERS.map(String::from));
    suite::install(&machine, &packages)?;
    let tree = format!("/opt/omphalos-{VERSION}");
    tools::run(&mut machine.command("rm", &["-rf", &tree]))?;
    let archive = format!("/mnt/omphalos-{VERSION}-linux-x86_64.tar.zst");
    tools::run(&mut machine.command("tar", &["-C", "/opt", "-xf", &archive]))?;
    machine.brought.push((root(), root()));
    Ok(Prepared { machine, suite: suite.into(), llvm })
}

impl Prepared {
    /// Runs `pieces`, or all if there are none, prints how many tests failed, and names them.
    /// `only` is a word of the names of the tests that run.
    pub fn run(&self, pieces: &[String], only: Option<&str>) -> Outcome {
        let is_wanted = |word| pieces.is_empty() || pieces.iter().any(|piece| piece == word);
        let wanted: Vec<_> = PIECES.iter().filter(|piece| is_wanted(piece.0)).collect();
        step("building the tests' runners");
        for (name, built) in runners(wanted.iter().map(|piece| piece.1).collect())? {
            copy(&built, &self.machine.folder.join(RUNNERS).join(name))?;
        }
        let mut wrong = Vec::new();
        for piece in wanted {
            step(&format!("on {}: {}", self.suite, piece.3));
            if piece.0 == "names" {
                let library = format!("opt/omphalos-{VERSION}/lib/libomphalos.so");
                let library = self.machine.folder.join(library);
                wrong.extend(names::compare(&self.machine.folder, &library).err());
            }
            match self.run_one(*piece, only) {
                Ok(0) => {}
                Ok(count) => wrong.push(format!("{}: {count} fail", piece.0)),
                Err(error) => wrong.push(error),
            }
        }
        let all = wrong.join("\n");
        if all.is_empty() { Ok(()) } else { Err(format!("on {}:\n{all}", self.suite)) }
    }

    /// Measures our runtime together with those of the system and Intel's; `arguments` go to the
    /// runner. The folder that `--pack` makes is moved beside the machine's.
    pub fn bench(&self, arguments: &[String]) -> Outcome {
        let mut build = cargo();
        build.args(["build", "--release", "--quiet", "--package", "omphalos-tests"]);
        tools::run(build.args(["--bin", "bench"]))?;
        let runners = self.machine.folder.join(RUNNERS);
        copy(&target_dir().join("release/bench"), &runners.join("bench"))?;
        let runner = format!("/{RUNNERS}/bench");
        let packs = arguments.first().is_some_and(|first| first == "--pack");
        let mut all: Vec<&str> = arguments.iter().map(String::as_str).collect();
        all.extend(packs.then_some(PACKED));
        let mut command = self.command(&runner, &all);
        match iomp5::find() {
            Some(intels) => {
                copy(&intels, &runners.join("libiomp5.so"))?;
                command.env("OMPHALOS_IOMP5", format!("/{RUNNERS}/libiomp5.so"));
            }
            None => step("no libiomp5.so was found: it is not compared with"),
        }
        tools::run(&mut command)?;
        if !packs {
            return Ok(());
        }
        let from = self.machine.folder.join(PACKED.trim_start_matches('/'));
        let to = target_dir().join("bare").join(format!("bench-pack-{}", self.suite));
        let _ = std::fs::remove_dir_all(&to);
        step(&format!("it is {} outside", to.display()));
        tools::run(std::process::Command::new("mv").arg(from).arg(to))
    }

    /// Runs one piece and returns the number of tests that failed. Its output goes to a log beside
    /// the machine's folder as it comes.
    fn run_one(
        &self,
        (word, binary, flags, what): (&str, &str, &str, &str),
        only: Option<&str>,
    ) -> Outcome<usize> {
        let log = target_dir().join("bare").join(format!("{}-{word}.log", self.suite));
        let fault = |error| format!("{}: {error}", log.display());
        let mut arguments = vec!["--color=never"];
        arguments.extend(only);
        let mut command = self.command(&format!("/{RUNNERS}/{binary}"), &arguments);
        command.env("OMPHALOS_TEST_FLAGS", flags);
        command.stdout(File::create(&log).map_err(fault)?);
        let status = command.status().map_err(|error| format!("unshare: {error}"))?;
        let said = std::fs::read(&log).map_err(fault)?;
        let said = String::from_utf8_lossy(&said);
        let Some(result) = said.lines().rev().find(|line| line.starts_with("test result:")) else {
            return Err(format!("{what}: {status}; see {}", log.display()));
        };
        println!("{}: {what}: {result}", self.suite);
        let failed: Vec<&str> = said
            .lines()
            .filter_map(|line| line.strip_prefix("test ")?.strip_suffix("FAILED"))
            .collect();
        for name in &failed {
            println!("    {}", name.trim_end_matches([' ', '.']));
        }
        if !failed.is_empty() {
            println!("    why: {}", log.display());
        }
        Ok(failed.len())
    }

    /// Returns a command that runs inside and finds the released tree and the system's LLVM.
    fn command(&self, program: &str, arguments: &[&str]) -> std::process::Command {
        let mut command = self.machine.command(program, arguments);
        command.env("OMPHALOS_DIST", format!("/opt/omphalos-{VERSION}"));
        command.env("OMPHALOS_TEST_CACHE", "/var/tmp/programs");
        command.env("OMPHALOS_TEST_LLVM", self.llvm.to_string());
        command.envs(TOLD.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        command.stderr(Stdio::inherit());
        command
    }
}

/// Whether a word chooses a piece of the tests.
pub fn is_piece(word: &str) -> bool {
    PIECES.iter().any(|piece| piece.0 == word)
}

/// Builds the tests' runners of these names and returns each with its file.
fn runners(mut names: Vec<&'static str>) -> Outcome<Vec<(&'static str, PathBuf)>> {
    let mut build = cargo();
    build.args(["test", "--quiet", "--package", "omphalos-tests", "--no-run"]);
    build.arg("--message-format=json");
    names.dedup();
    for name in &names {
        build.args(["--test", name]);
    }
    let said = output(&mut build)?;
    let built: Vec<serde_json::Value> =
        said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let of = |name: &'static str| {
        let is_it = |line: &&serde_json::Value| line["target"]["name"] == name;
        let file = built.iter().find(is_it).and_then(|line| line["executable"].as_str());
        file.map(|file| (name, Path::new(file).into())).ok_or(format!("cargo built no {name}"))
    };
    names.into_iter().map(of).collect()
}
