//! OMPD of 2013 and 2016 to the letter (docs/founding). Each program is its own debugger and tests
//! some sentences of the text; it prints those that do not hold.

use std::process::Command;

use libtest_mimic::Trial;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{exec, paths, suite};

use super::standing::source;

/// Each program with its environment.
const PROGRAMS: [(&str, &[(&str, &str)]); 13] = [
    ("regions_2013", &[]),
    ("tasks_2013", &[]),
    ("threads_2013", &[]),
    ("handles_2013", &[]),
    ("places_2013", &[]),
    ("library_2013", &SETTINGS),
    ("enable_2013", &[("OMPT_INITIALIZE", "false")]),
    ("disable_2013", &[]),
    ("untracked_2013", &[]),
    ("stale_2013", &[]),
    ("settings_2013", &MORE_SETTINGS),
    ("first_calls_2013", &[]),
    ("places_2016", &[("OMP_DEBUG", "enabled")]),
];

/// Settings that `library_2013` must find.
const SETTINGS: [(&str, &str); 10] = [
    ("OMP_NUM_THREADS", "3"),
    ("OMP_SCHEDULE", "guided,4"),
    ("OMP_DYNAMIC", "true"),
    ("OMP_PROC_BIND", "true"),
    ("OMP_PLACES", "threads"),
    ("OMP_STACKSIZE", "3M"),
    ("OMP_WAIT_POLICY", "passive"),
    ("OMP_MAX_ACTIVE_LEVELS", "4"),
    ("OMP_THREAD_LIMIT", "9"),
    ("OMP_CANCELLATION", "true"),
];

/// Settings that `settings_2013` must find, besides those of the specification.
const MORE_SETTINGS: [(&str, &str); 4] = [
    ("OMP_NESTED", "true"),
    ("KMP_BLOCKTIME", "7"),
    ("GOMP_SPINCOUNT", "9"),
    ("OMPT_INITIALIZE", "true"),
];

/// Returns a test of each program with each compiler.
pub fn trials() -> Vec<Trial> {
    let by = |compiler: Compiler| {
        PROGRAMS.into_iter().map(move |(name, env)| {
            let title = format!("debugger::{name}::{}", compiler.name());
            suite::test(title, move || holds(name, env, compiler))
        })
    };
    [Compiler::Gcc, Compiler::Clang].into_iter().flat_map(by).collect()
}

/// Runs one of the programs, which ends with one line if everything holds.
fn holds(name: &str, env: &[(&str, &str)], compiler: Compiler) -> Result<(), String> {
    let include = format!("-I{}", paths::repository().join("runtime/abi/include").display());
    let library = format!("-L{}", paths::lib().display());
    let program = source(&format!("founding/{name}.c"));
    // The library looks for a function of the debugger, and the debugger is this program.
    let mut flags = vec!["-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-rdynamic"];
    // The texts of 2013 and 2016 know only `master`.
    if compiler.is_gnu() {
        flags.push("-Wno-deprecated-openmp");
    }
    let flags = [&flags[..], &[&include, &library, "-lomp", "-ldl"]].concat();
    let mut command = Command::new(compiler.compile(&program, &flags)?);
    Runtime::Omphalos.apply(&mut command);
    let outcome = exec::run(command.envs(env.iter().copied()))?;
    if outcome.success() && outcome.stdout == "it holds\n" {
        Ok(())
    } else {
        Err(outcome.describe())
    }
}
