//! Makes a library for each name of another runtime. `ldconfig` needs them, because it files a
//! library under the name inside it and not under the name of a link. `omphalos run` needs them
//! too: there the runtime is loaded already, and through a link the loader would report every one
//! of the names as loaded to a program that asks with `RTLD_NOLOAD`. MKL, for instance, chooses its
//! layer for GCC's runtime if `libgomp.so.1` is loaded, so that name may count as loaded only if
//! something needs it.
//!
//! Each library has one of the names inside, and needs `libomphalos.so`. It defines the runtime's
//! version nodes, because without them the loader refuses programs of GCC's and LLVM's. The
//! functions themselves are in that one file, whichever names the parts of a process ask for.

use std::path::Path;
use std::process::Command;

use super::{lists, write};
use crate::Outcome;
use crate::tools::{self, make_dir, step};

/// Links `folder/NAME` for each name, against `library`. At run time that library lies in the
/// folder above.
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
