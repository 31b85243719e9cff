//! No line of Rust is wider than 100 columns: rustfmt sees to code, this to comments and to what
//! rustfmt leaves alone. Rows of tables in comments are free: nobody can break them.

use super::sources;
use crate::Outcome;

const WIDTH: usize = 100;

/// Reads the sources.
pub fn check() -> Outcome {
    let mut faults = Vec::new();
    for folder in ["crates", "xtask", "tests"] {
        for source in sources::under(folder)? {
            if let Some(at) = first_wide(&source.text) {
                faults.push(format!("{}:{at}: wider than {WIDTH} columns", source.path));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

/// The number of the first line that is too wide.
fn first_wide(text: &str) -> Option<usize> {
    let is_row = |line: &str| {
        let line = line.trim_start();
        line.starts_with("//") && line.trim_start_matches(['/', '!', ' ']).starts_with('|')
    };
    let wide = |line: &str| line.chars().count() > WIDTH && !is_row(line);
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
        assert_eq!(first_wide(&"é".repeat(WIDTH)), None);
    }
}
