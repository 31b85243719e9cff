//! Marks in a program's source: the lines of its constructs, and its disease.
//!
//! - `mark: NAME` in a comment names the construct of its line, as does `/*NAME*/` or `!NAME` in
//!   capitals.
//! - `disease: ID` is the finding that must come first, with this line; `disease: ID anywhere` is
//!   one that may name any place.
//! - `healthy` as a comment's only word: the report must find nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The finding that a program must get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disease {
    /// Its id in `omphalos report --json`.
    pub id: String,
    /// The line that the finding must name; 0: any line.
    pub line: u64,
}

/// A source's marks.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// The lines of the constructs that `mark: NAME` names, by name.
    pub lines: BTreeMap<String, u64>,
    /// The finding that must come first, if the source has one.
    pub disease: Option<Disease>,
    /// The report must find nothing.
    pub is_healthy: bool,
}

impl Marks {
    /// Reads the marks of a source file.
    pub fn read(source: &Path) -> Result<Marks, String> {
        let text = fs::read_to_string(source).map_err(|e| format!("{}: {e}", source.display()))?;
        Ok(Marks::of(&text))
    }

    fn of(text: &str) -> Marks {
        let mut marks = Marks::default();
        for (line, number) in text.lines().zip(1..) {
            if let Some(name) = word_after(line, "mark: ").or_else(|| capitals(line)) {
                marks.lines.entry(name.to_owned()).or_insert(number);
            }
            if let Some(id) = word_after(line, "disease: ") {
                let line = if line.contains("anywhere") { 0 } else { number };
                marks.disease.get_or_insert(Disease { id: id.to_owned(), line });
            }
            marks.is_healthy |= matches!(line.trim(), "// healthy" | "! healthy");
        }
        marks
    }
}

fn word_after<'a>(line: &'a str, what: &str) -> Option<&'a str> {
    let rest = line.split_once(what)?.1;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c)));
    Some(&rest[..end.unwrap_or(rest.len())]).filter(|word| !word.is_empty())
}

/// Finds a comment that is one word in capitals, as `/*REGION2*/`.
fn capitals(line: &str) -> Option<&str> {
    let word = match line.split_once("/*") {
        Some((_, rest)) => rest.split_once("*/")?.0,
        None => line.rsplit_once('!')?.1.trim_end(),
    };
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    (word.starts_with(|c: char| c.is_ascii_uppercase()) && word.chars().all(is_name))
        .then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_a_source() {
        let marks = Marks::of(
            "// healthy\n#pragma omp parallel /*REGION*/\n!$omp do ! mark: rows, disease: \
             imbalance\n",
        );
        assert!(marks.is_healthy);
        assert_eq!(marks.lines, [("REGION".into(), 2), ("rows".into(), 3)].into());
        assert_eq!(marks.disease, Some(Disease { id: "imbalance".into(), line: 3 }));
        let anywhere = Marks::of("// disease: blocked anywhere\n").disease.unwrap();
        assert_eq!((anywhere.id.as_str(), anywhere.line), ("blocked", 0));
    }
}
