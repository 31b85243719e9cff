//! Things that a process may do around OpenMP: fork, be refused threads, mix compilers, load and
//! unload libraries, start regions from many threads, end inside a region, take signals.
//!
//! Some stock runtimes fail some of these (libgomp's child hangs after fork, and libgomp exits
//! where a thread is refused). A stock runtime first runs only those programs that it is known to
//! run right.

#[path = "process/devices.rs"]
mod devices;
#[path = "process/forks.rs"]
mod forks;
#[path = "process/growth.rs"]
mod growth;
#[path = "process/tools.rs"]
mod tools;

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use devices::{fork_devices, fork_loader, offloaded, openacc};
use forks::{fork_lost, fork_others_tasks, fork_storm, fork_under_limit};
use growth::{leaks, memory, no_growth};
use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};
use tools::{first_calls, late_tool, leaves, place_tool, with_tool};

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        // Some stock runtime fails each of these: they run on ours alone.
        for name in ["fork", "root_ends", "late", "leaves_tasks"] {
            trials.push(plain(compiler, name, false));
        }
        for name in ["roots", "main_leaves", "signals", "exec", "narrowed"] {
            trials.push(plain(compiler, name, true));
        }
        // libgomp asks the system for four billion threads.
        trials.push(plain(compiler, "below_one", matches!(compiler, Compiler::Clang)));
        // LLVM's own runtime hangs in it.
        trials.push(plain(compiler, "cancel_after_many", matches!(compiler, Compiler::Gcc)));
        // LLVM's runtime gives each thread that it meets the process's mask.
        trials.push(plain(compiler, "masks", matches!(compiler, Compiler::Gcc)));
        for how in ["processes", "memory"] {
            let title = format!("process::refused_{how}::{}", compiler.name());
            trials.push(suite::test(title, move || refused(compiler, how)));
        }
        let title = format!("process::exhausted::{}", compiler.name());
        let said = "omphalos: the system refused ";
        trials.push(suite::test(title, move || ends_the_program(compiler, "exhausted", said)));
        let title = format!("process::reduction_size::{}", compiler.name());
        // The last digits differ: GCC's code asks for a cache line more than the section has.
        let said = "omphalos: a task reduction asks for 46116860184273879";
        trials.push(suite::test(title, move || ends_the_program(compiler, "reduction_size", said)));
        for asks in OWN_MALLOC_ASKS {
            let title = format!("process::own_malloc_{asks}::{}", compiler.name());
            trials.push(suite::test(title, move || own_malloc(compiler, asks, None)));
            let title = format!("process::own_malloc_{asks}_profiled::{}", compiler.name());
            trials.push(suite::test(title, move || profiled(compiler, "own_malloc", Some(asks))));
        }
        let title = format!("process::detached_ends_profiled::{}", compiler.name());
        trials.push(suite::test(title, move || profiled(compiler, "detached_ends", None)));
        let title = format!("process::own_malloc_of_many_threads::{}", compiler.name());
        trials.push(suite::test(title, move || own_malloc(compiler, "max_threads", Some("900"))));
        for how in ["primary", "worker", "task", "quick"] {
            let title = format!("process::exit_inside_{how}::{}", compiler.name());
            trials.push(suite::test(title, move || exit_inside(compiler, how)));
        }
        let title = format!("process::memory::{}", compiler.name());
        trials.push(suite::test(title, move || memory(compiler)));
        let title = format!("process::mixed::{}", compiler.name());
        trials.push(suite::test(title, move || mixed(compiler)));
        let title = format!("process::reload::{}", compiler.name());
        trials.push(suite::test(title, move || reload(compiler)));
        for name in ["while_loading", "first_while_loading"] {
            let title = format!("process::{name}::{}", compiler.name());
            trials.push(suite::test(title, move || while_loading(compiler, name)));
        }
        let comers =
            [("threads", 400), ("leavers", 400), ("crowds", 500), ("refused", 2000), ("load", 200)];
        for (what, times) in comers {
            let title = format!("process::no_growth_{what}::{}", compiler.name());
            trials.push(suite::test(title, move || no_growth(compiler, what, times)));
        }
        let title = format!("process::leaks::{}", compiler.name());
        trials.push(suite::test(title, move || leaks(compiler)));
        for (limit, value, beside) in ROOTS {
            let what = limit.trim_start_matches("OMP_").to_lowercase();
            let title = format!("process::roots_share_{what}_{value}::{}", compiler.name());
            trials.push(suite::test(title, move || roots_share(compiler, limit, value, beside)));
        }
        for how in ["finalize", "inside", "fork"] {
            let title = format!("process::own_tool_{how}::{}", compiler.name());
            trials.push(suite::test(title, move || with_tool(compiler, "own_tool", Some(how))));
        }
        for name in ["roots_tool", "sizing_tool", "asking_tool", "woken_tool"] {
            let title = format!("process::{name}::{}", compiler.name());
            trials.push(suite::test(title, move || with_tool(compiler, name, None)));
        }
        for how in ["last", "unmet", "regions", "nested", "alone", "helpers", "kept"] {
            for tool in ["enabled", "disabled"] {
                let title = format!("process::leaves_{how}_tool_{tool}::{}", compiler.name());
                trials.push(suite::test(title, move || leaves(compiler, how, tool)));
            }
        }
        for how in ["storm_first", "main_first"] {
            let title = format!("process::first_calls_{how}::{}", compiler.name());
            trials.push(suite::test(title, move || first_calls(compiler, how)));
        }
        let title = format!("process::nest_first_sleep::{}", compiler.name());
        trials.push(suite::test(title, move || nest_first_sleep(compiler)));
        let title = format!("process::fork_storm::{}", compiler.name());
        trials.push(suite::test(title, move || fork_storm(compiler)));
        let title = format!("process::fork_lost::{}", compiler.name());
        trials.push(suite::test(title, move || fork_lost(compiler)));
        let title = format!("process::fork_under_limit::{}", compiler.name());
        trials.push(suite::test(title, move || fork_under_limit(compiler)));
        for brings in [false, true] {
            let what = if brings { "late_tool_brings_the_runtime" } else { "late_tool" };
            let title = format!("process::{what}::{}", compiler.name());
            trials.push(suite::test(title, move || late_tool(compiler, brings)));
        }
    }
    trials.push(suite::test("process::place_tool::clang", || place_tool(Compiler::Clang)));
    trials.push(plain(Compiler::Clang, "refused_helpers", false));
    for whose in ["helpers", "agents"] {
        let title = format!("process::fork_others_tasks_{whose}::clang");
        trials.push(suite::test(title, move || fork_others_tasks(whose)));
    }
    for name in ["edge_tool", "parts_tool"] {
        let title = format!("process::{name}::clang");
        trials.push(suite::test(title, move || with_tool(Compiler::Clang, name, None)));
    }
    trials.push(suite::test(String::from("process::offloaded::clang"), || {
        offloaded(Compiler::Clang)
    }));
    trials.push(suite::test("process::fork_devices::gcc", fork_devices));
    trials.push(suite::test("process::fork_loader::gcc", fork_loader));
    for how in ["construct", "routine"] {
        trials.push(suite::test(format!("process::openacc_{how}::gcc"), move || openacc(how)));
    }
    for compiler in [Compiler::Gxx, Compiler::Clangxx] {
        trials.push(plain(compiler, "outside_main", true));
    }
    suite::main(trials)
}

const SIGABRT: i32 = 6;

/// A limit, its value, and the size of a second thread's region that asks for four threads beside a
/// region of four.
const ROOTS: [(&str, &str, &str); 5] = [
    ("OMP_THREAD_LIMIT", "9", "4"),
    // Each initial thread has its own contention group, to which the limit applies.
    ("OMP_THREAD_LIMIT", "4", "4"),
    ("KMP_DEVICE_THREAD_LIMIT", "5", "1"),
    ("KMP_DEVICE_THREAD_LIMIT", "7", "3"),
    ("KMP_ALL_THREADS", "100", "4"),
];

/// The questions that the program's own `malloc` asks OpenMP.
const OWN_MALLOC_ASKS: [&str; 7] =
    ["max_threads", "num_threads", "num_procs", "level", "set_threads", "critical", "lock"];

fn own_malloc(compiler: Compiler, asks: &str, threads: Option<&str>) -> Result<(), String> {
    let program = compiler.compile(&source("own_malloc"), &["-pthread"])?;
    on_ours(|| {
        let mut command = Command::new(&program);
        command.env("OWN_MALLOC_ASKS", asks).envs(threads.map(|all| ("OWN_MALLOC_THREADS", all)));
        fine(&mut command, &Runtime::Omphalos).map(drop)
    })
}

/// Tests a program under the profiler, which may call the program's `malloc` no more than the
/// runtime may.
fn profiled(compiler: Compiler, name: &str, asks: Option<&str>) -> Result<(), String> {
    let program = compiler.compile(&source(name), &["-pthread"])?;
    let what = asks.unwrap_or_default();
    let folder = paths::scratch(&format!("{name} {what} profiled {}", compiler.name()));
    on_ours(|| {
        let mut command = Command::new(paths::omphalos());
        let record = folder.join("profile.omph");
        command.args(["profile", "--no-report", "--output"]).arg(record).arg("--").arg(&program);
        fine(command.envs(asks.map(|asks| ("OWN_MALLOC_ASKS", asks))), &Runtime::Omphalos).map(drop)
    })
}

fn roots_share(
    compiler: Compiler,
    limit: &'static str,
    value: &'static str,
    beside: &'static str,
) -> Result<(), String> {
    let program = compiler.compile(&source("roots_share"), &[])?;
    on_ours(|| {
        let mut command = Command::new(&program);
        fine(command.arg(beside).env(limit, value), &Runtime::Omphalos).map(drop)
    })
}

fn source(name: &str) -> PathBuf {
    let folder = paths::tests().join("process");
    let cpp = folder.join(format!("{name}.cpp"));
    if cpp.exists() { cpp } else { folder.join(format!("{name}.c")) }
}

/// Makes a test of a program that needs no arguments and ends with `ok`.
fn plain(compiler: Compiler, name: &'static str, stock_too: bool) -> Trial {
    suite::test(format!("process::{name}::{}", compiler.name()), move || {
        let program = compiler.compile(&source(name), &[])?;
        if stock_too {
            fine(&mut Command::new(&program), &Runtime::Stock)
                .map_err(|e| format!("the test itself is wrong: {e}"))?;
        }
        on_ours(|| fine(&mut Command::new(&program), &Runtime::Omphalos).map(drop))
    })
}

fn on_ours(run: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    run()
}

fn fine(command: &mut Command, runtime: &Runtime) -> Result<Outcome, String> {
    let outcome = outcome(command, runtime)?;
    if outcome.success() && outcome.stdout.lines().last() == Some("ok") {
        Ok(outcome)
    } else {
        Err(format!("on {}: {}", runtime.name(), outcome.describe()))
    }
}

fn outcome(command: &mut Command, runtime: &Runtime) -> Result<Outcome, String> {
    runtime.apply(command);
    exec::run(command).map_err(|e| format!("on {}: {e}", runtime.name()))
}

/// Tests that, where the system refuses threads, the team gets smaller, one warning says so, and
/// the program goes on.
fn refused(compiler: Compiler, how: &str) -> Result<(), String> {
    let program = compiler.compile(&source("refused"), &[])?;
    on_ours(|| {
        let mut command = Command::new(&program);
        // Large stacks make the address space run out after a few threads.
        command.arg(how);
        Runtime::Omphalos.apply(&mut command);
        command.env("OMP_STACKSIZE", "32M");
        let outcome = exec::run(&mut command)?;
        if !outcome.success() || outcome.stdout.lines().last() != Some("ok") {
            return Err(outcome.describe());
        }
        match outcome.stderr.lines().count() {
            1 => Ok(()),
            n => Err(format!("wanted one warning, got {n} lines: {}", outcome.describe())),
        }
    })
}

/// Tests that, where there is no memory for what the runtime has to keep, one line says so and the
/// program is aborted.
fn ends_the_program(compiler: Compiler, name: &str, begin: &str) -> Result<(), String> {
    let program = compiler.compile(&source(name), &[])?;
    on_ours(|| {
        let outcome = outcome(&mut Command::new(&program), &Runtime::Omphalos)?;
        let said = outcome.stderr.starts_with(begin);
        let alone = outcome.stderr.lines().count() == 1;
        match outcome.status.signal() == Some(SIGABRT) && said && alone {
            true => Ok(()),
            false => Err(outcome.describe()),
        }
    })
}

fn exit_inside(compiler: Compiler, how: &str) -> Result<(), String> {
    let program = compiler.compile(&source("exit_inside"), &[])?;
    let check = |runtime: &Runtime| {
        let outcome = outcome(Command::new(&program).arg(how), runtime)?;
        match outcome.status.code() {
            Some(7) if outcome.stdout == "last words\n" => Ok(()),
            _ => Err(format!("on {}: {}", runtime.name(), outcome.describe())),
        }
    };
    // exit() by a worker hangs or crashes some stock runtimes now and then.
    if how == "quick" {
        check(&Runtime::Stock).map_err(|e| format!("the test itself is wrong: {e}"))?;
    }
    on_ours(|| check(&Runtime::Omphalos))
}

fn library(compiler: Compiler) -> Result<PathBuf, String> {
    let flags = ["-O2", "-g", "-fopenmp", "-fPIC", "-shared"];
    compiler.compile_with(&source("team_lib"), &flags)
}

/// Tests a program of one compiler with a library of the other.
fn mixed(compiler: Compiler) -> Result<(), String> {
    let other = if compiler == Compiler::Gcc { Compiler::Clang } else { Compiler::Gcc };
    let library = library(other)?;
    let program = compiler.compile(&source("mixed"), &["-ldl"])?;
    on_ours(|| fine(Command::new(&program).arg(&library), &Runtime::Omphalos).map(drop))
}

/// Tests a nest lock whose waiting threads sleep at once.
fn nest_first_sleep(compiler: Compiler) -> Result<(), String> {
    let program = compiler.compile(&source("nest_first_sleep"), &[])?;
    let run = |threads: &str, runtime: &Runtime| {
        let mut command = Command::new(&program);
        command.env("OMP_WAIT_POLICY", "passive").env("OMP_NUM_THREADS", threads);
        fine(&mut command, runtime).map(drop)
    };
    run("4", &Runtime::Stock).map_err(|e| format!("the test itself is wrong: {e}"))?;
    on_ours(|| ["2", "4", "16"].iter().try_for_each(|n| run(n, &Runtime::Omphalos)))
}

/// Tests a program that loads a library while OpenMP is in use, in the library's constructor or in
/// another thread.
fn while_loading(compiler: Compiler, name: &str) -> Result<(), String> {
    let flags = ["-O2", "-g", "-fopenmp", "-fPIC", "-shared", "-DLIBRARY"];
    let library = compiler.compile_with(&source(name), &flags)?;
    let program = compiler.compile(&source(name), &["-ldl", "-rdynamic"])?;
    on_ours(|| fine(Command::new(&program).arg(&library), &Runtime::Omphalos).map(drop))
}

fn reload(compiler: Compiler) -> Result<(), String> {
    let library = library(compiler)?;
    // The program itself is not linked with any OpenMP runtime.
    let program = Compiler::Gcc.compile_with(&source("reload"), &["-O2", "-g", "-ldl"])?;
    // libgomp crashes here: its idle workers find their code unmapped.
    if compiler != Compiler::Gcc {
        fine(Command::new(&program).arg(&library), &Runtime::Stock)
            .map_err(|e| format!("the test itself is wrong: {e}"))?;
    }
    on_ours(|| fine(Command::new(&program).arg(&library), &Runtime::Omphalos).map(drop))
}
