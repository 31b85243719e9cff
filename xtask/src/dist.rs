//! `dist`: lays out an installable tree in `target/dist`.
//!
//! The tree can be copied anywhere, or over `/usr/local`: the program finds its libraries
//! relative to itself. All names of the runtime are links to one file, because the loader knows a
//! library by its inode: a process that asks for `libgomp.so.1` and for `libomp.so.5` gets one.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::build::{self, Built};
use crate::link;
use crate::strip;
use crate::tools::{self, copy, make_dir, root, step, target_dir};

/// The names that programs ask for, all links to `libomphalos.so`. A program that is linked with a
/// library file without a name inside asks for the file's name: so numba's pool asks for
/// `libgomp.so.1.0.0`. Only linkers ask for `libgomp.so`.
pub const RUNTIME_NAMES: &[&str] =
    &["libgomp.so.1", "libgomp.so.1.0.0", "libomp.so.5", "libomp.so", "libiomp5.so"];

/// Builds and lays out the tree; returns its folder.
pub fn run() -> Outcome<PathBuf> {
    let built = build::run()?;
    let dist = target_dir().join("dist");
    lay_out(&built, &dist)?;
    step(&format!("{} is ready", dist.display()));
    Ok(dist)
}

/// Lays out the built files in the folder `dist`.
pub fn lay_out(built: &Built, dist: &Path) -> Outcome {
    let program = dist.join("bin/omphalos");
    copy(&built.program, &program)?;
    copy(&built.agent, &dist.join("lib/omphalos/libomphalos_agent.so"))?;
    copy(&built.recorder, &dist.join("lib/omphalos/libomphalos_recorder.so"))?;
    // Links of earlier builds would lead nowhere.
    let _ = std::fs::remove_dir_all(dist.join("lib/debug"));
    strip::split(&built.runtime.library, &dist.join("lib"))?;
    for (library, name) in &built.debuggers {
        let named = built.runtime.library.with_file_name(name);
        copy(library, &named)?;
        strip::split(&named, &dist.join("lib"))?;
    }
    name_runtime(&dist.join("lib"))?;
    by_names(&built.runtime.library, &dist.join("lib/ldconfig"))?;
    link::omptarget::link(&built.runtime.library, &dist.join("lib/omptarget"))?;
    copy_tree(&root().join("runtime/abi/include"), &dist.join("include"))?;
    generated(&program, &dist.join("share"))?;
    debuggers(dist)?;
    let doc = dist.join("share/doc/omphalos");
    for file in ["README.md", "ARCHITECTURE.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(file), &doc.join(file))?;
    }
    copy_tree(&root().join("docs"), &doc.join("docs"))
}

/// Fills the folder that `/etc/ld.so.conf.d` may name, and in which `omphalos run` lets the loader
/// look up names.
fn by_names(library: &Path, folder: &Path) -> Outcome {
    link::names::link(library, RUNTIME_NAMES, folder)?;
    let (to, at) = (Path::new("../libomphalos.so"), folder.join("libomphalos.so"));
    let _ = std::fs::remove_file(&at);
    symlink(to, &at).map_err(|error| format!("cannot link {}: {error}", at.display()))
}

/// Links all names of the runtime to `libomphalos.so` in `folder`.
pub fn name_runtime(folder: &Path) -> Outcome {
    for name in RUNTIME_NAMES {
        let link = folder.join(name);
        let _ = std::fs::remove_file(&link);
        symlink("libomphalos.so", &link)
            .map_err(|error| format!("cannot link {}: {error}", link.display()))?;
    }
    Ok(())
}

/// Copies the commands for gdb and lldb. gdb looks for its script beside the library, under the
/// library's own name.
fn debuggers(dist: &Path) -> Outcome {
    let from = root().join("debuggers");
    copy(&from.join("auto-load.py"), &dist.join("lib/libomphalos.so-gdb.py"))?;
    let package = dist.join("share/omphalos/python/omphalos");
    // Debuggers must not find files that Python compiled, or modules of an earlier tree.
    let _ = std::fs::remove_dir_all(&package);
    copy_sources(&from.join("omphalos"), &package)
}

/// Copies a package's modules, but no file that Python made of them.
fn copy_sources(from: &Path, to: &Path) -> Outcome {
    let entries = std::fs::read_dir(from).map_err(|e| format!("{}: {e}", from.display()))?;
    for entry in entries.flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() && entry.file_name() != "__pycache__" {
            copy_sources(&source, &target)?;
        } else if source.extension().is_some_and(|extension| extension == "py") {
            copy(&source, &target)?;
        }
    }
    Ok(())
}

/// Has the program write the man pages and the shell completions from its own command line.
fn generated(program: &Path, share: &Path) -> Outcome {
    let places = [
        ("man", "man/man1"),
        ("bash", "bash-completion/completions"),
        ("zsh", "zsh/site-functions"),
        ("fish", "fish/vendor_completions.d"),
    ];
    for (what, place) in places {
        let dir = share.join(place);
        make_dir(&dir)?;
        tools::run(Command::new(program).args(["generate", what]).arg(&dir))?;
    }
    Ok(())
}

/// Copies a folder's files, or none if the folder does not exist.
fn copy_tree(from: &Path, to: &Path) -> Outcome {
    let Ok(entries) = std::fs::read_dir(from) else { return Ok(()) };
    for entry in entries.flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() { copy_tree(&source, &target)? } else { copy(&source, &target)? }
    }
    Ok(())
}
