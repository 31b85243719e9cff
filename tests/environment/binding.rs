//! The processors that threads are bound to: as GCC's runtime binds them, and, where several
//! variables are set, by the variable that counts for LLVM's runtime.

use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

use crate::{Environment, shown};

/// Settings that bind threads in the same way on GCC's runtime and on ours. Those that name
/// processor 1 need a process that may use it.
const BINDING: &[Environment] = &[
    &[("OMP_NUM_THREADS", "2")],
    &[("OMP_NUM_THREADS", "2"), ("OMP_PROC_BIND", "true")],
    &[("OMP_NUM_THREADS", "2"), ("OMP_PROC_BIND", "close")],
    &[("OMP_NUM_THREADS", "4"), ("OMP_PROC_BIND", "spread")],
    &[("OMP_NUM_THREADS", "4"), ("OMP_PROC_BIND", "primary")],
    &[("OMP_NUM_THREADS", "2"), ("OMP_PROC_BIND", "false"), ("OMP_PLACES", "threads")],
    &[("OMP_NUM_THREADS", "2"), ("OMP_PLACES", "threads")],
    &[("OMP_NUM_THREADS", "2"), ("OMP_PLACES", "cores(1)"), ("OMP_PROC_BIND", "close")],
    &[("OMP_NUM_THREADS", "3"), ("OMP_PLACES", "sockets")],
    &[("OMP_NUM_THREADS", "3"), ("OMP_PLACES", "{0},{1}")],
    &[("OMP_NUM_THREADS", "3"), ("OMP_PLACES", "{0,1}"), ("OMP_PROC_BIND", "spread")],
    &[("OMP_NUM_THREADS", "2"), ("OMP_PLACES", "{0}:2"), ("OMP_PROC_BIND", "close")],
    &[("OMP_NUM_THREADS", "2"), ("OMP_PLACES", "{1},{0}"), ("OMP_PROC_BIND", "close")],
    &[("OMP_NUM_THREADS", "4"), ("OMP_PLACES", "{1},{0}"), ("OMP_PROC_BIND", "spread")],
    &[("OMP_NUM_THREADS", "2"), ("OMP_PLACES", "{0},{0},{1}"), ("OMP_PROC_BIND", "close")],
    &[("OMP_NUM_THREADS", "2"), ("OMP_PLACES", "{0,1},{1}"), ("OMP_PROC_BIND", "primary")],
    &[("OMP_NUM_THREADS", "2"), ("OMP_PLACES", "{0:2:1}:1"), ("OMP_PROC_BIND", "true")],
    &[("OMP_NUM_THREADS", "2"), ("GOMP_CPU_AFFINITY", "1")],
    &[("OMP_NUM_THREADS", "3"), ("GOMP_CPU_AFFINITY", "0-1")],
    &[("OMP_NUM_THREADS", "3"), ("GOMP_CPU_AFFINITY", "1 0")],
    &[("OMP_NUM_THREADS", "2"), ("GOMP_CPU_AFFINITY", "0-1"), ("OMP_PROC_BIND", "spread")],
    &[("OMP_NUM_THREADS", "2"), ("GOMP_CPU_AFFINITY", "0-1"), ("OMP_PROC_BIND", "false")],
    &[("OMP_NUM_THREADS", "2"), ("GOMP_CPU_AFFINITY", "1"), ("OMP_PROC_BIND", "close")],
    &[("OMP_NUM_THREADS", "2"), ("GOMP_CPU_AFFINITY", "1 0"), ("OMP_PROC_BIND", "close")],
    &[("OMP_NUM_THREADS", "2"), ("GOMP_CPU_AFFINITY", "1 0 1"), ("OMP_PROC_BIND", "spread")],
    &[("OMP_NUM_THREADS", "2"), ("GOMP_CPU_AFFINITY", "1"), ("OMP_PLACES", "{0}")],
];

/// Settings of several variables, one of which counts on LLVM's runtime, and the processors of two
/// threads, there and on ours.
const FIRST: &[(Environment, [&str; 2])] = &[
    (&[("KMP_AFFINITY", "none"), ("OMP_PROC_BIND", "close")], ["0 1", "0 1"]),
    (&[("KMP_AFFINITY", "disabled"), ("OMP_PLACES", "{1}")], ["0 1", "0 1"]),
    (&[("KMP_AFFINITY", "verbose"), ("OMP_PLACES", "{1}")], ["1", "1"]),
    (&[("KMP_AFFINITY", "foo"), ("OMP_PLACES", "{1}")], ["1", "1"]),
    (&[("KMP_AFFINITY", "explicit,proclist=[1,0]"), ("OMP_PROC_BIND", "close")], ["1", "0"]),
    (&[("KMP_AFFINITY", "nodup,granularity=fine,compact"), ("OMP_PLACES", "{1}")], ["0", "1"]),
    (&[("KMP_AFFINITY", "granularity=fine,compact,0,1")], ["1", "0"]),
    (&[("KMP_AFFINITY", "granularity=fine,physical,1")], ["1", "0"]),
    (&[("KMP_AFFINITY", "granularity=fine,logical")], ["0", "1"]),
    (&[("GOMP_CPU_AFFINITY", "1"), ("OMP_PROC_BIND", "close")], ["1", "1"]),
    (&[("GOMP_CPU_AFFINITY", "1"), ("OMP_PROC_BIND", "false")], ["1", "1"]),
    (&[("GOMP_CPU_AFFINITY", "1"), ("OMP_PLACES", "{0}")], ["1", "1"]),
    (&[("GOMP_CPU_AFFINITY", "1"), ("KMP_AFFINITY", "explicit,proclist=[0]")], ["0", "0"]),
    (&[("KMP_HW_SUBSET", "1c,1t")], ["0", "0"]),
    (&[("KMP_HW_SUBSET", "1c,1t"), ("OMP_PROC_BIND", "false")], ["0", "0"]),
];

/// The tests; `two` says whether the process may use processors 0 and 1.
pub fn trials(two: bool) -> Vec<Trial> {
    let mut trials = Vec::new();
    for &environment in BINDING {
        let named = environment.iter().any(|(name, value)| {
            (*name == "OMP_PLACES" || *name == "GOMP_CPU_AFFINITY") && !value.starts_with('c')
        });
        if !two && named {
            continue;
        }
        let title = format!("environment::binding::{}", shown(environment));
        trials.push(suite::test(title, move || binding(environment)));
    }
    for &(environment, processors) in FIRST.iter().filter(|_| two) {
        let title = format!("environment::first::{}", shown(environment));
        trials.push(suite::test(title, move || first(environment, processors)));
    }
    trials
}

/// Tests that threads are bound as GCC's own runtime binds them.
fn binding(environment: Environment) -> Result<(), String> {
    let program = Compiler::Gcc.compile(&paths::tests().join("environment/binding.c"), &[])?;
    let run = |runtime: &Runtime| -> Result<Outcome, String> {
        let mut command = Command::new(&program);
        runtime.apply(&mut command);
        let outcome = exec::run(command.envs(environment.iter().copied()))?;
        if outcome.success() { Ok(outcome) } else { Err(outcome.describe()) }
    };
    let stock = run(&Runtime::Stock)?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let ours = run(&Runtime::Omphalos)?;
    if ours.stdout != stock.stdout {
        return Err(format!("libgomp:\n{}ours:\n{}", stock.stdout, ours.describe()));
    }
    Ok(())
}

/// Tests that the two threads of a region are bound to these processors, on LLVM's own runtime and
/// on ours.
fn first(environment: Environment, processors: [&str; 2]) -> Result<(), String> {
    let program = Compiler::Clang.compile(&paths::tests().join("environment/binding.c"), &[])?;
    let check = |runtime: &Runtime| -> Result<(), String> {
        runtime.check()?;
        let mut command = Command::new(&program);
        runtime.apply(&mut command);
        command.env("OMP_NUM_THREADS", "2").envs(environment.iter().copied());
        let outcome = exec::run(&mut command)?;
        let bound = outcome.stdout.lines().filter_map(|line| line.strip_prefix("plain "));
        let bound: Vec<&str> = bound.filter_map(|line| Some(line.split_once(": ")?.1)).collect();
        if outcome.success() && bound == processors { Ok(()) } else { Err(outcome.describe()) }
    };
    check(&Runtime::Stock).map_err(|e| format!("the test itself is wrong: {e}"))?;
    if suite::stock_only() { Ok(()) } else { check(&Runtime::Omphalos) }
}
