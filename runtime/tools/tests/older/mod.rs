//! The C tools of the generations before OpenMP 5.0, and their output.

// Each test program uses the part that it needs.
#![allow(dead_code)]

use crate::runtime::run;
use crate::support::tool;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A name, the year of the tool's source, and the flags that make it speak that generation.
pub const GENERATIONS: [(&str, u32, &[&str]); 5] = [
    ("2013", 2013, &[]),
    ("2014", 2014, &[]),
    ("early-2014", 2014, &["-DEARLY"]),
    ("2016-data", 2016, &[]),
    ("2016-ids", 2016, &["-DOMPT_2016_IDS"]),
];

/// The source of a year's tool, in the folder of the C sources.
pub fn source(year: u32) -> String {
    format!("older/tool_{year}.c")
}

/// The tool of one of the generations.
pub fn older_tool(name: &str) -> PathBuf {
    let (_, year, flags) = GENERATIONS.into_iter().find(|(known, ..)| *known == name).unwrap();
    // Some of its helpers are for other generations.
    let mut all = vec!["-Wno-unused-function"];
    all.extend_from_slice(flags);
    tool("gcc", &source(year), &format!("older-{name}.so"), &all)
}

/// The counts that a tool prints at its end.
pub type Counts = HashMap<String, i64>;

/// The last words of every older tool; none may have seen a violation.
pub fn last_words(stderr: &str) -> Vec<Counts> {
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

/// Runs a program with variables set. Returns the counts of its tools.
pub fn observe(
    binary: &Path,
    arguments: &[&str],
    variables: &[(&str, &Path)],
) -> (Vec<Counts>, String) {
    let result = run(binary, arguments, variables);
    let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(result.status.success(), "{:?}: {stderr}", result.status);
    (last_words(&stderr), stderr)
}
