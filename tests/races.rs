//! Races under Archer, LLVM's race detector for OpenMP (libarcher, an OMPT tool, with
//! ThreadSanitizer): it finds every race planted in `races/`, and none in race-free conformance
//! programs.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{exec, paths, suite};

/// The place of each compiler's Archer, and the variable that names another place. Debian's
/// packages do not let LLVM 22's be installed beside 19's: `OMPHALOS_ARCHER_22` may name the file
/// elsewhere.
const ARCHERS: &[(Compiler, &str, &str)] = &[
    (Compiler::Clang, "/usr/lib/llvm-19/lib/libarcher.so", "OMPHALOS_ARCHER_19"),
    (Compiler::Clang22, "/usr/lib/llvm-22/lib/libarcher.so", "OMPHALOS_ARCHER_22"),
];
/// The exit status of a program in which ThreadSanitizer found a race.
const FOUND: i32 = 66;
/// The number of attempts: a planted race stays hidden only when both accesses happen at the very
/// same moment.
const ATTEMPTS: u32 = 10;

/// Race-free programs: dependences, taskgroups, reductions, locks, nested regions and the rest.
const CLEAN: &[&str] = &[
    "barrier_phases", "critical_named", "critical_unnamed", "for_dynamic", "for_guided",
    "for_lastprivate", "for_nowait", "for_ordered", "for_static_chunk", "lock_nest", "masked",
    "nested_two_levels", "nested_worksharing", "parallel_data", "reduction_array",
    "reduction_operators", "reduction_task", "reduction_tree", "single_basic",
    "single_copyprivate", "task_after_barrier", "task_basic", "task_depend_chain",
    "task_depend_wave", "task_fib", "task_firstprivate_big", "task_many", "task_taskgroup",
    "task_taskwait", "taskloop_basic", "taskloop_reduction",
];

/// A compiler and its Archer.
#[derive(Clone)]
struct Detector {
    compiler: Compiler,
    library: PathBuf,
}

/// Returns the first always, so that its absence is a failure, and the other if its file exists.
fn detectors() -> impl Iterator<Item = Detector> {
    ARCHERS.iter().enumerate().filter_map(|(index, &(compiler, place, variable))| {
        let library = std::env::var_os(variable).map_or_else(|| place.into(), PathBuf::from);
        (index == 0 || library.exists()).then_some(Detector { compiler, library })
    })
}

fn main() -> ExitCode {
    let mut trials = Vec::new();
    let planted = std::fs::read_dir(paths::tests().join("races")).into_iter().flatten().flatten();
    let sources: Vec<PathBuf> = planted
        .map(|entry| entry.path())
        .filter(|path| path.extension() == Some("c".as_ref()))
        .collect();
    for detector in detectors() {
        let compiler = detector.compiler.name();
        for name in CLEAN {
            for threads in [2, 4] {
                let title = format!("races::clean::{name}::{compiler}::t{threads}");
                let detector = detector.clone();
                trials.push(suite::test(title, move || clean(&detector, name, threads)));
            }
        }
        for source in sources.clone() {
            let stem = source.file_stem().unwrap_or_default().to_string_lossy();
            let title = format!("races::planted::{stem}::{compiler}");
            let detector = detector.clone();
            trials.push(suite::test(title, move || planted_race(&detector, &source)));
        }
    }
    suite::main(trials)
}

fn clean(detector: &Detector, name: &str, threads: u32) -> Result<(), String> {
    let source = paths::tests().join(format!("conformance/c/{name}.c"));
    let outcome = watch(detector, &source, threads)?;
    if outcome.success() { Ok(()) } else { Err(outcome.describe()) }
}

fn planted_race(detector: &Detector, source: &Path) -> Result<(), String> {
    for _ in 0..ATTEMPTS {
        let outcome = watch(detector, source, 4)?;
        match outcome.status.code() {
            Some(FOUND) => return Ok(()),
            Some(0) => {}
            _ => return Err(outcome.describe()),
        }
    }
    Err(format!("{}: not found in {ATTEMPTS} runs", source.display()))
}

/// Runs a program on our runtime under the detector.
fn watch(detector: &Detector, source: &Path, threads: u32) -> Result<exec::Outcome, String> {
    Runtime::Omphalos.check()?;
    let folder = format!("-I{}", paths::tests().join("conformance").display());
    let flags = ["-O1", "-fsanitize=thread", "-latomic", &folder];
    let binary = detector.compiler.compile(source, &flags)?;
    // ThreadSanitizer's shadow memory needs fixed addresses, where the kernel might put something
    // else.
    let mut command = Command::new("setarch");
    command.arg("-R").arg(&binary);
    Runtime::Omphalos.apply(&mut command);
    command
        .env("OMP_TOOL_LIBRARIES", &detector.library)
        .env("OMP_NUM_THREADS", threads.to_string())
        .env("TSAN_OPTIONS", format!("ignore_noninstrumented_modules=1:exitcode={FOUND}"));
    exec::run(&mut command)
}
