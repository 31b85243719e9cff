//! Decides which `libompd.so` this program may load: one beside the runtime that root or this user
//! put there, and that nobody else can have written.
//!
//! The caller is `foreign`, for a process on another runtime, unless the user named a library.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The `libompd.so` beside a runtime, or the reason why none is used.
pub fn beside(runtime: &Path) -> Result<PathBuf, String> {
    let folder = runtime.parent().unwrap_or(Path::new("/"));
    let found = folder.join("libompd.so");
    // The target of a link is the file that would be loaded, so the target is judged.
    let found = found
        .canonicalize()
        .map_err(|_| format!("there is no libompd.so beside it in {}", folder.display()))?;
    let folder = found.parent().unwrap_or(Path::new("/"));
    for place in [&*found, folder] {
        if !is_trusted(place) {
            return Err(format!(
                "{} could have been changed by somebody else than root and you, so it is not \
                 loaded; if you trust it, name it: --ompd {}",
                place.display(),
                found.display()
            ));
        }
    }
    Ok(found)
}

/// Whether nobody but root and this user can have written it.
fn is_trusted(place: &Path) -> bool {
    const WRITE_FOR_OTHERS: u32 = 0o022;
    // SAFETY: has no preconditions.
    let user = unsafe { libc::geteuid() };
    std::fs::metadata(place).is_ok_and(|data| {
        (data.uid() == 0 || data.uid() == user) && data.mode() & WRITE_FOR_OTHERS == 0
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_library_that_others_may_write_is_not_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let runtime = folder.path().join("libomp.so.5");
        assert!(beside(&runtime).unwrap_err().contains("no libompd.so beside it"));
        let library = folder.path().join("libompd.so");
        std::fs::write(&library, "").unwrap();
        let rights = |mode| std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(folder.path(), rights(0o755)).unwrap();
        std::fs::set_permissions(&library, rights(0o644)).unwrap();
        assert_eq!(beside(&runtime).unwrap(), library.canonicalize().unwrap());
        std::fs::set_permissions(&library, rights(0o666)).unwrap();
        assert!(beside(&runtime).unwrap_err().contains("somebody else"));
        std::fs::set_permissions(&library, rights(0o644)).unwrap();
        std::fs::set_permissions(folder.path(), rights(0o777)).unwrap();
        assert!(beside(&runtime).unwrap_err().contains("somebody else"));
    }
}
