//! Checks the crates that programs of others may use: each can be packed, and builds from its
//! package.

use std::fs;
use std::path::Path;

use crate::Outcome;
use crate::tools::{cargo, cargo_home, run, sorted, target_dir};

const PUBLISHED: [&str; 3] = ["omphalos-abi", "omphalos-ompt", "omphalos-profile-format"];

/// Packs and builds the crates, as they are in this tree.
///
/// Cargo assumes that a version of a crate never changes: it keeps what it has unpacked in its
/// home, and what it has built in the target folder. Both may come from an earlier tree, so both
/// are removed first.
pub fn check() -> Outcome {
    let target = target_dir().join("packages");
    remove(&target)?;
    let unpacked = cargo_home()?.join("registry/src");
    for registry in if unpacked.is_dir() { sorted(&unpacked)? } else { Vec::new() } {
        for name in PUBLISHED {
            remove(&registry.join(format!("{name}-{}", env!("CARGO_PKG_VERSION"))))?;
        }
    }
    let mut package = cargo();
    package.args(["package", "--quiet", "--allow-dirty", "--offline", "--target-dir"]);
    run(package.arg(target).args(PUBLISHED.iter().flat_map(|name| ["--package", name])))
}

fn remove(folder: &Path) -> Outcome {
    if !folder.exists() {
        return Ok(());
    }
    fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}
