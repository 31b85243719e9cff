//! Tools of the generations before OpenMP 5.0, and several tools at once: a C tool that checks its own
//! stream, in each generation's words, under programs of each compiler on the installed runtime.

mod runtime;
mod support;

use runtime::{build, run};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use support::{compilers, tool};

/// A name, the year of the tool's source, and the flags that make it speak that generation.
const GENERATIONS: [(&str, u32, &[&str]); 5] = [
    ("2013", 2013, &[]),
    ("2014", 2014, &[]),
    ("early-2014", 2014, &["-DEARLY"]),
    ("2016-data", 2016, &[]),
    ("2016-ids", 2016, &["-DOMPT_2016_IDS"]),
];

fn source(year: u32) -> String {
    format!("older/tool_{year}.c")
}

fn older_tool(name: &str) -> PathBuf {
    let (_, year, flags) = GENERATIONS.into_iter().find(|(known, ..)| *known == name).unwrap();
    // Some of its helpers are for other generations.
    let mut all = vec!["-Wno-unused-function"];
    all.extend_from_slice(flags);
    tool("gcc", &source(year), &format!("older-{name}.so"), &all)
}

/// What a tool says at the end.
type Counts = HashMap<String, i64>;

/// The last words of every older tool; none may have seen a violation.
fn last_words(stderr: &str) -> Vec<Counts> {
    stderr
        .lines()
        .filter_map(|line| line.strip_prefix("older_tool: "))
        .map(|line| {
            assert!(line.starts_with("violations="), "{line}\n{stderr}");
            let numbers = line.split(' ').map(|word| {
                let (name, number) = word.split_once('=').unwrap();
                (name.to_owned(), number.parse().unwrap())
            });
            numbers.collect::<Counts>()
        })
        .inspect(|counts| assert_eq!(counts["violations"], 0, "{stderr}"))
        .collect()
}

/// Runs a program with variables set; what its tools said at the end.
fn observe(
    binary: &Path,
    arguments: &[&str],
    variables: &[(&str, &Path)],
) -> (Vec<Counts>, String) {
    let result = run(binary, arguments, variables);
    let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(result.status.success(), "{:?}: {stderr}", result.status);
    (last_words(&stderr), stderr)
}

/// One program under the tool of one generation, preloaded.
fn under(name: &str, compiler: &str, program: &str) -> Counts {
    let library = older_tool(name);
    let binary = build(compiler, program, &format!("{program}-{name}-{compiler}"), &["-ldl"]);
    let variables = [
        ("LD_PRELOAD", library.as_path()),
        ("BUSY_SECONDS", Path::new("0.2")),
        ("OLDER_TOOL", Path::new("1")),
    ];
    let (mut words, stderr) = observe(&binary, &[], &variables);
    assert_eq!(words.len(), 1, "{name}, {compiler}, {program}: {stderr}");
    println!("{name}, {compiler}, {program}: {stderr}");
    words.remove(0)
}

fn everywhere(program: &str, check: impl Fn(&str, &Counts)) {
    for (name, ..) in GENERATIONS {
        for compiler in compilers() {
            check(name, &under(name, compiler, program));
        }
    }
}

#[test]
fn regions() {
    everywhere("regions", |_, seen| {
        assert_eq!((seen["regions"], seen["implicits"]), (10, 22));
        assert_eq!(seen["controls"], 2);
        assert!(seen["syncs"] >= 22 + 11);
        // Two of the regions have one thread, which waits for nobody.
        assert_eq!(seen["waits"], seen["syncs"] - 2);
        assert!(seen["idles"] > 0);
    });
}

#[test]
fn loops() {
    everywhere("loops", |_, seen| {
        assert_eq!(seen["regions"], 3);
        assert_eq!(seen["singles"], 3);
        assert!(seen["loops"] >= 4, "{}", seen["loops"]);
        assert_eq!((seen["acquired"], seen["released"]), (10, 10), "ordered regions");
    });
}

#[test]
fn mutexes() {
    everywhere("mutexes", |name, seen| {
        assert_eq!(seen["acquired"], seen["released"]);
        // Of an inner acquisition 2013 and 2014 tell it and its release, 2016 its begin and its end.
        assert_eq!(seen["nested"], 2 * 3 * 4 * 2, "{name}");
        assert_eq!(seen["locks"], 4);
    });
}

/// A wait is told of each thread that finds a mutex taken and of no other, an acquisition of all. (2016 has no event
/// for that.)
#[test]
fn waits_for_mutexes() {
    for name in ["2013", "2014", "early-2014"] {
        for compiler in compilers() {
            let seen = under(name, compiler, "waits");
            assert_eq!(seen["mutex_waits"], 3 * 3, "{name}, {compiler}");
            assert_eq!((seen["acquired"], seen["released"]), (3 * 4, 3 * 4), "{name}, {compiler}");
        }
    }
}

#[test]
fn tasks() {
    everywhere("tasks", |_, seen| {
        assert_eq!((seen["tasks"], seen["task_ends"]), (51, 51));
        assert!(seen["switches"] >= 51);
    });
}

#[test]
fn a_busy_program() {
    everywhere("busy", |_, seen| {
        assert!(seen["regions"] >= 3 + 4 + 5, "{}", seen["regions"]);
        assert_eq!(seen["tasks"], seen["task_ends"]);
        assert_eq!(seen["acquired"], seen["released"]);
    });
}

/// Target constructs that the host executes: GCC's code calls the runtime for them.
#[test]
fn targets() {
    for name in ["2016-data", "2016-ids"] {
        let seen = under(name, "gcc", "target");
        assert_eq!(seen["targets"], 4, "{name}");
    }
}

/// The same with a signal handler that asks everything, all the time.
#[test]
fn inquiries_from_signal_handlers() {
    for (name, ..) in GENERATIONS {
        let binary = build("gcc", "busy", "busy-storm", &[]);
        let library = older_tool(name);
        let variables = [
            ("LD_PRELOAD", library.as_path()),
            ("OLDER_TOOL_SIGNALS", Path::new("1")),
            ("BUSY_SECONDS", Path::new("0.3")),
        ];
        let (words, stderr) = observe(&binary, &[], &variables);
        assert_eq!(words.len(), 1, "{name}: {stderr}");
        println!("{name}: {} signals", words[0]["signals"]);
        assert_eq!(words[0]["tasks"], words[0]["task_ends"]);
    }
}

#[test]
fn a_program_that_talks_to_its_tool() {
    everywhere("control", |_, seen| assert_eq!((seen["controls"], seen["regions"]), (2, 1)));
}

/// A tool linked into the program is found: the runtime's reference to the name exports it.
#[test]
fn a_tool_in_the_program() {
    for (name, year, flags) in GENERATIONS {
        let source = support::sources().join(source(year));
        let mut all = vec![source.to_str().unwrap(), "-Wno-unused-function"];
        let directory = format!("-L{}", runtime::directory().display());
        all.extend_from_slice(&[&directory, "-lomp"]);
        all.extend_from_slice(flags);
        let binary = build("gcc", "tasks", &format!("linked-{name}"), &all);
        let (words, stderr) = observe(&binary, &[], &[]);
        assert_eq!(words.len(), 1, "{name}: {stderr}");
        assert_eq!(words[0]["tasks"], 51);
    }
}

/// Four tools of four generations, found in three ways, and a Collector client in the program: each
/// hears everything, none disturbs another.
#[test]
fn five_at_once() {
    let [old, middle, ids, data] = ["2013", "2014", "2016-ids", "2016-data"].map(older_tool);
    let preload = format!("{}:{}", old.display(), middle.display());
    for compiler in compilers() {
        let binary = build(
            compiler,
            "collector",
            &format!("five-{compiler}"),
            &["-ldl", "-latomic", "-Wno-unused-function"],
        );
        let variables = [
            ("LD_PRELOAD", Path::new(&preload)),
            ("OMP_TOOL_LIBRARIES", ids.as_path()),
            ("OMPHALOS_TOOL_LIBRARIES", data.as_path()),
        ];
        let (words, stderr) = observe(&binary, &["ids"], &variables);
        assert_eq!(words.len(), 4, "{stderr}");
        for seen in words {
            assert_eq!(seen["regions"], 3 * (1 + 2 + 4));
            assert_eq!(seen["implicits"], 3 * (2 + 4 + 4));
        }
    }
}

/// Every library of the list runs, beside a modern tool that was preloaded.
#[test]
fn a_list_of_libraries() {
    let modern = tool("gcc", "trace_tool.c", "earlier-modern.so", &[]);
    let list = format!("{}:{}", older_tool("2016-ids").display(), older_tool("2013").display());
    let binary = build("gcc", "tasks", "tasks-list", &[]);
    let out = support::scratch().join("earlier-list.trace");
    let _ = std::fs::remove_file(&out);
    let variables = [
        ("LD_PRELOAD", modern.as_path()),
        ("OMP_TOOL_LIBRARIES", Path::new(&list)),
        ("TRACE_TOOL_OUT", &out),
    ];
    let (words, stderr) = observe(&binary, &[], &variables);
    assert_eq!(words.len(), 2, "{stderr}");
    assert!(words.iter().all(|seen| seen["tasks"] == 51));
    let lines = support::trace(&out);
    assert_eq!(lines.iter().filter(|line| line.is("task_create")).count(), 51);
}

/// A tool of today, one of 2016, the profiler's agent, and a Collector client in the program: each counts
/// the same regions.
#[test]
fn every_interface_at_once() {
    let agent = runtime::directory().join("omphalos/libomphalos_agent.so");
    let modern = tool("gcc", "trace_tool.c", "earlier-every.so", &[]);
    for compiler in compilers() {
        let flags = ["-ldl", "-latomic", "-Wno-unused-function"];
        let binary = build(compiler, "collector", &format!("every-{compiler}"), &flags);
        let made = |end: &str| support::scratch().join(format!("every-{compiler}.{end}"));
        let (out, profile) = (made("trace"), made("omph"));
        for file in [&out, &profile] {
            let _ = std::fs::remove_file(file);
        }
        let variables = [
            ("LD_PRELOAD", modern.as_path()),
            ("OMP_TOOL_LIBRARIES", &older_tool("2016-data")),
            ("OMPHALOS_TOOL_LIBRARIES", &agent),
            ("TRACE_TOOL_OUT", &out),
            ("OMPHALOS_PROFILE_OUT", &profile),
        ];
        let (words, stderr) = observe(&binary, &["ids"], &variables);
        let regions = 3 * (1 + 2 + 4);
        assert_eq!(words.len(), 1, "{stderr}");
        assert_eq!(words[0]["regions"], regions);
        let lines = support::trace(&out);
        let begun = lines.iter().filter(|line| line.is("parallel_begin")).count();
        assert_eq!(begun as i64, regions);
        // Each kept its own words: the trace tool numbers what it is shown first.
        let ends = lines.iter().filter(|line| line.is("parallel_end"));
        assert!(ends.clone().all(|line| line.number("region") > 0), "{lines:?}");
        assert!(std::fs::metadata(&profile).is_ok_and(|file| file.len() > 0), "{compiler}");
    }
}

/// Tools that decline, end themselves or cannot be loaded, between others: those hear everything.
#[test]
fn neighbours_that_go_wrong() {
    let bad = |behaviour: &str| {
        let flag = format!("-DBEHAVIOUR={behaviour}");
        tool("gcc", "bad_tool.c", &format!("earlier-bad-{behaviour}.so"), &[&flag])
    };
    let entries = [
        bad("DECLINES"),
        PathBuf::from("/nowhere/not-there.so"),
        bad("NO_INITIALIZER"),
        older_tool("2016-ids"),
        bad("INITIALIZER_DECLINES"),
        PathBuf::from("libc.so.6"),
        bad("FINALIZES_AT_ONCE"),
    ];
    let list: Vec<_> = entries.iter().map(|entry| entry.display().to_string()).collect();
    let list = list.join(":");
    let first = older_tool("2013");
    for compiler in compilers() {
        let binary = build(compiler, "tasks", &format!("tasks-wrong-{compiler}"), &[]);
        let variables = [("LD_PRELOAD", first.as_path()), ("OMP_TOOL_LIBRARIES", Path::new(&list))];
        let (words, stderr) = observe(&binary, &[], &variables);
        assert_eq!(words.len(), 2, "{stderr}");
        assert!(words.iter().all(|seen| seen["tasks"] == 51), "{stderr}");
        for skipped in ["\"/nowhere/not-there.so\"", "\"libc.so.6\"", "gives no initializer"] {
            assert!(stderr.contains(skipped), "{skipped}: {stderr}");
        }
        assert!(!stderr.contains("bad: thread_begin") && !stderr.contains("bad: finalize"));
    }
}

/// A tool that kills the process while it starts does just that: nothing hangs.
#[test]
fn a_tool_that_crashes_while_it_starts() {
    let library = tool("gcc", "bad_tool.c", "earlier-bad-CRASHES.so", &["-DBEHAVIOUR=CRASHES"]);
    let list = format!("{}:{}", older_tool("2016-ids").display(), library.display());
    let binary = build("gcc", "tasks", "tasks-crash", &[]);
    let result = run(&binary, &[], &[("OMP_TOOL_LIBRARIES", Path::new(&list))]);
    // timeout(1) ends by the signal that ended its child.
    let signal = std::os::unix::process::ExitStatusExt::signal(&result.status);
    assert!(signal == Some(6) || result.status.code() == Some(128 + 6), "{:?}", result.status);
}

#[test]
fn who_declines_hears_nothing() {
    for (name, ..) in GENERATIONS.into_iter().filter(|(name, ..)| *name != "early-2014") {
        let library = older_tool(name);
        let binary = build("gcc", "tasks", "tasks-declined", &[]);
        let variables =
            [("LD_PRELOAD", library.as_path()), ("OLDER_TOOL_DECLINES", Path::new("1"))];
        assert!(observe(&binary, &[], &variables).0.is_empty(), "{name}");
    }
}

/// `OMPT_INITIALIZE` is for tools of 2013.
#[test]
fn a_tool_of_2013_can_be_switched_off() {
    let library = older_tool("2013");
    let binary = build("gcc", "tasks", "tasks-2013-off", &[]);
    for (value, tools) in [("disable", 0), ("false", 0), ("true", 1), ("perhaps", 1)] {
        let variables = [("LD_PRELOAD", library.as_path()), ("OMPT_INITIALIZE", Path::new(value))];
        let (words, stderr) = observe(&binary, &[], &variables);
        assert_eq!(words.len(), tools, "{value}");
        assert_eq!(stderr.contains("OMPT_INITIALIZE=\"perhaps\""), value == "perhaps", "{stderr}");
    }
}

/// A value that is none ends the program where 2016 is the only interface, and the tools elsewhere.
#[test]
fn an_illegal_omp_tool() {
    let binary = build("gcc", "tasks", "tasks-illegal", &[]);
    let modern = tool("gcc", "trace_tool.c", "earlier-illegal.so", &[]);
    let of_2016 = older_tool("2016-data");
    let both = format!("{}:{}", modern.display(), of_2016.display());
    let cases = [(of_2016.as_path(), true), (modern.as_path(), false), (Path::new(&both), false)];
    for place in ["LD_PRELOAD", "OMP_TOOL_LIBRARIES", "OMPHALOS_TOOL_LIBRARIES"] {
        for (tools, ends) in cases {
            let variables = [(place, tools), ("OMP_TOOL", Path::new("perhaps"))];
            let result = run(&binary, &[], &variables);
            let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
            assert_eq!(result.status.code(), Some(i32::from(ends)), "{place} {tools:?}: {stderr}");
            assert_eq!(stderr.matches("OMP_TOOL=\"perhaps\"").count(), 1, "{stderr}");
            assert!(last_words(&stderr).is_empty());
        }
    }
    let variables = [("LD_PRELOAD", of_2016.as_path()), ("OMP_TOOL", Path::new(" Disabled "))];
    assert!(observe(&binary, &[], &variables).0.is_empty());
}

/// What cannot be recognised is taken for 2016, and `OMPHALOS_OMPT_DIALECT` knows better.
#[test]
fn the_generation_can_be_said() {
    let bare = tool("gcc", "bare_tool.c", "bare.so", &[]);
    let binary = build("gcc", "tasks", "tasks-bare", &[]);
    for (dialect, answer, told) in
        [("", 3, false), ("2016-data", 3, false), ("2014", 4, true), ("1999", 3, false)]
    {
        let variables =
            [("LD_PRELOAD", bare.as_path()), ("OMPHALOS_OMPT_DIALECT", Path::new(dialect))];
        let (_, stderr) = observe(&binary, &[], &variables);
        assert!(stderr.contains(&format!("bare_tool: answer {answer}")), "{dialect}: {stderr}");
        assert_eq!(stderr.contains("bare_tool: event 8"), told, "{dialect}: {stderr}");
        assert_eq!(
            stderr.contains("OMPHALOS_OMPT_DIALECT=\"1999\""),
            dialect == "1999",
            "{stderr}"
        );
    }
}

/// A million lookups and registrations that mean nothing, in each generation: the documented answers.
#[test]
fn a_million_meaningless_registrations() {
    let generations: [(&str, &[&str], &str); 5] = [
        ("modern", &["-DMODERN", "-DHIGHEST=5"], ""),
        ("2016", &["-DHIGHEST=4"], "2016-data"),
        ("2014", &["-DHIGHEST=4"], "2014"),
        ("guessed", &["-DHIGHEST=4"], ""),
        ("2013", &["-DEARLY", "-DHIGHEST=3"], ""),
    ];
    let binary = build("gcc", "tasks", "tasks-fuzz", &[]);
    for (name, flags, dialect) in generations {
        let library = tool("gcc", "fuzz_tool.c", &format!("fuzz-{name}.so"), flags);
        let variables =
            [("LD_PRELOAD", library.as_path()), ("OMPHALOS_OMPT_DIALECT", Path::new(dialect))];
        let (_, stderr) = observe(&binary, &[], &variables);
        println!("{name}: {stderr}");
        assert!(stderr.contains("fuzz_tool: bad=0 "), "{name}: {stderr}");
    }
}
