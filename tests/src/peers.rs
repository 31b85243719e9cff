//! The runtimes with which the bench compares ours: GCC's, LLVM's and Intel's, each under the name
//! that a compiler's programs ask for.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::paths;
use crate::runtime::Runtime;

const LIBGOMP: &str = "/usr/lib/x86_64-linux-gnu/libgomp.so.1";
const LIBOMP: &str = "/usr/lib/x86_64-linux-gnu/libomp.so.5";

/// A runtime and its name in tables.
pub struct Contender {
    /// Its name in tables.
    pub name: &'static str,
    /// The environment in which a program gets it.
    pub runtime: Runtime,
}

/// Returns our runtime and the peers that the machine has, for programs of gcc (`gnu`) or clang.
/// `OMPHALOS_IOMP5` names the file of libiomp5. Programs find each of them through a folder in
/// `LD_LIBRARY_PATH`, since the search is part of a program's start.
pub fn contenders(gnu: bool) -> Result<Vec<Contender>, String> {
    Runtime::Omphalos.check()?;
    let mut all = vec![Contender { name: "omphalos", runtime: Runtime::Omphalos }];
    let soname = if gnu { "libgomp.so.1" } else { "libomp.so.5" };
    let (stock, file) = if gnu { ("libgomp", LIBGOMP) } else { ("libomp", LIBOMP) };
    let there = Path::new(file).exists();
    let runtime = if there { posing(file.into(), soname)? } else { Runtime::Stock };
    all.push(Contender { name: stock, runtime });
    if gnu && Path::new(LIBOMP).exists() {
        all.push(Contender { name: "libomp", runtime: posing(LIBOMP.into(), soname)? });
    }
    if let Some(path) = std::env::var_os("OMPHALOS_IOMP5").filter(|p| !p.is_empty()) {
        all.push(Contender { name: "libiomp5", runtime: posing(path.into(), soname)? });
    }
    Ok(all)
}

/// Makes a folder in which `library` has the name `soname`.
fn posing(library: PathBuf, soname: &str) -> Result<Runtime, String> {
    let real = library.canonicalize().map_err(|e| format!("{}: {e}", library.display()))?;
    let name = real.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = paths::scratch(&format!("{name} as {soname}"));
    let link = folder.join(soname);
    symlink(&real, &link).map_err(|e| format!("{}: {e}", link.display()))?;
    Ok(Runtime::Directory(folder))
}
