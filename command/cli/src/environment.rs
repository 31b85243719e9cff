//! The environment of the program that we start. Our libraries stand before all others in it.
//!
//! `LD_LIBRARY_PATH` makes the usual names (`libgomp.so.1`, ...) ours. `LD_PRELOAD` puts our
//! symbols first even where a program has an RPATH or brings its own copy under another name
//! (`libgomp-a34b3233.so.1`, as Python's wheels do).

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;

/// Variables to set for the program, or to remove.
#[derive(Default, Debug)]
pub struct Environment {
    variables: Vec<(OsString, OsString)>,
    removed: Vec<OsString>,
}

impl Environment {
    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.variables.retain(|(known, _)| known != name);
        self.variables.push((name.into(), value.into()));
    }

    /// Renames a variable that is set.
    pub fn rename(&mut self, name: &str, new: &str) {
        if let Some(value) = self.get(name) {
            self.set(new, value);
            self.variables.retain(|(known, _)| known != name);
            self.removed.push(name.into());
        }
    }

    /// Prepares the command that becomes the program.
    pub fn apply(&self, command: &mut Command) {
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        for name in &self.removed {
            command.env_remove(name);
        }
    }

    /// Puts `first` before the content of the list `name`, once.
    pub fn prepend(&mut self, name: &str, first: &OsStr) {
        let value = prepended(first, self.get(name).as_deref());
        self.set(name, value);
    }

    /// Makes the loader take `library` before all others.
    pub fn preload(&mut self, library: &Path) -> Result<(), Failure> {
        // The loader splits LD_PRELOAD at spaces too, LD_LIBRARY_PATH at `:` and `;` only.
        let spaced = library.as_os_str().as_bytes().contains(&b' ');
        if library.as_os_str().as_bytes().iter().any(|byte| b":;\n".contains(byte)) {
            return Err(Failure::ours(format!(
                "the loader cannot be told of {}: its path holds `:` or `;`; install Omphalos \
                 under a path without them",
                library.display()
            )));
        }
        match (spaced, library.parent(), library.file_name()) {
            (true, Some(folder), Some(name)) => {
                self.prepend("LD_LIBRARY_PATH", folder.as_os_str());
                self.prepend("LD_PRELOAD", name);
            }
            _ => self.prepend("LD_PRELOAD", library.as_os_str()),
        }
        Ok(())
    }

    /// Makes the loader load `names` first. It searches for them as for any library.
    pub fn preload_by_name(&mut self, names: &[String]) {
        for name in names.iter().rev() {
            self.prepend("LD_PRELOAD", OsStr::new(name));
        }
    }

    fn get(&self, name: &str) -> Option<OsString> {
        let own = self.variables.iter().find(|(known, _)| known == name);
        own.map(|(_, value)| value.clone()).or_else(|| std::env::var_os(name))
    }
}

fn prepended(first: &OsStr, rest: Option<&OsStr>) -> OsString {
    let mut value = first.as_bytes().to_vec();
    let rest = rest.map_or(&[][..], OsStr::as_bytes);
    // If an outer `omphalos run` put the entry there, it is not repeated. Empty entries stay, since
    // in LD_LIBRARY_PATH they mean the current directory.
    for entry in rest.split(|byte| *byte == b':').filter(|entry| *entry != first.as_bytes()) {
        if !rest.is_empty() {
            value.push(b':');
            value.extend_from_slice(entry);
        }
    }
    OsString::from_vec(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(first: &str, rest: Option<&str>) -> String {
        prepended(first.as_ref(), rest.map(OsStr::new)).into_string().unwrap()
    }

    #[test]
    fn lists_are_prepended_once() {
        assert_eq!(joined("/o/lib", None), "/o/lib");
        assert_eq!(joined("/o/lib", Some("")), "/o/lib");
        assert_eq!(joined("/o/lib", Some("/a:/b")), "/o/lib:/a:/b");
        assert_eq!(joined("/o/lib", Some("/o/lib:/b")), "/o/lib:/b");
        assert_eq!(joined("/o/lib", Some("/a:")), "/o/lib:/a:");
    }

    #[test]
    fn a_path_with_a_space_is_given_by_name() {
        let mut environment = Environment::default();
        environment.set("LD_LIBRARY_PATH", "/x");
        environment.set("LD_PRELOAD", "");
        environment.preload(Path::new("/my tree/lib/libomphalos.so")).unwrap();
        let value = |name| environment.get(name).unwrap().into_string().unwrap();
        assert_eq!(value("LD_LIBRARY_PATH"), "/my tree/lib:/x");
        assert_eq!(value("LD_PRELOAD"), "libomphalos.so");
        assert!(environment.preload(Path::new("/a:b/libomphalos.so")).is_err());
    }
}
