//! `cargo xtask VERB`: the commands that build, try and check Omphalos, one file for each verb.
//!
//! It runs on a bare Debian 12 with Rust and gcc; only the tests need more, which `setup` installs.

mod bare;
mod bench;
mod book;
mod build;
mod check;
mod demo;
mod dist;
mod entry_points;
mod link;
mod miri;
mod packages;
mod programs;
mod readers;
mod release;
mod strip;
mod suite;
mod test;
mod tools;
mod truth;
mod tsan;

use std::process::ExitCode;

/// The result of a verb: an error is one line that says what failed and how to mend it.
pub type Outcome<T = ()> = Result<T, String>;

const USAGE: &str = "\
Usage: cargo xtask VERB [ARGUMENTS]

  build   compile the product in release mode and link libomphalos.so
  link    link the shared library, with all its names, from the static one:
          ARCHIVE FOLDER
  dist    build, then lay out an installable tree in target/dist
  release build for older C libraries, then pack archives, Debian packages and the wheel in
          target/released, with checksums and the list of what is in them
  demo    dist, then compile the examples, profile one and print its report
          [NAME of an example; the default is the imbalance example]
  setup   install what the tests need (as root)
  test    setup, dist, run every test
          [NAME of a program in tests, or arguments for the test runner: those tests alone, on
          target/dist as it is, with nothing installed; see docs/testing.md]
  bare    makes a bare Debian 12 in target/bare (as root, with debootstrap) and runs demo and
          test in it
          [another verb and its arguments, to run in there instead]
          [--suite NAME [--llvm N] [install] [tests] [bench [...]]: a bare Debian of that suite,
          in which what `release` made is installed and tried, runs the programs of the tests,
          is measured beside the runtimes of that system; see tests/README.md]
  bench   dist, then measure Omphalos beside the system's runtimes in one run
          [arguments for the bench runner; see bench/README.md]
  book    make one site of the documents, in target/book/html
  entry-points
          write docs/entry-points.md from the lists of names
  suite   dist, then run a checkout of another project's tests of OpenMP runtimes
          [llvm|vv|libgomp|programs --from FOLDER ...; see docs/suites.md]
  programs
          run real programs of Debian and PyPI on their own runtime and on ours, compare results
          [--runs N] [--threads N,N...] [parts of names; see tests/README.md]
  truth   dist, then hold reports against what programs that time themselves know
          [--all] [--build WORDS] [FOLDER of other programs] [NAME ...]
  miri    run unit tests in the interpreter that knows Rust's memory model
          [arguments for the test runner, e.g. a part of a test's name]
  tsan    build the runtime with ThreadSanitizer, run conformance programs on it
          [parts of tests' names, e.g. task_; the default is ::gcc::t4]
  check   formatting, arrows, dependencies, lints, documentation, exported symbols
          [sources: only what the sources and manifests say, in a second]

CARGO_TARGET_DIR moves target/ (and so target/dist) as it does for cargo.";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let verb = arguments.next();
    let rest: Vec<String> = arguments.collect();
    let outcome = match verb.as_deref() {
        Some("build") => no_arguments("build", &rest).and_then(|()| build::run().map(drop)),
        Some("link") => relink(&rest),
        Some("dist") => no_arguments("dist", &rest).and_then(|()| dist::run().map(drop)),
        Some("demo") => demo::run(&rest),
        Some("setup") => no_arguments("setup", &rest).and_then(|()| test::setup()),
        Some("test") => test::run(&rest),
        Some("release") => no_arguments("release", &rest).and_then(|()| release::run()),
        Some("bare") => bare::run(&rest),
        Some("bench") => bench::run(&rest),
        Some("programs") => programs::run(&rest),
        Some("truth") => truth::run(&rest),
        Some("miri") => miri::run(&rest),
        Some("tsan") => tsan::run(&rest),
        Some("book") => no_arguments("book", &rest).and_then(|()| book::run().map(drop)),
        Some("suite") => suite::run(&rest),
        Some("entry-points") => {
            no_arguments("entry-points", &rest).and_then(|()| entry_points::write())
        }
        Some("check") => check::run(&rest),
        Some("help" | "-h" | "--help") => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Some(other) => Err(format!("unknown verb `{other}`\n\n{USAGE}")),
        None => Err(format!("a verb is missing\n\n{USAGE}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn relink(arguments: &[String]) -> Outcome {
    match arguments {
        [archive, folder] => {
            link::link(archive.as_ref(), folder.as_ref())?;
            dist::name_runtime(folder.as_ref())
        }
        _ => Err("`link` takes the static library and the folder for the result".to_owned()),
    }
}

fn no_arguments(verb: &str, rest: &[String]) -> Outcome {
    match rest.first() {
        None => Ok(()),
        Some(extra) => Err(format!("`{verb}` takes no arguments; found `{extra}`")),
    }
}
