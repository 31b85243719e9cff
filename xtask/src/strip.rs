//! Splits a library: what a program loads, and the debug information, in a file of its own that
//! debuggers find.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::tools::{self, copy, make_dir, target_dir};

/// Lays out `library` as `folder`/NAME without symbols and debug information, these as
/// `folder`/.debug/NAME.debug, and that one by its build id under `folder`/debug. Debuggers look
/// beside the library, and in `.debug` there, for the name that it says, and for the build id under
/// `/usr/lib/debug`, which `folder`/debug is when the tree is copied over `/usr`. Right beside it
/// `ldconfig` would take the file for a library.
pub fn split(library: &Path, folder: &Path) -> Outcome {
    let name = library.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let work = target_dir().join("link/stripped");
    make_dir(&work)?;
    let (plain, debug) = (work.join(&name), work.join(format!("{name}.debug")));
    let mut keep = Command::new("objcopy");
    tools::run(keep.arg("--only-keep-debug").arg(library).arg(&debug))?;
    let mut strip = Command::new("objcopy");
    strip.arg("--strip-unneeded").arg(format!("--add-gnu-debuglink={}", debug.display()));
    tools::run(strip.arg(library).arg(&plain))?;
    copy(&plain, &folder.join(&name))?;
    copy(&debug, &folder.join(".debug").join(format!("{name}.debug")))?;
    by_build_id(&plain, &name, &folder.join("debug"))
}

fn by_build_id(library: &Path, name: &str, folder: &Path) -> Outcome {
    let notes = tools::output(Command::new("readelf").arg("-nW").arg(library))?;
    let id = notes.split_once("Build ID:").and_then(|(_, rest)| rest.split_whitespace().next());
    let Some((first, rest)) = id.and_then(|id| id.split_at_checked(2)) else {
        return Err(format!("{} has no build id", library.display()));
    };
    let place = folder.join(".build-id").join(first);
    make_dir(&place)?;
    let link = place.join(format!("{rest}.debug"));
    let _ = std::fs::remove_file(&link);
    symlink(Path::new("../../../.debug").join(format!("{name}.debug")), &link)
        .map_err(|error| format!("cannot link {}: {error}", link.display()))
}
