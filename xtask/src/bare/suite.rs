//! `bare --suite NAME`: tries the release on a machine of another Debian that has nothing yet.
//!
//! A stranger's script installs each form of the release, runs and profiles programs of that
//! system's compilers, removes the release, and looks for files that are left. Then the programs of
//! the tests run on it, built by that system's compilers. When asked, the programs of the bench run
//! instead, beside the runtimes that the system has. The tests take hours, so pieces of them run
//! alone: the system that `--keep` leaves serves the next piece.

use std::process::Stdio;
use std::time::Instant;

use super::{Machine, apt, bring_names, remove, tests};
use crate::tools::{make_dir, output, run as start, step, target_dir};
use crate::{Outcome, release};

/// The script of what a stranger does, with one version and then with two; it runs inside.
const STRANGER: &str = concat!(include_str!("stranger.sh"), "\n", include_str!("versions.sh"));

/// The compilers whose programs are tried, and the packages that the wheel needs.
const PACKAGES: [&str; 7] =
    ["gcc", "libc6-dev", "clang", "libomp-dev", "python3-venv", "zstd", "gdb"];

const USAGE: &str = "`bare --suite NAME` takes [--llvm N] [--keep] [install] \
                     [tests [PIECE…] [--only WORD]] [bench [ROW…]]";

/// The steps that the arguments ask for.
struct Wish {
    installs: bool,
    /// Pieces of the tests; all if none is named.
    tests: Option<Vec<String>>,
    /// A word of the names of the tests that run.
    only: Option<String>,
    /// The rows of the bench.
    bench: Option<Vec<String>>,
    /// The version of LLVM; by default the newest of the suite.
    llvm: Option<u32>,
    /// Whether the system is kept at the end, and a kept one is used again.
    keeps: bool,
}

/// Makes the system again from nothing, tries everything, and prints the results.
pub fn run(suite: &str, arguments: &[String]) -> Outcome {
    let wish = wish(arguments)?;
    let released = target_dir().join("released");
    release::check(&released)?;
    let place = target_dir().join("bare");
    let folder = place.join(suite);
    let packages = place.join("packages");
    make_dir(&packages)?;
    // A stranger has nothing yet.
    let is_kept = wish.keeps && !wish.installs && apt::is_complete(&folder);
    if !is_kept {
        remove(&folder)?;
        apt::bootstrap_suite(&folder, &packages, suite)?;
    }
    bring_names(&folder);
    let machine = Machine { folder, brought: vec![(released, "mnt".into())] };
    if !is_kept {
        start(machine.command("apt-get", &["update", "-qq"]).stdout(Stdio::null()))?;
    }
    if wish.installs {
        install(&machine, &PACKAGES)?;
        let begin = Instant::now();
        let script = machine.folder.join("root/stranger.sh");
        std::fs::write(&script, STRANGER).map_err(|e| format!("{}: {e}", script.display()))?;
        start(&mut machine.command("bash", &["-eu", "/root/stranger.sh"]))?;
        println!("{suite}: all of it works, {} s", begin.elapsed().as_secs());
    }
    if wish.tests.is_some() || wish.bench.is_some() {
        let llvm = wish.llvm.map_or_else(|| newest_llvm(&machine), Ok)?;
        let machine = tests::prepare(machine, suite, llvm)?;
        if let Some(rows) = &wish.bench {
            machine.bench(rows)?;
        }
        if let Some(pieces) = &wish.tests {
            machine.run(pieces, wish.only.as_deref())?;
        }
    }
    if wish.keeps { Ok(()) } else { remove(&place.join(suite)) }
}

fn wish(arguments: &[String]) -> Outcome<Wish> {
    let mut wish =
        Wish { installs: false, tests: None, only: None, bench: None, llvm: None, keeps: false };
    let mut rest = arguments.iter().peekable();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "install" => wish.installs = true,
            "tests" => {
                let pieces = std::iter::from_fn(|| rest.next_if(|word| tests::is_piece(word)));
                wish.tests = Some(pieces.cloned().collect());
                if rest.next_if(|word| *word == "--only").is_some() {
                    wish.only = Some(rest.next().ok_or(USAGE)?.clone());
                }
            }
            "--keep" => wish.keeps = true,
            "bench" => wish.bench = Some(rest.by_ref().cloned().collect()),
            "--llvm" => {
                let version = rest.next().and_then(|version| version.parse().ok());
                wish.llvm = Some(version.ok_or(USAGE)?);
            }
            _ => return Err(USAGE.into()),
        }
    }
    if !wish.installs && wish.tests.is_none() && wish.bench.is_none() {
        (wish.installs, wish.tests) = (true, Some(Vec::new()));
    }
    Ok(wish)
}

/// Installs packages inside, without those that they only recommend.
pub fn install(machine: &Machine, packages: &[impl AsRef<str>]) -> Outcome {
    let packages: Vec<&str> = packages.iter().map(AsRef::as_ref).collect();
    step(&format!("installing {}", packages.join(" ")));
    let all = [&["install", "-y", "-qq", "--no-install-recommends"][..], &packages].concat();
    start(machine.command("apt-get", &all).stdout(Stdio::null()))?;
    start(machine.command("apt-get", &["clean"]).stdout(Stdio::null()))
}

/// Finds the newest version of LLVM for which the suite has a runtime and a Fortran compiler.
fn newest_llvm(machine: &Machine) -> Outcome<u32> {
    let found = output(&mut machine.command("apt-cache", &["pkgnames"]))?;
    let is_there = |name: String| found.lines().any(|line| line == name);
    let versions = found.lines().filter_map(|name| {
        let version = name.strip_prefix("libomp-")?.strip_suffix("-dev")?.parse::<u32>().ok()?;
        is_there(format!("flang-{version}")).then_some(version)
    });
    versions.max().ok_or_else(|| "the suite has no flang with a runtime: name one by --llvm".into())
}
