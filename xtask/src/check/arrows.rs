//! The crate arrows: checks which crate of the workspace may depend on which.
//!
//! The table `arrows.txt` is the rule, and ARCHITECTURE.md explains it. Dependencies of tests count
//! too: if an engine's tests need a C interface, the engine depends on one.

use std::sync::LazyLock;

use serde_json::Value;

use super::tables::{self, Table};
use crate::Outcome;
use crate::tools::{cargo, output};

/// Each crate with all crates that it may depend on, the highest first.
static ARROWS: LazyLock<Table> = LazyLock::new(|| tables::read(include_str!("arrows.txt")));

/// The crates that are loaded into other people's processes as the runtime: they may take almost no
/// code from outside.
const RUNTIME: &[&str] = &[
    "omphalos-runtime", "omphalos-capi", "omphalos-tools", "omphalos-memory", "omphalos-engine",
    "omphalos-settings", "omphalos-events", "omphalos-mapping", "omphalos-index", "omphalos-sync",
    "omphalos-layout", "omphalos-abi", "omphalos-sys",
];

/// The crates that the runtime may take from outside; `dev-dependencies` are free.
const RUNTIME_MAY_USE: &[&str] = &["libc", "crossbeam-utils"];

/// Reads the workspace and compares it with the table.
pub fn check() -> Outcome {
    let text = output(cargo().args(["metadata", "--no-deps", "--format-version=1"]))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let faults = faults(&metadata);
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n       ")) }
}

fn faults(metadata: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let names: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    for package in packages {
        let Some(name) = package["name"].as_str() else { continue };
        let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
            faults
                .push(format!("crate `{name}` is not in xtask/src/check/arrows.txt: add it there"));
            continue;
        };
        for dependency in package["dependencies"].as_array().map_or(&[][..], Vec::as_slice) {
            let Some(to) = dependency["name"].as_str() else { continue };
            if names.contains(&to) {
                if !allowed.contains(&to) {
                    faults.push(format!("`{name}` depends on `{to}`, against the crate arrows"));
                }
            } else if RUNTIME.contains(&name)
                && dependency["kind"].is_null()
                && !of_model_tests(dependency)
                && !RUNTIME_MAY_USE.contains(&to)
            {
                faults.push(format!("`{name}` uses `{to}`: the runtime's code may not"));
            }
        }
    }
    faults
}

/// Whether only model tests need the dependency: they build the code itself against loom, so loom
/// cannot be a `dev-dependency`. The product is never built with `--cfg loom`.
fn of_model_tests(dependency: &Value) -> bool {
    dependency["target"].as_str() == Some("cfg(loom)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Value {
        let dependencies: Vec<Value> = dependencies
            .iter()
            .map(|(name, kind)| serde_json::json!({ "name": name, "kind": kind }))
            .collect();
        serde_json::json!({ "name": name, "dependencies": dependencies })
    }

    #[test]
    fn an_arrow_that_points_up_is_found() {
        let metadata = serde_json::json!({ "packages": [
            package("omphalos-engine", &[("omphalos-capi", None), ("libc", None)]),
            package("omphalos-capi", &[("omphalos-engine", None)]),
        ]});
        let found = faults(&metadata);
        assert_eq!(
            found,
            ["`omphalos-engine` depends on `omphalos-capi`, against the crate arrows"]
        );
    }

    #[test]
    fn the_runtime_takes_little_from_outside() {
        let metadata = serde_json::json!({ "packages": [
            package("omphalos-sync", &[("rand", None), ("loom", Some("dev"))]),
        ]});
        assert_eq!(faults(&metadata), ["`omphalos-sync` uses `rand`: the runtime's code may not"]);
    }

    #[test]
    fn a_new_crate_needs_a_row() {
        let metadata = serde_json::json!({ "packages": [package("omphalos-new", &[])] });
        assert_eq!(faults(&metadata).len(), 1);
    }

    #[test]
    fn the_table_itself_points_down() {
        for (row, (name, allowed)) in ARROWS.iter().enumerate() {
            for to in *allowed {
                let below = ARROWS.iter().position(|(crate_name, _)| crate_name == to);
                assert!(below.is_some_and(|below| below > row), "{name} -> {to}");
            }
        }
    }
}
