//! The `OMP_*` environment: good values take effect, bad values give one clear line and a default.
//!
//! A case names the environment, the lines of `environment/probe.c` that must be there, and words
//! that the message must hold. The compilers' own runtimes are asked first about good values.

#[path = "environment/shares.rs"]
mod shares;
#[path = "environment/stack.rs"]
mod stack;

use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

/// Variables and their values.
type Environment = &'static [(&'static str, &'static str)];

/// A good value: `(name, environment, lines)`.
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

/// A bad value: `(name, variable, value, lines)`; the program runs on with the default.
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

/// Settings that bind threads in the same way on GCC's runtime and on ours; those that name processor
/// 1 only where the process may use it.
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

/// Settings of several variables, of which LLVM's runtime lets one count, and the processors that two
/// threads then have, there and on ours.
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

/// How hidden helper threads are asked for, the numbers that one of them may have, and the beginnings
/// of the lines that are written, there and on ours.
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

fn main() -> ExitCode {
    let mut trials = Vec::new();
    let two = has_two_processors();
    for &environment in BINDING {
        let named = environment.iter().any(|(name, value)| {
            (*name == "OMP_PLACES" || *name == "GOMP_CPU_AFFINITY") && !value.starts_with('c')
        });
        if !two && named {
            continue;
        }
        let shown: Vec<String> = environment.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let title = format!("environment::binding::{}", shown.join(" "));
        trials.push(suite::test(title, move || binding(environment)));
    }
    for &(environment, processors) in FIRST.iter().filter(|_| two) {
        let shown: Vec<String> = environment.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let title = format!("environment::first::{}", shown.join(" "));
        trials.push(suite::test(title, move || first(environment, processors)));
    }
    for (environment, numbers, lines) in HELPERS.iter().filter(|_| two) {
        let shown: Vec<String> = environment.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let title = format!("environment::helpers::{}", shown.join(" "));
        trials.push(suite::test(title, || helpers(environment, numbers, lines)));
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
    trials.extend(shares::trials());
    trials.extend(stack::trials());
    trials.push(suite::test("environment::display", || display("true", false)));
    trials.push(suite::test("environment::display_verbose", || display("verbose", true)));
    trials.push(suite::test("environment::silent", silent));
    suite::main(trials)
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
    // A deep recursion would need the stack that a bad OMP_STACKSIZE does not give.
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

/// The two threads of a region are bound to these processors, on LLVM's own runtime and on ours.
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

/// A target task is executed by a thread of one of these numbers; helpers say just these lines.
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

/// Threads are bound as GCC's own runtime binds them.
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

/// A value below the end of a line matches too, so that `schedule static` takes any chunk.
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

/// OMP_DISPLAY_ENV writes a block to stderr with every standard ICV in it.
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

/// Without any variable nothing is written.
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
