//! A virtual or conda environment: its Python loads the runtime before any module does. So an
//! extension module calls our runtime, whatever name the runtime in its wheel has, and whether or
//! not the environment is activated.

use std::path::{Path, PathBuf};

use crate::change::{Change, Made};
use crate::failure::Failure;
use crate::install::Installation;

/// Each Python of the environment executes a file of this kind at its start.
const FILE: &str = "omphalos-runtime.pth";

/// Returns the environment: the named one, or the active one.
pub fn folder(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let folder = match named {
        Some(named) => named.to_owned(),
        None => ["VIRTUAL_ENV", "CONDA_PREFIX"]
            .iter()
            .find_map(std::env::var_os)
            .map(PathBuf::from)
            .ok_or_else(|| {
                Failure::ours("no environment is active: activate one, or name it: --for-venv DIR")
            })?,
    };
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    let is_one = ["pyvenv.cfg", "conda-meta"].iter().any(|name| folder.join(name).exists());
    if is_one && !sites(&folder).is_empty() {
        return Ok(folder);
    }
    Err(Failure::ours(format!(
        "{} is no Python environment: `python3 -m venv DIR` makes one",
        folder.display()
    )))
}

/// Returns one file for each Python of the environment.
pub fn changes(environment: &Path, installation: &Installation) -> Result<Vec<Change>, Failure> {
    let runtime = installation.runtime()?;
    let shown = runtime.to_str().filter(|text| !text.contains(['"', '\\', '\n']));
    let Some(runtime) = shown else {
        return Err(Failure::ours(format!(
            "Python cannot be told of {}: install Omphalos under a path of plain characters",
            runtime.display()
        )));
    };
    let text = format!(
        "import ctypes, os; os.path.exists(\"{runtime}\") and ctypes.CDLL(\"{runtime}\", \
         mode=ctypes.RTLD_GLOBAL)\n"
    );
    let file = |site: PathBuf| Change::File { path: site.join(FILE), text: text.clone() };
    Ok(sites(environment).into_iter().map(file).collect())
}

/// Returns our files in an environment.
pub fn made(environment: &Path) -> Vec<Made> {
    let files = sites(environment).into_iter().map(|site| site.join(FILE));
    files.filter(|file| file.exists()).map(Made::Own).collect()
}

/// Returns the folders of modules, one for each version of Python.
fn sites(environment: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(environment.join("lib")).into_iter().flatten().flatten();
    let mut sites: Vec<_> = entries
        .filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"python3"))
        .map(|entry| entry.path().join("site-packages"))
        .filter(|site| site.is_dir())
        .collect();
    // `lib/python3` may lead to `lib/python3.12`.
    sites.sort();
    sites.dedup_by_key(|site| site.canonicalize().ok());
    sites
}
