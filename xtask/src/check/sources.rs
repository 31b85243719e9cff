//! Finds and reads the sources for the checks.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::tools::{read, root};

/// One file.
pub struct Source {
    /// Its path from the root of the tree.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// The file's text without its unit tests.
    pub fn code(&self) -> &str {
        self.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(&self.text)
    }

    /// The lines of [`Source::code`] with their numbers, without comments after `//`.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let bare = |line: &'_ str| -> usize { line.find("//").unwrap_or(line.len()) };
        self.code().lines().enumerate().map(move |(at, line)| (at + 1, &line[..bare(line)]))
    }

    /// Whether the file has nothing but tests.
    pub fn is_test(&self) -> bool {
        ["/tests.rs", "/model.rs"].iter().any(|end| self.path.ends_with(end))
    }
}

/// Returns all Rust files in a folder of the tree, in the order of their paths.
pub fn under(folder: &str) -> Outcome<Vec<Source>> {
    ending(folder, &["rs"])
}

/// Returns all files in a folder of the tree whose extension is one of `endings`, in the order of
/// their paths.
pub fn ending(folder: &str, endings: &[&str]) -> Outcome<Vec<Source>> {
    let mut paths = Vec::new();
    collect(&root().join(folder), endings, &mut paths)?;
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let shown = path.strip_prefix(root()).unwrap_or(path).display().to_string();
            Ok(Source { path: shown, text: read(path)? })
        })
        .collect()
}

/// The folders that hold the crates of the product; `program` is itself a crate.
pub const GROUPS: [&str; 6] = ["command", "debug", "lab", "profile", "program", "runtime"];

/// Returns the crates' folders, as paths from the root of the tree.
pub fn crates() -> Outcome<Vec<String>> {
    let mut folders = Vec::new();
    for group in GROUPS {
        if root().join(group).join("Cargo.toml").exists() {
            folders.push(group.to_owned());
            continue;
        }
        let folder = root().join(group);
        let failed = |e| format!("{}: {e}", folder.display());
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
            folders.push(format!("{group}/{name}"));
        }
    }
    folders.sort();
    Ok(folders)
}

/// Returns the folder of the crate whose folder has that name, as a path from the root of the tree.
pub fn folder_of(name: &str) -> String {
    let groups = GROUPS.into_iter().map(|group| format!("{group}/{name}"));
    let mut folders = groups.filter(|folder| root().join(folder).join("Cargo.toml").exists());
    folders.next().unwrap_or_else(|| name.to_owned())
}

/// Returns all Rust files of the product's crates.
pub fn of_crates() -> Outcome<Vec<Source>> {
    let mut all = Vec::new();
    for group in GROUPS {
        all.extend(under(group)?);
    }
    Ok(all)
}

fn collect(folder: &Path, endings: &[&str], files: &mut Vec<PathBuf>) -> Outcome {
    let failed = |e| format!("{}: {e}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            collect(&path, endings, files)?;
        } else if path.extension().is_some_and(|own| endings.iter().any(|one| own == *one)) {
            files.push(path);
        }
    }
    Ok(())
}
