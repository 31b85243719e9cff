//! Programs that our debuggers start and run to their end, from breakpoint to breakpoint.

use omphalos_tests::compiler::Compiler;

use super::standing::{ask, debugger, source};

/// Runs a program of this folder under a debugger, which prints how often the program passed each
/// place.
fn passed(
    debugger_name: &str,
    (compiler, name, flags): (Compiler, &str, &[&str]),
    argument: &str,
    words: &[&str],
) -> Result<String, String> {
    let program = compiler.compile(&source(name), &[&["-O0"], flags].concat())?;
    let command = format!("{} {argument}", program.display());
    let asks = debugger(debugger_name)?;
    ask(&asks, &[], &[&["run", command.trim(), "runs"], words].concat())
}

fn says(said: &str, wanted: &[&str]) -> Result<(), String> {
    match wanted.iter().find(|wanted| !said.lines().any(|line| line == **wanted)) {
        Some(wanted) => Err(format!("{wanted:?} is missing:\n{said}")),
        None => Ok(()),
    }
}

/// Tests that the first region and the first task after a debugger came pass their places, whether
/// it came before the runtime started or after. A task that runs in parts begins and ends once. The
/// function of a region is unavailable where the program calls it directly.
pub fn runs(name: &str, compiler: Compiler) -> Result<(), String> {
    let once = ["parallel_begin 1", "parallel_end 1", "task_begin 1", "task_end 1"];
    let one = (compiler, "one_region.c", &[][..]);
    says(&passed(name, one, "", &[])?, &once)?;
    says(&passed(name, one, "late", &["late"])?, &once)?;
    let twelve = ["parallel_begin 1", "parallel_end 1", "task_begin 12", "task_end 12"];
    says(&passed(name, (compiler, "untied.c", &[]), "", &[])?, &twelve)?;
    let two = ["parallel_begin 2", "parallel_end 2", "task_begin 2", "task_end 2"];
    says(&passed(name, (compiler, "serialized.c", &[]), "", &[])?, &two)
}

/// Tests `ompd_enable` of 2013, before the runtime starts and after, with a tool and without: which
/// events the tool gets, whether the inquiry functions answer, and how often the program passes
/// `ompt_enable_complete`.
pub fn enabling(compiler: Compiler) -> Result<(), String> {
    const LINK: &str = "-Wl,--unresolved-symbols=ignore-all";
    let tool = [LINK, "-rdynamic"];
    let none = [LINK, "-rdynamic", "-DNONE"];
    let told = |when: &str| format!("{when}: told 1, ended 0, answers 4");
    let over = |when: &str| format!("{when}: told 0, ended 1, answers 0");
    let silent = |when: &str| format!("{when}: told 0, ended 0, answers 4");
    let nobody = |when: &str| format!("{when}: told 0, ended 0, answers 0");
    let again = |when: &str| format!("{when}: told 0, ended 1, answers 4");
    let complete = |count: u32| format!("enable_complete {count}");
    let (first, second) = ("first", "second");
    // With a tool or not; `late` if the runtime runs already; the two values; the lines.
    for (flags, runs, words, lines) in [
        (&tool[..], "", ["1", "0"], [told(first), over(second), complete(2)]),
        (&tool, "", ["0", "1"], [nobody(first), silent(second), complete(0)]),
        (&tool, "late", ["1", "1"], [told(first), told(second), complete(0)]),
        (&tool, "late", ["0", "1"], [over(first), again(second), complete(1)]),
        (&none, "", ["1", "1"], [silent(first), silent(second), complete(0)]),
        (&none, "late", ["0", "1"], [nobody(first), silent(second), complete(0)]),
        (&none, "late", ["0", "0"], [nobody(first), nobody(second), complete(0)]),
    ] {
        let said = passed("y2013", (compiler, "enabling.c", flags), runs, &words)?;
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        says(&said, &lines).map_err(|error| format!("{runs} {words:?}: {error}"))?;
    }
    Ok(())
}

/// Tests that handles of 2013 live exactly as long as the things that they stand for, however many
/// there are.
pub fn handles(compiler: Compiler) -> Result<(), String> {
    let program = compiler.compile(&source("ending.c"), &["-O0"])?;
    let asks = debugger("y2013")?;
    let said = ask(&asks, &[], &["run", &program.display().to_string(), "handles"])?;
    // The stops: two tasks one after the other and the task that makes them; after the region; the
    // same on another thread; after that thread.
    let (lives, over) =
        ("thread lives, region lives, task lives", "thread lives, region over, task over");
    let task_over = "thread lives, region lives, task over";
    let gone = "thread over, region over, task over";
    let wanted: [&[&str]; 8] = [
        &[],
        &[task_over],
        &[task_over, task_over],
        &[over, over, over],
        &[over, over, over, lives],
        &[over, over, over, lives, task_over],
        &[over, over, over, lives, task_over, task_over],
        &[over, over, over, lives, gone, gone, gone],
    ];
    let mut stops = said.split_inclusive(" around\n");
    for (at, wanted) in (1..).zip(wanted) {
        let stop = stops.next().unwrap_or_default();
        let lines: Vec<&str> = stop.lines().filter(|line| line.starts_with("thread")).collect();
        if lines != wanted {
            return Err(format!("stop {at}:\n{said}"));
        }
    }
    if compiler == Compiler::Gcc {
        let command = format!("{} 66000", program.display());
        let said = ask(&asks, &[], &["run", &command, "handles"])?;
        says(&said, &["stop 1, 66000 around"])?;
    }
    Ok(())
}
