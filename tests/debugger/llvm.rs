//! gdb with LLVM's extension, on our runtime and our libompd.so: each of its commands, and each of
//! its built-in tests of a function.

use std::path::PathBuf;
use std::process::Command;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{exec, paths};

use super::standing::source;

/// Finds the extension where Debian installs it.
fn extension() -> Option<PathBuf> {
    let version = paths::only_llvm().unwrap_or(19);
    let path = format!("/usr/lib/llvm-{version}/share/gdb/python/ompd/__init__.py");
    Some(PathBuf::from(path)).filter(|path| path.exists())
}

/// Runs gdb on `regions.c` up to `stop`, and then with these commands. Returns its output; `None`
/// if the extension is not installed.
fn gdb(
    compiler: Compiler,
    name: &str,
    stop: &str,
    commands: &[String],
) -> Result<Option<String>, String> {
    with_threads(compiler, name, stop, Some("2,3,4"), commands)
}

/// The same, with `threads` as `OMP_NUM_THREADS`.
fn with_threads(
    compiler: Compiler,
    name: &str,
    stop: &str,
    threads: Option<&str>,
    commands: &[String],
) -> Result<Option<String>, String> {
    let Some(extension) = extension() else { return Ok(None) };
    let program = compiler.compile(&source("regions.c"), &["-O0"])?;
    let script = paths::scratch(&format!("llvm-{name}-{}", compiler.name())).join("commands.gdb");
    let start = format!(
        "set pagination off\nset confirm off\nset breakpoint pending on\nset style enabled off\n\
                 tbreak *main\nrun\nompd init\nbreak {stop}\ncontinue\n"
    );
    std::fs::write(&script, format!("{start}{}\n", commands.join("\n")))
        .map_err(|error| error.to_string())?;
    let mut gdb = Command::new("gdb");
    Runtime::Omphalos.apply(&mut gdb);
    gdb.env("OMP_DEBUG", "enabled").env("OMP_TOOL", "disabled").env_remove("OMP_NUM_THREADS");
    gdb.envs(threads.map(|threads| ("OMP_NUM_THREADS", threads)));
    gdb.args(["-q", "-nx", "-batch", "-iex", "set auto-load off", "-x"]);
    gdb.arg(extension).arg("-x").arg(&script).arg(program);
    let outcome = exec::run(&mut gdb)?;
    let said = format!("{}{}", outcome.stdout, outcome.stderr);
    // LLVM 19's extension imports a module that Python 3.12 does not have.
    if paths::only_llvm().is_some() && said.contains("No module named 'imp'") {
        return Ok(None);
    }
    if !said.contains("Loaded OMPD lib successfully!") {
        return Err(format!("ompd init does not find the library:\n{said}"));
    }
    Ok(Some(said))
}

fn has(said: &str, wanted: &[&str]) -> Result<(), String> {
    match wanted.iter().find(|want| !said.contains(**want)) {
        Some(want) => Err(format!("{want:?} is missing in:\n{said}")),
        None => Ok(()),
    }
}

fn lacks(said: &str, unwanted: &[&str]) -> Result<(), String> {
    match unwanted.iter().find(|bad| said.contains(**bad)) {
        Some(bad) => Err(format!("{bad:?} must not be in:\n{said}")),
        None => Ok(()),
    }
}

/// Puts a mark before the output of each command.
fn marked(commands: &[&str]) -> Vec<String> {
    let mark = |at: usize| format!("echo \\n=== {at}\\n");
    commands
        .iter()
        .enumerate()
        .flat_map(|(at, command)| [mark(at), (*command).to_owned()])
        .collect()
}

/// Splits the output at the marks of [`marked`].
fn parts(said: &str, count: usize) -> Vec<String> {
    let from = |at: usize| said.split(&format!("\n=== {at}\n")).nth(1).unwrap_or("");
    let part = |at: usize| from(at).split(&format!("\n=== {}\n", at + 1)).next().unwrap_or("");
    (0..count).map(|at| part(at).to_owned()).collect()
}

/// Tests the commands `parallel`, which makes the selected thread known, `threads`, `icvs` and
/// `bt`.
pub fn commands(compiler: Compiler) -> Result<(), String> {
    let commands =
        ["ompd parallel", "ompd threads", "ompd icvs", "ompd bt on", "bt", "ompd bt off", "bt"];
    let Some(said) = gdb(compiler, "commands", "task_body", &marked(&commands))? else {
        return Ok(());
    };
    let parts = parts(&said, commands.len());
    let [parallel, threads, icvs, _, shown, _, all] = &parts[..] else {
        return Err(format!("commands are missing:\n{said}"));
    };
    lacks(&said, &["Traceback", "An error occurred", "Python Exception"])?;
    // All four threads began after `ompd init`; of two that begin at once the extension may notice
    // only one.
    let omp = threads.matches("is an OpenMP thread; state: ompt_state_").count();
    if omp < 2 {
        return Err(format!("{omp} threads of 4:\n{threads}"));
    }
    has(threads, &["ompt_state_work_parallel"])?;
    has(
        parallel,
        &["Nesting Level 2: Team Size: 3", "Nesting Level 1: Team Size: 2", "0 (master)"],
    )?;
    let (inner, outer) = match compiler.is_gnu() {
        true => ("inner._omp_fn.0", "main._omp_fn.0"),
        false => ("inner.omp_outlined", "main.omp_outlined"),
    };
    if parallel.matches(inner).count() != 3 || parallel.matches(outer).count() != 2 {
        return Err(format!("not three members in {inner}, two in {outer}:\n{parallel}"));
    }
    let value = |icv: &str| {
        let line = icvs.lines().find(|line| line.split_whitespace().next() == Some(icv));
        line.and_then(|line| line.split_whitespace().last()).unwrap_or("").to_owned()
    };
    for (icv, is) in [
        ("levels-var", "2"),
        ("active-levels-var", "2"),
        ("team-size-var", "3"),
        ("ompd-team-size-var", "3"),
        ("max-active-levels-var", "2"),
        ("nthreads-var", "4"),
        ("debug-var", "1"),
        ("tool-var", "0"),
        ("implicit-task-var", "0"),
        ("explicit-task-var", "1"),
        ("run-sched-var", "static,0"),
        ("place-assignment-var", "-1"),
    ] {
        if value(icv) != is {
            return Err(format!("{icv} is {:?}, must be {is}:\n{icvs}", value(icv)));
        }
    }
    // The filter names the constructs, and leaves out the runtime's frames, except the entry
    // point's own: the extension takes that for the program's, on LLVM's runtime too.
    has(shown, &["task_body \"#pragma omp task\"", "#pragma omp parallel", "inner"])?;
    let frames = |text: &str| text.lines().filter(|line| line.starts_with('#')).count();
    if frames(shown) >= frames(all) {
        return Err(format!("the filter leaves nothing out:\n{shown}\n{all}"));
    }
    has(all, &["task_body"])
}

/// Tests the extension's own tests of functions.
pub fn functions(compiler: Compiler) -> Result<(), String> {
    let functions = [
        "get_thread_handle",
        "get_curr_parallel_handle",
        "get_thread_in_parallel",
        "thread_handle_compare",
        "get_thread_id",
        "get_enclosing_parallel_handle",
        "parallel_handle_compare",
        "get_api_version",
        "get_version_string",
        "get_omp_version",
        "get_omp_version_string",
        "get_curr_task_handle",
        "get_task_parallel_handle",
        "get_generating_task_handle",
        "get_scheduling_task_handle",
        "get_task_in_parallel",
        "task_handle_compare",
        "get_task_function",
        "get_task_frame",
        "get_state",
        "get_display_control_vars",
        "enumerate_icvs",
        "get_icv_string_from_scope",
        "initialize",
        "process_initialize",
        "finalize",
    ];
    let commands: Vec<String> =
        functions.iter().map(|name| format!("ompdtestapi ompd_{name}")).collect();
    let Some(said) = gdb(compiler, "functions", "task_body", &commands)? else { return Ok(()) };
    lacks(&said, &["Traceback", "Failed", "Python Exception"])?;
    let (tests, good) = (said.matches("Test: ").count(), said.matches("Success").count());
    if tests < 70 || good + 2 < tests {
        return Err(format!("{good} of {tests} tests are good:\n{said}"));
    }
    Ok(())
}

/// Tests a program whose environment sets no nthreads-var: it is then the first number of a list
/// without an end.
pub fn without_list(compiler: Compiler) -> Result<(), String> {
    let commands = ["ompdtestapi ompd_get_icv_from_scope".to_owned()];
    let Some(said) = with_threads(compiler, "without_list", "task_body", None, &commands)? else {
        return Ok(());
    };
    lacks(&said, &["Traceback", "Failed", "Python Exception"])?;
    match said.matches("Success").count() {
        9 => Ok(()),
        good => Err(format!("{good} of 9 tests are good:\n{said}")),
    }
}

/// Tests that `step` goes from a construct into the task's body.
pub fn step(compiler: Compiler) -> Result<(), String> {
    // Only this thread runs: otherwise another one that begins would stop the step, and the program
    // could end during the step.
    let alone = "set scheduler-locking on";
    let commands = ["up", "info symbol $pc", alone, "ompd step", "info symbol $pc"];
    let Some(said) = gdb(compiler, "step", "task_body", &marked(&commands))? else { return Ok(()) };
    lacks(&said, &["Traceback", "Python Exception"])
}

/// Tests the places that the runtime passes. Where a region begins or ends, that region is the
/// innermost one, while the current task is still, or again, the one that encountered it. Where a
/// task begins or ends, the task is the current one.
pub fn places(compiler: Compiler) -> Result<(), String> {
    let commands = [
        "ompd parallel", "ompd icvs", "continue", "ompd parallel", "tbreak ompd_bp_task_begin",
        "continue", "ompd icvs", "tbreak ompd_bp_task_end", "continue", "ompd icvs",
        "tbreak ompd_bp_parallel_end", "continue", "ompd parallel", "ompd icvs",
    ];
    let Some(said) = gdb(compiler, "places", "ompd_bp_parallel_begin", &marked(&commands))? else {
        return Ok(());
    };
    lacks(&said, &["Traceback", "An error occurred", "Python Exception"])?;
    let parts = parts(&said, commands.len());
    let part = |at: usize| parts.get(at).map_or("", String::as_str);
    has(part(0), &["Nesting Level 1: Team Size: 2"])?;
    lacks(part(0), &["Nesting Level 2"])?;
    let icv = |at: usize, icv: &str| {
        let line = part(at).lines().find(|line| line.split_whitespace().next() == Some(icv));
        line.and_then(|line| line.split_whitespace().last()).unwrap_or("").to_owned()
    };
    // The region is the new one. The task is the encountering one, whose nthreads-var is a list
    // when the region begins.
    if (icv(1, "levels-var"), icv(1, "team-size-var")) != ("1".into(), "2".into()) {
        return Err(format!("not the region that begins:\n{}", part(1)));
    }
    has(part(3), &["Nesting Level 2: Team Size: 3", "Nesting Level 1: Team Size: 2"])?;
    for at in [6, 9] {
        if icv(at, "explicit-task-var") != "1" {
            return Err(format!("not in the task:\n{}", part(at)));
        }
    }
    has(part(12), &["Nesting Level 2: Team Size: 3"])?;
    if icv(13, "explicit-task-var") != "0" {
        return Err(format!("not in the encountering task:\n{}", part(13)));
    }
    Ok(())
}
