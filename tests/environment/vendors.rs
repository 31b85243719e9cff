//! A fault in a variable of LLVM's runtime, or in a name like Omphalos's own, gets one message that
//! names it, also where another variable counts. Good values get no message.

use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

use crate::{Environment, shown};

/// Environments with one fault, and the words of the line about it.
const FAULTS: &[(Environment, [&str; 2])] = &[
    (&[("KMP_AFFINITY", "garbage")], ["KMP_AFFINITY", "garbage"]),
    (&[("KMP_AFFINITY", ",")], ["KMP_AFFINITY", ","]),
    (&[("KMP_AFFINITY", "garbage"), ("OMP_PROC_BIND", "close")], ["KMP_AFFINITY", "garbage"]),
    (&[("KMP_AFFINITY", "garbage"), ("OMP_PROC_BIND", "false")], ["KMP_AFFINITY", "garbage"]),
    (&[("KMP_AFFINITY", "garbage"), ("OMP_PLACES", "threads")], ["KMP_AFFINITY", "garbage"]),
    (&[("KMP_AFFINITY", "garbage"), ("GOMP_CPU_AFFINITY", "0")], ["KMP_AFFINITY", "garbage"]),
    (&[("KMP_AFFINITY", "none,scatter")], ["KMP_AFFINITY", "\"scatter\""]),
    (&[("KMP_AFFINITY", "scatter,0,1,2")], ["KMP_AFFINITY", "\"2\""]),
    (&[("KMP_AFFINITY", "none,1")], ["KMP_AFFINITY", "\"1\""]),
    (&[("KMP_AFFINITY", "none,proclist=[0,1]")], ["KMP_AFFINITY", "\"proclist=[0,1]\""]),
    (&[("KMP_TEAMS_PROC_BIND", "garbage")], ["KMP_TEAMS_PROC_BIND", "garbage"]),
    (
        &[("KMP_TEAMS_PROC_BIND", "garbage"), ("OMP_PROC_BIND", "close")],
        ["KMP_TEAMS_PROC_BIND", "garbage"],
    ),
    (&[("GOMP_CPU_AFFINITY", "garbage")], ["GOMP_CPU_AFFINITY", "garbage"]),
    (&[("OMP_PLACES", "garbage"), ("OMP_PROC_BIND", "false")], ["OMP_PLACES", "garbage"]),
    (&[("OMPHALOS_MEETNG", "flat")], ["OMPHALOS_MEETNG", "OMPHALOS_MEETING"]),
    (&[("OMPHALOS_NUM_THREADS", "3")], ["OMPHALOS_NUM_THREADS", "ignored"]),
];

/// Environments without a fault.
const FINE: &[Environment] = &[
    &[("KMP_AFFINITY", "granularity=fine,compact,1,0")],
    &[("KMP_AFFINITY", "nodups,noverbose,warnings,respect,granularity=core,scatter,0,1")],
    &[("KMP_AFFINITY", "granularity = thread, explicit, proclist = [ 0 ]")],
    &[("KMP_AFFINITY", "granularity=1,balanced")],
    &[("KMP_AFFINITY", "noverbose")],
    &[("KMP_AFFINITY", "")],
    &[("KMP_TEAMS_PROC_BIND", "spread")],
    &[("KMP_TEAMS_PROC_BIND", "primary"), ("OMP_PROC_BIND", "close")],
    &[("OMPHALOS_MEETING", "flat"), ("OMPHALOS_PROFILE_VERBOSE", "1")],
    &[("OMPHALOS_MEETNG", "")],
];

/// The tests.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for &(environment, words) in FAULTS {
            let title = format!("environment::fault::{}::{}", shown(environment), compiler.name());
            trials.push(suite::test(title, move || said(compiler, environment, Some(words))));
        }
        for &environment in FINE {
            let title = format!("environment::fine::{}::{}", shown(environment), compiler.name());
            trials.push(suite::test(title, move || said(compiler, environment, None)));
        }
    }
    trials
}

fn said(
    compiler: Compiler,
    environment: Environment,
    words: Option<[&str; 2]>,
) -> Result<(), String> {
    let program = compiler.compile(&paths::tests().join("environment/probe.c"), &[])?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let mut command = Command::new(program);
    Runtime::Omphalos.apply(&mut command);
    command.env("OMP_NUM_THREADS", "2").envs(environment.iter().copied());
    let outcome = exec::run(&mut command)?;
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    let right = match (words, &lines[..]) {
        (None, []) => true,
        (Some(words), [line]) => words.iter().all(|word| line.contains(word)),
        _ => false,
    };
    if outcome.success() && right { Ok(()) } else { Err(outcome.describe()) }
}
