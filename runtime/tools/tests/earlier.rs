//! Tools of the generations before OpenMP 5.0: a C tool that checks its own stream, in each
//! generation's words, under programs of each compiler on the installed runtime.

mod older;
mod runtime;
mod support;

use older::{Counts, GENERATIONS, last_words, observe, older_tool, source};
use runtime::{build, run};
use std::path::Path;
use support::{compilers, tool};

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
        // Two of the regions have one thread, which waits for no other one.
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
        // 2013 and 2014 report an inner acquisition and its release, 2016 reports the begin and the
        // end of the inner part.
        assert_eq!(seen["nested"], 2 * 3 * 4 * 2, "{name}");
        assert_eq!(seen["locks"], 4);
    });
}

/// A wait is reported for each thread that finds a mutex taken and for no other one, an acquisition
/// for all threads. (2016 has no event for that.)
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

/// A program that is linked against another runtime exports nothing. Its `ompt_tool` is found all
/// the same, by the symbol table of its file, until that is taken away.
#[test]
fn a_tool_that_the_program_keeps_to_itself() {
    let generations = GENERATIONS.into_iter().filter(|(name, ..)| name.starts_with("2016"));
    for (name, year, flags) in generations {
        let source = support::sources().join(source(year));
        for (compiler, fixed) in compilers().into_iter().flat_map(|c| [(c, true), (c, false)]) {
            let mut all = vec![source.to_str().unwrap(), "-Wno-unused-function"];
            all.extend_from_slice(flags);
            all.extend(fixed.then_some("-no-pie"));
            let program = format!("kept-{name}-{compiler}-{fixed}");
            let binary = build(compiler, "tasks", &program, &all);
            let (words, stderr) = observe(&binary, &[], &[]);
            assert_eq!(words.len(), 1, "{program}: {stderr}");
            assert_eq!(words[0]["tasks"], 51);
            all.push("-s");
            let stripped = build(compiler, "tasks", &format!("{program}-stripped"), &all);
            assert!(observe(&stripped, &[], &[]).0.is_empty(), "{program}");
        }
    }
}

#[test]
fn the_runtime_has_a_weak_initializer() {
    let directory = format!("-L{}", runtime::directory().display());
    for compiler in compilers() {
        let flags = [directory.as_str(), "-l:libomp.so.5"];
        let name = format!("weak-initialize-{compiler}");
        let result = run(&build(compiler, "weak_initialize", &name, &flags), &[], &[]);
        assert_eq!(String::from_utf8_lossy(&result.stdout), "0 2\n", "{compiler}");
    }
}

/// Tools whose own initializer has the same name get theirs, wherever they were loaded.
#[test]
fn initializers_with_the_name_of_the_weak_one() {
    let library = |name: &str, flags: &[&str]| {
        let mut all = flags.to_vec();
        all.push("-ldl");
        tool("gcc", "named_tool.c", &format!("named-{name}.so"), &all)
    };
    let first = library("first", &["-DNAME=\"first\""]);
    let second = library("second", &["-DNAME=\"second\""]);
    let (older, mux) = (library("2016", &["-DOLDER"]), library("mux", &["-DMUX"]));
    let both = format!("{}:{}", first.display(), second.display());
    let binary = build("gcc", "tasks", "tasks-named", &[]);
    let cases = [
        ("OMP_TOOL_LIBRARIES", Path::new(&both), "first second"),
        ("OMP_TOOL_LIBRARIES", &mux, "first second"),
        ("OMP_TOOL_LIBRARIES", &older, "2016"),
        ("LD_PRELOAD", &mux, "first second"),
        ("LD_PRELOAD", &older, "2016"),
        ("LD_PRELOAD", &first, "first"),
    ];
    for (variable, tools, names) in cases {
        let result = run(&binary, &[], &[(variable, tools), ("MUX", Path::new(&both))]);
        let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
        let begun = stderr.lines().filter_map(|line| line.strip_prefix("named: initialized "));
        let begun = begun.collect::<Vec<&str>>().join(" ");
        assert_eq!(begun, names, "{variable}={}: {stderr}", tools.display());
    }
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

/// An illegal value ends the program if 2016 is the only interface, and otherwise the tools.
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

/// A tool without a mark of its generation is taken for one of 2016; `OMPHALOS_OMPT_DIALECT` can
/// name another.
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

/// A million lookups and registrations that mean nothing, in each generation: the documented
/// answers.
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
