//! `KMP_TASK_MAXIMUM_*`: the number of tasks that may exist before their maker executes some
//! itself.

use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

const READY: &str = "KMP_TASK_MAXIMUM_READY_PER_THREAD";
const NOT_READY: &str = "KMP_ENABLE_TASK_THROTTLING_READY_PER_THREAD";
const CHILDREN: &str = "KMP_TASK_MAXIMUM_CHILDREN";
const GLOBAL: &str = "KMP_TASK_MAXIMUM_GLOBAL";

/// The case's name, variables, whether the tasks have dependences, and the number of tasks that are
/// made before one runs.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

const CASES: &[Case] = &[
    ("none", &[], "0", "1025"),
    ("ready_1", &[(READY, "1")], "0", "2"),
    ("ready_256", &[(READY, "256")], "0", "257"),
    ("ready_5000", &[(READY, "5000")], "0", "5001"),
    ("ready_100000", &[(READY, "100000")], "0", "100001"),
    ("all_ready", &[(NOT_READY, "0")], "0", "300000"),
    ("off", &[("KMP_ENABLE_TASK_THROTTLING", "0"), (READY, "1"), (CHILDREN, "1")], "0", "300000"),
    ("children_1", &[(CHILDREN, "1"), (NOT_READY, "0")], "1", "2"),
    ("children_256", &[(CHILDREN, "256"), (NOT_READY, "0")], "1", "257"),
    ("children_100000", &[(CHILDREN, "100000"), (NOT_READY, "0")], "1", "100001"),
    ("children_ready", &[(CHILDREN, "300")], "0", "301"),
    ("global_256", &[(GLOBAL, "256"), (NOT_READY, "0")], "1", "257"),
    ("smaller", &[(GLOBAL, "9"), (CHILDREN, "256"), (NOT_READY, "0")], "1", "10"),
    ("not_global", &[(GLOBAL, "9"), ("KMP_ENABLE_TASK_THROTTLING_GLOBAL", "0")], "0", "1025"),
];

/// The tests.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for case in CASES {
            let title = format!("environment::limits::{}::{}", case.0, compiler.name());
            trials.push(suite::test(title, move || makes(compiler, case)));
        }
    }
    trials
}

fn makes(compiler: Compiler, &(_, set, dependent, wanted): &Case) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let program = compiler.compile(&paths::tests().join("environment/limits.c"), &[])?;
    let mut command = Command::new(program);
    Runtime::Omphalos.apply(&mut command);
    let outcome = exec::run(command.arg(dependent).envs(set.iter().copied()))?;
    if outcome.success() && outcome.stdout.trim() == wanted {
        Ok(())
    } else {
        Err(format!("{wanted} were wanted: {}", outcome.describe()))
    }
}
