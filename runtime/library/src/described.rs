//! The description that debuggers and `omphalos inspect` read: one exported constant with the
//! layout of the runtime's structures and their addresses (docs/debug-state.md).
//!
//! The constant stands where the dynamic linker writes the addresses, in one piece with the text.
//! So a core file has all of it, even if the library that made it is not at hand.

use omphalos_engine::described::{DESCRIPTION, ROOTS, roots};

/// The text begins with the version.
const HEAD: &str = concat!("runtime Omphalos ", env!("CARGO_PKG_VERSION"), "\n");
const LENGTH: usize = DESCRIPTION.length();

/// See the module. Everything behind `format` may change with it.
#[repr(C)]
pub struct Described {
    /// `omphalos debug`, and zeros.
    mark: [u8; 16],
    /// The version of this structure and of the text's form.
    format: u32,
    /// How many addresses there are.
    roots: u32,
    /// Bytes of the text, in two parts without anything between them.
    length: u64,
    /// The addresses of the variables that the text calls roots.
    addresses: [*const (); ROOTS],
    /// The text's first line.
    head: [u8; HEAD.len()],
    /// Its other lines.
    text: [u8; LENGTH],
}

// SAFETY: no code writes it, and the addresses are those of variables that all threads may read.
unsafe impl Sync for Described {}

const fn head() -> [u8; HEAD.len()] {
    let mut head = [0; HEAD.len()];
    head.copy_from_slice(HEAD.as_bytes());
    head
}

/// See the module.
#[allow(non_upper_case_globals)]
#[unsafe(no_mangle)]
pub static omphalos_debug: Described = Described {
    mark: *b"omphalos debug\0\0",
    format: 1,
    roots: ROOTS as u32,
    length: (HEAD.len() + LENGTH) as u64,
    addresses: roots(),
    head: head(),
    text: DESCRIPTION.text(),
};
