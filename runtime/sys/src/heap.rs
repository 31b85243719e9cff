//! Blocks of the C library's allocator, for memory that the program asks for or frees itself.
//!
//! The runtime's own structures come from Rust's allocator. `errno` may change here, as after any
//! call of the C library.

use core::ffi::c_void;

/// Returns a block of `size` bytes; null if memory runs out.
pub fn get(size: usize) -> *mut c_void {
    // SAFETY: any size is fine for the C library.
    unsafe { libc::malloc(size) }
}

/// Returns a block of `size` bytes that are 0; null if memory runs out.
pub fn get_zeroed(size: usize) -> *mut c_void {
    // SAFETY: any size is fine for the C library.
    unsafe { libc::calloc(1, size) }
}

/// Returns a block of `count` times `size` bytes that are 0; null if memory runs out.
pub fn get_array(count: usize, size: usize) -> *mut c_void {
    // SAFETY: any numbers are fine for the C library.
    unsafe { libc::calloc(count, size) }
}

/// Returns a block that begins at a multiple of `alignment`, a power of two and at least 8; null if
/// memory runs out or the alignment is another.
pub fn get_aligned(alignment: usize, size: usize) -> *mut c_void {
    let mut block = core::ptr::null_mut();
    // SAFETY: the place for the result is valid.
    let error = unsafe { libc::posix_memalign(&mut block, alignment, size) };
    if error == 0 { block } else { core::ptr::null_mut() }
}

/// Makes a block `size` bytes long, where it is or elsewhere; null if memory runs out.
///
/// # Safety
/// `block` is null or came from here, and is not freed yet.
pub unsafe fn resize(block: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { libc::realloc(block, size) }
}

/// Frees a block.
///
/// # Safety
/// `block` is null or came from here, and is not freed yet.
pub unsafe fn free(block: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { libc::free(block) }
}

/// Keeps the pages of a block in memory. Returns false if the system's limit forbids it.
///
/// # Safety
/// The block is `size` bytes long.
pub unsafe fn pin(block: *mut c_void, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { libc::mlock(block, size) == 0 }
}

/// Undoes [`pin`], for whole pages.
///
/// # Safety
/// As for [`pin`].
pub unsafe fn unpin(block: *mut c_void, size: usize) {
    // SAFETY: the caller's promise.
    unsafe { libc::munlock(block, size) };
}
