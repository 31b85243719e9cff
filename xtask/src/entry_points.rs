//! Writes and checks `docs/entry-points.md`: every listed name with its versions, its construct,
//! and what happens when a program calls it.
//!
//! The page is made from the lists of names and from `states.txt` beside them. `check` fails when
//! the page differs from these, or when they and the library disagree: a name that no line
//! explains, a name that is neither exported nor said to be absent, or a name that is exported
//! although it is said to be absent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use crate::Outcome;
use crate::link::{self, Linked, Node};
use crate::tools::{read, root};

/// A line of `states.txt`.
struct Rule {
    construct: String,
    pattern: String,
    state: String,
}

const ALL: &str = "full";
const ABSENT: &str = "absent: ";
const STATES: &[&str] = &["no effect: ", "part: ", ABSENT];

fn rules_file() -> PathBuf {
    root().join("runtime/library/symbols/states.txt")
}

fn page_file() -> PathBuf {
    root().join("docs/entry-points.md")
}

/// Writes the page.
pub fn write() -> Outcome {
    let page = page(&link::nodes()?, &rules()?)?;
    let file = page_file();
    std::fs::write(&file, page).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// Compares the page and the library with the lists.
pub fn check(linked: &Linked) -> Outcome {
    let (nodes, rules) = (link::nodes()?, rules()?);
    if read(&page_file())? != page(&nodes, &rules)? {
        return Err(format!(
            "{} is not what the lists say: run `cargo xtask entry-points`",
            page_file().display()
        ));
    }
    let exported: BTreeSet<&str> = linked.exports.iter().map(|(name, _)| name.as_str()).collect();
    let mut wrong = String::new();
    for node in nodes.iter().filter(|node| node.refused.is_none()) {
        for name in &node.names {
            let absent = rule(&rules, name)?.state.starts_with(ABSENT);
            if absent == exported.contains(name.as_str()) {
                let what = if absent { "said to be absent, but offered" } else { "not offered" };
                let _ = write!(wrong, "\n  {name}: {what}");
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{} and the library disagree:{wrong}", rules_file().display())),
    }
}

/// Returns the listed names that the library does not offer, for a reason that `states.txt` gives.
pub fn said_absent() -> Outcome<BTreeSet<String>> {
    let (nodes, rules) = (link::nodes()?, rules()?);
    let mut absent = BTreeSet::new();
    for name in nodes.iter().filter(|node| node.refused.is_none()).flat_map(|node| &node.names) {
        if rule(&rules, name)?.state.starts_with(ABSENT) {
            absent.insert(name.clone());
        }
    }
    Ok(absent)
}

fn rules() -> Outcome<Vec<Rule>> {
    parse(&read(&rules_file())?).map_err(|error| format!("{}: {error}", rules_file().display()))
}

fn parse(text: &str) -> Result<Vec<Rule>, String> {
    let (mut rules, mut construct): (Vec<Rule>, _) = (Vec::new(), "");
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            construct = name;
            continue;
        }
        let (pattern, state) = line.split_once(' ').unwrap_or((line, ""));
        let state = match state.trim() {
            "" => ALL,
            state if STATES.iter().any(|known| state.starts_with(known)) => state,
            state => return Err(format!("line {}: unknown state `{state}`", number + 1)),
        };
        let [construct, pattern, state] = [construct, pattern, state].map(str::to_owned);
        rules.push(Rule { construct, pattern, state });
    }
    Ok(rules)
}

/// Whether `name` matches `pattern`, where `*` stands for any characters.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => name
            .strip_prefix(head)
            .is_some_and(|rest| (0..=rest.len()).any(|at| fits(tail, &rest[at..]))),
    }
}

fn rule<'a>(rules: &'a [Rule], name: &str) -> Outcome<&'a Rule> {
    rules
        .iter()
        .find(|rule| fits(&rule.pattern, name))
        .ok_or_else(|| format!("{}: no line says what `{name}` is for", rules_file().display()))
}

const HEAD: &str = "\
# Entry points

<!-- Written by `cargo xtask entry-points` from runtime/library/symbols. Changes belong there. -->

Every name that programs of GCC, LLVM and Intel's compilers may ask `libomphalos.so` for: the \
version
nodes it stands in (`VERSION` is that of libomp and libiomp5), and what a program gets that \
calls it.

- **full**: all that the owner of the interface documents
- **no effect**: accepted; nothing happens, for the reason given
- **part**: works, except for what is said
- **refused**: one line that says so, and the program ends with status 1
- **absent**: not offered, for the reason given

";

fn page(nodes: &[Node], rules: &[Rule]) -> Outcome<String> {
    // The versions of each name; refused nodes have a map of their own.
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut refused: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for node in nodes {
        for name in &node.names {
            match &node.refused {
                None => versions.entry(name).or_default().push(&node.name),
                Some(what) => refused.entry(what).or_default().push((name, &node.name)),
            }
        }
    }
    let mut constructs: Vec<&str> = Vec::new();
    for rule in rules {
        if !constructs.contains(&rule.construct.as_str()) {
            constructs.push(&rule.construct);
        }
        let used = |name: &&str| self::rule(rules, name).is_ok_and(|r| std::ptr::eq(r, rule));
        if !versions.keys().any(used) {
            let file = rules_file();
            return Err(format!("{}: `{}` fits no name", file.display(), rule.pattern));
        }
    }
    let mut rows: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for name in versions.keys() {
        let rule = rule(rules, name)?;
        rows.entry(&rule.construct).or_default().push((name, &rule.state));
    }
    let mut page = String::from(HEAD);
    for construct in constructs {
        let _ =
            write!(page, "## {}\n\n| name | versions | state |\n|---|---|---|\n", title(construct));
        for (name, state) in rows.get(construct).into_iter().flatten() {
            let versions = versions.get(name).map(|v| v.join(", ")).unwrap_or_default();
            let _ = writeln!(page, "| `{name}` | {versions} | {state} |");
        }
        page.push('\n');
    }
    for (what, mut names) in refused {
        names.sort_unstable();
        let _ = write!(page, "## {what}\n\n| name | versions | state |\n|---|---|---|\n");
        for (name, version) in names {
            let _ = writeln!(page, "| `{name}` | {version} | refused |");
        }
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    Ok(page)
}

/// Returns the text with a capital first letter, for a heading.
fn title(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + characters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(names: &[&str]) -> Vec<Node> {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        vec![Node { name: "V_1".into(), parent: None, names, refused: None }]
    }

    #[test]
    fn patterns() {
        assert!(fits("GOMP_*", "GOMP_task") && fits("omp_*_lock*", "omp_set_nest_lock_"));
        assert!(fits("exact", "exact") && !fits("exact", "exactly") && !fits("a*b", "ac"));
    }

    #[test]
    fn a_page_has_every_name() {
        let rules = parse("[tasks]\nGOMP_task # what\nGOMP_*  no effect: nobody asks\n").unwrap();
        let page = page(&nodes(&["GOMP_task", "GOMP_other"]), &rules).unwrap();
        assert!(page.contains("## Tasks"));
        assert!(page.contains("| `GOMP_task` | V_1 | full |"));
        assert!(page.contains("| `GOMP_other` | V_1 | no effect: nobody asks |"));
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let rules = parse("[a]\none\n").unwrap();
        assert!(page(&nodes(&["one", "two"]), &rules).unwrap_err().contains("`two`"));
        assert!(page(&nodes(&[]), &rules).unwrap_err().contains("fits no name"));
        assert!(parse("[a]\none sometimes\n").err().unwrap().contains("line 2"));
    }
}
