//! Tests regions that are summed and not reported (docs/tools.md), with a tool that asks for it and
//! a program whose regions are reported, summed, and reported again.

mod runtime;
mod support;

use runtime::{build, run};
use std::path::{Path, PathBuf};
use support::{compilers, scratch, tool};

/// The output of the tool, without the lines about the program's end.
fn said(binary: &Path, tools: &[(&str, &Path)]) -> Vec<String> {
    let output = run(binary, &[], tools);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {stderr}", binary.display());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1231 1231 40 10\n");
    stderr.lines().map(str::to_owned).collect()
}

/// The program and the tool.
fn made(compiler: &str, name: &str) -> (PathBuf, PathBuf) {
    let binary = build(compiler, "sums", &format!("{name}-{compiler}"), &[]);
    (binary, tool("gcc", "sums_tool.c", &format!("{name}-{compiler}.so"), &[]))
}

/// A region is reported as a whole or summed as a whole; the events inside it are reported in both
/// cases. Once a site had tasks, its regions are no longer summed.
#[test]
fn regions_are_added_up_for_a_while() {
    for compiler in compilers() {
        let (binary, tool) = made(compiler, "sums");
        let expected = [
            "told: regions 100 implicit 400 barriers 0 within 0 summed 0",
            "summed: regions 0 implicit 0 barriers 0 within 0 summed 1000",
            "barrier: regions 0 implicit 0 barriers 40 within 40 summed 10",
            "region: regions 20 implicit 80 barriers 0 within 0 summed 10",
            "told again: regions 100 implicit 400 barriers 0 within 0 summed 0",
        ];
        let told = said(&binary, &[("OMP_TOOL_LIBRARIES", tool.as_path())]);
        assert_eq!(told[..expected.len()], expected, "{compiler}");
        let [tasks, given_up, end] = &told[expected.len()..] else { panic!("{told:?}") };
        assert!(tasks.ends_with("summed 1"), "{compiler}: {tasks}");
        assert!(given_up.starts_with("given up: regions 10 implicit 40"), "{compiler}: {given_up}");
        assert!(given_up.ends_with("summed 0"), "{compiler}: {given_up}");
        assert_eq!(end, "adds up", "{compiler}");
    }
}

/// While there is another tool, each region is reported to both, whatever the other one wants.
#[test]
fn no_region_is_added_up_beside_another_tool() {
    let other = tool("gcc", "trace_tool.c", "sums-other.so", &[]);
    let out = scratch().join("sums-other.trace");
    for compiler in compilers() {
        let (binary, tool) = made(compiler, "sums-beside");
        let _ = std::fs::remove_file(&out);
        let tools = [
            ("OMP_TOOL_LIBRARIES", tool.as_path()),
            ("OMPHALOS_TOOL_LIBRARIES", other.as_path()),
            ("TRACE_TOOL_OUT", out.as_path()),
        ];
        let told = said(&binary, &tools);
        assert!(told.iter().all(|line| !line.contains("within 1")), "{told:?}");
        let steps = told.iter().filter(|line| line.contains(": "));
        assert!(steps.clone().all(|line| line.ends_with("summed 0")), "{told:?}");
        let heard = support::trace(&out);
        assert_eq!(heard.iter().filter(|line| line.is("parallel_begin")).count(), 1251);
    }
}
