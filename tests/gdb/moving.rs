//! Programs that move: stops at constructs, steps into and over them, and regions of one thread.

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::suite;

use crate::debugger::{Debugger, batch, holds, line, program, says};

const C: &str = "constructs.c";

/// A construct, and the marks of the places where the debugger may stop for it, whichever compiler
/// made the code.
const STOPS: &[(&str, &[&str])] = &[
    ("critical", &["critical", "in critical"]),
    ("barrier", &["barrier", "single"]),
    ("single", &["single", "in single", "barrier"]),
    ("task", &["in task", "task begins", "task"]),
    ("taskwait", &["taskwait"]),
    ("master", &["master", "in master"]),
    ("ordered", &["ordered", "in ordered"]),
    ("region", &["region"]),
    // gcc gives the beginning of some loops no line of their own.
    ("for", &["loop", "turns", "master", "in master"]),
    (
        "sections",
        &[
            "sections", "begin of sections", "master", "in master", "second section",
            "end of sections",
        ],
    ),
];

pub fn tests() -> Vec<Trial> {
    let mut tests = Vec::new();
    for (compiler, level) in [
        (Compiler::Gcc, "-O0"),
        (Compiler::Gcc, "-O2"),
        (Compiler::Clang, "-O0"),
        (Compiler::Clang, "-O2"),
    ] {
        for debugger in [Debugger::Gdb, Debugger::Lldb] {
            let name =
                |what: &str| format!("{what}::{}::{}{level}", debugger.name(), compiler.name());
            tests.push(suite::test(name("break"), move || breaks(debugger, compiler, level)));
            tests.push(suite::test(name("serialize"), move || {
                serializes(debugger, compiler, level)
            }));
            if level == "-O0" {
                tests.push(suite::test(name("step"), move || steps(debugger, compiler, level)));
            }
        }
    }
    tests.push(suite::test("break::again", again));
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for debugger in [Debugger::Gdb, Debugger::Lldb] {
            let name = |what: &str| format!("{what}::{}::{}", debugger.name(), compiler.name());
            tests.push(suite::test(name("break::listed"), move || listed(debugger, compiler)));
            tests.push(suite::test(name("break::values"), move || values(debugger, compiler)));
        }
    }
    tests.push(suite::test("break::lines", lines));
    tests
}

fn go_on(debugger: Debugger) -> &'static str {
    if debugger == Debugger::Gdb { "continue" } else { "process continue" }
}

fn breaks(debugger: Debugger, compiler: Compiler, level: &str) -> Result<(), String> {
    let binary = program(C, compiler, level)?;
    let path = binary.to_str().ok_or("a strange path")?;
    for (construct, places) in STOPS {
        let set = format!("omp break {construct}");
        // The command comes before the program runs, so that its libraries are not loaded yet.
        let said = says(&mut batch(debugger, &[path], &[&set, "run", "omp bt", "omp threads"])?)?;
        let stopped = places.iter().any(|place| {
            let at = format!("constructs.c:{}", line(C, place));
            said.lines().any(|line| {
                // clang gives some places no line, and lldb then shows none.
                let without = debugger == Debugger::Lldb && line.ends_with(" at constructs.c");
                line.starts_with("#0 ")
                    && line.contains("main [")
                    && (line.contains(&at) || without)
            })
        });
        // The compiler chooses the place where a region's code begins: the stop must be in its
        // body.
        let inside = *construct == "region"
            && said.lines().any(|l| l.starts_with("#0 ") && l.contains("main [parallel]"));
        let body = match *construct {
            "task" => "#0 ..main [task]",
            _ => "#0 ..main [parallel]",
        };
        if !(stopped || inside) {
            return Err(format!("{construct}: no stop at {places:?}:\n{said}"));
        }
        // Only the thread that stopped has surely come to its body.
        let stopped = "* ..of 3, level 1..main [";
        holds(&said, &[body.to_owned(), "main ..constructs.c:".into(), stopped.into()])?;
    }
    Ok(())
}

/// Tests that stops exist again when the program runs a second time, and that deleted ones do not.
fn again() -> Result<(), String> {
    let binary = program(C, Compiler::Gcc, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let commands = [
        "omp break critical", "run", "kill", "run", "omp bt 1", "info breakpoints", "delete",
        "continue", "omp break nonsense", "omp break",
    ];
    let said = says(&mut batch(Debugger::Gdb, &[path], &commands)?)?;
    let place = format!("constructs.c:{}", line(C, "in critical"));
    let shown = [
        format!("#0 ..main [parallel] () at {place}"),
        "sum ".to_owned(),
        "omp: nonsense is no construct: omp break takes atomic, barrier,".into(),
        "omp: omp break takes one construct, or FILE:LINE".into(),
    ];
    holds(&said, &shown)?;
    let kept = said.lines().filter(|line| line.contains("keep y") && line.contains(&place)).count();
    if kept == 1 { Ok(()) } else { Err(format!("{kept} breakpoints instead of one:\n{said}")) }
}

/// Tests that the stop at a construct whose body the runtime calls is a breakpoint like any other
/// while the program runs: it is listed, and it can be deleted.
fn listed(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    let binary = program(C, compiler, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let gdb = debugger == Debugger::Gdb;
    let (main, list, delete) = match debugger {
        Debugger::Gdb => ("tbreak main", "info breakpoints", "delete"),
        Debugger::Lldb => (
            "breakpoint set --one-shot true --name main",
            "breakpoint list --brief",
            "breakpoint delete --force",
        ),
    };
    let commands = [main, "run", "omp break task", list, delete, go_on(debugger)];
    let said = says(&mut batch(debugger, &[path], &commands)?)?;
    let ended = if gdb { "exited normally" } else { "exited with status = 0" };
    holds(&said, &["Breakpoint ".to_owned(), "sum ".into(), ended.into()])?;
    let is_listed = |line: &str| match debugger {
        Debugger::Gdb => line.contains("keep y") && line.contains("constructs.c:"),
        Debugger::Lldb => line.contains(": address = ") && !line.contains("lib"),
    };
    if said.lines().any(is_listed) { Ok(()) } else { Err(format!("no such breakpoint:\n{said}")) }
}

/// Tests that variables have their values where a region's body begins.
fn values(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    let binary = program(C, compiler, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let commands = ["omp break region", "run", "omp pr half", "omp pr x"];
    let said = says(&mut batch(debugger, &[path], &commands)?)?;
    holds(&said, &[" = 0.5".to_owned(), " = ..41".into()])
}

/// Tests a stop at a line of the source, and at constructs for which gcc makes no call.
fn lines() -> Result<(), String> {
    let binary = program(C, Compiler::Gcc, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let at = format!("omp break constructs.c:{}", line(C, "in task"));
    let said = says(&mut batch(Debugger::Gdb, &[path], &[&at, "run", "omp bt"])?)?;
    holds(&said, &[format!("#0 ..main [task] () at constructs.c:{}", line(C, "in task"))])?;
    let said = says(&mut batch(Debugger::Gdb, &[path], &["omp break atomic", "run", "omp bt"])?)?;
    // At the directive or after it, as the compiler's lines say.
    let places = ["atomic", "in atomic"]
        .map(|mark| format!("#0 ..main [parallel] () at constructs.c:{}", line(C, mark)));
    places.iter().find_map(|place| holds(&said, std::slice::from_ref(place)).ok()).ok_or(said)
}

fn serializes(debugger: Debugger, compiler: Compiler, level: &str) -> Result<(), String> {
    let binary = program(C, compiler, level)?;
    let path = binary.to_str().ok_or("a strange path")?;
    let main = if debugger == Debugger::Gdb { "tbreak main" } else { "breakpoint set --name main" };
    let said =
        says(&mut batch(debugger, &[path], &[main, "run", "omp serialize", go_on(debugger)])?)?;
    let shown = [
        "thread 1: the next region that it encounters has a team of one".to_owned(),
        "omp: the region in main at constructs.c:..has a team of one".into(),
        "team of one 1".into(),
    ];
    holds(&said, &shown)
}

/// Tests steps into a region on the chosen thread, into a critical construct, over it, and over a
/// region.
fn steps(debugger: Debugger, compiler: Compiler, level: &str) -> Result<(), String> {
    let binary = program(C, compiler, level)?;
    let path = binary.to_str().ok_or("a strange path")?;
    let at = |mark: &str| format!("{}:{}", C, line(C, mark));
    let (gdb, temporary) = (debugger == Debugger::Gdb, "breakpoint set --one-shot true");
    let stop = |mark: &str| {
        if gdb {
            format!("tbreak {}", at(mark))
        } else {
            format!("{temporary} --file {C} --line {}", line(C, mark))
        }
    };
    // One thread alone comes to each place, so that other threads do not disturb the test.
    let main = if gdb { "tbreak main" } else { "breakpoint set --one-shot true --name main" };
    let critical = stop("critical");
    let commands = [
        main,
        "run",
        "omp serialize",
        &critical,
        go_on(debugger),
        "omp bt 1",
        "omp step",
        "omp bt 1",
        "omp next",
        "omp threads",
    ];
    let said = says(&mut batch(debugger, &[path], &commands)?)?;
    let fronts: Vec<&str> = said.lines().filter(|line| line.starts_with("#0 ")).collect();
    // Before the critical construct; in it, at its line or the next.
    let within = [at("critical"), at("in critical")];
    if fronts.len() != 2
        || !fronts[0].contains(&at("critical"))
        || !within.iter().any(|place| fronts[1].contains(place))
    {
        return Err(format!("omp step does not come into the critical:\n{said}"));
    }

    // From the region's line in main into its body.
    let starts = stop("starts");
    let next = if gdb { "next" } else { "thread step-over" };
    let said = says(&mut batch(
        debugger,
        &[path],
        &[&starts, "run", next, "omp bt 1", "omp step", "omp bt"],
    )?)?;
    let shown = [
        "#0 ..main () at ".to_owned() + &at("region"),
        "#0 ..main [parallel]".into(),
        "#1 ..main ..constructs.c:".into(),
    ];
    holds(&said, &shown)
}
