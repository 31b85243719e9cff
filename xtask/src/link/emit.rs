//! Makes the linker's inputs from the lists and from the names that the runtime defines.
//!
//! A version script can bind a symbol to one node only. A name that stands in several nodes keeps
//! its own symbol for its default version. Each other version gets a trampoline: an assembly
//! function that is one jump, bound by `.symver`. Only programs that use the older versions, or
//! LLVM's, pay for that jump; nothing is defined twice.
//!
//! The trampolines lie in one piece and share one description for unwinders, which is true at a
//! function's first instruction. A description for each would be twice as large as the trampolines
//! are.
//!
//! A name of a refused node becomes a stub that passes its own name to the runtime's
//! `omphalos_refused`, which ends the program with a message.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::lists::Node;
use super::panics;

/// A symbol and the version at which it is exported.
pub type Export = (String, String);

/// The linker's inputs, and the exports that they make.
pub struct Plan {
    /// The linker's version script.
    pub script: String,
    /// The trampolines.
    pub assembly: String,
    /// The symbols that the library must export, and no others.
    pub exports: BTreeSet<Export>,
    /// Listed names that the runtime does not define.
    pub missing: BTreeSet<String>,
}

/// Plans the exports of a runtime that defines `code` and `data` symbols.
pub fn plan(nodes: &[Node], code: &BTreeSet<String>, data: &BTreeSet<String>) -> Plan {
    // The default version of a name comes from the first file that has it: it is the last node
    // there that has the name. The files follow each other in `nodes`, and a file's nodes form
    // chains.
    let mut default: BTreeMap<&str, &str> = BTreeMap::new();
    for node in nodes {
        for name in &node.names {
            let later =
                default.get(name.as_str()).is_none_or(|first| descends(nodes, &node.name, first));
            if later {
                default.insert(name, &node.name);
            }
        }
    }
    let mut exports = BTreeSet::new();
    let mut missing = BTreeSet::new();
    let mut script = String::new();
    let mut assembly = String::from("\t.text\n");
    let mut jumps = String::new();
    // `local: *` would also hide the symbols that `.symver` binds to the same node, so it goes to a
    // node without symbols.
    let hides = nodes.iter().find(|node| node.names.is_empty()).map(|node| node.name.as_str());
    for node in nodes {
        let _ = writeln!(script, "{} {{", node.name);
        let mut text = String::new();
        for name in &node.names {
            let is_default = default.get(name.as_str()) == Some(&node.name.as_str());
            if let Some(what) = &node.refused {
                refusal(&mut assembly, name, what);
                let _ = writeln!(text, "    {name};");
                exports.insert((name.clone(), node.name.clone()));
                continue;
            }
            let own = name.strip_prefix(ALIAS).filter(|own| code.contains(*own));
            if let Some(own) = own.filter(|_| !code.contains(name)) {
                jump(&mut jumps, name, own);
                let _ = writeln!(text, "    {name};");
                exports.insert((name.clone(), node.name.clone()));
                continue;
            }
            if !code.contains(name) && !data.contains(name) {
                missing.insert(name.clone());
                continue;
            }
            if is_default {
                let _ = writeln!(text, "    {name};");
            } else if code.contains(name) {
                trampoline(&mut jumps, name, &node.name);
            } else {
                continue;
            }
            exports.insert((name.clone(), node.name.clone()));
        }
        if !text.is_empty() {
            let _ = write!(script, "  global:\n{text}");
        }
        if Some(node.name.as_str()) == hides {
            script.push_str("  local:\n    *;\n");
        }
        match &node.parent {
            Some(parent) => drop(writeln!(script, "}} {parent};")),
            None => script.push_str("};\n"),
        }
    }
    let _ = write!(assembly, "\t.p2align 4\n\t.cfi_startproc\n{jumps}\t.cfi_endproc\n");
    // Handlers of `atexit` and `fork` recognise their library by the address of `__dso_handle`. The
    // compiler's start files would define it, but with code that programs do not need.
    assembly.push_str(
        "\t.section .data.handle,\"aw\"\n\t.globl __dso_handle\n\t.hidden __dso_handle\n",
    );
    assembly.push_str("\t.p2align 3\n__dso_handle:\n\t.quad 0\n");
    assembly.push_str(panics::CLEANER);
    assembly.push_str("\t.section .note.GNU-stack,\"\",@progbits\n");
    Plan { script, assembly, exports, missing }
}

/// Whether node `later` follows node `earlier` in its chain.
fn descends(nodes: &[Node], later: &str, earlier: &str) -> bool {
    let mut at = Some(later);
    while let Some(name) = at {
        if name == earlier {
            return true;
        }
        at = nodes.iter().find(|n| n.name == name).and_then(|n| n.parent.as_deref());
    }
    false
}

/// The prefix of a second name for a routine: `omphalos_` and the routine's own name.
const ALIAS: &str = "omphalos_";

/// Writes a function that only jumps to another.
fn jump(jumps: &mut String, name: &str, to: &str) {
    let _ = write!(
        jumps,
        "\t.globl {name}\n\t.type {name}, @function\n\t.p2align 3\n{name}:\n\tjmp {to}\n\
         \t.size {name}, . - {name}\n"
    );
}

fn trampoline(jumps: &mut String, name: &str, version: &str) {
    let local = format!("{name}__{}", version.replace('.', "_"));
    jump(jumps, &local, name);
    let _ = writeln!(jumps, "\t.symver {local}, {name}@{version}");
}

fn refusal(assembly: &mut String, name: &str, what: &str) {
    let _ = write!(
        assembly,
        "\t.globl {name}\n\t.type {name}, @function\n{name}:\n\t.cfi_startproc\n\
         \tsub $8, %rsp\n\t.cfi_adjust_cfa_offset 8\n\
         \tlea 1f(%rip), %rdi\n\tlea 2f(%rip), %rsi\n\tcall omphalos_refused\n\
         \t.cfi_endproc\n\t.size {name}, . - {name}\n\
         \t.pushsection .rodata.str1.1,\"aMS\",@progbits,1\n\
         1:\t.string \"{name}\"\n2:\t.string \"{what}\"\n\t.popsection\n"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, parent: Option<&str>, names: &[&str]) -> Node {
        Node {
            name: name.into(),
            parent: parent.map(Into::into),
            names: names.iter().map(|&n| n.into()).collect(),
            refused: None,
        }
    }

    #[test]
    fn another_name_leads_to_the_routine() {
        let nodes = [node("G_1", None, &["lock"]), node("O_1", None, &["omphalos_lock"])];
        let plan = plan(&nodes, &["lock".to_string()].into(), &BTreeSet::new());
        assert!(plan.assembly.contains("omphalos_lock:\n\tjmp lock\n"));
        assert!(plan.exports.contains(&("omphalos_lock".into(), "O_1".into())));
        assert!(plan.missing.is_empty());
    }

    #[test]
    fn the_last_node_of_the_first_chain_has_the_default() {
        let nodes = [
            node("G_1", None, &["lock", "old", "absent"]),
            node("G_2", Some("G_1"), &["lock"]),
            node("VERSION", None, &["lock", "kmpc"]),
            node("EMPTY", None, &[]),
        ];
        let code = ["lock", "old", "kmpc"].map(String::from).into();
        let plan = plan(&nodes, &code, &BTreeSet::new());
        assert!(plan.script.contains("G_2 {\n  global:\n    lock;\n} G_1;"));
        assert!(plan.script.contains("VERSION {\n  global:\n    kmpc;\n};"));
        assert!(plan.script.contains("EMPTY {\n  local:\n    *;\n};"));
        assert!(plan.assembly.contains(".symver lock__G_1, lock@G_1"));
        assert!(plan.assembly.contains(".symver lock__VERSION, lock@VERSION"));
        assert_eq!(plan.exports.len(), 5);
        assert_eq!(plan.missing.into_iter().collect::<Vec<_>>(), ["absent"]);
    }

    #[test]
    fn a_refused_name_is_a_stub() {
        let mut refused = node("ACC", None, &["acc_init"]);
        refused.refused = Some("OpenACC".into());
        let plan = plan(&[refused, node("EMPTY", None, &[])], &BTreeSet::new(), &BTreeSet::new());
        assert!(plan.script.contains("ACC {\n  global:\n    acc_init;\n};"));
        assert!(plan.assembly.contains("call omphalos_refused"));
        assert!(plan.missing.is_empty() && plan.exports.len() == 1);
    }
}
