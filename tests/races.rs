//! Races under Archer, LLVM's race detector for OpenMP (libarcher, an OMPT tool, with
//! ThreadSanitizer): every race planted in `races/` is found, and race-free conformance programs have
//! none.

use std::path::Path;
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{exec, paths, suite};

const ARCHER: &str = "/usr/lib/llvm-19/lib/libarcher.so";
/// The exit status of a program in which ThreadSanitizer found a race.
const FOUND: i32 = 66;
/// The planted races show in every schedule but when both accesses happen at the very same moment.
const ATTEMPTS: u32 = 10;

/// Race-free programs: dependences, taskgroups, reductions, locks, nested regions and the rest.
const CLEAN: &[&str] = &[
    "barrier_phases",
    "critical_named",
    "critical_unnamed",
    "for_dynamic",
    "for_guided",
    "for_lastprivate",
    "for_nowait",
    "for_ordered",
    "for_static_chunk",
    "lock_nest",
    "masked",
    "nested_two_levels",
    "nested_worksharing",
    "parallel_data",
    "reduction_array",
    "reduction_operators",
    "reduction_task",
    "reduction_tree",
    "single_basic",
    "single_copyprivate",
    "task_after_barrier",
    "task_basic",
    "task_depend_chain",
    "task_depend_wave",
    "task_fib",
    "task_firstprivate_big",
    "task_many",
    "task_taskgroup",
    "task_taskwait",
    "taskloop_basic",
    "taskloop_reduction",
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for name in CLEAN {
        for threads in [2, 4] {
            let title = format!("races::clean::{name}::t{threads}");
            trials.push(suite::test(title, move || clean(name, threads)));
        }
    }
    let planted = std::fs::read_dir(paths::tests().join("races")).into_iter().flatten().flatten();
    let sources =
        planted.map(|entry| entry.path()).filter(|path| path.extension() == Some("c".as_ref()));
    for source in sources {
        let title = format!("races::planted::{}", source.file_stem().unwrap().to_string_lossy());
        trials.push(suite::test(title, move || planted_race(&source)));
    }
    suite::main(trials)
}

fn clean(name: &str, threads: u32) -> Result<(), String> {
    let source = paths::tests().join(format!("conformance/c/{name}.c"));
    let outcome = watch(&source, threads)?;
    if outcome.success() { Ok(()) } else { Err(outcome.describe()) }
}

fn planted_race(source: &Path) -> Result<(), String> {
    for _ in 0..ATTEMPTS {
        let outcome = watch(source, 4)?;
        match outcome.status.code() {
            Some(FOUND) => return Ok(()),
            Some(0) => {}
            _ => return Err(outcome.describe()),
        }
    }
    Err(format!("{}: not found in {ATTEMPTS} runs", source.display()))
}

/// Runs a program on our runtime, watched.
fn watch(source: &Path, threads: u32) -> Result<exec::Outcome, String> {
    Runtime::Omphalos.check()?;
    let folder = format!("-I{}", paths::tests().join("conformance").display());
    let flags = ["-O1", "-g", "-fopenmp", "-pthread", "-fsanitize=thread", "-latomic", &folder];
    let binary = Compiler::Clang.compile_with(source, &flags)?;
    // ThreadSanitizer's shadow memory wants addresses where the kernel may put something else.
    let mut command = Command::new("setarch");
    command.arg("-R").arg(&binary);
    Runtime::Omphalos.apply(&mut command);
    command
        .env("OMP_TOOL_LIBRARIES", ARCHER)
        .env("OMP_NUM_THREADS", threads.to_string())
        .env("TSAN_OPTIONS", format!("ignore_noninstrumented_modules=1:exitcode={FOUND}"));
    exec::run(&mut command)
}
