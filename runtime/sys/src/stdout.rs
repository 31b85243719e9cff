//! Standard output through the C library's buffer, so that text stays in order with the program's
//! own.

use core::ffi::CStr;

unsafe extern "C" {
    static stdout: *mut libc::FILE;
}

/// Writes bytes and flushes the buffer.
pub fn write(bytes: &[u8]) {
    // SAFETY: the C library's own stream, and a slice valid for reads of its length.
    unsafe {
        libc::fwrite(bytes.as_ptr().cast(), 1, bytes.len(), stdout);
        libc::fflush(stdout);
    }
}

/// Writes a line, with its end. It stays in the buffer as the program's own lines do.
pub fn line(text: &CStr) {
    // SAFETY: a C string.
    unsafe { libc::puts(text.as_ptr()) };
}
