//! An OpenMP runtime that a user names: by a folder, or by a library.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The names that programs ask for.
const NAMES: &[&str] = &["libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so"];
/// The files that are searched for in a folder, the best first.
const FILES: &[&str] =
    &["libomphalos.so", "libomp.so.5", "libomp.so", "libiomp5.so", "libgomp.so.1"];

/// A runtime.
pub struct Runtime {
    /// Its name in the table: its file's name.
    pub name: String,
    /// Its file.
    pub library: PathBuf,
}

impl Runtime {
    /// Finds the runtime in a folder; a path of a library is the runtime itself.
    pub fn find(path: &Path) -> Result<Runtime, String> {
        let library = if path.is_dir() {
            let found = FILES.iter().map(|name| path.join(name)).find(|file| file.exists());
            found.ok_or_else(|| {
                format!(
                    "{}: no OpenMP runtime in it (looked for {})",
                    path.display(),
                    FILES.join(", ")
                )
            })?
        } else {
            path.to_owned()
        };
        let library = library.canonicalize().map_err(|error| {
            format!(
                "no runtime {}: {error}; name a library, or the folder that it is in",
                library.display()
            )
        })?;
        let name = library.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Runtime { name, library })
    }

    /// Gives the runtime all its names in `folder`.
    pub fn link(&self, folder: &Path) -> Result<(), String> {
        for name in NAMES {
            symlink(&self.library, folder.join(name))
                .map_err(|error| format!("{}: {error}", folder.join(name).display()))?;
        }
        Ok(())
    }
}
