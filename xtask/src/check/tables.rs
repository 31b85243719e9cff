//! Reads tables of arrows. A table is a text: each line has a name and the names that it may know.
//! An indented line continues the line before it; a line that begins with `#` is a comment.
//!
//! The callers are the checks of the crate arrows and of the module arrows.

/// Each name with the names that it may know, the highest first.
pub type Table = &'static [(&'static str, &'static [&'static str])];

/// Reads a table. The result is never freed.
pub fn read(text: &'static str) -> Table {
    let mut rows: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let names = match line.split_once(':').filter(|_| !line.starts_with(' ')) {
            Some((name, names)) => {
                rows.push((name, Vec::new()));
                names
            }
            None => line,
        };
        rows.last_mut().into_iter().for_each(|row| row.1.extend(names.split_whitespace()));
    }
    rows.into_iter().map(|(name, names)| (name, &*names.leak())).collect::<Vec<_>>().leak()
}
