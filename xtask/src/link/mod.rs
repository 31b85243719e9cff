//! Links the runtime's static library into the shared one.
//!
//! rustc ignores a version script on a cdylib, and GCC's programs ask for symbols by version
//! (`GOMP_parallel@GOMP_4.0`). So the runtime is a static library, and this module links it with
//! the C compiler driver. The library exports the names that the lists in `runtime/library/symbols`
//! have and the runtime defines, and nothing else.

mod emit;
mod lists;
pub mod names;
pub mod omptarget;
pub mod panics;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::tools::{self, make_dir, step};
pub use emit::Export;
pub use lists::{Node, all as nodes};

/// The result of linking.
pub struct Linked {
    /// The shared library.
    pub library: PathBuf,
    /// The symbols that it must export, and no others.
    pub exports: BTreeSet<Export>,
}

/// Links `archive` to `folder/libomphalos.so`.
pub fn link(archive: &Path, folder: &Path) -> Outcome<Linked> {
    link_with(archive, folder, &[])
}

/// Does the same; `others` are further arguments for the compiler driver.
pub fn link_with(archive: &Path, folder: &Path, others: &[OsString]) -> Outcome<Linked> {
    step("linking libomphalos.so");
    make_dir(folder)?;
    let (code, data) = defined(archive)?;
    let plan = emit::plan(&lists::all()?, &code, &data);
    if !plan.missing.is_empty() {
        let shown = folder.join("not-exported.txt");
        let names: Vec<&str> = plan.missing.iter().map(String::as_str).collect();
        write(&shown, &(names.join("\n") + "\n"))?;
        let count = names.len();
        step(&format!("{count} listed names are not offered (see {})", shown.display()));
    }
    let (script, assembly) = (folder.join("libomphalos.map"), folder.join("versions.s"));
    write(&script, &plan.script)?;
    write(&assembly, &plan.assembly)?;
    let library = folder.join("libomphalos.so");
    // The new file is linked beside the old one and renamed over it: a process may have the old one
    // mapped.
    let fresh = folder.join("libomphalos.so.new");
    let mut cc = Command::new("cc");
    // The compiler's start files are left out: they only serve C++ programs and transactional
    // memory.
    cc.args(["-shared", "-nostartfiles"]).arg("-o").arg(&fresh).arg(&assembly);
    cc.arg("-Wl,--whole-archive").arg(archive).arg("-Wl,--no-whole-archive");
    // The whole archive brings all of Rust's std; the linker removes what no exported symbol
    // reaches. All functions of the C library are looked up at the start, because one that a
    // profiler's signal handler calls must not wait for a lookup.
    cc.args(["-Wl,--gc-sections", "-Wl,--no-undefined", "-Wl,-z,relro,-z,now"]);
    cc.args(panics::options(&panics::asked(archive)?)?);
    // Code and constants share one mapping: each mapping costs a program's start a system call and
    // a page fault.
    cc.arg("-Wl,-z,noseparate-code");
    // Calls inside the library stay inside it, whatever else the process has loaded.
    cc.arg("-Wl,-Bsymbolic-functions");
    // A runtime whose threads are still running must never be unmapped by dlclose.
    cc.args(["-Wl,-z,nodelete", "-Wl,-soname,libomphalos.so", "-Wl,--build-id"]);
    cc.arg(format!("-Wl,--version-script={}", script.display()));
    cc.args(others);
    // The parts of libgcc that the runtime needs are linked in: each start of a program loads one
    // library less.
    cc.args(["-static-libgcc", "-lpthread", "-ldl", "-lm", "-lc"]);
    tools::run(&mut cc)?;
    std::fs::rename(&fresh, &library)
        .map_err(|error| format!("cannot rename {}: {error}", fresh.display()))?;
    Ok(Linked { library, exports: plan.exports })
}

/// Returns the functions and the data that the archive defines for others.
fn defined(archive: &Path) -> Outcome<(BTreeSet<String>, BTreeSet<String>)> {
    let mut nm = Command::new("nm");
    let text = tools::output(nm.args(["-P", "-g", "--defined-only", "-A"]).arg(archive))?;
    let (mut code, mut data) = (BTreeSet::new(), BTreeSet::new());
    for line in text.lines() {
        // `archive[member]: name type value size`
        let Some((_, symbol)) = line.split_once("]: ") else { continue };
        let mut words = symbol.split(' ');
        let (Some(name), Some(kind)) = (words.next(), words.next()) else { continue };
        match kind {
            "T" | "W" | "i" => drop(code.insert(name.to_owned())),
            "D" | "B" | "R" | "V" => drop(data.insert(name.to_owned())),
            _ => {}
        }
    }
    Ok((code, data))
}

fn write(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
