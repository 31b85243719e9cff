//! The way in which the loader finds a program's OpenMP runtimes, which decides what can replace
//! them. `LD_LIBRARY_PATH` comes after `DT_RPATH` and before `DT_RUNPATH`; the folders of
//! `ldconfig` come after both. Neither helps if the program names a library by its path.

use std::path::{Path, PathBuf};

use crate::elf::Elf;
use crate::loader::Loaded;

/// A program or library, and its file.
pub struct Object {
    /// The name in messages.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The content of the file.
    pub elf: Elf,
}

/// The way that leads the loader to a library.
#[derive(Debug, PartialEq, Eq)]
pub enum Lead {
    /// An object names it by its path.
    Path(String),
    /// An object's `DT_RPATH`: its name and the folder as it stands there.
    Rpath(String, String),
    /// An object's `DT_RUNPATH`: its name and the folder as it stands there.
    Runpath(String, String),
    /// A folder of `LD_LIBRARY_PATH`.
    Environment,
    /// The folders of `ldconfig`, or the system's own.
    System,
}

/// Returns the way to `library`, which the `objects` (the program first) have the loader find.
pub fn lead(library: &Loaded, objects: &[Object], environment: &[PathBuf]) -> Lead {
    let asking = || objects.iter().filter(|object| object.elf.needed.contains(&library.name));
    if library.name.contains('/') {
        let by = asking().next().map_or("the environment", |object| object.name.as_str());
        return Lead::Path(by.to_owned());
    }
    let file = library.path.as_deref().and_then(|path| path.canonicalize().ok());
    let holds = |folder: &Path| {
        let there = folder.join(&library.name).canonicalize();
        file.is_some() && there.ok() == file
    };
    let has = |object: &Object, folders: &[String]| {
        folders.iter().find(|folder| holds(&expanded(folder, &object.path))).cloned()
    };
    for object in asking() {
        let first = || environment.iter().any(|folder| holds(folder));
        if let Some(folder) = has(object, &object.elf.runpath).filter(|_| !first()) {
            return Lead::Runpath(object.name.clone(), folder);
        }
    }
    // DT_RPATH serves the libraries that the object needs, and those that these need in turn,
    // unless they have a DT_RUNPATH.
    let own = asking().any(|object| object.elf.runpath.is_empty());
    for object in objects.iter().filter(|object| own && object.elf.runpath.is_empty()) {
        if let Some(folder) = has(object, &object.elf.rpath) {
            return Lead::Rpath(object.name.clone(), folder);
        }
    }
    match environment.iter().any(|folder| holds(folder)) {
        true => Lead::Environment,
        false => Lead::System,
    }
}

/// Returns a folder of an object with `$ORIGIN` replaced.
fn expanded(folder: &str, object: &Path) -> PathBuf {
    let real = object.canonicalize().unwrap_or_else(|_| object.to_owned());
    let origin = real.parent().unwrap_or(Path::new("/")).to_string_lossy();
    folder.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin).into()
}

impl Lead {
    /// Returns the way in words.
    pub fn in_words(&self) -> String {
        let short = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
        match self {
            Self::Path(by) => format!("{} names it by its path", short(by)),
            Self::Rpath(of, folder) => format!("{} finds it in its RPATH {folder}", short(of)),
            Self::Runpath(of, folder) => format!("{} finds it in its RUNPATH {folder}", short(of)),
            Self::Environment => "LD_LIBRARY_PATH leads to it".into(),
            Self::System => "it is in the system's folders".into(),
        }
    }
}
