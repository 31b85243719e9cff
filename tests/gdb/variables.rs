//! `omp pr` for variables of every kind, asked about the thread that sleeps in a construct's body.

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::suite;

use crate::debugger::{Debugger, Running, batch, holds, in_time, line, program, says};

/// Expressions with their values.
type Values = &'static [(&'static str, &'static str)];

const C: Values = &[
    ("board", "10, ..11, ..12"),
    ("length[2]", "2.5"),
    ("shared", "384"),
    ("unused", "77"),
    ("first", "31"),
    ("total", "8"),
    ("to->x", "21"),
    ("kept", "300"),
    ("mine", "41"),
    ("inner", "20"),
    ("n", "4"),
];
const CPP: Values = &[
    ("total", "8"),
    ("fresh", "31"),
    ("mine", "41"),
    ("side", "2.5"),
    ("corner.y", "4"),
    ("this->length", "17"),
    ("ref", "5"),
    ("copied", "8"),
    ("board[1]", "11"),
    ("k", "9"),
    ("at->x", "21"),
    ("taken", "6.25"),
    ("of_file", "70"),
    ("unshared", "679"),
];
const FORTRAN: Values = &[
    ("total", "8"),
    ("first", "31"),
    ("mine", "41"),
    ("a(2)", "8"),
    ("a", "(1, 8, 3, 4, 5, 6)"),
    ("of_module", "99"),
    ("n", "6"),
    ("p%id", "7"),
    ("grid(1,1)", "1.5"),
];

pub fn tests() -> Vec<Trial> {
    let mut tests = Vec::new();
    for (compiler, name, values) in [
        (Compiler::Gcc, "variables.c", C),
        (Compiler::Clang, "variables.c", C),
        (Compiler::Gxx, "variables.cpp", CPP),
        (Compiler::Clangxx, "variables.cpp", CPP),
        (Compiler::Gfortran, "variables.f90", FORTRAN),
        (Compiler::Flang, "variables.f90", FORTRAN),
    ] {
        for debugger in [Debugger::Gdb, Debugger::Lldb] {
            // lldb does not know Fortran.
            if debugger == Debugger::Gdb || name != "variables.f90" {
                let title = format!("variables::{}::{}", debugger.name(), compiler.name());
                tests.push(suite::test(title, move || variables(debugger, compiler, name, values)));
            }
        }
    }
    tests
}

/// Whether a debugger cannot know the value.
fn is_hidden(debugger: Debugger, compiler: Compiler, expression: &str) -> bool {
    match (debugger, compiler) {
        // Of two variables with one name in a function lldb knows only the argument: here the
        // original.
        (Debugger::Lldb, Compiler::Clang | Compiler::Clangxx) => expression == "total",
        // Flang's debug information does not describe members.
        (_, Compiler::Flang) => expression == "p%id",
        _ => false,
    }
}

fn variables(
    debugger: Debugger,
    compiler: Compiler,
    name: &str,
    values: Values,
) -> Result<(), String> {
    let binary = program(name, compiler, "-O0")?;
    let running = Running::start(&binary)?;
    let pid = running.pid();
    let attach = ["-p", &pid];
    let mark = if name.ends_with(".cpp") { parks(name) } else { line(name, "parks") };
    let stands = format!("{name}:{mark}");
    // Find the thread, and its frame of the body.
    let ask = || says(&mut batch(debugger, &attach, &["omp threads", "omp bt all"])?);
    let said = in_time(ask, &["1 of 2, level ..work_parallel".to_owned(), stands.clone()])?;
    let row = said.lines().find(|row| row.contains("1 of 2, level ")).unwrap_or("");
    let number = row.trim_start_matches(['*', ' ']).split_whitespace().next().ok_or("no number")?;
    let frame = said
        .split(&format!("thread {number} "))
        .find_map(|part| part.lines().find(|line| line.contains(&stands)))
        .and_then(|line| line.trim_start_matches('#').split_whitespace().next())
        .ok_or_else(|| format!("no frame at {stands}:\n{said}"))?;
    // The author's own name of the main program.
    if compiler == Compiler::Gfortran {
        holds(&said, &["variables [parallel..variables.f90:".to_owned()])?;
    }
    let word = if debugger == Debugger::Gdb { "" } else { "select " };
    let mut commands = vec![format!("thread {word}{number}"), format!("frame {word}{frame}")];
    let seen = || values.iter().filter(|(text, _)| !is_hidden(debugger, compiler, text));
    commands.extend(seen().map(|(text, _)| format!("omp pr {text}")));
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let said = says(&mut batch(debugger, &attach, &commands)?)?;
    let shown = seen().enumerate().map(|(at, (text, value))| match debugger {
        Debugger::Gdb => format!("${} = ..{value}", at + 1),
        Debugger::Lldb => format!("{text} = ..{value}"),
    });
    holds(&said, &shown.collect::<Vec<_>>())
}

/// Finds the marked line of a C++ source.
fn parks(name: &str) -> usize {
    let text = std::fs::read_to_string(crate::debugger::source(name)).unwrap_or_default();
    1 + text.lines().position(|line| line.ends_with("// parks")).unwrap_or(0)
}
