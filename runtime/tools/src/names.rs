//! Tables of numbers and their names, with the names stored inside.
//!
//! The dynamic linker would have to write a table of pointers to names at each start of a program,
//! even without a tool.

use core::ffi::{CStr, c_int};

/// One value and its name.
pub type Named = (c_int, &'static CStr);

/// The bytes of the longest name, with its terminating zero.
const NAME_BYTES: usize = 44;

/// An entry of a table.
pub struct Entry {
    value: c_int,
    name: [u8; NAME_BYTES],
}

impl Entry {
    /// Makes the entry of a `value`. Does not compile with a name that is too long.
    pub const fn new(value: c_int, name: &str) -> Entry {
        let from = name.as_bytes();
        assert!(from.len() < NAME_BYTES);
        let mut entry = Entry { value, name: [0; NAME_BYTES] };
        let mut at = 0;
        while at < from.len() {
            entry.name[at] = from[at];
            at += 1;
        }
        entry
    }

    /// Returns the value and its name.
    pub fn named(&'static self) -> Named {
        (self.value, CStr::from_bytes_until_nul(&self.name).unwrap_or_default())
    }
}

/// Returns the entry after that of `current`; after `start`, the first one; `None` at the end, and
/// for a number that is not in the table.
pub fn next(table: &'static [Entry], current: c_int, start: c_int) -> Option<Named> {
    if current == start {
        return table.first().map(Entry::named);
    }
    let at = table.iter().position(|entry| entry.value == current)?;
    table.get(at + 1).map(Entry::named)
}

/// Makes a table from the constants themselves, by their names: `names![a, b]`, or `names![module:
/// a, b]`.
macro_rules! names {
    ($($name:ident),* $(,)?) => {
        [$($crate::names::Entry::new($name, stringify!($name)),)*]
    };
    ($module:ident: $($name:ident),* $(,)?) => {
        [$($crate::names::Entry::new($module::$name, stringify!($name)),)*]
    };
}
pub(crate) use names;
