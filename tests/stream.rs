//! The stream of OMPT events as a state machine: every conformance program under the checking tool
//! of `tools/`, with 1, 2, 4 and 16 threads, and with 4 in a storm of signals whose handler calls
//! every inquiry. Besides, sampling tools find each path of a program as its author wrote it.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::program::Program;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{exec, paths, suite};

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for language in ["c", "cpp", "fortran"] {
        let folder = paths::tests().join("conformance").join(language);
        let programs = match suite::programs(&folder) {
            Ok(programs) => programs,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        };
        for program in programs.into_iter().filter(is_for_tools) {
            for &compiler in &program.compilers {
                for &threads in &program.threads {
                    trials.push(trial("stream", &program, compiler, threads));
                }
                if program.threads.contains(&4) {
                    trials.push(trial("storm", &program, compiler, 4));
                }
            }
        }
    }
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for (how, flag) in [("", "-fomit-frame-pointer"), ("_frames", "-fno-omit-frame-pointer")] {
            for (tool, generation) in [("sampler", ""), ("sampler_2014", "_2014")] {
                for threads in [1, 2, 4, 16] {
                    let name = format!("sampled{generation}{how}::{}::t{threads}", compiler.name());
                    trials.push(suite::test(name, move || sampled(compiler, tool, flag, threads)));
                }
            }
        }
    }
    suite::main(trials)
}

/// Whether a program suits the checking tool. A tool in the program itself would be found first; a
/// program without a directive may never start the runtime; a handler that begins a region may
/// interrupt the tool, which takes locks.
fn is_for_tools(program: &Program) -> bool {
    if program.name == "handler_region" {
        return false;
    }
    let text = std::fs::read_to_string(&program.source).unwrap_or_default().to_lowercase();
    !text.contains("ompt_start_tool") && (text.contains("#pragma omp") || text.contains("!$omp"))
}

fn trial(
    group: &'static str,
    program: &Program,
    compiler: Compiler,
    threads: u32,
) -> libtest_mimic::Trial {
    let name = format!("{group}::{}::{}::t{threads}", program.name, compiler.name());
    let program = program.clone();
    suite::test(name, move || check(group == "storm", &program, compiler, threads))
}

fn check(storm: bool, program: &Program, compiler: Compiler, threads: u32) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let binary = program.compile(compiler)?;
    let mut command = Command::new(&binary);
    Runtime::Omphalos.apply(&mut command);
    command.env("OMP_NUM_THREADS", threads.to_string()).env("OMP_TOOL_LIBRARIES", tool()?);
    if storm {
        command.env("CHECKER_STORM", "1");
    }
    command.envs(program.env.iter().map(|(n, v)| (n.as_str(), v.as_str())));
    let outcome = exec::run(&mut command)?;
    let verdict = outcome.stderr.lines().rfind(|line| line.starts_with("checker: "));
    let heard = verdict.is_some_and(|line| line.ends_with(" events, 0 rules broken"));
    if outcome.success() && heard {
        return Ok(());
    }
    Err(format!("{}: {}", binary.display(), outcome.describe()))
}

/// The paths that the sampling tools must find, with any compiler, with frame pointers or without.
const PATHS: [&str; 7] = [
    "main>alone>leaf", "main>loops>leaf", "main>nested>inside>leaf", "main>serial>leaf",
    "main>tasks>make>leaf", "main>tasks>undeferred>leaf", "0 broken",
];

fn sampled(compiler: Compiler, tool: &str, flag: &str, threads: u32) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let folder = paths::tests().join("tools");
    let tool = shared(&folder.join(format!("{tool}.c")))?;
    let binary = compiler.compile(&folder.join("sampled.c"), &["-rdynamic", flag])?;
    let mut command = Command::new(&binary);
    Runtime::Omphalos.apply(&mut command);
    command.env("OMP_NUM_THREADS", threads.to_string()).env("OMP_TOOL_LIBRARIES", tool);
    let outcome = exec::run(&mut command)?;
    let told = outcome.stderr.lines().filter_map(|line| line.strip_prefix("sampler: "));
    let paths: Vec<&str> =
        told.map(|path| path.trim_start_matches(">_start").trim_start_matches('>')).collect();
    if outcome.success() && paths == PATHS {
        return Ok(());
    }
    Err(format!("{}: wanted {PATHS:?}: {}", binary.display(), outcome.describe()))
}

/// Compiles the checking tool, once.
fn tool() -> Result<&'static Path, String> {
    static TOOL: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = TOOL.get_or_init(|| shared(&paths::tests().join("tools/checker.c")));
    built.as_deref().map_err(Clone::clone)
}

/// Compiles a tool as a library.
fn shared(source: &Path) -> Result<PathBuf, String> {
    let headers = format!("-I{}", paths::repository().join("runtime/abi/include").display());
    let flags = ["-O1", "-g", "-shared", "-fPIC", "-pthread", &headers];
    Compiler::Gcc.compile_with(source, &flags)
}
