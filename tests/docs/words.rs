//! Commands inside of sentences: each verb of `omphalos`, of `cargo xtask` and of the debuggers'
//! `omp` that a page names exists, and so do the options that go with it.

use std::collections::BTreeMap;
use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::{exec, paths, suite};

use crate::page::{Page, pages};
use crate::shown;

pub fn tests() -> Vec<Trial> {
    vec![
        suite::test("docs::comparison", shown::compares),
        suite::test("docs::options", options),
        suite::test("docs::tasks", tasks),
        suite::test("docs::debuggers", debuggers),
    ]
}

/// Finds the code inside of sentences, with its line.
fn spans(page: &Page) -> Vec<(usize, &str)> {
    let prose = page.text.lines().zip(1..).filter(|(line, _)| !line.starts_with("    "));
    let odd = |line: &'_ str| -> usize { line.matches('`').count() / 2 };
    prose
        .flat_map(|(line, at)| {
            line.split('`').skip(1).step_by(2).take(odd(line)).map(move |s| (at, s))
        })
        .collect()
}

fn options() -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut faults = Vec::new();
    for page in pages() {
        for (line, span) in spans(&page) {
            let mut words = span.split_whitespace();
            let (Some("omphalos"), Some(verb)) = (words.next(), words.next()) else { continue };
            if !verb.starts_with(|c: char| c.is_ascii_lowercase()) {
                continue;
            }
            if !helps.contains_key(verb) {
                let mut help = Command::new(paths::omphalos());
                let outcome = exec::run(help.args([verb, "--help"]))?;
                let text = if outcome.success() { outcome.stdout } else { String::new() };
                helps.insert(verb.to_owned(), text);
            }
            let help = &helps[verb];
            if help.is_empty() {
                faults.push(format!("{}:{line}: no verb: `{span}`", page.path));
            }
            for option in words.take_while(|w| !w.starts_with("./")).filter(|w| w.starts_with("--"))
            {
                let name = option.split(['=', '[']).next().unwrap_or_default();
                if !help.split([' ', ',', '\n', '=', '[']).any(|word| word == name) {
                    faults.push(format!("{}:{line}: no option: `{span}`", page.path));
                }
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

fn tasks() -> Result<(), String> {
    let usage = paths::repository().join("xtask/src/main.rs");
    let usage = std::fs::read_to_string(&usage).map_err(|e| format!("{}: {e}", usage.display()))?;
    let mut faults = Vec::new();
    for page in pages() {
        for (text, line) in page.text.lines().zip(1..) {
            for rest in text.split("cargo xtask ").skip(1) {
                let is_part = |c: &char| c.is_ascii_lowercase() || *c == '-';
                let verb: String = rest.chars().take_while(is_part).collect();
                if !verb.is_empty() && !usage.contains(&format!("Some(\"{verb}\")")) {
                    faults.push(format!("{}:{line}: no task: {verb}", page.path));
                }
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

fn debuggers() -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    let mut gdb = Command::new("gdb");
    let source = format!("source {}/libomphalos.so-gdb.py", paths::lib().display());
    gdb.args(["-nx", "-batch", "-ex", &source, "-ex", "omp help"]);
    let help = exec::run(&mut gdb)?.stdout;
    let mut faults = Vec::new();
    for page in pages() {
        for (line, span) in spans(&page) {
            let mut words = span.split(' ');
            let (Some("omp"), Some(verb)) = (words.next(), words.next()) else { continue };
            let is_word = verb.starts_with(|c: char| c.is_ascii_lowercase());
            if is_word && verb != "help" && !help.contains(&format!("omp {verb} -- ")) {
                faults.push(format!("{}:{line}: no command: `{span}`", page.path));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(format!("{}\n{help}", faults.join("\n"))) }
}
