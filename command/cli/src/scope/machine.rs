//! The machine's programs: the loader's cache finds the chosen names in a folder of ours, before
//! the system's. Only this way serves setuid programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::change::{Change, Made};
use crate::failure::Failure;
use crate::install::Installation;
use crate::openmp;

/// The runtime whose place ours takes.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Runtime {
    /// GCC's.
    Libgomp,
    /// LLVM's.
    Libomp,
    /// Intel's.
    Libiomp5,
    /// All three.
    All,
}

/// A folder for the loader's cache, with links to the chosen names.
const FOLDER: &str = "/usr/local/lib/omphalos-ldconfig";
/// The loader's configuration for that folder, before all others.
const CONFIGURATION: &str = "/etc/ld.so.conf.d/00-omphalos.conf";
/// The library that all names need.
const LIBRARY: &str = "libomphalos.so";

impl Runtime {
    fn has(self, name: &str) -> bool {
        let begin = match self {
            Self::Libgomp => "libgomp.",
            Self::Libomp => "libomp.",
            Self::Libiomp5 => "libiomp5.",
            Self::All => "lib",
        };
        name.starts_with(begin)
    }
}

/// Returns the links to the chosen names, and the loader's configuration.
pub fn changes(chosen: &[Runtime], installation: &Installation) -> Result<Vec<Change>, Failure> {
    ldconfig()?;
    let folder = Path::new(FOLDER);
    let link = |name: &str, to: PathBuf| Change::Link { path: folder.join(name), to };
    let mut changes = vec![link(LIBRARY, installation.runtime()?)];
    for name in openmp::USUAL.iter().filter(|name| chosen.iter().any(|one| one.has(name))) {
        changes.push(link(name, installation.names().join(name)));
    }
    let text = format!("{FOLDER}\n");
    changes.push(Change::File { path: CONFIGURATION.into(), text });
    Ok(changes)
}

/// Returns our pieces for the chosen names, or all our pieces if no other name would be left.
pub fn made(chosen: &[Runtime]) -> Vec<Made> {
    let linked = |name: &&&str| Path::new(FOLDER).join(name).is_symlink();
    let (mut go, stay): (Vec<&str>, Vec<&str>) = openmp::USUAL
        .iter()
        .filter(linked)
        .partition(|name| chosen.iter().any(|one| one.has(name)));
    if stay.is_empty() {
        go.push(LIBRARY);
    }
    let mut paths: Vec<PathBuf> = go.iter().map(|name| Path::new(FOLDER).join(name)).collect();
    if stay.is_empty() {
        paths.push(CONFIGURATION.into());
    }
    paths.into_iter().filter(|path| path.is_symlink() || path.exists()).map(Made::Own).collect()
}

/// Removes our folder if it is empty, and renews the loader's cache.
pub fn refresh() -> Result<(), Failure> {
    let _ = std::fs::remove_dir(FOLDER);
    let status = Command::new(ldconfig()?).stdin(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::ours(format!("ldconfig ended with {status}"))),
        Err(error) => Err(Failure::ours(format!("cannot start ldconfig: {error}"))),
    }
}

/// Whether a file is in our folder for the loader's cache, whichever Omphalos made it.
pub fn is_ours(path: &Path) -> bool {
    path.starts_with(FOLDER)
}

/// Returns the loader's cached file for each name that programs ask for.
pub fn cached() -> Vec<(&'static str, Option<PathBuf>)> {
    let output = ldconfig()
        .ok()
        .and_then(|path| Command::new(path).arg("-p").stderr(Stdio::null()).output().ok());
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let text = text.unwrap_or_default();
    openmp::USUAL.iter().map(|name| (*name, first(&text, name))).collect()
}

/// Returns the first file of a name for 64-bit programs.
fn first(text: &str, name: &str) -> Option<PathBuf> {
    let begin = format!("{name} (libc6,x86-64");
    let line = text.lines().find(|line| line.trim_start().starts_with(&begin))?;
    line.split_once(" => ").map(|(_, path)| path.into())
}

fn ldconfig() -> Result<&'static str, Failure> {
    ["/sbin/ldconfig", "/usr/sbin/ldconfig", "/usr/bin/ldconfig"]
        .into_iter()
        .find(|path| Path::new(path).is_file())
        .ok_or_else(|| {
            Failure::ours(
                "this system has no ldconfig, which --as needs: use --for-user or `omphalos run`",
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_name_is_what_counts() {
        let text = "2 libs found\n\tlibgomp.so.1 (libc6,x86-64) => /a/libgomp.so.1\n\
                    \tlibgomp.so.1 (libc6,x86-64) => /b/libgomp.so.1\n\
                    \tlibomp.so (libc6) => /c/libomp.so\n";
        assert_eq!(first(text, "libgomp.so.1"), Some("/a/libgomp.so.1".into()));
        assert_eq!(first(text, "libomp.so"), None);
        assert!(Runtime::Libomp.has("libomp.so.5") && !Runtime::Libomp.has("libiomp5.so"));
    }
}
