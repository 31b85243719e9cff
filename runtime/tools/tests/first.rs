//! The first use that a process or a thread makes of OpenMP, whatever it is: it is reported to
//! tools of every generation as it is reported later.

mod older;
mod runtime;
mod support;

use older::older_tool;
use runtime::{build, run};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use support::{Line, compilers, scratch, tool, trace};

const FLAGS: [&str; 4] = ["-ldl", "-latomic", "-Wno-unused-function", "-Wno-pass-failed"];

/// The tools' libraries.
struct Tools {
    modern: PathBuf,
    older: String,
}

impl Tools {
    fn new(user: &str) -> Tools {
        let older =
            ["2013", "2014", "2016-data"].map(|name| older_tool(name).display().to_string());
        Tools {
            modern: tool("gcc", "trace_tool.c", &format!("first-{user}.so"), &[]),
            older: older.join(":"),
        }
    }
}

/// The events of one run.
#[derive(PartialEq, Debug)]
struct Heard {
    /// By OMPT of 5.0, on the thread that had them: each event in words that do not differ from run
    /// to run.
    modern: Vec<String>,
    /// The output of the older tools.
    older: Vec<String>,
    /// The output of the program: the events that its Collector client was told.
    client: String,
}

/// The listeners of a run: tools of all generations and a Collector client, or one tool of 5.0
/// alone, to which events may go directly.
#[derive(Clone, Copy, PartialEq)]
enum Listeners {
    All,
    One,
}

fn hear(tools: &Tools, binary: &Path, arguments: &[&str], listeners: Listeners) -> Heard {
    let tag = arguments.join("-");
    let name = binary.file_name().unwrap().to_string_lossy();
    let out = scratch().join(format!("{name}-{tag}-{}.trace", listeners as u8));
    let _ = std::fs::remove_file(&out);
    let mut variables = vec![
        ("OMP_TOOL_LIBRARIES", tools.modern.as_path()),
        ("TRACE_TOOL_OUT", &out),
        ("OMP_NUM_THREADS", Path::new("1")),
        ("OMP_CANCELLATION", Path::new("true")),
        // No second thread: the events have one order.
        ("LIBOMP_USE_HIDDEN_HELPER_TASK", Path::new("0")),
    ];
    let mut arguments = arguments.to_vec();
    if listeners == Listeners::All {
        variables.push(("OMPHALOS_TOOL_LIBRARIES", Path::new(&tools.older)));
        arguments.push("client");
    }
    let result = run(binary, &arguments, &variables);
    let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(result.status.success(), "{name} {tag}: {:?} {stderr}", result.status);
    // Older tools do not know of all that came after their time, but nothing may come before its
    // thread.
    let older = stderr.lines().filter(|line| line.starts_with("older_tool:")).map(str::to_owned);
    assert!(!stderr.contains("before the thread's"), "{name} {tag}: {stderr}");
    let heard = Heard {
        modern: if out.exists() {
            in_words(&trace(&out), usize::from(arguments.contains(&"after")))
        } else {
            Vec::new()
        },
        older: older.collect(),
        client: String::from_utf8_lossy(&result.stdout).into_owned(),
    };
    let _ = std::fs::remove_file(&out);
    heard
}

/// Fields that name an object by its number.
const OBJECTS: [&str; 8] =
    ["thread", "region", "task", "encountering", "prior", "next", "source", "sink"];

/// The lines of the tool's end, which only the main thread has, and of a league's word, of which
/// the tool knows nothing.
const IGNORED: [&str; 2] = ["finalize", "STALE"];

/// The lines of the thread that begins after `others`: objects are numbered in their order, and an
/// address becomes the name of the thing that it lies in.
fn in_words(lines: &[Line], others: usize) -> Vec<String> {
    let image =
        lines.iter().find(|line| line.is("image")).map(|line| line.hex("start")..line.hex("end"));
    let mut begins = lines.iter().enumerate().filter(|(_, line)| line.is("thread_begin"));
    let Some((first, line)) = begins.nth(others) else { return Vec::new() };
    let own = line.thread;
    let mut numbers = HashMap::new();
    let mut number = |value: &str| {
        let next = numbers.len() + 1;
        *numbers.entry(value.to_owned()).or_insert(next)
    };
    assert!(
        lines[..first].iter().all(|line| line.thread != own || is_preparation(line)),
        "an event before the thread's: {lines:?}"
    );
    let mine =
        lines[first..].iter().filter(|line| line.thread == own && !IGNORED.contains(&&*line.event));
    mine.map(|line| {
        let mut text = line.event.clone();
        for (key, value) in line.fields() {
            let said = match (key, value) {
                (key, "0") if OBJECTS.contains(&key) => "none".into(),
                (key, _) if OBJECTS.contains(&key) => number(value).to_string(),
                // A section is named by an address.
                ("first", _) if line.is("dispatch") && line.text("kind") == "2" => "there".into(),
                ("ra" | "enter" | "wait", _) => match line.hex(key) {
                    0 => "none".into(),
                    at if image.as_ref().is_some_and(|image| image.contains(&at)) => {
                        format!("+{:x}", at - image.as_ref().unwrap().start)
                    }
                    _ => "there".into(),
                },
                _ => value.to_owned(),
            };
            text += &format!(" {key}={said}");
        }
        text
    })
    .collect()
}

/// Whether the line is one that a tool writes while it is started.
fn is_preparation(line: &Line) -> bool {
    ["start_tool", "initialize", "lookup", "odd", "set", "removed", "enumerated", "image"]
        .contains(&line.event.as_str())
}

/// The names of the program's checks.
fn names(binary: &Path) -> Vec<String> {
    let listed = run(binary, &["list"], &[]);
    String::from_utf8_lossy(&listed.stdout).lines().map(str::to_owned).collect()
}

/// Compares the events of each thing that comes first with the events of the same thing later.
fn compare(compiler: &str) {
    let (tools, binary) =
        (Tools::new(compiler), build(compiler, "first", &format!("first-{compiler}"), &FLAGS));
    let mut heard_of = 0;
    for name in names(&binary) {
        let say =
            |how: &[&str], listeners| hear(&tools, &binary, &[&[&*name], how].concat(), listeners);
        let later = say(&["warm"], Listeners::All);
        assert!(later.modern.len() >= ENDS, "{name}: {later:#?}");
        let tells = later.modern.len() > ENDS;
        heard_of += usize::from(tells);
        if name == "doacross" {
            // This event is promised always, so it is reported even where no thread could wait.
            assert!(later.modern.iter().any(|line| line.starts_with("dependences")), "{later:#?}");
        }
        // A thing that needs no runtime, and of which no tool is told, may leave the runtime alone.
        let is_same =
            |first: &Heard| first.modern == later.modern || !tells && first.modern.is_empty();
        for how in [&["cold"][..], &["cold", "thread"], &["cold", "thread", "after"]] {
            let first = say(how, Listeners::All);
            assert!(
                is_same(&first),
                "{compiler}, {name} {how:?}: {first:#?}\nand later: {later:#?}"
            );
            assert_eq!(first.client, later.client, "{compiler}, {name} {how:?}");
            assert!(
                how.len() > 1 || !tells || first.older == later.older,
                "{name}: {first:#?}\n{later:#?}"
            );
        }
        let first = say(&["cold"], Listeners::One);
        assert!(is_same(&first), "{compiler}, {name}, one tool: {first:#?}\nand later: {later:#?}");
    }
    assert!(heard_of > 70, "{heard_of}");
}

/// The begin and the end of a thread and of its initial task.
const ENDS: usize = 4;

#[test]
fn by_gcc() {
    compare("gcc");
}

#[test]
fn by_clang() {
    if let Some(clang) = compilers().get(1) {
        compare(clang);
    }
}
