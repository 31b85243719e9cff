//! The place of a profile: checked before the run, with an earlier file there put aside.

use std::path::{Path, PathBuf};

use crate::export;
use crate::failure::Failure;
use crate::terminal;
use crate::verbs::report::typed;

/// A file in the profile's place: it is put aside while the program runs.
pub(in crate::verbs) struct Earlier {
    path: PathBuf,
    aside: PathBuf,
}

impl Earlier {
    pub(super) fn put_aside(path: &Path) -> std::io::Result<Earlier> {
        let aside = export::beside(path, "earlier");
        std::fs::rename(path, &aside)?;
        Ok(Earlier { path: path.to_owned(), aside })
    }

    /// Gives way to the profile of this run, if there is one.
    pub(in crate::verbs) fn settle(self) {
        if self.path.exists() {
            let was_profile = std::fs::metadata(&self.aside).is_ok_and(|there| there.len() > 0);
            let removed = match self.aside.is_dir() {
                true => std::fs::remove_dir_all(&self.aside),
                false => std::fs::remove_file(&self.aside),
            };
            if removed.is_ok() && was_profile {
                terminal::say(&format!("{} took the place of an earlier one", typed(&self.path)));
            }
        }
    }
}

impl Drop for Earlier {
    /// Puts the file back if no other one has taken its place.
    fn drop(&mut self) {
        if self.aside.exists() && !self.path.exists() {
            let _ = std::fs::rename(&self.aside, &self.path);
        }
    }
}

/// Makes sure before the run that the profile can be written.
pub(in crate::verbs) fn prepare(output: &Path, named: bool) -> Result<Option<Earlier>, Failure> {
    let cannot = |why: &dyn std::fmt::Display| {
        Failure::ours(format!(
            "cannot write the profile {}: {why}; name another place with --output FILE",
            output.display()
        ))
    };
    let mut earlier = None;
    if named && output.exists() {
        if !is_profile_or_empty(output) {
            return Err(cannot(&"the file exists and is not a profile"));
        }
        earlier = Some(Earlier::put_aside(output).map_err(|error| cannot(&error))?);
    }
    // The agent makes the file when OpenMP starts: if the file is not there, OpenMP never started.
    let made = std::fs::OpenOptions::new().write(true).create_new(true).open(output);
    made.map_err(|error| cannot(&error))?;
    std::fs::remove_file(output).map_err(|error| cannot(&error))?;
    Ok(earlier)
}

fn is_profile_or_empty(path: &Path) -> bool {
    use std::io::Read;
    let mut start = Vec::new();
    let file = match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => std::fs::File::open(path),
        _ => return false,
    };
    let read = file.and_then(|file| file.take(8).read_to_end(&mut start));
    read.is_ok() && (start.is_empty() || start == omphalos_profile_format::FILE_MAGIC)
}
