//! Compares the crates that the workspace takes from outside with RustSec's advisory database.
//! `cargo deny check advisories` does the same; this check takes any copy of the database and needs
//! no network.
//!
//! The copy is the folder that `ADVISORY_DB` names, or the one in which `cargo audit` keeps its
//! own. Without a copy the check does nothing, and says so.

use std::env;
use std::fs;
use std::path::PathBuf;

use semver::{Version, VersionReq};

use crate::Outcome;
use crate::tools::{cargo_home, read, root, step};

/// Advisories that are known and accepted until `omphalos top` has ratatui 0.30, and why.
const BORNE: &[(&str, &str)] = &[
    ("RUSTSEC-2024-0436", "`paste` is finished and no longer cared for: a macro, of ratatui's"),
    ("RUSTSEC-2026-0002", "`lru`'s iterator over mutable entries, which ratatui does not call"),
    ("RUSTSEC-2026-0253", "`lru` after a panic while an entry goes: a panic ends the program"),
];

/// Reads `Cargo.lock` and the database.
pub fn check() -> Outcome {
    let Some(database) = database() else {
        step("advisories: not held, for there is no copy of RustSec's database (ADVISORY_DB)");
        return Ok(());
    };
    step("advisories");
    let mut faults = Vec::new();
    for (name, version) in packages(&read(&root().join("Cargo.lock"))?)? {
        let Ok(files) = fs::read_dir(database.join("crates").join(&name)) else { continue };
        for file in files.flatten() {
            let text = read(&file.path())?;
            let affected = affects(&text, &version)
                .map_err(|error| format!("{}: {error}", file.path().display()))?;
            let id = file.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if affected && !BORNE.iter().any(|(borne, _)| *borne == id) {
                faults.push(format!("{name} {version}: {id}"));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

/// Returns the folder of the copy of the database.
fn database() -> Option<PathBuf> {
    if let Some(path) = env::var_os("ADVISORY_DB") {
        return Some(PathBuf::from(path));
    }
    Some(cargo_home().ok()?.join("advisory-db")).filter(|path| path.join("crates").is_dir())
}

/// Returns the name and version of each package of a lock file that comes from outside the
/// workspace.
fn packages(lock: &str) -> Outcome<Vec<(String, Version)>> {
    let mut packages = Vec::new();
    for package in lock.split("[[package]]").filter(|package| package.contains("\nsource = ")) {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_default().trim_matches('"').to_owned()
        };
        let (name, version) = (field("name = "), field("version = "));
        let version = Version::parse(&version).map_err(|error| format!("{name}: {error}"))?;
        packages.push((name, version));
    }
    Ok(packages)
}

/// Whether an advisory is about this version; a withdrawn one is about none.
fn affects(advisory: &str, version: &Version) -> Outcome<bool> {
    let head = advisory.split("\n```\n").next().unwrap_or(advisory);
    if head.lines().any(|line| line.starts_with("withdrawn")) {
        return Ok(false);
    }
    for list in ["patched", "unaffected"] {
        for range in ranges(head, list) {
            let range = VersionReq::parse(&range).map_err(|error| format!("{range}: {error}"))?;
            if range.matches(version) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Returns the version ranges of a list in the head; the list may take several lines.
fn ranges(head: &str, list: &str) -> Vec<String> {
    let start = head.split('\n').scan(0, |at, line| {
        let here = *at;
        *at += line.len() + 1;
        Some((here, line))
    });
    let found = start.filter(|(_, line)| line.starts_with(list)).map(|(at, _)| at).next();
    let Some(body) = found.and_then(|at| head[at..].split_once('[')) else { return Vec::new() };
    let body = body.1.split(']').next().unwrap_or_default();
    body.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADVISORY: &str = "```toml\n[advisory]\nid = \"RUSTSEC-2021-0003\"\n\n[versions]\n\
        patched = [\n  \">= 0.6.14, < 1.0.0\",\n  \">= 1.6.1\",\n]\n\
        unaffected = [\"< 0.6.3\"]\n```\n";

    fn is_affected(version: &str) -> bool {
        affects(ADVISORY, &Version::parse(version).unwrap()).unwrap()
    }

    #[test]
    fn versions_outside_of_all_ranges_are_affected() {
        assert!(is_affected("0.6.3"));
        assert!(is_affected("1.6.0"));
        assert!(!is_affected("0.6.2"));
        assert!(!is_affected("0.6.14"));
        assert!(!is_affected("1.6.1"));
    }

    #[test]
    fn withdrawn_advisories_and_those_without_a_patch() {
        let version = Version::new(1, 0, 0);
        assert!(affects("```toml\n[versions]\npatched = []\n```\n", &version).unwrap());
        let withdrawn = "```toml\nwithdrawn = \"2021-01-01\"\n[versions]\npatched = []\n```\n";
        assert!(!affects(withdrawn, &version).unwrap());
    }

    #[test]
    fn only_packages_from_elsewhere_count() {
        let lock = "[[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n\n[[package]]\n\
            name = \"theirs\"\nversion = \"1.2.3\"\nsource = \"registry\"\n";
        assert_eq!(packages(lock).unwrap(), [("theirs".to_owned(), Version::new(1, 2, 3))]);
    }
}
