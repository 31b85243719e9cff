//! The Pythons of this machine.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Debian's Python: the machine may have another one first in its PATH.
pub const SYSTEM: &str = "/usr/bin/python3";

/// The versions of CPython whose frames Omphalos reads, with a `t` for those without the
/// interpreter's lock.
pub const VERSIONS: [&str; 8] = ["3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.13t", "3.14t"];

/// Finds the interpreter of a version: `python3.N` in the folders of `PATH`, or one of pyenv's.
pub fn of_version(version: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let named = std::env::split_paths(&path).map(|folder| folder.join(format!("python{version}")));
    // pyenv's file in PATH is a script that starts the version of the user's choice.
    named.chain(of_pyenv(version)).find(|file| is_program(file))
}

fn of_pyenv(version: &str) -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").unwrap_or_default();
    let versions = fs::read_dir(Path::new(&home).join(".pyenv/versions"));
    let folders = versions.into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<_> =
        folders.map(|folder| folder.join(format!("bin/python{version}"))).collect();
    found.sort();
    found
}

fn is_program(file: &Path) -> bool {
    let mut magic = [0; 4];
    let read = fs::File::open(file).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && magic == *b"\x7fELF"
}
