//! Splits a library in two: the file that a program loads, and a file with the debug information,
//! which debuggers find.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::tools::{self, copy, make_dir, target_dir};

/// Splits `library` and lays out three things:
/// - `folder`/NAME: the library without symbols and debug information;
/// - `folder`/.debug/NAME.debug: the symbols and the debug information;
/// - `folder`/debug: a link to that file by its build id.
///
/// Debuggers look for the file that the library names, beside the library and in `.debug` there.
/// They look for the build id under `/usr/lib/debug`, which `folder`/debug is when the tree is
/// copied over `/usr`. The file is not right beside the library, because `ldconfig` would take it
/// for a library.
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
