//! Programs that hang, each in its own way, and some that only look so: `omphalos why`
//! names the cause and the lines, and claims nothing of the healthy ones.
//!
//! A program says `ready` before it hangs. Then the test asks about it until the answer is right,
//! or until the time limit: so the result does not depend on the machine's speed.

#[path = "hangs/children.rs"]
mod children;
#[path = "hangs/containers.rs"]
mod containers;
#[path = "hangs/copied.rs"]
mod copied;
#[path = "gdb/debugger.rs"]
#[allow(dead_code)]
mod debugger;
#[path = "hangs/debuggers.rs"]
mod debuggers;
#[path = "hangs/frozen.rs"]
mod frozen;
#[path = "hangs/looked.rs"]
mod looked;
#[path = "hangs/mpi.rs"]
mod mpi;
#[path = "hangs/plugins.rs"]
mod plugins;
#[path = "hangs/python.rs"]
mod python;
#[path = "hangs/runtimes.rs"]
mod runtimes;
#[path = "hangs/together.rs"]
mod together;
#[path = "hangs/transcripts.rs"]
mod transcripts;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::runtime::Runtime;
use omphalos_tests::truth::schema;
use omphalos_tests::{paths, suite};
use serde_json::Value;

/// The time in which an answer may be wrong, because the program has not yet reached its hang.
const LIMIT: Duration = Duration::from_secs(45);

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for source in sources(&paths::tests().join("hangs")) {
        for &compiler in Compiler::of_source(&source) {
            let title = format!("hangs::{}::{}", stem(&source), compiler.name());
            for level in levels(&source) {
                let (title, source) = (format!("{title}{level}"), source.clone());
                trials.push(suite::test(title, move || hang(compiler, &source, &level)));
            }
            if debuggers::wants(&source) {
                let title = format!("{title}::debuggers");
                let source = source.clone();
                trials.push(suite::test(title, move || debuggers::hang(compiler, &source, "")));
            }
        }
    }
    trials.extend(mpi::tests());
    for source in sources(&paths::tests().join("hangs/plugins")) {
        for &compiler in Compiler::of_source(&source) {
            let title = format!("hangs::plugin_{}::{}", stem(&source), compiler.name());
            let source = source.clone();
            trials.push(suite::test(title, move || plugins::hang(compiler, &source)));
        }
    }
    for source in sources(&paths::tests().join("hangs/python")) {
        for &compiler in Compiler::of_source(&source) {
            let title = format!("hangs::python_{}::{}", stem(&source), compiler.name());
            let source = source.clone();
            trials.push(suite::test(title, move || python::hang(compiler, &source)));
        }
    }
    for source in python::scripts() {
        let title = format!("hangs::python_{}", stem(&source));
        trials.push(suite::test(title, move || python::script(Compiler::Gcc, &source)));
    }
    trials.extend(python::of_versions());
    trials.push(suite::test("hangs::looks_at_once", together::looks_at_once));
    trials.push(suite::test("hangs::looks_at_a_sleeper", together::looks_at_a_sleeper));
    trials.push(suite::test("hangs::children", children::hangs));
    trials.push(suite::test("hangs::keeps_end", children::keeps_end));
    trials.push(suite::test("hangs::exits_locked", children::exits_locked));
    trials.push(suite::test("hangs::crossed_locks", children::crossed_locks));
    trials.push(suite::test("hangs::locks_in_turn", children::locks_in_turn));
    trials.push(suite::test("hangs::looked", looked::no_call_ends_by_a_look));
    trials.push(suite::test("hangs::looked_deferred", looked::deferred_future));
    trials.push(suite::test("hangs::copied_library", copied::library_by_another_name));
    trials.push(suite::test("hangs::several_runtimes", runtimes::several));
    trials.push(suite::test("hangs::frozen", frozen::frozen));
    trials.extend(containers::tests());
    trials.extend(transcripts::tests());
    suite::main(trials)
}

/// Reads the levels of optimisation at which a program is compiled: the usual one (""), and the one
/// that its comment `@also:` names.
fn levels(source: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(source).unwrap_or_default();
    let also = text.lines().find_map(|line| comment(line, "@also: "));
    [Some(""), also].into_iter().flatten().map(str::to_owned).collect()
}

/// Finds the text behind a mark in a line of comment; `None` if the line has no such mark.
fn comment<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let text = ["// ", "! ", "# "].iter().find_map(|begin| line.strip_prefix(begin))?;
    text.strip_prefix(mark)
}

fn stem(source: &Path) -> String {
    source.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut all: Vec<PathBuf> = files
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| !Compiler::of_source(path).is_empty())
        .collect();
    all.sort();
    all
}

/// The expectations in a program's comments: the kind of the cause, the lines that the answer must
/// name, and more. Of lines with the same mark one is enough: compilers do not agree which line the
/// call of a construct belongs to.
struct Expected {
    kind: String,
    lines: Vec<Vec<usize>>,
    /// A part of the answer.
    says: String,
    /// Text that the answer must not contain.
    never_says: Option<String>,
    /// The same source is also built as a library, whose path is the program's argument.
    library: bool,
    /// There must be exactly one finding.
    alone: bool,
    /// Lines that must not be named.
    never: Vec<usize>,
    /// The program is healthy on our runtime only.
    ours: bool,
    /// The kind of the cause on the compiler's own runtime; `None` if the test does not ask there.
    stock: Option<String>,
    /// A part of the answer on the compiler's own runtime, where no cause is known there.
    stock_says: Option<String>,
    /// A function that must be on some thread's stack, and the beginning of its module's name.
    frame: Option<(String, String)>,
}

fn expected(source: &Path) -> Result<Expected, String> {
    let text = std::fs::read_to_string(source).map_err(|e| format!("{}: {e}", source.display()))?;
    let kind = text.lines().find_map(|line| line.split_once(" @kind: "));
    let kind = kind.ok_or_else(|| format!("{}: no @kind", source.display()))?.1.to_owned();
    let marked = |mark: &str| {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.contains(mark));
        lines.map(|(number, _)| number).collect::<Vec<usize>>()
    };
    let lines = [marked("<A>"), marked("<B>")].into_iter().filter(|lines| !lines.is_empty());
    let says = text.lines().find_map(|line| comment(line, "@says: "));
    let says = says.unwrap_or_default().to_owned();
    let never_says = text.lines().find_map(|line| comment(line, "@never: ")).map(str::to_owned);
    let library = text.contains("// @library:");
    let alone = text.contains("// @alone");
    let ours = text.contains("// @ours: ");
    let stock = text.lines().find_map(|line| comment(line, "@stock: ")).map(str::to_owned);
    let stock_says = text.lines().find_map(|line| comment(line, "@stock-says: "));
    let stock_says = stock_says.map(str::to_owned);
    let never = marked("<never>");
    let frame = text.lines().find_map(|line| line.strip_prefix("// @frame: ")?.split_once(" in "));
    let frame = frame.map(|(function, module)| (function.to_owned(), module.to_owned()));
    let lines = lines.collect();
    Ok(Expected {
        kind,
        lines,
        says,
        never_says,
        library,
        alone,
        never,
        ours,
        stock,
        stock_says,
        frame,
    })
}

/// All parts of the answer that the program's comments give.
fn all_said(source: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(source).unwrap_or_default();
    text.lines().filter_map(|line| comment(line, "@says: ")).map(str::to_owned).collect()
}

/// A program that is killed when the test is done, and so is the child that it names as the
/// subject.
struct Running {
    child: Child,
    subject: u32,
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.subject != self.child.id() {
            // SAFETY: a signal to a process that this program has started.
            unsafe { libc::kill(self.subject as libc::pid_t, libc::SIGKILL) };
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(program: &Path, words: &[PathBuf]) -> Result<Running, String> {
    start_on(&Runtime::Omphalos, program, words)
}

fn start_on(runtime: &Runtime, program: &Path, words: &[PathBuf]) -> Result<Running, String> {
    start_command(runtime, Command::new(program), words)
}

fn start_in(folder: &Path, program: &str, words: &[PathBuf]) -> Result<Running, String> {
    let mut command = Command::new(program);
    command.current_dir(folder);
    start_command(&Runtime::Omphalos, command, words)
}

fn start_command(
    runtime: &Runtime,
    mut command: Command,
    words: &[PathBuf],
) -> Result<Running, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    command.args(words);
    runtime.apply(&mut command);
    // Threads that wait sleep at once, so that the test need not wait until they stop spinning.
    command.env("OMP_WAIT_POLICY", "passive").stdin(Stdio::piped()).stdout(Stdio::piped());
    let child = command.spawn().map_err(|e| format!("{program}: {e}"))?;
    let subject = child.id();
    let mut running = Running { child, subject };
    let out = running.child.stdout.take().ok_or("no output")?;
    for line in BufReader::new(out).lines() {
        let line = line.map_err(|e| e.to_string())?;
        if let Some(pid) = line.strip_prefix("child ") {
            running.subject = pid.parse().map_err(|e| format!("{line}: {e}"))?;
        }
        if line == "ready" {
            return Ok(running);
        }
    }
    Err("the program ended before it was ready".into())
}

fn build(compiler: Compiler, source: &Path, level: &str) -> Result<PathBuf, String> {
    let is_cpp = source.extension().is_some_and(|extension| extension == "cpp");
    let language = if is_cpp { "-std=c++20" } else { "" };
    let flags: Vec<&str> = [language, level].into_iter().filter(|flag| !flag.is_empty()).collect();
    compiler.compile(source, &flags)
}

fn hang(compiler: Compiler, source: &Path, level: &str) -> Result<(), String> {
    let expected = expected(source)?;
    let program = build(compiler, source, level)?;
    let library = match expected.library {
        true => vec![compiler.compile(source, &["-shared", "-fPIC", "-DLIBRARY"])?],
        false => Vec::new(),
    };
    if expected.kind == "none" {
        // A healthy program is also tried on the stock runtime, which tells nothing, unless it
        // hangs there.
        let all = [Runtime::Omphalos, Runtime::Stock];
        let runtimes = if expected.ours { &all[..1] } else { &all };
        return runtimes.iter().try_for_each(|runtime| {
            let running = start_on(runtime, &program, &library)?;
            (0..EACH_LOOKS).try_for_each(|_| claims_nothing(&running))?;
            if let Some(words) = &expected.never_says {
                until_said("Nothing blocks", &running)?;
                never_said(words, &running)?;
            }
            all_said(source).iter().try_for_each(|words| until_said(words, &running))
        });
    }
    let running = start(&program, &library)?;
    until_right(source, &expected, &running)?;
    if let Some(words) = &expected.stock_says {
        return until_said(words, &start_on(&Runtime::Stock, &program, &library)?);
    }
    let Some(kind) = expected.stock.clone() else { return Ok(()) };
    let running = start_on(&Runtime::Stock, &program, &library)?;
    until_right(source, &Expected { kind, ..expected }, &running).map(drop)
}

/// The number of looks at a healthy program: it may be at another place at each look, and each
/// answer must be right.
const EACH_LOOKS: u32 = 5;

/// Fails if `why` reports a finding: the program is healthy.
fn claims_nothing(running: &Running) -> Result<(), String> {
    let (seen, text) = ask(running.subject)?;
    match findings(&seen) {
        [] => Ok(()),
        _ => Err(format!(
            "a healthy program is accused, on {}:\n{text}",
            seen["snapshot"]["runtime"]
        )),
    }
}

/// Asks until the answer is right, and returns all of it.
fn until_right(source: &Path, expected: &Expected, running: &Running) -> Result<Value, String> {
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let begun = Instant::now();
    loop {
        let (seen, text) = ask(running.subject)?;
        let right = is_right(findings(&seen), expected, &name) && has_frame(&seen, expected);
        if right {
            return Ok(seen);
        }
        if begun.elapsed() > LIMIT {
            return Err(format!(
                "no '{}' with lines {:?} of {name}:\n{text}",
                expected.kind, expected.lines
            ));
        }
    }
}

/// The answer as people read it.
fn answer(running: &Running) -> Result<Outcome, String> {
    let mut inspect = Command::new(paths::omphalos());
    exec::run(inspect.args(["why"]).arg(running.subject.to_string()))
}

/// Fails if one of several answers, as people read them, has these words.
fn never_said(words: &str, running: &Running) -> Result<(), String> {
    (0..EACH_LOOKS).try_for_each(|_| match answer(running)? {
        output if output.stdout.contains(words) => Err(output.stdout),
        _ => Ok(()),
    })
}

/// Asks until the answer, as people read it, has these words.
fn until_said(words: &str, running: &Running) -> Result<(), String> {
    let begun = Instant::now();
    loop {
        let output = answer(running)?;
        if output.stdout.contains(words) {
            return Ok(());
        }
        if begun.elapsed() > LIMIT {
            return Err(format!("no '{words}':\n{}{}", output.stdout, output.stderr));
        }
    }
}

/// Whether one of the findings is the one that the program's comments describe.
fn is_right(found: &[Value], expected: &Expected, file: &str) -> bool {
    if expected.alone && found.len() != 1 {
        return false;
    }
    found.iter().any(|finding| {
        let all = format!("{}\n{}", finding["summary"], finding["details"]);
        finding["kind"] == *expected.kind
            && all.contains(&expected.says)
            && !expected.never_says.as_ref().is_some_and(|words| all.contains(words))
            && !expected.never.iter().any(|line| names(&all, file, *line))
            && expected.lines.iter().all(|any| any.iter().any(|line| names(&all, file, *line)))
    })
}

/// Whether a frame is of that function, in that library of any version.
fn is_it(frame: &Value, function: &str, module: &str) -> bool {
    let is_there = frame["module"].as_str().is_some_and(|name| name.starts_with(module));
    frame["function"] == *function && is_there
}

/// Whether the expected frame is on some thread's stack.
fn has_frame(seen: &Value, expected: &Expected) -> bool {
    let Some((function, module)) = &expected.frame else { return true };
    let threads = seen["snapshot"]["threads"].as_array().into_iter().flatten();
    let mut frames = threads.flat_map(|thread| thread["stack"].as_array().into_iter().flatten());
    frames.any(|frame| is_it(frame, function, module))
}

/// Whether the text names the line, and not one that begins with the same digits.
fn names(text: &str, file: &str, line: usize) -> bool {
    let place = format!("{file}:{line}");
    text.match_indices(&place)
        .any(|(at, _)| !text[at + place.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

fn findings(seen: &Value) -> &[Value] {
    seen["why"].as_array().map_or(&[], Vec::as_slice)
}

/// Asks `omphalos why`, and returns its JSON with a text of the parts that help to
/// understand a failure.
fn ask(pid: u32) -> Result<(Value, String), String> {
    let mut inspect = Command::new(paths::omphalos());
    inspect.args(["why", "--json", "--apart", "0.3"]).arg(pid.to_string());
    // If `inspect` does not end, the fault has the stacks of the program.
    let output = exec::run(&mut inspect)
        .map_err(|fault| format!("{fault}\nthe program's {}", exec::stacks(pid)))?;
    if !output.success() {
        return Err(output.stderr);
    }
    let text = output.stdout;
    let all: Value = serde_json::from_str(&text).map_err(|e| format!("{e}: {text}"))?;
    let faults = schema::faults_of("inspect", &all);
    if !faults.is_empty() {
        return Err(format!("docs/inspect.schema.json: {faults:#?}"));
    }
    let shown = serde_json::to_string_pretty(&all["why"]).unwrap_or_default();
    let threads = all["snapshot"]["threads"].as_array().map_or(&[][..], Vec::as_slice);
    let waits: Vec<String> = threads.iter().map(|thread| thread["waits"].to_string()).collect();
    let notes = all["snapshot"]["notes"].to_string();
    let text = format!("{shown}\nwaits: {}\nnotes: {notes}", waits.join("\n"));
    Ok((all, text))
}
