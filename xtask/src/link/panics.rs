//! Replaces the standard library's functions for panics by the runtime's own.
//!
//! The standard library's functions can print a backtrace with symbols. That takes 240 KiB of code,
//! a third of the relocations that the dynamic linker makes at each start of a program, and
//! functions of the C library that nothing else asks for. In Rust, only a program without the
//! standard library may define these functions; so the linker exchanges them (`--wrap`), and drops
//! the code that is then unreachable.
//!
//! The standard library is built to unwind, and so brings the unwinder of libgcc. The runtime does
//! not need it: nothing here unwinds. When an exception of the program's own passes through, the
//! program's unwinder asks about each frame whether there is anything to clean up. It calls the
//! function that the standard library's frames name for this; the runtime's function answers that
//! there is nothing.
//!
//! What must hold: the runtime's functions (`runtime/library/src/panic.rs`) have the same types.

use std::collections::BTreeSet;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{File, Object, ObjectSymbol};

/// The end of the name of a function of the standard library, and the runtime's function.
const EXCHANGED: [(&str, &str); 2] = [
    ("rust_begin_unwind", "omphalos_panicked"),
    ("__rust_alloc_error_handler", "omphalos_out_of_memory"),
];
/// The function that ends a cleanup; no cleanup ever begins.
const RESUME: &str = "_Unwind_Resume";
/// Parts of symbols that the library has only if the exchange had no effect.
pub const HOOKS: [&str; 2] = ["panicking12default_hook", "_Unwind_RaiseException"];

/// Assembly that defines the pointer by which frames find the function that cleans up. The linker
/// uses the first definition, and links this one before the standard library's.
pub const CLEANER: &str = "\t.section .data.rel.local.DW.ref.rust_eh_personality,\"awG\",@progbits,\
     DW.ref.rust_eh_personality,comdat\n\t.hidden DW.ref.rust_eh_personality\n\
     \t.weak DW.ref.rust_eh_personality\n\t.type DW.ref.rust_eh_personality, @object\n\
     \t.size DW.ref.rust_eh_personality, 8\n\t.p2align 3\nDW.ref.rust_eh_personality:\n\
     \t.quad omphalos_passed_by\n";

/// Returns the names that the members of `archive` leave undefined: other members or other
/// libraries define them.
pub fn asked(archive: &Path) -> Result<BTreeSet<String>, String> {
    let bytes = std::fs::read(archive).map_err(|e| format!("{}: {e}", archive.display()))?;
    undefined(&bytes).map_err(|e| format!("cannot make sense of {}: {e}", archive.display()))
}

fn undefined(archive: &[u8]) -> object::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for member in ArchiveFile::parse(archive)?.members() {
        let data = member?.data(archive)?;
        if !data.starts_with(b"\x7fELF") {
            continue;
        }
        let file = File::parse(data)?;
        for symbol in file.symbols().filter(|symbol| symbol.is_undefined()) {
            names.insert(symbol.name()?.to_owned());
        }
    }
    Ok(names)
}

/// Returns the linker's options for an archive that asks for these `names`.
pub fn options(names: &BTreeSet<String>) -> Result<Vec<String>, String> {
    let mut options = Vec::new();
    for (end, ours) in EXCHANGED {
        let theirs = names.iter().find(|name| name.ends_with(end)).ok_or_else(|| {
            format!(
                "no function asks for `{end}`: the standard library's end of a panic has \
                another name now"
            )
        })?;
        options.push(format!("-Wl,--wrap={theirs}"));
        options.push(format!("-Wl,--defsym=__wrap_{theirs}={ours}"));
    }
    options.push(format!("-Wl,--wrap={RESUME}"));
    options.push(format!("-Wl,--defsym=__wrap_{RESUME}=omphalos_never_resumed"));
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_exchanged_or_it_is_an_error() {
        let mut names = BTreeSet::from(["_RNvCs1_7___rustc17rust_begin_unwind".to_owned()]);
        assert!(options(&names).unwrap_err().contains("__rust_alloc_error_handler"));
        names.insert("_RNvCs1_7___rustc26___rust_alloc_error_handler".to_owned());
        let options = options(&names).unwrap();
        assert!(
            options.contains(
                &"-Wl,--defsym=__wrap__RNvCs1_7___rustc17rust_begin_unwind=omphalos_panicked"
                    .to_owned()
            )
        );
        assert_eq!(options.len(), 6);
    }
}
