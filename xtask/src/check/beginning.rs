//! What a program of one region runs stands side by side in the library (`symbols/first.ld`), by
//! name. A function that moves to another module has another name, and then costs each program a
//! page fault: each pattern has to name something that is there.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::link;
use crate::tools::{output, read};

/// Holds the patterns against the names in a library that is not stripped.
pub fn check(library: &Path) -> Outcome {
    let listed = output(Command::new("nm").args(["-P", "--defined-only"]).arg(library))?;
    let names: BTreeSet<String> = listed
        .lines()
        .filter_map(|line| line.split(' ').next())
        .flat_map(|name| [format!(".text.{name}"), format!(".bss.{name}")])
        .collect();
    let script = read(&link::order())?;
    let lost: Vec<&str> = patterns(&script)
        .filter(|pattern| !names.iter().any(|name| matches(pattern, name)))
        .collect();
    if lost.is_empty() {
        return Ok(());
    }
    Err(format!("nothing that first.ld names so is in the library: {}", lost.join(" ")))
}

/// The patterns for functions and variables by name.
fn patterns(script: &str) -> impl Iterator<Item = &str> {
    const SECTIONS: [&str; 5] = [".text", ".text.first", ".text.often", ".bss", ".bss.*"];
    let words = script.split(|c: char| c.is_whitespace() || "();".contains(c));
    words
        .filter(|word| word.starts_with(".text") || word.starts_with(".bss"))
        .filter(|word| !SECTIONS.contains(word))
}

/// Whether the name is as the pattern says; `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_what_the_linker_takes() {
        assert!(matches(".text.exact", ".text.exact") && !matches(".text.exact", ".text.exactly"));
        assert!(matches(".text*team4fork*", ".text._ZN8engine4team4fork5begin17h"));
        assert!(!matches(".text*team4fork*", ".text._ZN8engine4team4join5begin17h"));
        assert!(matches(".text*Drop*4drop*", ".text._Vec..Drop..4drop17h"));
        assert!(!matches(".text*Drop*4drop", ".text._Vec..Drop..4drop17h"));
        let script = "{ .text.first : { *a.o:*(.text) *(.text*b* .text.c) } } BEFORE .text;";
        assert_eq!(patterns(script).collect::<Vec<_>>(), [".text*b*", ".text.c"]);
    }
}
