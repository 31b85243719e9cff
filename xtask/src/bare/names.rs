//! Whether the runtimes of a bare machine have names that ours does not offer.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::tools::output;
use crate::{Outcome, entry_points};

/// GCC's and LLVM's runtimes, where Debian has them.
const PEERS: [&str; 2] = ["libgomp.so.1", "libomp.so.5"];
const FOLDER: &str = "usr/lib/x86_64-linux-gnu";

/// How names begin that compilers and headers know.
const INTERFACES: [&str; 10] =
    ["GOMP_", "GOACC_", "acc_", "omp_", "ompc_", "ompt_", "ompx_", "__kmpc_", "kmpc_", "llvm_omp_"];

/// Fails if a runtime of the system in `folder` has a name, in its version, that `ours` lacks.
pub fn compare(folder: &Path, ours: &Path) -> Outcome {
    let (ours, absent) = (names(ours)?, entry_points::said_absent()?);
    let mut missing = Vec::new();
    for peer in PEERS {
        let file = folder.join(FOLDER).join(peer);
        let theirs = names(&file)?;
        let lacking: Vec<&String> = theirs.difference(&ours).collect();
        let (known, insides): (Vec<&String>, Vec<&String>) = lacking
            .into_iter()
            .filter(|name| !absent.contains(name.split('@').next().unwrap_or(name)))
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

/// What a library exports: names with their versions.
fn names(library: &Path) -> Outcome<BTreeSet<String>> {
    // The file itself: links in there lead to places in there.
    let library = library.canonicalize().map_err(|e| format!("{}: {e}", library.display()))?;
    let mut nm = Command::new("nm");
    let listed = output(nm.args(["-D", "--defined-only", "--with-symbol-versions"]).arg(library))?;
    let names = listed.lines().filter_map(|line| {
        let mut words = line.split_whitespace().rev();
        let (name, kind) = (words.next()?, words.next()?);
        // The versions themselves are listed as well.
        (kind != "A").then(|| name.replacen("@@", "@", 1))
    });
    Ok(names.collect())
}
