//! The page on scaling shows what the program prints for these runs.

mod support;

use omphalos_report::text::TextOptions;
use omphalos_scale::render;
use support::{Program, Region, machine, scaling_on};

/// Rows of a triangle, the same number for each thread, and a setup by one thread, on eight cores.
fn triangle(threads: u32) -> Program {
    let n = f64::from(threads);
    let elapsed = 900.0 * (2.0 * n - 1.0) / (n * n);
    let sweep = Region {
        line: 42,
        work: 900.0 + 6.0 * n,
        barrier: elapsed * n - 900.0,
        overhead: 0.5 * n,
        ..Region::default()
    };
    let findings = vec![("imbalance", support::label(42))];
    Program { serial: 40.0, regions: vec![sweep], findings, ..Program::default() }
}

#[test]
fn the_page_says_what_the_program_says() {
    let page = include_str!("../../../docs/scaling.md");
    let found = scaling_on(machine(8), &[1, 2, 4, 8], triangle);
    let says = render::text(&found, &TextOptions::default(), false);
    let rest = page.split("<!-- transcript: scale -->\n").nth(1).expect("the page shows it");
    let lines = rest.split("<!-- end -->").next().unwrap().lines();
    let shown: String =
        lines.map(|line| line.strip_prefix("    ").unwrap_or(line).to_owned() + "\n").collect();
    assert!(shown.trim() == says.trim(), "the program says\n{says}");
}
