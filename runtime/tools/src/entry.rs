//! Finds functions by name, for the lookup functions that tools get, and writes through the tool's
//! pointers.
//!
//! Who calls: the lookup functions of [`crate::ompt5`] and [`crate::earlier`]. There is one lookup
//! function for each slot. The search among the names is the same for all of them, so it is a
//! function of its own.
//!
//! What must hold: there is no table of addresses. The dynamic linker would have to write it at
//! each start of a program, even without a tool. `black_box` keeps the compiler from making a table
//! of the rows.

use crate::names::Named;
use core::ffi::{c_char, c_int};

/// Returns the position of the name in `names`, counted from 0. Each of the names ends with a
/// line's end.
#[inline(never)]
pub fn number(names: &'static str, name: &[u8]) -> Option<usize> {
    names
        .as_bytes()
        .split(|byte| *byte == b'\n')
        .position(|known| !known.is_empty() && known == name)
}

/// Returns the value of the row with this name, if there is one: `by_name!(name, { "a" => 1, "b" =>
/// 2 })`. Only that row's value is computed.
macro_rules! by_name {
    ($name:expr, { $($known:literal => $value:expr,)+ }) => {
        match $crate::entry::number(concat!($($known, "\n",)+), $name) {
            Some(number) => 'found: {
                let mut row = 0;
                $(
                    if row == number {
                        break 'found Some(core::hint::black_box($value));
                    }
                    row += 1;
                )+
                let _ = row;
                None
            }
            None => None,
        }
    };
}
pub(crate) use by_name;

/// Writes through a pointer of the tool's, which may be null.
///
/// # Safety
/// `to` is null or valid for writes.
pub unsafe fn put<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: the caller's promise.
        unsafe { to.write(value) };
    }
}

/// Writes an enumeration's next value. Returns 1 if there is one, else 0.
///
/// # Safety
/// The pointers are null or valid for writes.
pub unsafe fn put_next(found: Option<Named>, next: *mut c_int, name: *mut *const c_char) -> c_int {
    let Some((value, text)) = found else { return 0 };
    // SAFETY: the caller's promise.
    unsafe {
        put(next, value);
        put(name, text.as_ptr());
    }
    1
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_row_is_found_by_its_whole_name() {
        let find =
            |name: &str| by_name!(name.as_bytes(), { "one" => 1, "onetwo" => 2, "two" => 3, });
        assert_eq!([find("one"), find("onetwo"), find("two")], [Some(1), Some(2), Some(3)]);
        for stranger in ["", "on", "onetw", "twoo", "one\n", "one\nonetwo", "\n"] {
            assert_eq!(find(stranger), None, "{stranger:?}");
        }
    }
}
