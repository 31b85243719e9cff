//! The names of other runtimes as libraries of their own: for `ldconfig`, which files a library
//! under the name inside it and not under a link's, and for `omphalos run`. There the runtime is
//! loaded already, and the loader would find a link to it loaded whoever asks (`RTLD_NOLOAD`): MKL
//! takes its layer for GCC's runtime where `libgomp.so.1` is loaded, so that name is to be loaded
//! if something needs it.
//!
//! Each has one of the names, defines the runtime's version nodes, without which the loader refuses
//! programs of GCC's and LLVM's, and needs `libomphalos.so`: whatever names the parts of a process
//! ask for, what they call is in that one file.

use std::path::Path;
use std::process::Command;

use super::{lists, write};
use crate::Outcome;
use crate::tools::{self, make_dir, step};

/// Links `folder/NAME` for each name, against `library`, which will lie beside them.
pub fn link(library: &Path, names: &[&str], folder: &Path) -> Outcome {
    step("linking the names as libraries of their own");
    make_dir(folder)?;
    let script = library.with_file_name("names.map");
    let nodes = lists::all()?;
    let text: String = nodes.iter().map(|node| format!("{} {{ }};\n", node.name)).collect();
    write(&script, &text)?;
    for name in names {
        let fresh = folder.join(format!("{name}.new"));
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-nostdlib", "-s", "-o"]).arg(&fresh);
        cc.arg(format!("-Wl,-soname,{name}"));
        cc.arg(format!("-Wl,--version-script={}", script.display()));
        cc.args(["-Wl,--no-as-needed", "-Wl,--enable-new-dtags", "-Wl,-rpath,$ORIGIN/.."]);
        cc.args(["-Wl,-z,noexecstack", "-Wl,--build-id"]).arg(library);
        tools::run(&mut cc)?;
        let path = folder.join(name);
        std::fs::rename(&fresh, &path)
            .map_err(|error| format!("cannot rename {}: {error}", fresh.display()))?;
    }
    Ok(())
}
