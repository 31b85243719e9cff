//! Finds the files of a process that lived in a container, for a reader of its profile outside:
//! they are below the root that the process had.
//!
//! A profile that was written inside a container is below that root, too; and while the process
//! exists, `/proc` leads to it. What must hold: a file counts only if it is the very same build.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use object::Object;

use super::ModuleInfo;

/// Sets the path of each of `modules` whose file is not there to one at which this process finds
/// it. `profile`: the profile's path; `pid`: the process that was profiled.
pub fn find_elsewhere(modules: &mut [ModuleInfo], profile: &Path, pid: u32) {
    let roots = roots(profile, pid);
    for module in modules.iter_mut().filter(|module| !module.build_id.is_empty()) {
        let Ok(relative) = module.path.strip_prefix("/") else { continue };
        let candidates = roots.iter().map(|root| root.join(relative));
        let candidates: Vec<PathBuf> = candidates.filter(|path| path.is_file()).collect();
        if candidates.is_empty() || is_build(&module.path, &module.build_id) {
            continue;
        }
        let mut found = candidates.into_iter().filter(|path| is_build(path, &module.build_id));
        if let Some(path) = found.next() {
            module.path = path;
        }
    }
}

/// The folders that the process may have had as its root, the innermost first.
fn roots(profile: &Path, pid: u32) -> Vec<PathBuf> {
    let same = |path: &Path| {
        let number = |data: fs::Metadata| (data.dev(), data.ino());
        fs::metadata(path).ok().map(number) == fs::metadata("/").ok().map(number)
    };
    let folder = std::path::absolute(profile).unwrap_or_default();
    let above = folder.ancestors().skip(1).filter(|path| path.parent().is_some());
    let of_process = PathBuf::from(format!("/proc/{pid}/root"));
    let mut roots: Vec<PathBuf> = above.map(Path::to_owned).collect();
    roots.extend(Some(of_process).filter(|root| !same(root)));
    roots
}

fn is_build(path: &Path, build_id: &[u8]) -> bool {
    let is_it = || {
        let file = fs::File::open(path).ok()?;
        // SAFETY: the mapping is private and read-only; files of code are not cut off while they
        // are read, as with every mapped input.
        let map = unsafe { memmap2::Mmap::map(&file) }.ok()?;
        Some(object::File::parse(&*map).ok()?.build_id().ok()?? == build_id)
    };
    is_it() == Some(true)
}
