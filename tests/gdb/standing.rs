//! Programs that stand still, live and as core files, and the output of the commands about them.

use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths, suite};

use crate::debugger::{self, Debugger, Running, batch, holds, in_time, line, program, says};

const C: &str = "stands.c";

pub fn tests() -> Vec<Trial> {
    let mut tests = Vec::new();
    for (compiler, level) in [
        (Compiler::Gcc, "-O0"),
        (Compiler::Gcc, "-O2"),
        (Compiler::Gxx, "-O2"),
        (Compiler::Clang, "-O0"),
        (Compiler::Clang, "-O2"),
        (Compiler::Clang22, "-O2"),
    ] {
        for debugger in [Debugger::Gdb, Debugger::Lldb] {
            // Debian's lldb does not understand everything that newer compilers write.
            if debugger == Debugger::Lldb
                && (compiler == Compiler::Clang22 || compiler == Compiler::Gxx)
            {
                continue;
            }
            let name = format!("standing::{}::{}{level}", debugger.name(), compiler.name());
            tests.push(suite::test(name, move || stands(debugger, compiler, level)));
        }
    }
    for level in ["-O0", "-O2"] {
        tests.push(suite::test(format!("standing::gdb::gfortran{level}"), move || fortran(level)));
        for compiler in [Compiler::Gcc, Compiler::Clang] {
            let name = format!("standing::machine::{}{level}", compiler.name());
            tests.push(suite::test(name, move || machine(compiler, level)));
        }
    }
    tests
}

/// Returns what each thread does, in the words of `omp threads`.
fn states() -> Vec<String> {
    vec![
        format!(
            "0 of 3, level 1..barrier at the end of the region: waits for 1, 2..outer at \
             stands.c:{}",
            line(C, "outer region")
        ),
        format!(
            "0 of 2, level 2..barrier: waits for 1..outer [parallel] at stands.c:{}",
            line(C, "met by one")
        ),
        format!(
            "2 of 3, level 1..waits for lock gate, held by thread 0..outer [parallel] at \
             stands.c:{}",
            line(C, "waits for the lock")
        ),
        format!("1 of 2, level 2..work_parallel..deep at stands.c:{}", line(C, "sleeps")),
    ]
}

/// Finds the debugger's number of the thread that does this.
fn numbered(said: &str, does: &str) -> Result<String, String> {
    let row = said.lines().find(|row| row.contains(does)).ok_or("no such thread")?;
    let word = row.trim_start_matches(['*', ' ']).split_whitespace().next();
    word.map(str::to_owned).ok_or_else(|| "no number".into())
}

/// Finds the level of a function's innermost frame, which differs since C libraries have one or
/// more frames within their `pause`.
fn level_of(stack: &str, function: &str) -> Result<String, String> {
    let mut frames = stack.lines().filter_map(|line| line.strip_prefix('#')?.split_once(' '));
    let found = frames.find(|(_, frame)| frame.trim_start().starts_with(function));
    found.map(|(level, _)| level.into()).ok_or_else(|| format!("no {function} in:\n{stack}"))
}

fn stands(debugger: Debugger, compiler: Compiler, level: &str) -> Result<(), String> {
    let binary = program(C, compiler, level)?;
    let running = Running::start(&binary)?;
    let path = binary.to_str().ok_or("a strange path")?;
    let pid = running.pid();
    let attach = ["-p", &pid];
    let said = in_time(|| says(&mut batch(debugger, &attach, &["omp threads"])?), &states())?;
    let thread = |does: &str| {
        let word = if debugger == Debugger::Lldb { "thread select" } else { "thread" };
        Ok::<_, String>(format!("{word} {}", numbered(&said, does)?))
    };
    // The thread that a debugger selects need not be the first: the kernel's numbers start again at
    // their limit.
    let (initial, select) = (thread("0 of 3")?, thread("work_parallel")?);
    let frame = format!(
        "frame {}{}",
        if debugger == Debugger::Lldb { "select " } else { "" },
        level_of(&says(&mut batch(debugger, &attach, &[&select, "omp bt"])?)?, "outer [parallel]")?
    );
    let core = paths::scratch(&format!("gdb-core-{}-{}{level}", debugger.name(), compiler.name()));
    let core = core.join("core");
    let save = format!("gcore {}", core.display());
    let first_select = select.as_str();
    let commands = [
        "omp threads",
        "omp bt all",
        "omp regions",
        "omp barriers",
        "omp locks",
        "omp why",
        "omp tasks graph",
        "omp icvs",
        first_select,
        &frame,
        // lldb looks for all parts of an expression in one scope.
        if debugger == Debugger::Gdb { "omp pr inner + secret" } else { "omp pr inner" },
        "omp pr secret",
        "omp pr data[1]",
    ];
    let outer = line(C, "outer region");
    let mut shown = states();
    shown.extend([
        format!("region in outer at stands.c:{outer}: level 1, a team of 3"),
        "level 2, a team of 2, in the region in outer at".into(),
        "barrier (explicit) of the region in outer at stands.c:".into(),
        format!("1 has not come: deep at stands.c:{}", line(C, "sleeps")),
        format!("held by thread 0, in outer at stands.c:{outer}"),
        format!("waits for it, in outer [parallel] at stands.c:{}", line(C, "waits for the lock")),
        format!("wait for each other: ..stands.c:{outer} in outer"),
        "implicit task..executing".into(),
        "team-size-var..3".into(),
    ]);
    let values = match debugger {
        Debugger::Gdb => ["$1 = 201", "$2 = 77", "$3 = 2"],
        Debugger::Lldb => ["inner = 124", "secret = 77", "data[1] = 2"],
    };
    shown.extend(values.map(str::to_owned));
    let mut live = commands.to_vec();
    live.insert(0, &initial);
    if debugger == Debugger::Gdb {
        live.insert(3, "thread apply all bt");
        live.push("bt -no-filters");
    }
    let said = says(&mut batch(debugger, &attach, &live)?)?;
    holds(&said, &shown)?;
    holds(&said, &stacks(&said, debugger == Debugger::Gdb)?)?;
    // Other C libraries have other functions within their `pause`.
    let is_shown = paths::only_llvm().is_none();
    if is_shown && (debugger, compiler, level) == (Debugger::Gdb, Compiler::Gcc, "-O0") {
        documented(&said)?;
    }
    // gdb writes a core like the kernel's; lldb's own are of another kind.
    says(&mut batch(Debugger::Gdb, &attach, &[&save])?)?;
    drop(running);
    // The same commands for the core, where debuggers number the threads again.
    let target = match debugger {
        Debugger::Gdb => vec![path, core.to_str().ok_or("a strange path")?],
        Debugger::Lldb => vec![path, "-c", core.to_str().ok_or("a strange path")?],
    };
    let said = says(&mut batch(debugger, &target, &["omp threads"])?)?;
    let third = numbered(&said, "work_parallel")?;
    let select =
        format!("thread {}{third}", if debugger == Debugger::Lldb { "select " } else { "" });
    let commands = commands.map(|each| if each == first_select { select.as_str() } else { each });
    let said = says(&mut batch(debugger, &target, &commands)?)?;
    let _ = std::fs::remove_file(&core);
    shown.retain(|text| !text.starts_with("team-size-var"));
    holds(&said, &shown)?;
    holds(&said, &stacks(&said, false)?)
}

/// Tests that docs/gdb.md shows what the debugger prints; addresses and numbers of threads may
/// differ.
fn documented(said: &str) -> Result<(), String> {
    let page = std::fs::read_to_string(paths::repository().join("docs/gdb.md"));
    let page = page.map_err(|e| format!("docs/gdb.md: {e}"))?;
    holds(&page, &states())?;
    let frames: Vec<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("    #")?.split_once("  "))
        .filter_map(|(_, frame)| {
            let title = frame.trim_start().split(" (").next()?.split(", thread").next()?;
            let title = title.split(" [thread").next()?;
            Some(format!("{title}..{}", frame.rsplit_once(" at ")?.1))
        })
        .collect();
    if frames.len() < 9 { Err("the page has no stack".into()) } else { holds(said, &frames) }
}

/// Returns the stacks down to main, where the sleeping thread's stack continues on two other
/// threads; with `also`, in the debugger's own words too.
fn stacks(said: &str, also: bool) -> Result<Vec<String>, String> {
    let (first, second) = (numbered(said, "0 of 3")?, numbered(said, "barrier: waits for 1")?);
    let main = line(C, "from main");
    let mut wanted = vec![
        format!("deep..stands.c:{}", line(C, "sleeps")),
        format!("outer [parallel]..stands.c:{}", line(C, "calls")),
        format!("outer [parallel, thread {second}]..stands.c:"),
        format!("outer [thread {first}]..stands.c:{}", line(C, "outer region")),
        format!("main [thread {first}]..stands.c:{main}"),
        "<waits for lock ..held by thread 0>".to_owned(),
        format!("outer [parallel]..stands.c:{}", line(C, "waits for the lock")),
        "<barrier: waits for 1>".to_owned(),
    ];
    if also {
        wanted.push(format!("#..in main [thread {first}] () at ..stands.c:{main}"));
    }
    Ok(wanted)
}

fn fortran(level: &str) -> Result<(), String> {
    const F: &str = "stands.f90";
    let binary = program(F, Compiler::Gfortran, level)?;
    let running = Running::start(&binary)?;
    let pid = running.pid();
    let wanted = [format!("1 of 2, level 1..work_parallel..stands.f90:{}", line(F, "sleeps"))];
    let attach = ["-p", &pid];
    let said = in_time(|| says(&mut batch(Debugger::Gdb, &attach, &["omp threads"])?), &wanted)?;
    let first = numbered(&said, "0 of 2")?;
    let sleeps = format!("thread {}", numbered(&said, "work_parallel")?);
    let commands = [
        "omp bt all", &sleeps, "frame function work::park", "up", "omp pr hidden", "omp pr A(3)",
        "omp pr total > 1",
    ];
    let said = says(&mut batch(Debugger::Gdb, &attach, &commands)?)?;
    let mut shown = vec![
        "work::add [parallel]".to_owned(),
        format!("work::add [thread {first}]"),
        format!("[thread {first}]..stands.f90"),
    ];
    // In optimised code the debug information has no place for variables that the region does not
    // use.
    if level == "-O0" {
        shown.extend(["$1 = 17".into(), "$2 = 42".into(), "$3 = .TRUE.".into()]);
    }
    holds(&said, &shown)
}

/// Tests the requests of front ends: attach, and ask for a stack, for variables of a frame, for
/// ranges of frames.
fn machine(compiler: Compiler, level: &str) -> Result<(), String> {
    let binary = program(C, compiler, level)?;
    let running = Running::start(&binary)?;
    let pid = running.pid();
    let attach = ["-p", &pid];
    let said = in_time(|| says(&mut batch(Debugger::Gdb, &attach, &["omp threads"])?), &states())?;
    let numbered = |does: &str| numbered(&said, does);
    let (first, sleeps) = (numbered("0 of 3")?, numbered("work_parallel")?);
    let waits = numbered("barrier: waits for 1")?;
    let select = format!("thread {sleeps}");
    let stack = says(&mut batch(Debugger::Gdb, &attach, &[&select, "omp bt"])?)?;
    let deep = level_of(&stack, "deep")?;
    let script = format!(
        "1-stack-list-frames --thread {sleeps}\n2-stack-list-frames --thread {waits} 0 1\n\
         3-stack-list-variables --thread {sleeps} --frame {deep} --all-values\n\
         4-interpreter-exec console \"omp barriers\"\n\
         6-stack-list-arguments --thread {waits} 1\n5-gdb-exit\n"
    );
    let input = paths::scratch(&format!("gdb-machine-{}{level}", compiler.name())).join("commands");
    std::fs::write(&input, script).map_err(|e| e.to_string())?;
    let gdb = batch(Debugger::Gdb, &[], &[])?;
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$@\" < \"$0\""]).arg(&input).arg("gdb");
    command.args(gdb.get_args().filter(|each| *each != "--batch"));
    command.envs(gdb.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let outcome = exec::run(command.args(["-i=mi", "-p", &pid]))?;
    let file = debugger::source(C);
    let of = |answer: &str| {
        outcome.stdout.lines().find(|line| line.starts_with(answer)).unwrap_or("").to_owned()
    };
    let frames = of("1^done,stack=");
    for part in [
        "func=\"deep\"".to_owned(),
        format!(
            "func=\"outer [parallel]\",file=\"{}\",line=\"{}\"",
            file.display(),
            line(C, "calls")
        ),
        format!("func=\"outer [parallel, thread {waits}]\",file=\"{}\"", file.display()),
        format!("func=\"main [thread {first}]\""),
    ] {
        if !frames.contains(&part) {
            return Err(format!("no {part} in\n{}", outcome.stdout));
        }
    }
    // Each frame has its own number and an address.
    let mut levels: Vec<&str> =
        frames.split("frame={level=\"").skip(1).filter_map(|f| f.split('"').next()).collect();
    let count = levels.len();
    levels.dedup();
    if levels.len() != count || frames.matches("addr=\"").count() != count {
        return Err(format!("frames without a number or an address: {frames}"));
    }
    if of("2^done,stack=").matches("frame={").count() != 2
        || !of("2^done").contains("<barrier: waits for 1>")
    {
        return Err(format!("two frames were asked for:\n{}", outcome.stdout));
    }
    // Frames have arguments even if these are optimised out, and nothing else is printed inside of
    // a list.
    if !of("6^done,stack-args=[frame=").contains("args=[") || outcome.stdout.contains("[,") {
        return Err(format!("no arguments:\n{}", outcome.stdout));
    }
    if !of("3^done,variables=").contains("name=\"n\"") {
        return Err(format!("no variables:\n{}", outcome.stdout));
    }
    holds(&outcome.stdout, &["1 has not come: deep at".to_owned()])
}
