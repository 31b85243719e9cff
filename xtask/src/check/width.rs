//! No line of Rust is wider than 100 columns: rustfmt sees to code, this to comments and to what
//! rustfmt leaves alone. Rows of tables in comments are free: nobody can break them.

use super::sources;
use crate::Outcome;

const WIDTH: usize = 100;

/// Folders whose files may have wide lines yet, one a line: to be emptied.
const LATER: &str = include_str!("wide.txt");

/// Reads the sources.
pub fn check() -> Outcome {
    let mut faults = Vec::new();
    let mut later: Vec<(&str, bool)> = LATER.lines().map(|folder| (folder, false)).collect();
    for folder in ["crates", "xtask", "tests"] {
        for source in sources::under(folder)? {
            let Some(at) = first_wide(&source.text) else { continue };
            match later.iter_mut().find(|(folder, _)| source.path.starts_with(*folder)) {
                Some((_, found)) => *found = true,
                None => faults.push(format!("{}:{at}: wider than {WIDTH} columns", source.path)),
            }
        }
    }
    for (folder, _) in later.iter().filter(|(_, found)| !found) {
        faults.push(format!("{folder} has no wide line: take it out of xtask/src/check/wide.txt"));
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
