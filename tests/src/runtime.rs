//! The OpenMP runtimes that a program can run on; its environment alone selects one.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::paths;

/// The OpenMP runtime that a program gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// The one its compiler came with.
    Stock,
    /// Ours, from [`paths::lib`].
    Omphalos,
    /// The library in the directory that has the name that the program asks for.
    Directory(PathBuf),
}

impl Runtime {
    /// The name in messages.
    pub fn name(&self) -> String {
        match self {
            Runtime::Stock => "the compiler's own runtime".into(),
            Runtime::Omphalos => "Omphalos".into(),
            Runtime::Directory(path) => path.display().to_string(),
        }
    }

    /// Prepares `command`. Removes every `OMP_*`, `GOMP_*`, `KMP_*` and loader variable first, and
    /// those of the profiler, so that the tester's own environment has no effect.
    pub fn apply(&self, command: &mut Command) {
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if ["OMP_", "GOMP_", "KMP_", "OMPHALOS_PROFILE"].iter().any(|p| text.starts_with(p)) {
                command.env_remove(&name);
            }
        }
        // The options of `cargo xtask tsan` are for what it has built.
        if *self == Runtime::Stock {
            command.env_remove("TSAN_OPTIONS");
        }
        command.env_remove("LD_PRELOAD").env_remove("LD_LIBRARY_PATH");
        if let Some(path) = self.library_path() {
            command.env("LD_LIBRARY_PATH", path);
            if let Some(library) = paths::preload() {
                command.env("LD_PRELOAD", library);
            }
        }
    }

    /// The directory that goes before the loader's own, if any.
    pub fn library_path(&self) -> Option<PathBuf> {
        match self {
            Runtime::Stock => None,
            Runtime::Omphalos => Some(paths::lib()),
            Runtime::Directory(path) => Some(path.clone()),
        }
    }

    /// Fails with a message on what to do if the runtime does not exist.
    pub fn check(&self) -> Result<(), String> {
        let Some(path) = self.library_path() else { return Ok(()) };
        let present = |name: &str| Path::new(&path).join(name).exists();
        if present("libgomp.so.1") || present("libomp.so.5") {
            Ok(())
        } else {
            Err(format!(
                "{}: no OpenMP runtime there: build it with `cargo xtask dist`, or name its \
                 directory in OMPHALOS_LIB",
                path.display()
            ))
        }
    }
}
