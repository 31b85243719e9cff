//! Stops for a program that watches from outside. They are of use only beside a watcher, and this
//! processor has none.

use core::ffi::c_void;

/// See `x86_64/watch.rs`.
pub const WORDS: usize = 8;

/// See `x86_64/watch.rs`.
pub fn write_message(_words: &[u64; WORDS]) {}

/// See `x86_64/watch.rs`.
///
/// # Safety
/// See `x86_64/watch.rs`.
pub unsafe extern "C" fn on_stack(
    _top: usize,
    code: extern "C" fn(*mut c_void),
    data: *mut c_void,
) {
    code(data);
}
