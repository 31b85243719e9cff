//! Finds a source file: at the path in the debug information, below folders that the user names, or
//! among the files that debuginfod's client has fetched.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Larger files are not read: a program made them.
const LARGEST: u64 = 16 << 20;
/// The most files of a folder that are looked at.
const MOST_FILES: usize = 100_000;

/// The places to look in.
#[derive(Debug, Default)]
pub struct SourceFiles {
    folders: Vec<PathBuf>,
    cache: Option<PathBuf>,
    /// All files below the folders, by their names; read when first asked for.
    names: Option<HashMap<std::ffi::OsString, Vec<PathBuf>>>,
    /// The lines of files that were asked for line by line.
    known: HashMap<String, Option<Vec<String>>>,
}

/// A file that was found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) lines: Vec<String>,
    pub(crate) modified: Option<SystemTime>,
}

impl SourceFiles {
    /// Looks also below `folders`, and in the cache of debuginfod's client.
    pub fn new(folders: &[PathBuf]) -> SourceFiles {
        let cache = debuginfod_cache();
        SourceFiles { folders: folders.to_vec(), cache, ..SourceFiles::default() }
    }

    /// Returns the file that the debug information of the module with `build_id` calls `name`.
    pub(crate) fn find(&mut self, name: &str, build_id: &[u8]) -> Option<Found> {
        let path = Path::new(name);
        read(path)
            .or_else(|| read(&self.below_folders(path)?))
            .or_else(|| read(&self.in_cache(name, build_id)?))
    }

    /// Returns a line of such a file.
    pub(crate) fn line(&mut self, name: &str, build_id: &[u8], line: u32) -> Option<String> {
        if !self.known.contains_key(name) {
            let found = self.find(name, build_id);
            self.known.insert(name.to_owned(), found.map(|found| found.lines));
        }
        self.known[name].as_ref()?.get(line.checked_sub(1)? as usize).cloned()
    }

    /// Returns the file below the folders whose path agrees in the most parts, from the end on.
    fn below_folders(&mut self, path: &Path) -> Option<PathBuf> {
        if self.folders.is_empty() {
            return None;
        }
        let names = self.names.get_or_insert_with(|| all_below(&self.folders));
        let agreeing = |candidate: &Path| {
            let parts = candidate.components().rev().zip(path.components().rev());
            parts.take_while(|(one, other)| one == other).count()
        };
        let candidates = names.get(path.file_name()?)?;
        // The shortest path of equals is taken: a copy lies deeper than its original.
        candidates
            .iter()
            .max_by_key(|candidate| {
                (agreeing(candidate), std::cmp::Reverse(candidate.as_os_str().len()))
            })
            .cloned()
    }

    fn in_cache(&self, name: &str, build_id: &[u8]) -> Option<PathBuf> {
        let id: String = build_id.iter().map(|byte| format!("{byte:02x}")).collect();
        let folder = self.cache.as_ref().filter(|_| !id.is_empty())?.join(id);
        let files = fs::read_dir(folder).ok()?.flatten();
        let is_it = |entry: &fs::DirEntry| is_named_for(&entry.file_name(), name);
        files.filter(is_it).map(|entry| entry.path()).min()
    }
}

/// Whether a file of debuginfod's cache is named after the path `name`: `source`, then the path
/// with other characters for its slashes; since elfutils 0.192 only the path's end, after a hash.
fn is_named_for(file: &OsStr, name: &str) -> bool {
    let Some(rest) = file.to_str().and_then(|file| file.strip_prefix("source")) else {
        return false;
    };
    let hash = |part: &&str| part.len() == 8 && part.bytes().all(|b| b.is_ascii_hexdigit());
    let after_hash = rest.strip_prefix('-').and_then(|rest| {
        let (first, end) = rest.split_once('-')?;
        hash(&first).then_some(end)
    });
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (wanted, own) = (parts(name), parts(after_hash.unwrap_or(rest)));
    let base = parts(name.rsplit('/').next().unwrap_or(name));
    match after_hash {
        Some(_) => own.len() >= base.len() && wanted.ends_with(&own),
        None => !own.is_empty() && own == wanted,
    }
}

/// Returns the cache folder as debuginfod's client chooses it.
fn debuginfod_cache() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(path) = variable("DEBUGINFOD_CACHE_PATH") {
        return Some(path.into());
    }
    let home = variable("HOME").map(PathBuf::from);
    let old = home.as_ref().map(|home| home.join(".debuginfod_client_cache"));
    if let Some(old) = old.filter(|old| old.is_dir()) {
        return Some(old);
    }
    let caches = variable("XDG_CACHE_HOME").map(PathBuf::from);
    Some(caches.or_else(|| Some(home?.join(".cache")))?.join("debuginfod_client"))
}

fn all_below(folders: &[PathBuf]) -> HashMap<std::ffi::OsString, Vec<PathBuf>> {
    let mut names: HashMap<_, Vec<PathBuf>> = HashMap::new();
    let mut open: std::collections::VecDeque<PathBuf> = folders.iter().cloned().collect();
    let mut count = 0;
    while let Some(folder) = open.pop_front() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            // Links to folders are not followed, so this ends.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push_back(entry.path()),
                Ok(_) => names.entry(entry.file_name()).or_default().push(entry.path()),
                Err(_) => {}
            }
            count += 1;
        }
        if count > MOST_FILES {
            break;
        }
    }
    names
}

fn read(path: &Path) -> Option<Found> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    let text = fs::read(path).ok()?;
    let lines = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
    Some(Found { path: path.to_owned(), lines, modified: metadata.modified().ok() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_end_of_a_path_counts() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a.c", "copy/of/src/a.c", "src/a.c", "other/a.c", "src/deep/b.c"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x\n").unwrap();
        }
        let mut files = SourceFiles::new(&[folder.path().to_owned()]);
        let mut found = |name: &str| {
            let found = files.find(name, &[])?;
            Some(found.path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned())
        };
        assert_eq!(found("/build/1/src/a.c").unwrap(), "src/a.c");
        assert_eq!(found("/build/1/other/a.c").unwrap(), "other/a.c");
        assert_eq!(found("/build/1/a.c").unwrap(), "a.c");
        assert_eq!(found("/build/b.c").unwrap(), "src/deep/b.c");
        assert_eq!(found("/build/c.c"), None);
    }

    #[test]
    fn files_of_debuginfods_cache_are_known_by_their_names() {
        let is = |file: &str, name: &str| is_named_for(OsStr::new(file), name);
        assert!(is("source##usr##src##debug##a-1.0##x.c", "/usr/src/debug/a-1.0/x.c"));
        assert!(is("source-0a1b2c3d-#usr#src#debug#x.c", "/usr/src/debug/x.c"));
        assert!(is("source-0a1b2c3d-debug#x.c", "/usr/src/debug/x.c"));
        assert!(!is("source##usr##src##debug##y.c", "/usr/src/debug/x.c"));
        assert!(!is("source##debug##x.c", "/usr/src/debug/x.c"));
        assert!(!is("debuginfo", "/debuginfo"));
    }
}
