//! Stress: more threads than CPUs, one CPU alone, each way of meeting and of waiting, a seeded
//! mixture of everything from several threads, and valgrind's memory checker.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec;
use omphalos_tests::program::Program;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

/// Conformance programs whose waits are the most delicate.
const DELICATE: &[&str] = &[
    "barrier_phases", "barrier_skewed", "cancel_mixed", "cancel_parallel", "critical_named",
    "doacross", "for_many", "for_nowait", "for_ordered", "lock_freed", "lock_simple",
    "lock_two_held", "nested_worksharing", "parallel_many", "parallel_resize", "reduction_nowait",
    "single_copyprivate", "task_depend_wave", "task_fib", "task_many", "task_taskgroup",
];

/// Ways of meeting and of waiting: a name, and the environment that asks for it.
const WAYS: &[(&str, &[&str])] = &[
    ("tree", &["OMPHALOS_MEETING=tree"]),
    ("central", &["OMPHALOS_MEETING=central"]),
    ("passive", &["OMP_WAIT_POLICY=passive"]),
    ("passive_pair", &["OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=2"]),
];

/// Programs for valgrind, which runs one thread at a time and is some thirty times slower.
const CHECKED: &[&str] = &[
    "critical_named", "for_dynamic", "for_ordered", "lock_nest", "lock_two_held",
    "nested_two_levels", "parallel_many_args", "sections_clauses", "single_copyprivate",
    "task_depend_chain", "task_fib", "task_firstprivate_big", "threadprivate_copyin",
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for &name in DELICATE {
            let title = format!("stress::one_cpu::{name}::{}", compiler.name());
            trials.push(suite::test(title, move || {
                repeat(compiler, &conformance(name), &["taskset", "-c", "0"], 3)
            }));
            let title = format!("stress::oversubscribed::{name}::{}", compiler.name());
            trials.push(suite::test(title, move || repeat(compiler, &conformance(name), &[], 5)));
        }
        for &name in DELICATE {
            for (way, set) in WAYS {
                let title = format!("stress::{way}::{name}::{}", compiler.name());
                trials.push(suite::test(title, move || {
                    let prefix: Vec<&str> = ["env"].iter().chain(*set).copied().collect();
                    repeat(compiler, &conformance(name), &prefix, 2)
                }));
            }
        }
        for &name in CHECKED {
            let title = format!("stress::valgrind::{name}::{}", compiler.name());
            trials.push(suite::test(title, move || valgrind(compiler, &conformance(name))));
        }
        let title = format!("stress::churn::{}", compiler.name());
        trials.push(suite::test(title, move || {
            repeat(compiler, &paths::tests().join("stress/churn.c"), &[], 5)
        }));
        for name in ["resident", "many_tasks", "long_after_tiny"] {
            let title = format!("stress::{name}::{}", compiler.name());
            trials.push(suite::test(title, move || {
                repeat(compiler, &paths::tests().join(format!("stress/{name}.c")), &[], 1)
            }));
        }
        let title = format!("stress::profiled_tiny_loops::{}", compiler.name());
        trials.push(suite::test(title, move || profiled_tiny_loops(compiler)));
        for threads in ["2", "4"] {
            let title = format!("stress::long_after_tiny_passive_{threads}::{}", compiler.name());
            trials.push(suite::test(title, move || {
                let source = paths::tests().join("stress/long_after_tiny.c");
                let threads = format!("OMP_NUM_THREADS={threads}");
                repeat(compiler, &source, &["env", "OMP_WAIT_POLICY=passive", &threads], 3)
            }));
        }
        let title = format!("stress::churn_one_cpu::{}", compiler.name());
        trials.push(suite::test(title, move || {
            let source = paths::tests().join("stress/churn.c");
            repeat(compiler, &source, &["taskset", "-c", "0"], 1)
        }));
    }
    suite::main(trials)
}

fn conformance(name: &str) -> PathBuf {
    paths::tests().join(format!("conformance/c/{name}.c"))
}

/// Runs a program `times` times in teams of 16 behind `prefix`, on our runtime only: the stock
/// runtimes take very long here.
fn repeat(compiler: Compiler, source: &Path, prefix: &[&str], times: u32) -> Result<(), String> {
    let program = Program::read(source)?;
    let binary = program.compile(compiler)?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    for time in 1..=times {
        let mut command = behind(prefix, &binary);
        command.env("OMP_NUM_THREADS", "16").envs(program.env.iter().cloned());
        let outcome = exec::run(&mut command).map_err(|e| format!("run {time}: {e}"))?;
        if !outcome.success() || outcome.stdout.lines().last() != Some("ok") {
            return Err(format!("run {time}: {}", outcome.describe()));
        }
    }
    Ok(())
}

fn behind(prefix: &[&str], binary: &Path) -> Command {
    let mut command = match prefix {
        [] => Command::new(binary),
        [first, rest @ ..] => {
            let mut command = Command::new(first);
            command.args(rest).arg(binary);
            command
        }
    };
    Runtime::Omphalos.apply(&mut command);
    command
}

/// Tests that valgrind finds no invalid access, no use of uninitialised memory, and at the end,
/// while threads still wait, no lost block.
fn valgrind(compiler: Compiler, source: &Path) -> Result<(), String> {
    let program = Program::read(source)?;
    let binary = program.compile(compiler)?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let known = paths::tests().join("stress/glibc.supp");
    let known = format!("--suppressions={}", known.display());
    let options = [
        "valgrind",
        "--quiet",
        "--error-exitcode=99",
        "--fair-sched=yes",
        "--leak-check=full",
        "--show-leak-kinds=definite,indirect,possible",
        "--errors-for-leak-kinds=definite,indirect,possible",
        &known,
    ];
    let mut command = behind(&options, &binary);
    command.env("OMP_NUM_THREADS", "3").envs(program.env.iter().cloned());
    let outcome = exec::run(&mut command)?;
    match outcome.success() && outcome.stdout.lines().last() == Some("ok") {
        true => Ok(()),
        false => Err(outcome.describe()),
    }
}

/// Tests how many instructions the profiler adds to a very short loop: callbacks that look at
/// everything each time exceed the limit.
fn profiled_tiny_loops(compiler: Compiler) -> Result<(), String> {
    let most = if compiler.is_gnu() { 540 } else { 1080 };
    let source = paths::tests().join("stress/tiny_loops.c");
    let binary = compiler.compile_with(&source, &["-O2", "-fopenmp"])?;
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let folder = paths::scratch(&format!("tiny loops {}", compiler.name()));
    let library = paths::lib().join("libomphalos.so");
    let agent = paths::lib().join("omphalos/libomphalos_agent.so");
    // The agent looks at everything where work is long, and valgrind makes work long.
    let clock = paths::tests().join("stress/slow_clock.c");
    let clock = compiler.compile_with(&clock, &["-O2", "-shared", "-fPIC"])?;
    let count = |loops: u32, libraries: &str| {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(&binary).arg(loops.to_string()).env("LD_PRELOAD", libraries);
        command.env("OMPHALOS_PROFILE_OUT", folder.join("profile.omph"));
        command.env("OMPHALOS_PROFILE_HZ", "1").env("OMP_NUM_THREADS", "1");
        let outcome = exec::run(&mut command)?;
        let counted = outcome.stderr.split("Collected : ").nth(1).unwrap_or_default();
        let digits: String = counted.chars().take_while(|c| c.is_ascii_digit()).collect();
        digits.parse::<u64>().map_err(|_| outcome.describe())
    };
    let of_each = |libraries: &str| -> Result<u64, String> {
        Ok(count(30_000, libraries)?.saturating_sub(count(10_000, libraries)?) / 20_000)
    };
    let alone = of_each(&library.to_string_lossy())?;
    let profiled = [&clock, &library, &agent].map(|file| file.to_string_lossy());
    let more = of_each(&profiled.join(" "))?.saturating_sub(alone);
    match more <= most {
        true => Ok(()),
        false => Err(format!("{more} instructions more than the {alone} of a loop, not {most}")),
    }
}
