//! The first contact comes before the runtime's own constructor: from the constructor of a library
//! that the dynamic linker initialises before. Tools are there from the first region on.

#[path = "support/machine.rs"]
mod machine;
mod older;
mod runtime;
mod support;

use older::{last_words, older_tool};
use runtime::{build, directory, run};
use std::path::{Path, PathBuf};
use support::{compilers, scratch, tool, trace};

/// How the process gets the library and the runtime.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Order {
    /// The program needs the runtime first, so the library is initialised before it.
    LibraryFirst,
    /// The runtime is initialised before the library.
    RuntimeFirst,
    /// Both are loaded while the program runs, in the order of the first case.
    Loaded,
    /// The library needs a runtime of the compiler's, which another folder has; Omphalos' runtime
    /// is preloaded.
    Preloaded,
}

const ORDERS: [Order; 4] =
    [Order::LibraryFirst, Order::RuntimeFirst, Order::Loaded, Order::Preloaded];

/// A program, its arguments, and the runtime to preload.
struct Case {
    binary: PathBuf,
    arguments: Vec<String>,
    preload: Option<PathBuf>,
}

/// Builds a case; `flags` are the program's.
fn case(compiler: &str, order: Order, name: &str, flags: &[&str]) -> Case {
    let name = format!("early-{name}-{order:?}-{compiler}");
    let library = format!("lib{name}.so");
    // The library itself does not say that it needs a runtime, except in the case where a stock
    // runtime is in the way.
    let whole: &[&str] = if order == Order::Preloaded { &[] } else { &["-nodefaultlibs"] };
    let code = [&["-fopenmp", "-Wno-unused-function"], whole].concat();
    let library = tool(compiler, "programs/early/library.c", &library, &code);
    let (library, place) = (library.to_str().unwrap(), scratch());
    let ours = directory().join("libomphalos.so");
    let (ours, rpath) = (ours.to_str().unwrap(), format!("-Wl,-rpath,{}", place.display()));
    let linked = match order {
        Order::LibraryFirst => vec!["-Wl,--no-as-needed", ours, library],
        Order::RuntimeFirst => vec!["-Wl,--no-as-needed", library, ours],
        Order::Preloaded => vec!["-Wl,--no-as-needed", library],
        Order::Loaded => vec!["-DLOADED", "-ldl"],
    };
    let flags = [flags, &linked, &[&rpath]].concat();
    let binary = build(compiler, "early/program", &name, &flags);
    let mut case = Case { binary, arguments: Vec::new(), preload: None };
    match order {
        Order::Loaded => {
            let needs = ["-fopenmp", "-nodefaultlibs", "-Wl,--no-as-needed", ours, library, &rpath];
            let outer = format!("libouter-{name}.so");
            let outer = tool(compiler, "programs/early/outer.c", &outer, &needs);
            case.arguments.push(outer.display().to_string());
        }
        Order::Preloaded => case.preload = Some(PathBuf::from(ours)),
        Order::LibraryFirst | Order::RuntimeFirst => {}
    }
    case
}

/// Runs a case that succeeds. Returns its standard output and standard error.
fn finish(case: &Case, variables: &[(&str, &Path)]) -> (String, String) {
    let mut all = variables.to_vec();
    if let Some(preload) = &case.preload {
        all.extend([("LD_PRELOAD", preload.as_path()), ("LD_LIBRARY_PATH", Path::new(""))]);
    }
    let arguments: Vec<&str> = case.arguments.iter().map(String::as_str).collect();
    let result = run(&case.binary, &arguments, &all);
    let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(result.status.success(), "{:?}: {:?} {stderr}", case.binary, result.status);
    (String::from_utf8_lossy(&result.stdout).into_owned(), stderr)
}

/// The regions of a trace, whose events are in order. Their return addresses lie in libraries too.
fn regions(out: &Path) -> usize {
    let mut lines = trace(out);
    lines.retain(|line| !line.is("image"));
    machine::check(&lines).regions
}

/// The compilers whose programs find their own runtime without being told where it is.
fn places(order: Order) -> Vec<&'static str> {
    let all = compilers().into_iter();
    all.filter(|&compiler| order != Order::Preloaded || compiler == "gcc").collect()
}

/// A tool of 5.0, three older ones and a client of the Collector API that begins in the
/// constructor.
#[test]
fn tools_of_every_interface() {
    let modern = tool("gcc", "trace_tool.c", "early-all.so", &[]);
    let [old, middle, new] = ["2013", "2014", "2016-data"].map(older_tool);
    let later = format!("{}:{}", middle.display(), new.display());
    let all = format!("{}:{later}", old.display());
    for order in ORDERS {
        for compiler in places(order) {
            let case = case(compiler, order, "all", &[]);
            // A tool of 2013 needs functions by name, of which only the global scope knows.
            let (older, beside) = if order == Order::Loaded { (2, &later) } else { (3, &all) };
            let out = scratch().join(format!("early-{order:?}-{compiler}.trace"));
            let _ = std::fs::remove_file(&out);
            let variables = [
                ("OMP_TOOL_LIBRARIES", modern.as_path()),
                ("OMPHALOS_TOOL_LIBRARIES", Path::new(beside)),
                ("TRACE_TOOL_OUT", &out),
                ("EARLY_CLIENT", Path::new("1")),
            ];
            let (stdout, stderr) = finish(&case, &variables);
            assert_eq!(stdout, "forks 2\n", "{compiler}, {order:?}");
            let lines = trace(&out);
            let begun = lines.iter().filter(|line| line.is("parallel_begin")).count();
            let ended = lines.iter().filter(|line| line.is("finalize")).count();
            assert_eq!((begun, ended), (2, 1), "{compiler}, {order:?}");
            let words = last_words(&stderr);
            assert_eq!(words.len(), older, "{compiler}, {order:?}: {stderr}");
            assert!(words.iter().all(|seen| seen["regions"] == 2), "{compiler}, {order:?}");
        }
    }
}

/// One tool alone, preloaded.
#[test]
fn a_preloaded_tool() {
    let modern = tool("gcc", "trace_tool.c", "early-one.so", &[]);
    for order in ORDERS {
        let case = case("gcc", order, "one", &[]);
        let out = scratch().join(format!("early-one-{order:?}.trace"));
        let _ = std::fs::remove_file(&out);
        let both = case.preload.iter().map(|path| format!("{}:", path.display()));
        let both = both.collect::<String>() + modern.to_str().unwrap();
        let case = Case { preload: None, ..case };
        let mut variables = vec![("LD_PRELOAD", Path::new(&both)), ("TRACE_TOOL_OUT", &out)];
        if order == Order::Preloaded {
            variables.push(("LD_LIBRARY_PATH", Path::new("")));
        }
        finish(&case, &variables);
        assert_eq!(regions(&out), 2, "{order:?}");
    }
}

/// The tool is the program's own, whose constructors have not run yet either.
#[test]
fn a_tool_in_the_program() {
    let source = support::sources().join("trace_tool.c");
    for order in ORDERS {
        let case = case("gcc", order, "own", &["-rdynamic", source.to_str().unwrap()]);
        let out = scratch().join(format!("early-own-{order:?}.trace"));
        let _ = std::fs::remove_file(&out);
        finish(&case, &[("TRACE_TOOL_OUT", &out)]);
        assert_eq!(regions(&out), 2, "{order:?}");
    }
}

/// Without a tool all is as it was.
#[test]
fn no_tool() {
    for order in ORDERS {
        for compiler in places(order) {
            assert_eq!(
                finish(&case(compiler, order, "none", &[]), &[]).0,
                "forks 0\n",
                "{order:?}"
            );
        }
    }
}
