//! Makes slices of the addresses and counts that callbacks get.

use crate::event::MapItems;
use core::ffi::{c_char, c_int, c_uint, c_void};

/// The items of a map event.
///
/// # Safety
/// Each list must be null or `count` long.
pub(crate) unsafe fn items<'a>(
    count: c_uint,
    host: *const *mut c_void,
    device: *const *mut c_void,
    bytes: *const usize,
    flags: *const c_uint,
) -> MapItems<'a> {
    let count = c_int::try_from(count).unwrap_or(0);
    // SAFETY: the caller's promise.
    unsafe {
        MapItems {
            host: slice(host, count),
            device: slice(device, count),
            bytes: slice(bytes, count),
            flags: slice(flags, count),
        }
    }
}

/// A list of a callback.
///
/// # Safety
/// `list` must be null or point to `count` values.
pub(crate) unsafe fn slice<'a, V>(list: *const V, count: c_int) -> &'a [V] {
    match usize::try_from(count) {
        // SAFETY: the caller's promise.
        Ok(count) if !list.is_null() => unsafe { core::slice::from_raw_parts(list, count) },
        _ => &[],
    }
}

/// A text of a callback.
///
/// # Safety
/// `message` must be null or point to `length` bytes.
pub(crate) unsafe fn text<'a>(message: *const c_char, length: usize) -> &'a [u8] {
    if message.is_null() {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts(message.cast(), length) }
}
