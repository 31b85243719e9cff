//! Reads a linker version script: which symbols it exports, and at which versions.
//!
//! It knows what ours use: nodes with `global:` and `local:` parts, comments, exact names. A
//! pattern under `global:` is refused, because what it exports could not be checked.

use std::collections::BTreeSet;

/// A symbol and the version it is exported at (empty: no version).
pub type Export = (String, String);

/// The exports that `text` names.
pub fn parse(text: &str) -> Result<BTreeSet<Export>, String> {
    let text = without_comments(text);
    let mut exports = BTreeSet::new();
    let mut rest = text.as_str();
    while let Some((head, tail)) = rest.split_once('{') {
        let version = head.trim();
        let (body, after) =
            tail.split_once('}').ok_or_else(|| format!("node `{version}` has no end"))?;
        // `} PARENT;` closes a node.
        let (_parent, after) =
            after.split_once(';').ok_or_else(|| format!("node `{version}` lacks its last `;`"))?;
        node(version, body, &mut exports)?;
        rest = after;
    }
    match rest.trim() {
        "" => Ok(exports),
        extra => Err(format!("cannot read `{extra}`")),
    }
}

fn node(version: &str, body: &str, exports: &mut BTreeSet<Export>) -> Result<(), String> {
    let mut global = true;
    for item in body.split(';') {
        let mut item = item.trim();
        loop {
            if let Some(after) = item.strip_prefix("global:") {
                (global, item) = (true, after.trim_start());
            } else if let Some(after) = item.strip_prefix("local:") {
                (global, item) = (false, after.trim_start());
            } else {
                break;
            }
        }
        if item.is_empty() || !global {
            continue;
        }
        if item.contains(|c: char| "*?[ \t\n\"".contains(c)) {
            return Err(format!("`{item}` in node `{version}` is not an exact name"));
        }
        exports.insert((item.to_owned(), version.to_owned()));
    }
    Ok(())
}

fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        plain.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.lines().map(|line| line.split('#').next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_parts_and_comments() {
        let script =
            "A_1.0 { global: one; /* two; */ three;\n local: *; };\n# note\nA_2.0 { one; } A_1.0;";
        let found: Vec<Export> = parse(script).unwrap().into_iter().collect();
        let pair = |name: &str, version: &str| (name.to_owned(), version.to_owned());
        assert_eq!(found, [pair("one", "A_1.0"), pair("one", "A_2.0"), pair("three", "A_1.0")]);
    }

    #[test]
    fn an_anonymous_node_has_no_version() {
        let found = parse("{ global: f; local: *; };").unwrap();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [("f".to_owned(), String::new())]);
    }

    #[test]
    fn a_pattern_is_refused() {
        assert!(parse("V { global: omp_*; };").unwrap_err().contains("omp_*"));
        assert!(parse("V { global: f;").is_err());
    }
}
