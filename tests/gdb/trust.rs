//! The commands do not trust the debuggee, and say what is missing.

use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths, suite};

use crate::debugger::{Debugger, batch, holds, program, says, tree};

pub fn tests() -> Vec<Trial> {
    vec![
        suite::test("trust::auto_load", auto_load),
        suite::test("trust::no_library", no_library),
        suite::test("trust::no_program", no_program),
        suite::test("trust::escapes", escapes),
        suite::test("trust::calls", calls),
    ]
}

/// Tests that gdb loads the script beside the library if it may, and otherwise names the line to
/// add.
fn auto_load() -> Result<(), String> {
    let binary = program("constructs.c", Compiler::Gcc, "-O0")?;
    let lib = tree()?.join("lib");
    let gdb = |allow: &str| {
        let mut gdb = Command::new("gdb");
        gdb.args([
            "-nx", "-q", "--batch", "-iex", allow, "-ex", "break 20", "-ex", "run", "-ex",
            "omp bt 1",
        ]);
        gdb.arg(&binary).env("LD_LIBRARY_PATH", &lib);
        says(&mut gdb)
    };
    let allowed = gdb(&format!("add-auto-load-safe-path {}/libomphalos.so-gdb.py", lib.display()))?;
    holds(&allowed, &["#0 ..main".to_owned()])?;
    let declined = gdb("set confirm off")?;
    holds(&declined, &["libomphalos.so-gdb.py\" auto-loading has been declined".to_owned()])?;
    // After `source` there is no such message.
    let sourced = gdb(&format!("source {}/libomphalos.so-gdb.py", lib.display()))?;
    holds(&sourced, &["#0 ..main".to_owned()])?;
    if sourced.contains("declined") { Err(sourced) } else { Ok(()) }
}

/// Tests that without libompd.so stacks still leave out the runtime's frames, and that commands
/// which need it say that it is missing.
fn no_library() -> Result<(), String> {
    // A file that is no library does not replace the one in use.
    let lib = tree()?.join("lib");
    let right = format!("omp library {}", lib.join("libompd.so").display());
    let earlier = format!("omp library {}", lib.join("libompd-2016.so").display());
    let binary = program("constructs.c", Compiler::Gcc, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let commands = [
        "python import omphalos.in_gdb; omphalos.in_gdb.load().path = '/nowhere/libompd.so'",
        "omp library",
        "omp break critical",
        "run",
        "omp bt",
        "omp threads",
        "omp icvs",
        "omp pr x",
        "omp library /etc/hostname",
        &earlier,
        &right,
        "omp library /etc/hostname",
        "omp regions",
    ];
    let said = says(&mut batch(Debugger::Gdb, &[path], &commands)?)?;
    let missing = "/nowhere/libompd.so is not there: without it the state of OpenMP is unknown";
    let shown = [
        format!("omp: {missing}"),
        "#0 ..main [parallel] () at constructs.c:".into(),
        "Stacks of workers end where the worker began".into(),
        "$1 = 41".into(),
        "omp: /etc/hostname cannot be loaded".into(),
        "omp: ..libompd-2016.so is no libompd.so of Omphalos': it has no omphalos_snapshot".into(),
        "region in main at constructs.c:".into(),
    ];
    holds(&said, &shown)
}

fn no_program() -> Result<(), String> {
    let refusals = [
        ("omp threads", "omp: no program runs, and no core file is loaded"),
        ("omp bt", "omp: no thread is selected"),
        ("omp step", "omp: no program runs"),
        ("omp serialize", "omp: no program runs: start it first"),
        ("omp pr x", "omp: no stopped thread is selected"),
        ("omp tasks nonsense", "omp: omp tasks takes `graph` or nothing, not nonsense"),
        ("omp", "omp: no command; help omp has them all"),
        ("omp nonsense", "omp: there is no omp nonsense; help omp has them all"),
        ("omp why x", "omp: omp why takes no arguments: x"),
    ];
    let commands = refusals.map(|(command, _)| command);
    let said = says(&mut batch(Debugger::Gdb, &[], &commands)?)?;
    for (command, refusal) in refusals {
        holds(&said, &[refusal.to_owned()])?;
        // lldb ends at the first command that fails.
        let said = says(&mut batch(Debugger::Lldb, &[], &[command])?)?;
        holds(&said, &[refusal.to_owned()])?;
    }
    Ok(())
}

/// Tests that terminal escapes in names, of a source file and of threads, are shown in a harmless
/// form.
fn escapes() -> Result<(), String> {
    let folder = paths::scratch("gdb-escapes");
    let source = folder.join("evil\u{1b}[31m\u{202e}.c");
    let text = "#include <omp.h>\n#include <pthread.h>\n#include <unistd.h>\n\
                static void inner(void) { for (;;) pause(); }\n\
                int main(void) {\n#pragma omp parallel num_threads(2)\n{\n\
                pthread_setname_np(pthread_self(), \"a\\033[5mb\");\n\
                if (omp_get_thread_num()) inner(); else sleep(1);\n}\n}\n";
    std::fs::write(&source, format!("#define _GNU_SOURCE\n{text}")).map_err(|e| e.to_string())?;
    let binary = folder.join("evil");
    let built = exec::run(
        Command::new("gcc").args(["-g", "-O0", "-fopenmp", "-o"]).arg(&binary).arg(&source),
    )?;
    if !built.success() {
        return Err(built.describe());
    }
    let path = binary.to_str().ok_or("a strange path")?;
    let commands = [
        "tbreak pause", "run", "omp bt all", "bt", "omp threads", "omp regions", "omp tasks graph",
    ];
    for locale in ["C.UTF-8", "C"] {
        let said = says(batch(Debugger::Gdb, &[path], &commands)?.env("LC_ALL", locale))?;
        holds(&said, &["evil\\x1b[31m\\u202e.c".to_owned(), "main [parallel]".into()])?;
        // gdb's own output about a stop comes before the output of our commands.
        let ours =
            said.split("Thread 1 (LWP").nth(1).or(said.split("Thread 2 (LWP").nth(1)).unwrap_or("");
        if ours.contains('\u{1b}') || ours.contains('\u{202e}') {
            return Err(format!("an escape is sent: {ours:?}"));
        }
    }
    Ok(())
}

/// Tests that no expression calls a function of the program.
fn calls() -> Result<(), String> {
    let binary = program("constructs.c", Compiler::Gcc, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    for debugger in [Debugger::Gdb, Debugger::Lldb] {
        let main =
            if debugger == Debugger::Gdb { "break main" } else { "breakpoint set --name main" };
        for call in ["omp pr puts(\"executed\")", "omp pr (int)omp_get_max_threads()"] {
            let said = says(&mut batch(debugger, &[path], &[main, "run", call])?)?;
            let executed = said.lines().any(|line| line == "executed");
            if executed || !said.contains("omp: ") {
                return Err(format!(
                    "{}: a function was called, or no refusal:\n{said}",
                    debugger.name()
                ));
            }
        }
    }
    Ok(())
}
