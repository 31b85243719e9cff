//! Checks `docs/founding`: each sentence of the founding documents has a test that exists, or a
//! reason why no test can show it.
//!
//! A row is `| section | what it says | tests |`. A test is written `` `ROOM::NAME` ``. `ROOM` is a
//! test binary (`*/*/tests/ROOM.rs`, `tests/ROOM.rs`), or a crate, which stands for its unit tests.
//! `NAME` is a test function there. The harness of `tests` makes tests of programs and of words, so
//! there `NAME` may also be a program or a word in quotes. A row without a test says `none:
//! REASON`.
//!
//! The caller is `cargo xtask check`, also with `sources`. This module only reads files.

use std::collections::BTreeMap;
use std::path::Path;

use super::sources::{self, Source};
use crate::Outcome;

const FOLDER: &str = "docs/founding";
const REASON: &str = "none: ";

/// Reads the pages, and fails with the rows that are wrong.
pub fn check() -> Outcome {
    let rooms = rooms()?;
    let mut faults = Vec::new();
    for page in sources::ending(FOLDER, &["md"])? {
        faults.extend(faults_of(&page, &rooms));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

/// The files of each room; its tests are found by their names in these.
type Rooms = BTreeMap<String, Vec<Source>>;

fn rooms() -> Outcome<Rooms> {
    let mut rooms = Rooms::new();
    let mut add = |file: Source| {
        for room in rooms_of(&file.path) {
            let copy = Source { path: file.path.clone(), text: file.text.clone() };
            rooms.entry(room).or_default().push(copy);
        }
    };
    sources::of_crates()?.into_iter().for_each(&mut add);
    sources::ending("tests", &["rs", "c", "cpp", "f90"])?.into_iter().for_each(&mut add);
    Ok(rooms)
}

/// Returns the rooms that a file belongs to. A file in a folder beside test binaries belongs to the
/// binary with the folder's name.
fn rooms_of(path: &str) -> Vec<String> {
    let parts: Vec<&str> = path.split('/').collect();
    let stem = |part: &str| part.split('.').next().unwrap_or(part).to_owned();
    match parts.as_slice() {
        ["tests", "src", ..] => Vec::new(),
        ["tests", binary, ..] | [_, _, "tests", binary, ..] => vec![stem(binary)],
        ["program", "tests", binary, ..] => vec![stem(binary)],
        ["program", "src", ..] => vec![String::from("program")],
        [_, name, "src", ..] => vec![(*name).to_owned()],
        _ => Vec::new(),
    }
}

fn faults_of(page: &Source, rooms: &Rooms) -> Vec<String> {
    let mut faults = Vec::new();
    for (at, line) in page.text.lines().enumerate() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split(" | ").map(str::trim).collect();
        let is_rule = |line: &str| line.chars().all(|c| "|-: ".contains(c));
        if !line.starts_with('|') || is_rule(line) || cells.last() == Some(&"tests") {
            continue;
        }
        let mut fault = |what: &str| faults.push(format!("{}:{}: {what}", page.path, at + 1));
        let [section, sentence, tests] = cells.as_slice() else {
            fault("not three cells");
            continue;
        };
        if section.is_empty() || sentence.is_empty() {
            fault("no section or no sentence");
        }
        if tests.strip_prefix(REASON).is_some_and(|why| !why.is_empty()) {
            continue;
        }
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        if names.is_empty() {
            fault("neither a test nor `none: REASON`");
        }
        for name in names.iter().filter(|name| !exists(name, rooms)) {
            fault(&format!("there is no test `{name}`"));
        }
    }
    faults
}

fn exists(test: &str, rooms: &Rooms) -> bool {
    let Some((room, name)) = test.split_once("::") else { return false };
    let Some(files) = rooms.get(room) else { return false };
    let last = name.rsplit("::").next().unwrap_or(name);
    let function = format!("fn {last}(");
    let word = format!("\"{last}\"");
    files.iter().any(|file| {
        let of_harness = file.path.starts_with("tests/");
        let is_program = Path::new(&file.path).file_stem().is_some_and(|stem| stem == last);
        let is_function = file.text.contains(&function) && file.text.contains("#[test]");
        is_function || of_harness && (is_program || file.text.contains(&word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_a_test_are_found() {
        let file = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let mut rooms = Rooms::new();
        let earlier = file("runtime/tools/tests/earlier.rs", "#[test]\nfn regions() {}");
        rooms.insert("earlier".into(), vec![earlier]);
        rooms.insert("conformance".into(), vec![file("tests/conformance/c/task.c", "")]);
        let faults = |row: &str| faults_of(&file("docs/founding/a.md", row), &rooms).len();
        assert_eq!(faults("| section | what it says | tests |\n|---|---|---|"), 0);
        assert_eq!(faults("| 3.1 | a begins | `earlier::regions`, `conformance::task` |"), 0);
        assert_eq!(faults("| 3.1 | a begins | none: gcc makes no call |"), 0);
        assert_eq!(faults("| 3.1 | a begins | none: |"), 1);
        assert_eq!(faults("| 3.1 | a begins | `earlier::loops` |"), 1);
        assert_eq!(faults("| 3.1 | a begins | |"), 1);
        assert_eq!(faults("| 3.1 | a begins `earlier::regions` |"), 1);
        assert_eq!(rooms_of("runtime/tools/tests/older/mod.rs"), ["older"]);
        assert_eq!(rooms_of("runtime/tools/src/a/b.rs"), ["tools"]);
    }
}
