//! Checks that no line of code is wider than 100 columns. rustfmt takes care of Rust's code; this
//! check is for comments, for what rustfmt leaves alone, and for C, C++, Fortran and Python.
//!
//! ARCHITECTURE.md has its own limit, on the number of its lines: a reader takes it in at once.
//!
//! Lines that nobody can break may be wider: rows of tables in comments, and notes that a test
//! reads as one line.
//!
//! The caller is `cargo xtask check`, also with `sources`. This module only reads files.

use super::sources;
use crate::Outcome;
use crate::tools::{read, root};

const WIDTH: usize = 100;
const ARCHITECTURE_LINES: usize = 70;
const FOLDERS: [&str; 5] = ["bench", "debuggers", "examples", "tests", "xtask"];
const ENDINGS: [&str; 7] = ["rs", "c", "cpp", "h", "f90", "inc", "py"];
/// The header of OMPT's interface, which may have wider lines.
const OF_THE_STANDARD: &str = "runtime/abi/include/omp-tools.h";
/// The beginnings of a note for a test. The note belongs to the line that it stands on.
const EXPECTATIONS: [&str; 3] = ["// mark:", "! mark:", "@says:"];

/// Names the first line of each file that is too wide.
pub fn check() -> Outcome {
    let mut faults = Vec::new();
    for folder in FOLDERS.into_iter().chain(sources::GROUPS) {
        for source in sources::ending(folder, &ENDINGS)? {
            let wide = first_wide(&source.text).filter(|_| source.path != OF_THE_STANDARD);
            if let Some(at) = wide {
                faults.push(format!("{}:{at}: wider than {WIDTH} columns", source.path));
            }
        }
    }
    let lines = read(&root().join("ARCHITECTURE.md"))?.lines().count();
    if lines > ARCHITECTURE_LINES {
        faults
            .push(format!("ARCHITECTURE.md: {lines} lines, above {ARCHITECTURE_LINES}: see docs"));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

/// Returns the number, from 1, of the first line that is too wide.
fn first_wide(text: &str) -> Option<usize> {
    let is_row = |line: &str| {
        let line = line.trim_start();
        line.starts_with("//") && line.trim_start_matches(['/', '!', ' ']).starts_with('|')
    };
    let is_free = |line: &str| is_row(line) || EXPECTATIONS.iter().any(|mark| line.contains(mark));
    let wide = |line: &str| line.chars().count() > WIDTH && !is_free(line);
    text.lines().position(wide).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_lines_are_found() {
        let wide = "x".repeat(WIDTH + 1);
        assert_eq!(first_wide(&format!("a\n{wide}")), Some(2));
        assert_eq!(first_wide(&format!("//! | {wide} |")), None);
        assert_eq!(first_wide(&format!("{wide} // mark: region")), None);
        assert_eq!(first_wide(&"é".repeat(WIDTH)), None);
    }
}
