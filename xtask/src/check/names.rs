//! Checks that names can be searched for: no public function, module or file has as its whole name
//! a word that says nothing by itself, or that docs/words.md sets aside.
//!
//! The caller is `cargo xtask check`, also with `sources`. This module only reads files. It leaves
//! out functions without `pub`, methods of Python's classes, and tests: a reader of those has the
//! file open.

use super::sources::{self, Source};
use crate::Outcome;

/// The words.
const RIDDLES: &str = "again ask come comes desk dice far few got handed hear heard hears \
    listen listens looked meets notify observe observed others own park resting said says \
    taken tell told what who whom";

/// Reads the sources.
pub fn check() -> Outcome {
    let mut all = sources::of_crates()?;
    all.extend(sources::under("xtask")?);
    all.extend(sources::ending("debuggers", &["py"])?);
    let product = all.iter().filter(|source| !source.is_test() && !source.path.contains("/tests/"));
    let mut faults: Vec<String> = product.flat_map(faults_of).collect();
    faults.dedup();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

fn faults_of(source: &Source) -> Vec<String> {
    let mut faults = Vec::new();
    for part in source.path.split('/') {
        let name = part.split('.').next().unwrap_or(part);
        if is_riddle(name) {
            faults.push(format!("{}: `{name}` says nothing: see docs/words.md", source.path));
        }
    }
    for (at, line) in source.lines() {
        if let Some(name) = declared(line).filter(|name| is_riddle(name)) {
            let place = format!("{}:{at}", source.path);
            faults.push(format!("{place}: `{name}` says nothing: see docs/words.md"));
        }
    }
    faults
}

fn is_riddle(name: &str) -> bool {
    RIDDLES.split_whitespace().any(|word| word == name)
}

/// Finds the name that a line declares: a public function or a module of Rust, a function or a
/// class of a Python module.
fn declared(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let rest = match first {
        "mod" | "def" | "class" if !line.starts_with(' ') => words.next()?,
        _ if first.starts_with("pub") => {
            let is_kind = |word: &&str| ["fn", "mod"].contains(word);
            // `pub(in super::super)` is two words.
            words.by_ref().take(5).find(is_kind)?;
            words.next()?
        }
        _ => return None,
    };
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(path: &str, text: &str) -> usize {
        faults_of(&Source { path: path.to_owned(), text: text.to_owned() }).len()
    }

    #[test]
    fn a_word_alone_is_no_name() {
        assert_eq!(faults("a/src/said.rs", ""), 1);
        assert_eq!(faults("a/src/said/mod.rs", ""), 1);
        assert_eq!(faults("a/src/said_causes.rs", "mod said_before;"), 0);
        assert_eq!(faults("a/src/b.rs", "mod far;\npub mod tell {"), 2);
        assert_eq!(
            faults("a/src/b.rs", "pub fn told(a: u8) {}\n    pub const fn own<T>(&self) {"),
            2
        );
        assert_eq!(faults("a/src/b.rs", "pub(in super::super) unsafe fn whom() {}"), 1);
        assert_eq!(faults("debuggers/a.py", "def ask(text):\n    def told(self):"), 1);
    }

    #[test]
    fn what_its_readers_see_whole_may_have_any_name() {
        assert_eq!(faults("a/src/b.rs", "fn told() {}\nlet said = 1; // pub fn told"), 0);
        assert_eq!(faults("a/src/b.rs", "pub told: u8,\npub fn told_before() {}"), 0);
    }
}
