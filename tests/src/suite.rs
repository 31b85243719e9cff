//! Turns programs into tests: each program × compiler × team size, first on the compiler's own
//! runtime and then on ours.
//!
//! `OMPHALOS_TEST_ONLY=stock` runs only the first half: it checks the tests themselves. `ours` runs
//! only the second.

use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};

use crate::compiler::Compiler;
use crate::exec;
use crate::program::Program;
use crate::runtime::Runtime;

/// Reads the command line of a test binary; at most two tests run at a time unless it says
/// otherwise, since most tests start several threads themselves.
pub fn arguments() -> Arguments {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2);
    arguments
}

/// Runs the tests and returns the process's exit status.
pub fn main(tests: Vec<Trial>) -> ExitCode {
    libtest_mimic::run(&arguments(), tests).exit_code()
}

/// Makes a test from a plain function.
pub fn test<F>(name: impl Into<String>, run: F) -> Trial
where
    F: FnOnce() -> Result<(), String> + Send + 'static,
{
    Trial::test(name, move || run().map_err(Failed::from))
}

/// Reads the programs of a folder. A runner that starts this binary for each test (`NAME --exact`)
/// gets only those that the name mentions: to read hundreds takes longer than most tests run.
pub fn programs(folder: &Path) -> Result<Vec<Program>, String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_exact = words.iter().any(|word| word == "--exact");
    let named = |name: &str| words.iter().any(|word| word.split("::").any(|part| part == name));
    Program::read_folder(folder, |name| !is_exact || named(name))
}

/// Returns the tests of one program.
pub fn trials(group: &str, program: &Program) -> Vec<Trial> {
    let mut trials = Vec::new();
    for &compiler in &program.compilers {
        for &threads in &program.threads {
            let name = format!("{group}::{}::{}::t{threads}", program.name, compiler.name());
            let program = program.clone();
            trials.push(test(name, move || check(&program, compiler, threads)));
        }
    }
    trials
}

/// Whether tests run only on the compilers' own runtimes.
pub fn stock_only() -> bool {
    only("stock")
}

/// Whether `OMPHALOS_TEST_ONLY` names these runtimes.
fn only(which: &str) -> bool {
    std::env::var("OMPHALOS_TEST_ONLY").is_ok_and(|v| v == which)
}

fn check(program: &Program, compiler: Compiler, threads: u32) -> Result<(), String> {
    if !program.distrusted.contains(&compiler) && !only("ours") {
        check_on(program, compiler, threads, &Runtime::Stock)
            .map_err(|e| format!("the test itself is wrong: {e}"))?;
    }
    if stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    check_on(program, compiler, threads, &Runtime::Omphalos)
}

fn check_on(
    program: &Program,
    compiler: Compiler,
    threads: u32,
    runtime: &Runtime,
) -> Result<(), String> {
    let binary = program.compile(compiler)?;
    let mut command = Command::new(&binary);
    runtime.apply(&mut command);
    command.env("OMP_NUM_THREADS", threads.to_string());
    // The stock runtimes spin for long by default; with more threads than CPUs that only wastes
    // time.
    if *runtime == Runtime::Stock {
        command.env("OMP_WAIT_POLICY", "passive");
    }
    command.envs(program.env.iter().map(|(n, v)| (n.as_str(), v.as_str())));
    let on = |e| format!("on {}: {e}", runtime.name());
    let outcome = if *runtime == Runtime::Stock && !stock_only() {
        // On a busy machine LLVM's threads may hand a lock round without end. A stock runtime that
        // does not finish in time proves nothing about the test: a test that hangs everywhere hangs
        // on ours too.
        let Some(outcome) = exec::run_timed(&mut command, exec::LIMIT).map_err(on)? else {
            return Ok(());
        };
        outcome
    } else {
        exec::run(&mut command).map_err(on)?
    };
    let right = match &program.expected {
        Some(expected) => outcome.stdout == *expected,
        None => outcome.stdout.lines().last() == Some("ok"),
    };
    if outcome.success() && right {
        return Ok(());
    }
    let expected = program.expected.as_deref().unwrap_or("a last line `ok`");
    let (name, binary, came) = (runtime.name(), binary.display(), outcome.describe());
    Err(format!("on {name}: {binary}: expected exit status 0 and {expected}, came {came}"))
}
