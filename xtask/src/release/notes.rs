//! Reads the section of a version in `CHANGELOG.md`.

use crate::Outcome;
use crate::tools::{read, root};

/// Returns the section of `version`; an error if there is none.
pub fn of_version(version: &str) -> Outcome<String> {
    let text = read(&root().join("CHANGELOG.md"))?;
    section(&text, version)
        .ok_or_else(|| format!("CHANGELOG.md has no section `## {version}`: write it first"))
}

fn section(text: &str, version: &str) -> Option<String> {
    let head = format!("## {version}");
    let of_head = |line: &&str| line.split(" (").next() == Some(head.as_str());
    let mut lines = text.lines().skip_while(|line| !of_head(line));
    let first = lines.next()?;
    let rest = lines.take_while(|line| !line.starts_with("## "));
    let all: Vec<&str> = std::iter::once(first).chain(rest).collect();
    Some(all.join("\n").trim_end().to_owned() + "\n")
}

#[cfg(test)]
mod tests {
    use super::section;

    #[test]
    fn a_section_ends_where_the_next_begins() {
        let text = "# Changes\n\n## 0.2.0 (soon)\n\n- b\n\n### Sub\n\n## 0.1.0\n\n- a\n";
        assert_eq!(section(text, "0.2.0").unwrap(), "## 0.2.0 (soon)\n\n- b\n\n### Sub\n");
        assert_eq!(section(text, "0.1.0").unwrap(), "## 0.1.0\n\n- a\n");
        assert_eq!(section(text, "0.2"), None);
    }
}
