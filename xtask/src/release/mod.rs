//! `release`: makes all files that are released of one version, from a clean checkout, without
//! root.
//!
//! The tree is that of `dist`, but built for an older C library (`floor`), and all debug
//! information is in separate files. The same commit gives the same bytes: entries are sorted,
//! owners and modes are fixed, and each time is that of the commit (or `SOURCE_DATE_EPOCH`).

mod archive;
mod deb;
pub mod floor;
mod notes;
mod recipes;
mod sbom;
mod wheel;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::{self, have, make_dir, output, root, step, target_dir};
use crate::{Outcome, build, dist, strip};
use floor::Floor;

/// The version that is released.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The programs that packing needs besides Rust and gcc, each with its Debian package.
const NEEDED: [(&str, &str); 6] = [
    ("git", "git"),
    ("python3", "python3"),
    ("tar", "tar"),
    ("gzip", "gzip"),
    ("zstd", "zstd"),
    ("dpkg-deb", "dpkg"),
];

/// The folders that the packers work with, and the time.
pub struct Release {
    /// The tree; its name is that of the folder in the archive.
    pub tree: PathBuf,
    /// The folder in which packages are put together.
    pub work: PathBuf,
    /// The folder for the finished packages.
    pub out: PathBuf,
    /// The time of every file in them, in seconds since 1970.
    pub epoch: u64,
}

/// Builds and packs; the results are in `target/released`.
pub fn run() -> Outcome {
    for (program, package) in NEEDED {
        if !have(program) {
            return Err(format!(
                "`release` needs {program}: `apt-get install {package}` brings it"
            ));
        }
    }
    let notes = notes::of_version(VERSION)?;
    let epoch = epoch()?;
    let floor = Floor::make()?;
    let release = Release {
        tree: floor.target().join(format!("omphalos-{VERSION}")),
        work: floor.target().join("packages"),
        out: target_dir().join("released"),
        epoch,
    };
    for folder in [&release.tree, &release.work, &release.out] {
        let _ = std::fs::remove_dir_all(folder);
        make_dir(folder)?;
    }
    // Nothing of an earlier release is there while this one is made, so that nobody takes it for
    // this one if it fails.
    let built = build::run_for(Some(&floor))?;
    dist::lay_out(&built, &release.tree)?;
    part_debug_information(&release.tree)?;
    floor::asked::check(&release.tree)?;
    archive::make(&release)?;
    deb::make(&release)?;
    wheel::make(&release)?;
    sbom::make(&release)?;
    write(&release.out.join(format!("omphalos-{VERSION}-changes.md")), &notes)?;
    recipes::make(&release)?;
    sums(&release)?;
    step(&format!("{} is ready", release.out.display()));
    Ok(())
}

/// Splits the debug information off the libraries that `dist` leaves whole. That of the program is
/// dropped.
fn part_debug_information(tree: &Path) -> Outcome {
    let folder = tree.join("lib/omphalos");
    for name in ["libomphalos_agent.so", "libomphalos_recorder.so"] {
        strip::split(&folder.join(name), &folder)?;
    }
    tools::run(Command::new("objcopy").arg("--strip-all").arg(tree.join("bin/omphalos")))
}

/// Returns the time of the packages' contents, in seconds since 1970.
fn epoch() -> Outcome<u64> {
    if !output(git().args(["status", "--porcelain"]))?.is_empty() {
        step("the checkout has changes that no commit has: what is made is no release");
    }
    let said = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(said) => said,
        Err(_) => output(git().args(["log", "-1", "--format=%ct"]))?,
    };
    said.trim().parse().map_err(|_| format!("`{}` is no number of seconds", said.trim()))
}

fn git() -> Command {
    let mut git = Command::new("git");
    git.current_dir(root());
    git
}

/// Checks that the files in `out` are those of a finished release.
pub fn check(out: &Path) -> Outcome {
    let mut sum = Command::new("sha256sum");
    sum.current_dir(out).env("LC_ALL", "C");
    sum.args(["--check", "--strict", "--quiet", "SHA256SUMS"]);
    let said = sum.output().map_err(|error| format!("cannot start sha256sum: {error}"))?;
    if said.status.success() {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&said.stdout);
    let why = why.lines().next().unwrap_or("SHA256SUMS: cannot be read");
    Err(format!("{} has no finished release ({why}): run `cargo xtask release`", out.display()))
}

/// Writes the checksums of all finished files.
fn sums(release: &Release) -> Outcome {
    let names: Vec<PathBuf> = tools::sorted(&release.out)?;
    let names = names.iter().filter(|path| path.is_file()).filter_map(|path| path.file_name());
    let mut sum = Command::new("sha256sum");
    write(&release.out.join("SHA256SUMS"), &output(sum.current_dir(&release.out).args(names))?)
}

fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_finished_release_is_one() {
        let out = std::env::temp_dir().join(format!("omphalos-sums-{}", std::process::id()));
        let one = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed  file";
        make_dir(&out).unwrap();
        let says = |part: &str| {
            let said = check(&out).unwrap_err();
            assert!(said.contains(part) && said.lines().count() == 1, "{said}");
        };
        says("SHA256SUMS");
        write(&out.join("SHA256SUMS"), &format!("{one}\n")).unwrap();
        says("file: FAILED open or read");
        write(&out.join("file"), "unfinished").unwrap();
        says("file: FAILED");
        write(&out.join("file"), "one").unwrap();
        check(&out).unwrap();
        std::fs::remove_dir_all(&out).unwrap();
    }
}
