//! `omp next` over loops and sections, with each compiler: it stops at the user's next line after
//! them, and goes line by line in their bodies.

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::suite;

use crate::debugger::{Debugger, batch, line, program, says};

const C: &str = "over.c";
const F90: &str = "over.f90";
/// The number of steps that may be necessary to the next line outside of a construct: one to the
/// construct, one over it.
const STEPS: usize = 2;

pub fn tests() -> Vec<Trial> {
    let mut tests = Vec::new();
    let mut add = |source: &'static str, compiler: Compiler, debugger: Debugger| {
        for level in ["-O0", "-O2"] {
            let of = format!("{}::{}{level}", debugger.name(), compiler.name());
            let over = move || over(source, compiler, level, debugger);
            tests.push(suite::test(format!("next::over::{of}"), over));
        }
    };
    for compiler in [Compiler::Gcc, Compiler::Clang, Compiler::Clang22] {
        add(C, compiler, Debugger::Gdb);
    }
    add(C, Compiler::Clang, Debugger::Lldb);
    for compiler in [Compiler::Gfortran, Compiler::Flang, Compiler::Flang22] {
        add(F90, compiler, Debugger::Gdb);
    }
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        let within = move || within(compiler);
        tests.push(suite::test(format!("next::within::{}", compiler.name()), within));
    }
    tests
}

/// Finds the lines at which a debugger shows the selected thread, one for each `omp bt 1`.
fn fronts(said: &str, source: &str) -> Vec<usize> {
    let at = format!("{source}:");
    let number = |line: &str| line.rsplit_once(&at)?.1.trim().parse().ok();
    said.lines().filter(|line| line.starts_with("#0 ")).filter_map(number).collect()
}

fn at(debugger: Debugger, source: &str, line: usize) -> String {
    match debugger {
        Debugger::Gdb => format!("tbreak {source}:{line}"),
        Debugger::Lldb => {
            format!("breakpoint set --one-shot true --file {source} --line {line}")
        }
    }
}

/// Tests steps from one line of the user's to the next, over the construct between them, and never
/// into its body.
fn over(
    source: &'static str,
    compiler: Compiler,
    level: &str,
    debugger: Debugger,
) -> Result<(), String> {
    let binary = program(source, compiler, level)?;
    let path = binary.to_str().ok_or("a strange path")?;
    let mut places = vec!["begins", "behind static", "behind dynamic", "behind collapsed"];
    let mut bodies = vec!["in static", "in dynamic", "in collapsed"];
    if source == C {
        places.push("behind sections");
        bodies.extend(["in sections", "in other section"]);
    }
    for pair in places.windows(2) {
        let stop = at(debugger, source, line(source, pair[0]));
        let mut commands = vec![&*stop, "run"];
        for _ in 0..STEPS {
            commands.extend(["omp next", "omp bt 1"]);
        }
        let said = says(&mut batch(debugger, &[path], &commands)?)?;
        let seen = fronts(&said, source);
        let inside = bodies.iter().find(|body| seen.contains(&line(source, body)));
        // gfortran -O2 makes no call that shows where the collapsed loop begins.
        let unknown = (compiler, level, pair[1]) == (Compiler::Gfortran, "-O2", "behind collapsed");
        if !seen.contains(&line(source, pair[1])) || (inside.is_some() && !unknown) {
            return Err(format!("{pair:?}: {inside:?}, lines {seen:?}:\n{said}"));
        }
    }
    Ok(())
}

/// Tests that `omp next` in a body goes on in the body, past the lines of the loop's head.
fn within(compiler: Compiler) -> Result<(), String> {
    let binary = program(C, compiler, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let first = line(C, "in static");
    let stop = at(Debugger::Gdb, C, first);
    let commands = [&*stop, "run", "omp next", "omp bt 1", "omp next", "omp bt 1"];
    let said = says(&mut batch(Debugger::Gdb, &[path], &commands)?)?;
    match fronts(&said, C) == [first + 1, first] {
        true => Ok(()),
        false => Err(said),
    }
}
