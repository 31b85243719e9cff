//! The search for tools: switched off, described, with tools and libraries that cannot be used.

use super::*;

#[test]
fn switched_off_means_not_even_asked() {
    let library = tool("gcc", "trace_tool.c", "trace-off.so", &[]);
    for (value, warned) in [("disabled", false), ("perhaps", true)] {
        let out = out_file("off");
        let run = child(
            "all",
            &[
                ("OMP_TOOL", Path::new(value)),
                ("OMP_TOOL_LIBRARIES", &library),
                ("TRACE_TOOL_OUT", &out),
            ],
        );
        assert!(run.status.success());
        assert!(!out.exists());
        let stderr = text(&run.stderr);
        let warnings = stderr.lines().filter(|l| l.contains("OMP_TOOL=\"perhaps\"")).count();
        assert_eq!(warnings, usize::from(warned), "{stderr}");
        assert!(text(&run.stdout).contains("control=-1"));
    }
}

/// The search describes its steps if it was asked to.
#[test]
fn the_search_is_described() {
    let library = tool("gcc", "trace_tool.c", "trace-verbose.so", &[]);
    let (out, log) = (out_file("verbose"), scratch().join("verbose.log"));
    let _ = std::fs::remove_file(&log);
    let plain = [("OMP_TOOL_LIBRARIES", library.as_path()), ("TRACE_TOOL_OUT", &out)];
    for (setting, place) in [("stdout", 0), ("STDERR", 1), (log.to_str().unwrap(), 2)] {
        let mut variables = plain.to_vec();
        variables.push(("OMP_TOOL_VERBOSE_INIT", Path::new(setting)));
        let run = child("all", &variables);
        let places = [
            text(&run.stdout),
            text(&run.stderr),
            std::fs::read_to_string(&log).unwrap_or_default(),
        ];
        for (i, story) in places.iter().enumerate() {
            assert_eq!(story.contains("trace-verbose.so"), i == place, "{setting} {i}: {story}");
            assert_eq!(story.contains("Tool was started"), i == place, "{setting} {i}: {story}");
        }
    }
    let bad = [("OMP_TOOL_VERBOSE_INIT", Path::new("/nowhere/at/all"))];
    let run = child("all", &bad);
    assert!(run.status.success());
    assert!(text(&run.stderr).contains("OMP_TOOL_VERBOSE_INIT=\"/nowhere/at/all\""));
}

/// Tools that go wrong: the program's behaviour, and the messages.
#[test]
fn bad_tools_harm_nobody() {
    // The behaviour, the exit status, the tool's lines in order, and whether the runtime adds a
    // line.
    let cases: [(&str, i32, &[&str], bool); 5] = [
        ("DECLINES", 0, &["start_tool"], false),
        ("NO_INITIALIZER", 0, &["start_tool"], true),
        ("INITIALIZER_DECLINES", 0, &["start_tool", "initialize"], false),
        ("EXITS", 9, &["start_tool", "initialize"], false),
        ("FINALIZES_AT_ONCE", 0, &["start_tool", "initialize"], false),
    ];
    for (behaviour, status, said, warned) in cases {
        let flag = format!("-DBEHAVIOUR={behaviour}");
        let library = tool("gcc", "bad_tool.c", &format!("bad-{behaviour}.so"), &[&flag]);
        let run = child("all", &[("OMP_TOOL_LIBRARIES", &library)]);
        let stderr = text(&run.stderr);
        assert_eq!(run.status.code(), Some(status), "{behaviour}: {stderr}");
        let heard: Vec<&str> = stderr.lines().filter_map(|l| l.strip_prefix("bad: ")).collect();
        assert_eq!(heard, said, "{behaviour}");
        assert_eq!(stderr.contains("omphalos: "), warned, "{behaviour}: {stderr}");
        assert_eq!(text(&run.stdout).contains("ended"), status == 0, "{behaviour}");
    }
}

/// A list goes on after an entry that cannot be used, one clear line for each.
#[test]
fn unusable_libraries_are_skipped() {
    let library = tool("gcc", "trace_tool.c", "trace-last.so", &[]);
    let declining = tool("gcc", "bad_tool.c", "bad-first.so", &["-DBEHAVIOUR=DECLINES"]);
    let text_file = scratch().join("not-a-library.so");
    std::fs::write(&text_file, "hello\n").unwrap();
    let list = format!(
        "/nowhere/missing.so:{}:libm.so.6::{}:{}",
        text_file.display(),
        declining.display(),
        library.display()
    );
    let out = out_file("list");
    let run = child("all", &[("OMP_TOOL_LIBRARIES", Path::new(&list)), ("TRACE_TOOL_OUT", &out)]);
    assert!(run.status.success());
    only(&trace(&out), "initialize");
    let stderr = text(&run.stderr);
    for name in ["missing.so", "not-a-library.so", "libm.so.6"] {
        let lines = stderr.lines().filter(|l| {
            l.starts_with("omphalos: OMP_TOOL_LIBRARIES names ")
                && l.split('"').nth(1).is_some_and(|named| named.ends_with(name))
        });
        assert_eq!(lines.count(), 1, "{name}: {stderr}");
    }
}
