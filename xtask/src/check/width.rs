//! No line of code is wider than 100 columns. rustfmt sees to Rust's code; this sees to comments,
//! to what rustfmt leaves alone, and to C, C++, Fortran and Python.
//!
//! ARCHITECTURE.md has its own limit: a reader takes it in at once, so its lines are few.
//!
//! Lines that nobody can break may be wider: rows of tables in comments, and what a test reads as
//! one line.
//!
//! Who calls: `cargo xtask check`, also with `sources`. It only reads files.

use super::sources;
use crate::Outcome;
use crate::tools::{read, root};

const WIDTH: usize = 100;
const ARCHITECTURE_LINES: usize = 70;
const FOLDERS: [&str; 5] = ["bench", "debuggers", "examples", "tests", "xtask"];
const ENDINGS: [&str; 7] = ["rs", "c", "cpp", "h", "f90", "inc", "py"];
/// The standard's own header: it stays as the standard's text has it.
const OF_THE_STANDARD: &str = "runtime/abi/include/omp-tools.h";
/// What begins a note for a test. The note belongs to the line that it stands on.
const EXPECTATIONS: [&str; 3] = ["// mark:", "! mark:", "@says:"];

/// Names each file's first line that is too wide.
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

/// The number of the first line that is too wide, from 1.
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
