//! Compares a program's output for different numbers of threads.

use std::io::{self, BufRead};

use omphalos_report::visible;
use serde::{Deserialize, Serialize};

/// How one output differs from another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The threads of the run that printed it.
    pub threads: u32,
    /// The first line that differs, from 1.
    pub line: u64,
    /// That line of the first run; empty where it has none.
    pub first: String,
    /// The same line of this run.
    pub other: String,
    /// The largest relative difference of two numbers, where only numbers differ.
    pub numbers_by: Option<f64>,
}

/// The differences in the output and the exit status of all runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outputs {
    /// Runs with the first run's number of threads that print something else.
    pub at_one_size: Vec<Difference>,
    /// The first run of each other size that prints something else.
    pub between_sizes: Vec<Difference>,
    /// Sizes whose runs ended differently from the first run.
    pub ends: Vec<Ended>,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Its threads.
    pub threads: u32,
    /// `exit status 1`, `signal 11`.
    pub end: String,
}

/// Compares two outputs, line by line.
///
/// # Errors
/// If one cannot be read.
pub fn compare(
    threads: u32,
    mut first: impl BufRead,
    mut other: impl BufRead,
) -> io::Result<Option<Difference>> {
    let mut found: Option<Difference> = None;
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for line in 1.. {
        a.clear();
        b.clear();
        let ends = first.read_until(b'\n', &mut a)? == 0;
        if other.read_until(b'\n', &mut b)? == 0 && ends {
            break;
        }
        if a == b {
            continue;
        }
        let by = differs_by(&a, &b);
        match &mut found {
            None => {
                let shown = |line: &[u8]| {
                    let text = String::from_utf8_lossy(line);
                    visible(text.trim_end_matches(['\n', '\r'])).chars().take(SHOWN).collect()
                };
                let (first, other) = (shown(&a), shown(&b));
                found = Some(Difference { threads, line, first, other, numbers_by: by });
            }
            Some(known) => {
                known.numbers_by = known.numbers_by.zip(by).map(|(a, b)| f64::max(a, b));
            }
        }
        if found.as_ref().is_some_and(|found| found.numbers_by.is_none()) {
            break;
        }
    }
    Ok(found)
}

/// How many characters of a line are shown.
const SHOWN: usize = 60;

/// Returns the relative difference of the numbers of two lines, if nothing else differs.
fn differs_by(a: &[u8], b: &[u8]) -> Option<f64> {
    let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    let (a, b) = (words(&a), words(&b));
    if a.len() != b.len() {
        return None;
    }
    let mut by: f64 = 0.0;
    for (a, b) in a.iter().zip(&b).filter(|(a, b)| a != b) {
        let (a, b) = (a.parse::<f64>().ok()?, b.parse::<f64>().ok()?);
        let larger = a.abs().max(b.abs());
        by = by.max(if larger > 0.0 { (a - b).abs() / larger } else { 0.0 });
    }
    (!by.is_nan()).then_some(by)
}

/// Splits a line into numbers and the text between them.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line.trim_end();
    while !rest.is_empty() {
        let is_number = rest.starts_with(|c: char| c.is_ascii_digit());
        let mut end = 0;
        let mut before = ' ';
        for (at, c) in rest.char_indices() {
            let belongs = match is_number {
                false => !c.is_ascii_digit(),
                // 1.5e-10
                true => {
                    c.is_ascii_digit()
                        || c == '.'
                        || (matches!(c, 'e' | 'E') && before.is_ascii_digit())
                        || (matches!(c, '+' | '-') && matches!(before, 'e' | 'E'))
                }
            };
            if !belongs {
                break;
            }
            (end, before) = (at + c.len_utf8(), c);
        }
        words.push(&rest[..end]);
        rest = &rest[end..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(first: &str, other: &str) -> Option<Difference> {
        compare(4, first.as_bytes(), other.as_bytes()).unwrap()
    }

    #[test]
    fn what_differs_is_told() {
        assert_eq!(of("a\nb\n", "a\nb\n"), None);
        let found = of("sum 1.0\nend\n", "sum 1.0\nlost\n").unwrap();
        assert_eq!((found.line, &*found.first, &*found.other), (2, "end", "lost"));
        assert_eq!(found.numbers_by, None);
        assert_eq!(of("a\n", "a\nmore\n").unwrap().line, 2);
        assert_eq!(of("", "\u{1b}[2J").unwrap().numbers_by, None);
    }

    #[test]
    fn numbers_may_differ_in_their_last_digits() {
        let found = of("sum 1.5e-10 of 3\nok\n", "sum 1.500003e-10 of 3\nok\n").unwrap();
        assert!((found.numbers_by.unwrap() - 2e-6).abs() < 1e-8, "{found:?}");
        let found = of("t 1.0\nsum 1\n", "t 1.1\nsum one\n").unwrap();
        assert_eq!((found.line, found.numbers_by), (1, None));
        assert_eq!(words("v1.2.3: 7e5x"), ["v", "1.2.3", ": ", "7e5", "x"]);
    }
}
