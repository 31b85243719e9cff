//! Makes a library with LLVM's name for devices (`libomptarget`) that passes each call on to the
//! runtime. Programs of LLVM's compilers use it to run on the devices that the host plays.
//!
//! Each of its functions is one jump, at the version that LLVM's function has, to a function of the
//! runtime with another name (`omphalos__tgt_*`, `runtime/library/symbols/omptarget.txt`). With the
//! same name the jump would lead to the library's own function.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::lists::{self, Node};
use super::write;
use crate::Outcome;
use crate::tools::{self, make_dir, step};

/// The version of LLVM's functions.
const VERSION: &str = "VERS1.0";

/// The library's own name, with which programs are linked.
const NAME: &str = "libomptarget.so";

/// The names that programs ask for, one for each version of LLVM.
const NAMES: &[&str] = &[
    "libomptarget.so.17", "libomptarget.so.18.1", "libomptarget.so.19.1", "libomptarget.so.20.1",
    "libomptarget.so.21.1", "libomptarget.so.22.1",
];

/// The prefix of the runtime's name before LLVM's.
const PREFIX: &str = "omphalos";

/// Links the library and its names in `folder`, against `library`, which will lie in the folder
/// above.
pub fn link(library: &Path, folder: &Path) -> Outcome {
    step("linking the library of LLVM's name for devices");
    make_dir(folder)?;
    let (script, assembly) =
        (library.with_file_name("omptarget.map"), library.with_file_name("omptarget.s"));
    write(&script, &format!("{VERSION} {{ }};\n"))?;
    write(&assembly, &text(&lists::all()?))?;
    let (path, fresh) = (folder.join(NAME), folder.join("libomptarget.so.new"));
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-nostdlib", "-s", "-o"]).arg(&fresh).arg(&assembly);
    cc.arg(format!("-Wl,-soname,{NAME}"));
    cc.arg(format!("-Wl,--version-script={}", script.display()));
    cc.args(["-Wl,--no-as-needed", "-Wl,--enable-new-dtags", "-Wl,-rpath,$ORIGIN/.."]);
    cc.args(["-Wl,-z,noexecstack", "-Wl,-z,now", "-Wl,--build-id"]).arg(library);
    tools::run(&mut cc)?;
    std::fs::rename(&fresh, &path)
        .map_err(|error| format!("cannot rename {}: {error}", fresh.display()))?;
    for name in NAMES {
        let at = folder.join(name);
        let _ = std::fs::remove_file(&at);
        symlink(NAME, &at).map_err(|error| format!("cannot link {}: {error}", at.display()))?;
    }
    Ok(())
}

/// Returns the functions: for LLVM's name, the runtime's name and version.
fn functions(nodes: &[Node]) -> BTreeMap<String, (String, String)> {
    let mut functions = BTreeMap::new();
    for node in nodes {
        for name in &node.names {
            let ours = name.strip_prefix(PREFIX).filter(|_| node.name.starts_with("OMPHALOS_DEV"));
            // If LLVM's name begins with no underscore, the runtime's name has one after the
            // prefix, which is removed here.
            let of = ours.map(|rest| if rest.starts_with("__") { rest } else { &rest[1..] });
            if let Some(of) = of {
                functions.insert(of.to_owned(), (name.clone(), node.name.clone()));
            }
        }
    }
    functions
}

fn text(nodes: &[Node]) -> String {
    let mut text = String::from("\t.text\n");
    for (at, (name, (target, version))) in functions(nodes).iter().enumerate() {
        let _ = write!(
            text,
            "\t.symver from{at}, {target}@{version}\n\
             \t.globl to{at}\n\t.type to{at}, @function\n\t.p2align 4\nto{at}:\n\
             \t.cfi_startproc\n\tjmp *from{at}@GOTPCREL(%rip)\n\t.cfi_endproc\n\
             \t.size to{at}, . - to{at}\n\t.symver to{at}, {name}@@@{VERSION}\n"
        );
    }
    text.push_str("\t.section .note.GNU-stack,\"\",@progbits\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_the_runtimes() {
        let functions = functions(&lists::all().unwrap());
        let of = |name: &str| functions[name].0.as_str();
        assert_eq!(of("__tgt_target_kernel"), "omphalos__tgt_target_kernel");
        assert_eq!(of("omp_get_num_devices"), "omphalos_omp_get_num_devices");
        assert_eq!(of("omp_target_alloc"), "omphalos_omp_target_alloc");
        assert!(functions.values().all(|(name, _)| name.starts_with(PREFIX)));
        assert!(!functions.contains_key("omphalos_debug"));
    }
}
