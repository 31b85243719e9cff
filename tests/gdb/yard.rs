//! Constructs in the methods of templates: taskloops and target regions apart from tasks and
//! regions, function objects, and a `main` in two parts.

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::suite;

use crate::debugger::{Debugger, batch, holds, line, program, says};

const CPP: &str = "yard.cpp";

pub fn tests() -> Vec<Trial> {
    let mut tests = Vec::new();
    for compiler in [Compiler::Gxx, Compiler::Clangxx] {
        for level in ["-O0", "-O2"] {
            for debugger in [Debugger::Gdb, Debugger::Lldb] {
                let name = |what: &str| {
                    format!("yard::{what}::{}::{}{level}", debugger.name(), compiler.name())
                };
                tests.push(suite::test(name("kinds"), move || kinds(debugger, compiler, level)));
                tests.push(suite::test(name("single"), move || single(debugger, compiler, level)));
                tests.push(suite::test(name("serialize"), move || {
                    serializes_nested(debugger, compiler, level)
                }));
            }
        }
    }
    tests.push(suite::test("yard::nowait::lldb", nowait));
    tests.push(suite::test("yard::rows::lldb", rows));
    tests.push(suite::test("yard::printers::gdb", printers));
    for debugger in [Debugger::Gdb, Debugger::Lldb] {
        let name = |what: &str| format!("yard::{what}::{}", debugger.name());
        tests.push(suite::test(name("object"), move || object(debugger)));
        tests.push(suite::test(name("help"), move || help(debugger)));
        tests.push(suite::test(name("system"), move || system(debugger)));
    }
    tests
}

fn run(
    debugger: Debugger,
    compiler: Compiler,
    level: &str,
    commands: &[&str],
) -> Result<String, String> {
    let binary = program(CPP, compiler, level)?;
    let path = binary.to_str().ok_or("a strange path")?;
    let said = says(&mut batch(debugger, &[path], commands)?)?;
    if said.contains("Traceback") { Err(said) } else { Ok(said) }
}

/// Tests that each kind of body has the user's name for it, and that a stop for one kind stops for
/// no other; a taskloop's tasks count as tasks too.
fn kinds(debugger: Debugger, compiler: Compiler, level: &str) -> Result<(), String> {
    for construct in ["taskloop", "task", "target"] {
        let set = format!("omp break {construct}");
        let said = run(debugger, compiler, level, &[&set, "run", "omp bt", "omp tasks"])?;
        // A function object may be inlined at the body's first instruction.
        let body = format!("..Yard<long>::work [{construct}]");
        holds(&said, &[body, "..Yard<long>::work ..yard.cpp:".into()])?;
        if construct != "target" {
            let made = format!("made in Yard<long>::work at yard.cpp:{}", line(CPP, construct));
            holds(&said, &[made])?;
        }
        let others = ["[task]", "[taskloop]", "[target]", "[outlined]"];
        let own = format!("[{construct}]");
        let other = said.lines().find(|line| {
            line.starts_with('#') && others.iter().any(|kind| *kind != own && line.contains(kind))
        });
        if let Some(line) = other {
            return Err(format!("{line} in\n{said}"));
        }
    }
    Ok(())
}

/// Tests that a step from the stop in a `single` stays inside of it.
fn single(debugger: Debugger, compiler: Compiler, level: &str) -> Result<(), String> {
    let commands = ["omp break single", "run", "omp bt 1", "omp step", "omp bt 1"];
    let said = run(debugger, compiler, level, &commands)?;
    let fronts: Vec<&str> = said.lines().filter(|line| line.starts_with("#0 ")).collect();
    let inside = |line: &&str| line.contains("Yard<long>::work [");
    if fronts.len() == 2 && fronts.iter().all(inside) {
        Ok(())
    } else {
        Err(format!("the step has left the construct:\n{said}"))
    }
}

/// Tests `omp serialize` for a region in the body of another one: it has a team of one, and the
/// name of the user's function. The test stops at regions and not at a line: an optimised line of
/// the outer body may have no code, and the stop then moves into the inner body, where the team
/// already exists.
fn serializes_nested(debugger: Debugger, compiler: Compiler, level: &str) -> Result<(), String> {
    const CPP: &str = "garden.cpp";
    let binary = program(CPP, compiler, level)?;
    let path = binary.to_str().ok_or("a strange path")?;
    let commands = ["omp break region", "run", "omp serialize", "continue", "continue"];
    let said = says(&mut batch(debugger, &[path], &commands)?)?;
    let inner = line(CPP, "inner");
    let named = format!("omp: the region in Garden<long>::dig at {CPP}:{inner} has a team of one");
    holds(&said, &[named, "team of 1".into()])
}

/// Tests the call operator of a function object, whose name has blanks.
fn object(debugger: Debugger) -> Result<(), String> {
    let at = format!("omp break {CPP}:{}", line(CPP, "in function object"));
    let said = run(debugger, Compiler::Gxx, "-O0", &[&at, "run", "omp bt"])?;
    let shown = ["#0 ..Scale::operator() (this=", "#1 ..Yard<long>::work [taskloop]"];
    holds(&said, &shown.map(str::to_owned))
}

/// Tests the commands that newcomers type first.
fn help(debugger: Debugger) -> Result<(), String> {
    let said = says(&mut batch(debugger, &[], &["omp help", "omp help step"])?)?;
    let shown = ["omp serialize", "omp why", "Step from a construct into its body"];
    holds(&said, &shown.map(str::to_owned))
}

/// Tests a program on the system's runtime: a message says what is missing, and what to do.
fn system(debugger: Debugger) -> Result<(), String> {
    let unset = match debugger {
        Debugger::Gdb => "unset environment LD_LIBRARY_PATH",
        Debugger::Lldb => "settings set target.unset-env-vars LD_LIBRARY_PATH",
    };
    let at = format!("omp break {CPP}:{}", line(CPP, "in function object"));
    let said = run(debugger, Compiler::Gxx, "-O0", &[unset, &at, "run", "omp threads"])?;
    holds(&said, &["omp: ..libgomp.so.1, which is not Omphalos: ..`omphalos run`".to_owned()])
}

/// Tests a step over a `single` to the next line, whichever thread executes the construct. (gdb
/// does not stop at that line.)
fn nowait() -> Result<(), String> {
    const CPP: &str = "nowait.cpp";
    let binary = program(CPP, Compiler::Gxx, "-O2")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let line = |mark| line(CPP, mark);
    let stop = format!("breakpoint set --one-shot true --file {CPP} --line {}", line("in master"));
    let said = says(&mut batch(Debugger::Lldb, &[path], &[&stop, "run", "omp next", "omp bt 1"])?)?;
    holds(&said, &[format!("#0 ..stall<3, Scale> [parallel] () at {CPP}:{}", line("barrier"))])
}

/// Tests a step into a region whose directive has code without a line in the middle of its own.
fn rows() -> Result<(), String> {
    const CPP: &str = "rows.cpp";
    let binary = program(CPP, Compiler::Clangxx, "-O2")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let stop =
        format!("breakpoint set --one-shot true --file {CPP} --line {}", line(CPP, "region"));
    let mut commands = vec![stop.as_str(), "run"];
    // The compiled code comes to the directive twice, with the code of the line before it in
    // between.
    commands.extend(["omp step", "omp bt 1"].repeat(3));
    let said = says(&mut batch(Debugger::Lldb, &[path], &commands)?)?;
    holds(&said, &["#0 ..chain [parallel]".to_owned()])
}

/// Tests that a printer that fails leaves no message between the lines, and no gap.
fn printers() -> Result<(), String> {
    const CPP: &str = "named.cpp";
    let at = format!("break {CPP}:{}", line(CPP, "here"));
    // Newer versions of these printers find clang's strings too.
    let shown = |who: &str| format!("#0 ..call (n=3, who={who}) at {CPP}:");
    let gcc = [shown("\"caller\"")];
    let clang = [shown("..."), shown("\"caller\"")];
    for (compiler, wanted) in [(Compiler::Gxx, &gcc[..]), (Compiler::Clangxx, &clang[..])] {
        let binary = program(CPP, compiler, "-O0")?;
        let path = binary.to_str().ok_or("a strange path")?;
        // gdb itself would show the arguments where it stops.
        let (hide, show) = ("set print frame-arguments none", "set print frame-arguments scalars");
        // The printers are libstdc++'s own scripts.
        let stop = ["set auto-load python-scripts on", &at, hide, "run", show, "omp bt"];
        let said = says(&mut batch(Debugger::Gdb, &[path], &stop)?)?;
        if said.contains("Python Exception") {
            return Err(said);
        }
        let found = wanted.iter().any(|text| holds(&said, std::slice::from_ref(text)).is_ok());
        if !found {
            return Err(format!("none of {wanted:?} in\n{said}"));
        }
    }
    Ok(())
}
