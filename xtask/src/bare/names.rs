//! Checks whether the runtimes of a bare machine have names that ours does not offer.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::tools::output;
use crate::{Outcome, entry_points};

/// GCC's and LLVM's runtimes in Debian's folder, and whether the older versions of a name count
/// too. In LLVM's runtime those versions stand for GCC's, and a program of GCC's asks for GCC's
/// own.
const PEERS: [(&str, bool); 2] = [("libgomp.so.1", true), ("libomp.so.5", false)];
const FOLDER: &str = "usr/lib/x86_64-linux-gnu";

/// The beginnings of the names that compilers and headers know.
const INTERFACES: [&str; 10] =
    ["GOMP_", "GOACC_", "acc_", "omp_", "ompc_", "ompt_", "ompx_", "__kmpc_", "kmpc_", "llvm_omp_"];

/// A name of Fortran's that LLVM's runtime has with C's arguments and that no module declares.
const UNCALLABLE: &str = "omp_get_uid_from_device_@VERSION";

/// Fails if a runtime of the system in `folder` has a name, in its version, that `ours` lacks.
pub fn compare(folder: &Path, ours: &Path) -> Outcome {
    let (ours, absent) = (names(ours, true)?, entry_points::said_absent()?);
    let mut missing = Vec::new();
    for (peer, with_older) in PEERS {
        let theirs = names(&folder.join(FOLDER).join(peer), with_older)?;
        let lacking: Vec<&String> = theirs.difference(&ours).collect();
        let (known, insides): (Vec<&String>, Vec<&String>) = lacking
            .into_iter()
            .filter(|name| !absent.contains(name.split('@').next().unwrap_or(name)))
            .filter(|name| *name != UNCALLABLE)
            .partition(|name| INTERFACES.iter().any(|begin| name.starts_with(begin)));
        println!(
            "{peer}: {} names, of which ours has all but {}, and {} of its insides",
            theirs.len(),
            known.len(),
            insides.len()
        );
        missing.extend(known.into_iter().map(|name| format!("{peer}: {name}")));
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(format!("names that ours does not offer:\n  {}", missing.join("\n  "))),
    }
}

/// Returns the names that a library exports, with their versions; `with_older`: also those versions
/// that the linker gives to no new program.
fn names(library: &Path, with_older: bool) -> Outcome<BTreeSet<String>> {
    // The file itself, because a link in that system leads to a place in that system.
    let library = library.canonicalize().map_err(|e| format!("{}: {e}", library.display()))?;
    let mut nm = Command::new("nm");
    let listed = output(nm.args(["-D", "--defined-only", "--with-symbol-versions"]).arg(library))?;
    let names = listed.lines().filter_map(|line| {
        let mut words = line.split_whitespace().rev();
        let (name, kind) = (words.next()?, words.next()?);
        let is_older = name.contains('@') && !name.contains("@@");
        // The versions themselves are listed as well.
        (kind != "A" && (with_older || !is_older)).then(|| name.replacen("@@", "@", 1))
    });
    Ok(names.collect())
}
