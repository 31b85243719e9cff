//! Puts the runtime's own functions in the place of the standard library's for panics.
//!
//! The standard library's can print a backtrace with symbols: 240 KiB of code, a third of the
//! relocations that the dynamic linker makes at each start of a program, and functions of the C
//! library that are else not asked for. Only a program without the standard library may define
//! these functions in Rust; so the linker exchanges them (`--wrap`), and what nobody reaches then
//! falls away.
//!
//! What must hold: the runtime's functions (`crates/runtime/src/panic.rs`) have the same types.

use std::collections::BTreeSet;

/// The end of the standard library's name, and ours.
const EXCHANGED: [(&str, &str); 2] = [
    ("rust_begin_unwind", "omphalos_panicked"),
    ("__rust_alloc_error_handler", "omphalos_out_of_memory"),
];
/// What is only there if the exchange had no effect.
pub const HOOK: &str = "panicking12default_hook";

/// The linker's options, for an archive that asks for these `names`.
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
        assert_eq!(options.len(), 4);
    }
}
