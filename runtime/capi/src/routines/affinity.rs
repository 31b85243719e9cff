//! Showing affinity: the format, capture and display; and `omp_display_env`.
//!
//! C strings end with a zero byte. Fortran strings come with their length as a hidden argument at
//! the end, and are padded with blanks.

use super::names::with_integer;
use core::ffi::{CStr, c_char};
use omphalos_engine::Thread;
use omphalos_engine::affinity::format;
use omphalos_settings::affinity_format;
use std::ffi::CString;

/// Returns the text of a C string, or the format that is set if the string is null or empty.
///
/// # Safety
/// `text` must be null or a C string.
unsafe fn c_format(text: *const c_char) -> String {
    if text.is_null() {
        return affinity_format::get();
    }
    // SAFETY: the caller's promise.
    or_set(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Returns the text of a Fortran string, without the blanks at its end.
///
/// # Safety
/// `text` must be valid for reads of `length` bytes.
unsafe fn fortran(text: *const c_char, length: usize) -> String {
    if text.is_null() || length == 0 {
        return String::new();
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { core::slice::from_raw_parts(text.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).trim_end_matches([' ', '\0']).to_owned()
}

fn or_set(text: String) -> String {
    if text.is_empty() { affinity_format::get() } else { text }
}

/// Copies `text` into a C buffer, cut off if it is too long, and always with a zero byte at the
/// end. Returns the text's length.
///
/// # Safety
/// `buffer` must be null or valid for writes of `size` bytes.
unsafe fn to_c(text: &str, buffer: *mut c_char, size: usize) -> usize {
    if !buffer.is_null() && size > 0 {
        let count = text.len().min(size - 1);
        // SAFETY: `count + 1` is at most `size`.
        unsafe {
            buffer.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), count);
            buffer.add(count).write(0);
        }
    }
    text.len()
}

/// Copies `text` into a Fortran buffer, cut off or padded with blanks. Returns the text's length.
///
/// # Safety
/// `buffer` must be valid for writes of `size` bytes.
unsafe fn to_fortran(text: &str, buffer: *mut c_char, size: usize) -> i32 {
    if !buffer.is_null() {
        let count = text.len().min(size);
        // SAFETY: both writes stay inside `size` bytes.
        unsafe {
            buffer.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), count);
            buffer.cast::<u8>().add(count).write_bytes(b' ', size - count);
        }
    }
    i32::try_from(text.len()).unwrap_or(i32::MAX)
}

fn set(text: String) {
    omphalos_settings::ensure();
    if let Ok(text) = CString::new(text) {
        affinity_format::set(text);
    }
}

fn current() -> String {
    omphalos_settings::ensure();
    affinity_format::get()
}

fn capture(text: &str) -> String {
    format::capture(Thread::current(), text)
}

fn display(text: &str) {
    format::show_as(Thread::current(), text);
}

/// The C names: GCC's header and LLVM's (`ompc_*`) call these.
macro_rules! c_names {
    ($set:ident, $get:ident, $display:ident, $capture:ident) => {
        /// Sets affinity-format-var.
        ///
        /// # Safety
        /// `text` must be a C string.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $set(text: *const c_char) {
            if !text.is_null() {
                // SAFETY: the caller's promise.
                set(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
            }
        }

        /// Writes affinity-format-var into a buffer of `size` bytes; returns its length.
        ///
        /// # Safety
        /// `buffer` must be null or valid for writes of `size` bytes.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $get(buffer: *mut c_char, size: usize) -> usize {
            // SAFETY: the caller's promise.
            unsafe { to_c(&current(), buffer, size) }
        }

        /// Writes the calling thread's affinity to standard output.
        ///
        /// # Safety
        /// `text` must be null or a C string.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $display(text: *const c_char) {
            omphalos_settings::ensure();
            // SAFETY: the caller's promise.
            display(&unsafe { c_format(text) });
        }

        /// Writes the calling thread's affinity into a buffer of `size` bytes; returns its length.
        ///
        /// # Safety
        /// `buffer` must be null or valid for writes of `size` bytes, `text` null or a C string.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $capture(
            buffer: *mut c_char,
            size: usize,
            text: *const c_char,
        ) -> usize {
            omphalos_settings::ensure();
            // SAFETY: the caller's promise.
            unsafe { to_c(&capture(&c_format(text)), buffer, size) }
        }
    };
}

c_names!(
    omp_set_affinity_format, omp_get_affinity_format, omp_display_affinity, omp_capture_affinity
);
c_names!(
    ompc_set_affinity_format, ompc_get_affinity_format, ompc_display_affinity,
    ompc_capture_affinity
);

omphalos_sys::exported_routines! {
    /// The Fortran name.
    omp_set_affinity_format_(text: *const c_char, length: usize) = set(fortran(text, length));
    /// The Fortran name.
    omp_get_affinity_format_(buffer: *mut c_char, size: usize) -> i32
        = to_fortran(&current(), buffer, size);
    /// The Fortran name.
    omp_display_affinity_(text: *const c_char, length: usize) = {
        omphalos_settings::ensure();
        display(&or_set(fortran(text, length)));
    };
    /// The Fortran name.
    omp_capture_affinity_(
        buffer: *mut c_char, text: *const c_char, size: usize, length: usize
    ) -> i32 = {
        omphalos_settings::ensure();
        to_fortran(&capture(&or_set(fortran(text, length))), buffer, size)
    };
}

fn display_env(verbose: i32) {
    omphalos_settings::ensure();
    omphalos_settings::display::show(omphalos_settings::settings(), verbose != 0);
}

with_integer! {
    /// Writes the settings to standard error.
    omp_display_env, omp_display_env_, omp_display_env_8_ => display_env;
}
