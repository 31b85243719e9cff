//! `KMP_SCHEDULE`: static loops of LLVM's compilers are shared out as LLVM's own runtime does it,
//! and a message names each clause that LLVM's runtime refuses.

use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

/// Values, and the bad clauses in them.
const VALUES: &[(&str, &[&str])] = &[
    ("static,greedy", &[]),
    ("static,balanced", &[]),
    ("guided,analytical;STATIC,Greedy", &[]),
    ("static,greedy;static,balanced", &[]),
    ("static,greedy;sideways", &["sideways"]),
    ("static;guided,greedy;static,greedy", &["static", "guided,greedy"]),
    ("static,greedy;", &[""]),
];

/// The tests.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (value, bad) in VALUES {
        let title = format!("environment::shares::{value}");
        trials.push(suite::test(title, || like_llvm(value, bad)));
    }
    trials.push(suite::test("environment::shares::shown", shown));
    trials.push(suite::test("environment::shares::gcc", gcc));
    trials
}

fn run(compiler: Compiler, runtime: &Runtime, more: &[(&str, &str)]) -> Result<Outcome, String> {
    runtime.check()?;
    let program = compiler.compile(&paths::tests().join("environment/shares.c"), &[])?;
    let mut command = Command::new(program);
    runtime.apply(&mut command);
    // Without this LLVM's runtime makes no more teams than there are processors.
    command.env("OMP_SCHEDULE", "static").env("KMP_TEAMS_THREAD_LIMIT", "4");
    let outcome = exec::run(command.envs(more.iter().copied()))?;
    if outcome.success() { Ok(outcome) } else { Err(outcome.describe()) }
}

fn like_llvm(value: &str, bad: &[&str]) -> Result<(), String> {
    let set = [("KMP_SCHEDULE", value)];
    let stock = run(Compiler::Clang, &Runtime::Stock, &set)?;
    if stock.stderr.lines().count() != bad.len() {
        return Err(format!("the test itself is wrong: {}", stock.describe()));
    }
    if suite::stock_only() {
        return Ok(());
    }
    let ours = run(Compiler::Clang, &Runtime::Omphalos, &set)?;
    if ours.stdout != stock.stdout {
        return Err(format!("LLVM's:\n{}ours:\n{}", stock.stdout, ours.describe()));
    }
    let said: Vec<&str> = ours.stderr.lines().collect();
    let names =
        |(line, clause): (&&str, &&str)| line.contains(&format!("the clause {clause:?} is"));
    if said.len() == bad.len() && said.iter().zip(bad).all(names) {
        Ok(())
    } else {
        Err(ours.describe())
    }
}

/// Tests that the value is shown where LLVM's runtime shows it, in the same words.
fn shown() -> Result<(), String> {
    let runtime = if suite::stock_only() { Runtime::Stock } else { Runtime::Omphalos };
    for (show, value) in [("OMP_DISPLAY_ENV", "verbose"), ("KMP_SETTINGS", "true")] {
        let set = [("KMP_SCHEDULE", "static,greedy"), (show, value)];
        let outcome = run(Compiler::Clang, &runtime, &set)?;
        let line = |line: &str| line.contains("KMP_SCHEDULE") && line.contains(";guided,iterative");
        if !outcome.stderr.lines().any(line) {
            return Err(outcome.describe());
        }
    }
    Ok(())
}

/// Tests that the variable does not change loops of GCC's code, which shares out most of them
/// itself.
fn gcc() -> Result<(), String> {
    let stock = run(Compiler::Gcc, &Runtime::Stock, &[])?;
    if suite::stock_only() {
        return Ok(());
    }
    let ours = run(Compiler::Gcc, &Runtime::Omphalos, &[("KMP_SCHEDULE", "static,greedy")])?;
    if ours.stdout == stock.stdout { Ok(()) } else { Err(ours.describe()) }
}
