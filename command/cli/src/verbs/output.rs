//! The names of the profiles of one run: a template that the agents in its processes expand too.
//!
//! What must hold: two processes never write one file, and the files found after a run belong to
//! that run.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use omphalos_profile_format::name;

/// The names of profiles, with an absolute path.
pub struct Template {
    bytes: Vec<u8>,
    /// True where `%p` stands for the id of the program's own process, also in the processes that
    /// it starts.
    is_own: bool,
}

/// Returns the template for `program`: the one that was asked for, or a default. `ranks`: others
/// run the same command beside this one.
pub fn template(asked: Option<&Path>, program: &Path, ranks: bool) -> Template {
    let mut bytes = match asked {
        Some(asked) => asked.as_os_str().as_bytes().to_vec(),
        None => {
            let name = program.file_name().unwrap_or(OsStr::new("program"));
            let rank = if ranks { "-rank%r" } else { "" };
            let [start, end] = ["omphalos-", "-%p.omph"].map(str::as_bytes);
            [start, &name::literal(name.as_bytes()), rank.as_bytes(), end].concat()
        }
    };
    if ranks && is_same_for_all_ranks(&bytes) {
        bytes.extend_from_slice(b".rank%r");
    }
    if !bytes.starts_with(b"/") {
        let folder = std::env::current_dir().unwrap_or_else(|_| "/tmp".into());
        let folder = folder.as_os_str().as_bytes();
        let folder = name::literal(folder.strip_suffix(b"/").unwrap_or(folder));
        bytes = [&folder, &b"/"[..], &bytes].concat();
    }
    Template { bytes, is_own: asked.is_none() }
}

/// Whether the template gives every rank the same name.
fn is_same_for_all_ranks(template: &[u8]) -> bool {
    let has = |what: &[u8]| template.windows(2).any(|pair| pair == what);
    !has(b"%r") && !has(b"%q") && !name::tells_processes_apart(template)
}

impl Template {
    /// Returns the name of the profile of process `pid`.
    pub fn name(&self, pid: u32) -> PathBuf {
        PathBuf::from(OsString::from_vec(name::expand(&self.bytes, pid)))
    }

    /// Returns the template for the agents of the program `pid`, and of the processes that it
    /// starts.
    pub fn for_agent(&self, pid: u32) -> OsString {
        OsString::from_vec(match self.is_own {
            true => name::literal(&name::expand(&self.bytes, pid)),
            false => self.bytes.clone(),
        })
    }

    /// Returns the profiles that were written since `started`: that of the program's own process
    /// `pid` first, if it has one, then the others from the oldest.
    pub fn written(&self, pid: u32, started: SystemTime) -> Vec<PathBuf> {
        let own = self.name(pid);
        let (Some(folder), Some(first)) = (own.parent(), own.file_name()) else {
            return Vec::new();
        };
        // The form of a name, with any number in place of the process id.
        let (before, after) = match self.is_own {
            true => (first.as_bytes().to_vec(), None),
            false => around_pid(&self.bytes),
        };
        let is_ours = |path: &Path| {
            let name = path.file_name().unwrap_or_default().as_bytes();
            let middle = name.strip_prefix(&before[..]);
            let rest = middle.and_then(|middle| match &after {
                Some(after) => skip_digits(middle).strip_prefix(&after[..]),
                None => Some(middle),
            });
            let rest = rest.filter(|rest| rest.is_empty() || rest.starts_with(b"."));
            rest.is_some_and(|rest| rest.split(|byte| *byte == b'.').all(is_number))
        };
        // A file's time may be as old as the last tick of the kernel's clock.
        let since = started - Duration::from_millis(20);
        let mut found: Vec<(bool, SystemTime, PathBuf)> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| is_ours(path))
            .filter_map(|path| {
                // Agents follow no link.
                let data = path.symlink_metadata().ok().filter(|data| data.is_file())?;
                let changed = data.modified().ok()?;
                let made = data.created().unwrap_or(changed);
                (changed >= since).then(|| (path != own, made, path))
            })
            .collect();
        found.sort();
        found.into_iter().map(|(_, _, path)| path).collect()
    }
}

fn skip_digits(name: &[u8]) -> &[u8] {
    &name[name.iter().take_while(|byte| byte.is_ascii_digit()).count()..]
}

/// Whether a part is empty, or digits alone.
fn is_number(part: &[u8]) -> bool {
    part.iter().all(u8::is_ascii_digit)
}

/// Returns the texts before and after the process id in the last part of the path. Where the id is
/// not there: the whole last part, and `None`.
fn around_pid(template: &[u8]) -> (Vec<u8>, Option<Vec<u8>>) {
    let last = template.rsplit(|byte| *byte == b'/').next().unwrap_or(template);
    let at = (0..last.len()).find(|&at| {
        // An escaped % is no process id.
        last[at..].starts_with(b"%p")
            && name::expand(&last[..at + 2], 1) != name::expand(&last[..at + 2], 2)
    });
    match at {
        Some(at) => (name::expand(&last[..at], 0), Some(name::expand(&last[at + 2..], 0))),
        None => (name::expand(last, 0), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_for_ranks_and_processes() {
        let here = std::env::current_dir().unwrap();
        let of = |asked: Option<&str>, ranks| {
            template(asked.map(Path::new), Path::new("/a/50%p"), ranks)
        };
        assert_eq!(of(Some("x.%p.omph"), false).name(7), here.join("x.7.omph"));
        assert_eq!(of(None, false).name(7), here.join("omphalos-50%p-7.omph"));
        assert_eq!(of(Some("/x"), true).name(7), Path::new("/x.rank0"));
        assert_eq!(of(Some("/x%p"), true).name(7), Path::new("/x7"));
        assert_eq!(of(None, true).name(7), here.join("omphalos-50%p-rank0-7.omph"));
        let told = of(None, false).for_agent(7);
        assert_eq!(
            name::expand(told.as_bytes(), 9),
            here.join("omphalos-50%p-7.omph").as_os_str().as_bytes()
        );
        assert_eq!(of(Some("/x%p"), false).for_agent(7), "/x%p");
    }

    #[test]
    fn the_files_of_a_run_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| std::fs::write(folder.path().join(name), "x").unwrap();
        let started = SystemTime::now();
        for name in [
            "x.7.omph", "x.8.omph", "x.8.omph.8.2", "x.8.omph.old", "y.9.omph", "x.a.omph",
            "x.8.omph5",
        ] {
            write(name);
        }
        let asked = folder.path().join("x.%p.omph");
        let found = template(Some(&asked), Path::new("/a"), false).written(8, started);
        let names: Vec<_> = found.iter().map(|path| path.file_name().unwrap()).collect();
        assert_eq!(names[0], "x.8.omph");
        assert_eq!(names.len(), 3, "{names:?}");
        let later = started + Duration::from_secs(60);
        assert!(template(Some(&asked), Path::new("/a"), false).written(8, later).is_empty());
        let plain = folder.path().join("x.8.omph");
        let found = template(Some(&plain), Path::new("/a"), false).written(5, started);
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
