//! Checks what the crates depend on: each dependency is used, and its licence allows the product to
//! be given away.

use super::sources;
use crate::Outcome;
use crate::tools::{cargo, output, root};
use serde_json::Value;
use std::path::Path;

/// The licences that an expression may name; of alternatives, one is enough.
const LICENCES: &[&str] = &[
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Dependencies that no source names, and why.
const UNNAMED: &[(&str, &str, &str)] =
    &[("omphalos-runtime", "omphalos-events", "one of its features turns one of theirs on")];

/// Reads the manifests and the sources.
pub fn check() -> Outcome {
    let text = output(cargo().args(["metadata", "--format-version=1"]))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let members = metadata["workspace_members"].as_array().map_or(&[][..], Vec::as_slice);
    let mut faults = Vec::new();
    for package in metadata["packages"].as_array().map_or(&[][..], Vec::as_slice) {
        if members.contains(&package["id"]) {
            faults.extend(unused(package)?);
        } else if let Some(fault) = unlicensed(package) {
            faults.push(fault);
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

fn unused(package: &Value) -> Outcome<Vec<String>> {
    let name = package["name"].as_str().unwrap_or_default();
    let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
    let folder = manifest.parent().and_then(|folder| folder.strip_prefix(root()).ok());
    let Some(folder) = folder.and_then(Path::to_str) else { return Ok(Vec::new()) };
    let sources = sources::under(folder)?;
    let mut faults = Vec::new();
    for dependency in package["dependencies"].as_array().map_or(&[][..], Vec::as_slice) {
        let on = dependency["rename"].as_str().or(dependency["name"].as_str()).unwrap_or_default();
        let word = on.replace('-', "_");
        let named = |text: &str| {
            text.match_indices(&word).any(|(at, _)| {
                let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                !part(text[..at].chars().next_back())
                    && !part(text[at + word.len()..].chars().next())
            })
        };
        let excused = UNNAMED.iter().any(|(from, to, _)| (*from, *to) == (name, on));
        if !excused && !sources.iter().any(|source| named(&source.text)) {
            faults.push(format!("`{name}` depends on `{on}` and never names it"));
        }
    }
    Ok(faults)
}

fn unlicensed(package: &Value) -> Option<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let licence = package["license"].as_str().unwrap_or_default();
    let fine = !licence.is_empty() && allowed(licence);
    (!fine).then(|| format!("`{name}` comes under `{licence}`: not in {}", file!()))
}

/// Whether the listed licences satisfy an SPDX expression; older manifests write `/` for `OR`.
fn allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let bare = |text: &str| text.trim().trim_matches(['(', ')']).trim().to_owned();
    expression
        .split(" AND ")
        .all(|part| part.split(" OR ").any(|licence| LICENCES.contains(&bare(licence).as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_by_one_of_each_alternative() {
        assert!(allowed("MIT OR GPL-3.0"));
        assert!(allowed("Unlicense/MIT"));
        assert!(allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(!allowed("GPL-3.0"));
        assert!(!allowed("MIT AND GPL-3.0"));
    }
}
