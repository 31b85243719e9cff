//! The pages on comparisons show what the program prints for these runs.

mod support;

use omphalos_diff::{Comparison, render};
use omphalos_report::text::TextOptions;
use support::{Program, Region, compare_runs};

/// Five runs each: the loop over the mesh became dynamic, and the norm got slower.
fn changed() -> Comparison {
    let mut before = Region::at(42, "sweep", &[("relax", 400.0), ("norm", 60.0)]);
    before.barrier = 310.0;
    let mut after = before.clone();
    (after.inner, after.line, after.barrier) = ("for (dynamic)", 44, 12.0);
    after.work[1].1 = 95.0;
    let output = Region::at(80, "write", &[("format", 120.0)]);
    let (before, after) = (Program::of(&[before, output.clone()]), Program::of(&[after, output]));
    compare_runs(&before.runs(5, 3), &after.runs(5, 4))
}

fn slower() -> Comparison {
    let before = Region::at(42, "sweep", &[("relax", 400.0), ("norm", 60.0)]);
    let mut after = before.clone();
    after.work[1].1 = 160.0;
    let mut after = Program::of(&[after]);
    after.environment.push("OMP_PROC_BIND=close");
    compare_runs(&Program::of(&[before]).runs(5, 5), &after.runs(5, 6))
}

/// The block behind `<!-- transcript: NAME -->`, without its indentation.
fn shown(page: &str, name: &str) -> String {
    let head = format!("<!-- transcript: {name} -->\n");
    let rest = page.split(&head).nth(1).unwrap_or_else(|| panic!("the page does not show {name}"));
    let lines = rest.split("<!-- end -->").next().unwrap().lines();
    lines.map(|line| line.strip_prefix("    ").unwrap_or(line).to_owned() + "\n").collect()
}

fn is_shown(page: &str, name: &str, says: &str) {
    assert!(shown(page, name).trim() == says.trim(), "{name}: the program says\n{says}");
}

#[test]
fn the_page_on_changes_says_what_the_program_says() {
    let page = include_str!("../../../docs/comparing.md");
    let text = render::text(&changed(), &TextOptions::default(), false);
    is_shown(page, "diff", &text);
    let same = Program::of(&[Region::at(42, "sweep", &[("relax", 400.0)])]);
    let found = compare_runs(&same.runs(5, 7), &same.runs(5, 8));
    is_shown(page, "nothing", &found.sentence);
}

#[test]
fn the_page_on_pull_requests_says_what_the_program_says() {
    let page = include_str!("../../../docs/regressions.md");
    let found = slower();
    is_shown(page, "markdown", &render::markdown(&found));
    is_shown(page, "junit", &render::junit(&found, 0.05));
    assert!(found.is_slower_by(0.05));
}
