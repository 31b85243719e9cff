//! The `OMP_*` environment: good values take effect, bad values give one clear line and a default.
//!
//! A case has an environment and the lines that `environment/probe.c` must print. The message
//! about a bad value names the variable and the value. Each good value is tried on the compiler's
//! own runtime first, to show that the test is right.

#[path = "environment/binding.rs"]
mod binding;
#[path = "environment/helpers.rs"]
mod helpers;
#[path = "environment/limits.rs"]
mod limits;
#[path = "environment/shares.rs"]
mod shares;
#[path = "environment/stack.rs"]
mod stack;
#[path = "environment/vendors.rs"]
mod vendors;

use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

/// Variables and their values.
type Environment = &'static [(&'static str, &'static str)];

/// Good values: `(name, environment, lines)`.
const GOOD: &[(&str, Environment, &[&str])] = &[
    ("num_threads", &[("OMP_NUM_THREADS", "5")], &["max_threads 5", "teams 5 1 1"]),
    ("num_threads_spaces", &[("OMP_NUM_THREADS", " 3 ")], &["max_threads 3"]),
    (
        "num_threads_list",
        &[("OMP_NUM_THREADS", "3,2"), ("OMP_MAX_ACTIVE_LEVELS", "3")],
        &["max_threads 3", "teams 3 2 2"],
    ),
    ("schedule_static", &[("OMP_SCHEDULE", "static")], &["schedule static"]),
    ("schedule_dynamic", &[("OMP_SCHEDULE", "dynamic,9")], &["schedule dynamic 9"]),
    ("schedule_guided", &[("OMP_SCHEDULE", "GUIDED,4")], &["schedule guided 4"]),
    ("schedule_auto", &[("OMP_SCHEDULE", "auto")], &["schedule auto"]),
    ("schedule_modifier", &[("OMP_SCHEDULE", "monotonic:dynamic,3")], &["schedule dynamic 3"]),
    ("dynamic_true", &[("OMP_DYNAMIC", "true")], &["dynamic 1"]),
    ("dynamic_false", &[("OMP_DYNAMIC", "FALSE")], &["dynamic 0"]),
    (
        "max_active_levels",
        &[("OMP_MAX_ACTIVE_LEVELS", "2"), ("OMP_NUM_THREADS", "2")],
        &["max_active_levels 2", "teams 2 2 1"],
    ),
    ("thread_limit", &[("OMP_THREAD_LIMIT", "3"), ("OMP_NUM_THREADS", "8")], &["thread_limit 3"]),
    ("cancellation", &[("OMP_CANCELLATION", "true")], &["cancellation 1"]),
    ("proc_bind_false", &[("OMP_PROC_BIND", "false")], &["proc_bind 0"]),
    ("proc_bind_close", &[("OMP_PROC_BIND", "close"), ("OMP_PLACES", "threads")], &["proc_bind 3"]),
    (
        "places",
        &[("OMP_PLACES", "{0}"), ("OMP_PROC_BIND", "spread"), ("OMP_NUM_THREADS", "2")],
        &["places 1", "proc_bind 4", "teams 2 1 1"],
    ),
    ("max_task_priority", &[("OMP_MAX_TASK_PRIORITY", "7")], &["max_task_priority 7"]),
    ("wait_passive", &[("OMP_WAIT_POLICY", "passive"), ("OMP_NUM_THREADS", "4")], &["teams 4 1 1"]),
    ("wait_active", &[("OMP_WAIT_POLICY", "ACTIVE"), ("OMP_NUM_THREADS", "2")], &["teams 2 1 1"]),
    (
        "stacksize",
        &[("OMP_STACKSIZE", "64M"), ("OMP_NUM_THREADS", "2")],
        &["deep 24576", "teams 2 1 1"],
    ),
];

/// Bad values: `(name, variable, value, lines)`; the program runs on with the default.
const BAD: &[(&str, &str, &str, &[&str])] = &[
    ("num_threads_word", "OMP_NUM_THREADS", "many", &[]),
    ("num_threads_zero", "OMP_NUM_THREADS", "0", &[]),
    ("num_threads_negative", "OMP_NUM_THREADS", "-2", &[]),
    ("num_threads_huge", "OMP_NUM_THREADS", "99999999999999999999", &[]),
    ("num_threads_list", "OMP_NUM_THREADS", "2,,3", &[]),
    ("schedule_word", "OMP_SCHEDULE", "sometimes", &["schedule "]),
    ("schedule_chunk", "OMP_SCHEDULE", "dynamic,x", &["schedule "]),
    ("dynamic_word", "OMP_DYNAMIC", "maybe", &["dynamic 0"]),
    ("max_active_levels", "OMP_MAX_ACTIVE_LEVELS", "-1", &[]),
    ("thread_limit", "OMP_THREAD_LIMIT", "none", &[]),
    ("threads_reserve", "OMP_THREADS_RESERVE", "structured(1),agent(2)", &[]),
    ("threads_reserve_open", "OMP_THREADS_RESERVE", "free_agent(2", &[]),
    ("proc_bind", "OMP_PROC_BIND", "sideways", &[]),
    ("places", "OMP_PLACES", "{0,1", &[]),
    ("stacksize", "OMP_STACKSIZE", "12Q", &[]),
    ("wait_policy", "OMP_WAIT_POLICY", "eager", &[]),
    ("cancellation", "OMP_CANCELLATION", "2", &["cancellation 0"]),
    ("max_task_priority", "OMP_MAX_TASK_PRIORITY", "-3", &["max_task_priority 0"]),
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    let two = has_two_processors();
    trials.extend(binding::trials(two));
    if two {
        trials.extend(helpers::trials());
    }
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for &(name, environment, lines) in GOOD {
            let title = format!("environment::good::{name}::{}", compiler.name());
            trials.push(suite::test(title, move || {
                good(compiler, environment, lines, &Runtime::Stock)
                    .map_err(|e| format!("the test itself is wrong: {e}"))?;
                if suite::stock_only() {
                    return Ok(());
                }
                good(compiler, environment, lines, &Runtime::Omphalos)
            }));
        }
    }
    for &(name, variable, value, lines) in BAD {
        trials.push(suite::test(format!("environment::bad::{name}"), move || {
            if suite::stock_only() {
                return Ok(());
            }
            bad(variable, value, lines)
        }));
    }
    trials.extend(limits::trials());
    trials.extend(shares::trials());
    trials.extend(stack::trials());
    trials.extend(vendors::trials());
    trials.push(suite::test("environment::display", || display("true", false)));
    trials.push(suite::test("environment::display_verbose", || display("verbose", true)));
    trials.push(suite::test("environment::silent", silent));
    suite::main(trials)
}

/// Writes an environment for a test's title.
fn shown(environment: &[(&str, &str)]) -> String {
    let shown: Vec<String> = environment.iter().map(|(n, v)| format!("{n}={v}")).collect();
    shown.join(" ")
}

fn probe(
    compiler: Compiler,
    environment: &[(&str, &str)],
    runtime: &Runtime,
) -> Result<Outcome, String> {
    runtime.check()?;
    let program = compiler.compile(&paths::tests().join("environment/probe.c"), &[])?;
    let mut command = Command::new(program);
    runtime.apply(&mut command);
    if environment.iter().any(|(n, _)| *n == "OMP_STACKSIZE") {
        command.arg("deep");
    }
    exec::run(command.envs(environment.iter().copied()))
}

fn good(
    compiler: Compiler,
    environment: &[(&str, &str)],
    lines: &[&str],
    runtime: &Runtime,
) -> Result<(), String> {
    let outcome = probe(compiler, environment, runtime)?;
    expect(&outcome, lines, runtime)?;
    if *runtime == Runtime::Omphalos && !outcome.stderr.is_empty() {
        return Err(format!("a good value got a message: {}", outcome.describe()));
    }
    Ok(())
}

fn bad(variable: &str, value: &str, lines: &[&str]) -> Result<(), String> {
    // Not `probe`: for OMP_STACKSIZE it asks for a deep recursion, and a bad value gives no stack
    // for that.
    Runtime::Omphalos.check()?;
    let program = Compiler::Gcc.compile(&paths::tests().join("environment/probe.c"), &[])?;
    let mut command = Command::new(program);
    Runtime::Omphalos.apply(&mut command);
    let outcome = exec::run(command.env(variable, value))?;
    expect(&outcome, lines, &Runtime::Omphalos)?;
    let message: Vec<&str> = outcome.stderr.lines().collect();
    match message[..] {
        [line] if line.contains(variable) && line.contains(value.trim()) => Ok(()),
        _ => Err(format!(
            "wanted one line that names {variable} and {value:?}: {}",
            outcome.describe()
        )),
    }
}

/// Whether the process may use processors 0 and 1.
fn has_two_processors() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let own = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    own.is_some_and(|list| list.trim().starts_with("0-") || list.trim().starts_with("0,1"))
}

/// Checks that the program printed these lines. One that ends in a digit must be a whole line; any
/// other needs only begin one, so that `schedule static` takes any chunk.
fn expect(outcome: &Outcome, lines: &[&str], runtime: &Runtime) -> Result<(), String> {
    if !outcome.success() {
        return Err(format!("on {}: {}", runtime.name(), outcome.describe()));
    }
    for wanted in lines {
        let whole = wanted.ends_with(|c: char| c.is_ascii_digit());
        let there = outcome
            .stdout
            .lines()
            .any(|line| if whole { line == *wanted } else { line.starts_with(wanted) });
        if !there {
            return Err(format!("on {}: no `{wanted}`: {}", runtime.name(), outcome.describe()));
        }
    }
    Ok(())
}

/// Tests that OMP_DISPLAY_ENV writes a block with every standard ICV to stderr.
fn display(value: &str, verbose: bool) -> Result<(), String> {
    let runtime = if suite::stock_only() { Runtime::Stock } else { Runtime::Omphalos };
    let outcome = probe(Compiler::Gcc, &[("OMP_DISPLAY_ENV", value)], &runtime)?;
    let mut names = vec!["OPENMP DISPLAY ENVIRONMENT BEGIN", "_OPENMP", "OMP_DYNAMIC"];
    names.extend(["OMP_NUM_THREADS", "OMP_SCHEDULE", "OMP_PROC_BIND", "OMP_PLACES"]);
    names.extend(["OMP_STACKSIZE", "OMP_WAIT_POLICY", "OMP_THREAD_LIMIT"]);
    names.extend(["OMP_MAX_ACTIVE_LEVELS", "OMP_CANCELLATION", "OMP_DEFAULT_DEVICE"]);
    names.extend(["OMP_MAX_TASK_PRIORITY", "OMP_DISPLAY_AFFINITY", "OMP_AFFINITY_FORMAT"]);
    names.push("OPENMP DISPLAY ENVIRONMENT END");
    let missing: Vec<&str> =
        names.into_iter().filter(|name| !outcome.stderr.contains(name)).collect();
    if !outcome.success() || !missing.is_empty() {
        return Err(format!("missing {missing:?} (verbose {verbose}): {}", outcome.describe()));
    }
    Ok(())
}

/// Tests that without any variable nothing is written to stderr.
fn silent() -> Result<(), String> {
    let runtime = if suite::stock_only() { Runtime::Stock } else { Runtime::Omphalos };
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        let outcome = probe(compiler, &[], &runtime)?;
        if !outcome.success() || !outcome.stderr.is_empty() {
            return Err(outcome.describe());
        }
    }
    Ok(())
}
