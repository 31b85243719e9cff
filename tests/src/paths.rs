//! The places of things: the sources of the tests, the installed tree, the cache of compiled
//! programs.
//!
//! `OMPHALOS_DIST` names the installed tree (default `target/dist`), `OMPHALOS_LIB` its library
//! directory alone, and `OMPHALOS_TEST_CACHE` the cache (default `target/test-programs`).

use std::env;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the repository").into()
}

/// The folder of the tests.
pub fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).into()
}

/// The installed tree.
pub fn dist() -> PathBuf {
    variable("OMPHALOS_DIST").unwrap_or_else(|| repository().join("target/dist"))
}

/// The directory that holds `libomphalos.so` and its links.
pub fn lib() -> PathBuf {
    variable("OMPHALOS_LIB").unwrap_or_else(|| dist().join("lib"))
}

/// A library that programs on our runtime load first: ThreadSanitizer's, for a runtime built with
/// it.
pub fn preload() -> Option<PathBuf> {
    variable("OMPHALOS_TEST_PRELOAD")
}

/// The installed `omphalos` program.
pub fn omphalos() -> PathBuf {
    dist().join("bin/omphalos")
}

/// Returns the only version of LLVM, if `OMPHALOS_TEST_LLVM` names one: its compilers, runtime and
/// debugger then stand for those of 19 and 22, both of which a machine for tests usually has.
pub fn only_llvm() -> Option<u32> {
    let version = env::var("OMPHALOS_TEST_LLVM").ok().filter(|v| !v.is_empty())?;
    Some(version.parse().unwrap_or_else(|_| panic!("OMPHALOS_TEST_LLVM={version}: no version")))
}

/// The folder that keeps compiled test programs between runs.
pub fn cache() -> PathBuf {
    let path = variable("OMPHALOS_TEST_CACHE").unwrap_or_else(|| {
        variable("CARGO_TARGET_DIR")
            .unwrap_or_else(|| repository().join("target"))
            .join("test-programs")
    });
    std::fs::create_dir_all(&path)
        .unwrap_or_else(|e| panic!("{}: {e}: set OMPHALOS_TEST_CACHE", path.display()));
    path
}

/// Makes a new, empty directory for one test's files, below the cache.
pub fn scratch(name: &str) -> PathBuf {
    let safe: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let path = cache().join("scratch").join(safe);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    path
}

/// Returns the C sources of a program or library: the file itself, or all files of a folder.
pub fn sources(path: &Path) -> Vec<PathBuf> {
    let Ok(folder) = std::fs::read_dir(path) else { return vec![path.into()] };
    let mut sources: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    sources.retain(|source| source.extension().is_some_and(|extension| extension == "c"));
    sources.sort();
    sources
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from)
}
