//! Hidden helper threads of LLVM's programs: their number and their places.

use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

use crate::{Environment, shown};

/// Variables of hidden helper threads, the numbers that a helper may have, and the beginnings of
/// the lines on stderr, on LLVM's runtime and on ours.
const HELPERS: &[(Environment, core::ops::RangeInclusive<u32>, &[&str])] = &[
    (&[], 2..=8, &[]),
    (&[("LIBOMP_NUM_HIDDEN_HELPER_THREADS", "1")], 2..=2, &[]),
    (&[("LIBOMP_NUM_HIDDEN_HELPER_THREADS", "0")], 0..=0, &[]),
    (&[("LIBOMP_USE_HIDDEN_HELPER_TASK", "0")], 0..=0, &[]),
    (
        &[
            ("LIBOMP_NUM_HIDDEN_HELPER_THREADS", "3"),
            ("KMP_HIDDEN_HELPER_AFFINITY", "verbose,granularity=fine,explicit,proclist=[0]"),
        ],
        2..=4,
        &["2 bound to OS proc set 0", "3 bound to OS proc set 0", "4 bound to OS proc set 0"],
    ),
    (
        &[
            ("LIBOMP_NUM_HIDDEN_HELPER_THREADS", "1"),
            ("KMP_HIDDEN_HELPER_AFFINITY", "verbose,granularity=socket,compact"),
        ],
        2..=2,
        &["Threads may migrate across ", "2 bound to OS proc set "],
    ),
];

/// The tests, where the process may use processors 0 and 1.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (environment, numbers, lines) in HELPERS {
        let title = format!("environment::helpers::{}", shown(environment));
        trials.push(suite::test(title, || helpers(environment, numbers, lines)));
    }
    trials
}

/// Tests that a thread with one of these numbers executes a target task, and that helpers write
/// exactly these lines.
fn helpers(
    environment: Environment,
    numbers: &core::ops::RangeInclusive<u32>,
    lines: &[&str],
) -> Result<(), String> {
    let program = Compiler::Clang.compile(&paths::tests().join("environment/helpers.c"), &[])?;
    let check = |runtime: &Runtime| -> Result<(), String> {
        runtime.check()?;
        let mut command = Command::new(&program);
        runtime.apply(&mut command);
        let outcome = exec::run(command.envs(environment.iter().copied()))?;
        let number = outcome.stdout.trim().strip_prefix("executed by ");
        let number = number.and_then(|number| number.parse().ok());
        let mut said: Vec<&str> = outcome
            .stderr
            .lines()
            .map(|line| {
                line.split_once("KMP_HIDDEN_HELPER_AFFINITY: ").map_or(line, |(_, said)| said)
            })
            .map(|said| said.split_once(" thread ").map_or(said, |(_, said)| said))
            .collect();
        said.sort();
        let mut wanted = lines.to_vec();
        wanted.sort();
        let fits = said.len() == wanted.len()
            && said.iter().zip(&wanted).all(|(said, wanted)| said.starts_with(wanted));
        let right = outcome.success() && number.is_some_and(|n: u32| numbers.contains(&n)) && fits;
        if right { Ok(()) } else { Err(outcome.describe()) }
    };
    check(&Runtime::Stock).map_err(|e| format!("the test itself is wrong: {e}"))?;
    if suite::stock_only() { Ok(()) } else { check(&Runtime::Omphalos) }
}
