//! Questions about memory that another party named, and the program's memory from its allocator.

/// The size that mappings are a multiple of.
pub const PAGE: usize = 4096;

/// Maps pages of the process's own, which hold zeros; `None` if there are none. Untouched pages
/// take no memory.
pub fn map(bytes: usize) -> Option<usize> {
    let (rights, kind) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
    );
    // SAFETY: new pages, where the kernel likes.
    let made = unsafe { libc::mmap(core::ptr::null_mut(), bytes, rights, kind, -1, 0) };
    (made != libc::MAP_FAILED).then_some(made as usize)
}

/// Gives pages back.
///
/// # Safety
/// They came from [`map`], all of them, and no code uses them any more.
pub unsafe fn unmap(pages: usize, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { libc::munmap(pages as *mut libc::c_void, bytes) };
}

/// Makes whole pages inside this range hold zeros. They take no memory until they are written.
///
/// # Safety
/// They came from [`map`], and no code needs their contents.
pub unsafe fn empty(from: usize, to: usize) {
    let (first, end) = (from.next_multiple_of(PAGE), to / PAGE * PAGE);
    if first < end {
        // SAFETY: the caller's promise.
        unsafe { libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_DONTNEED) };
    }
}

/// Whether the bytes at two addresses are the same. If other threads write there meanwhile, the
/// answer may be either. Async-signal-safe.
///
/// # Safety
/// Both can be read for that many bytes.
pub unsafe fn is_same(one: usize, other: usize, bytes: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { libc::memcmp(one as *const libc::c_void, other as *const libc::c_void, bytes) == 0 }
}

/// Whether two addresses lie in one page. If one byte of a page can be used, all of them can.
#[inline]
pub fn same_page(a: usize, b: usize) -> bool {
    a / PAGE == b / PAGE
}

/// Whether `length` bytes (at most 16) at `address` can be read, and written if `write`. Writes the
/// bytes back that it read. One or two system calls; async-signal-safe. If the kernel refuses the
/// question, the answer is yes.
pub fn usable(address: usize, length: usize, write: bool) -> bool {
    crate::errno::keep(|| ask_kernel(address, length, write))
}

fn ask_kernel(address: usize, length: usize, write: bool) -> bool {
    let mut copy = [0u8; 16];
    let length = length.min(copy.len());
    let local = libc::iovec { iov_base: copy.as_mut_ptr().cast(), iov_len: length };
    let remote = libc::iovec { iov_base: address as *mut _, iov_len: length };
    // Calls by number spare the dynamic linker the search for three names at each start of a
    // program. SAFETY: no memory involved.
    let process = unsafe { libc::syscall(libc::SYS_getpid) };
    let none: libc::c_ulong = 0;
    // SAFETY: the kernel checks both ranges; the local one is valid.
    let copy =
        |call| unsafe { libc::syscall(call, process, &local, 1usize, &remote, 1usize, none) };
    let read = copy(libc::SYS_process_vm_readv);
    if read < 0 {
        return errno() != libc::EFAULT;
    }
    if read as usize != length {
        return false;
    }
    !write || copy(libc::SYS_process_vm_writev) == read
}

fn errno() -> i32 {
    // SAFETY: the calling thread's own variable.
    unsafe { *libc::__errno_location() }
}

/// The size of the block that is given back to the C library's allocator, so that it keeps blocks
/// of this size.
const KEPT: usize = 1 << 20;

/// Makes the C library's allocator keep blocks of up to a megabyte that the program gives back.
/// Otherwise it would hand each block to the kernel and take new pages for the next one, one fault
/// each. glibc learns that from any block that comes and goes, unless the program or its user has
/// set the limits; LLVM's runtime teaches it the same when it begins. Costs two system calls, and
/// touches no page but the block's first.
pub fn keep_blocks() {
    // SAFETY: a block that is given back at once, or null. Hidden from the compiler, which would
    // otherwise leave the two calls out.
    unsafe { libc::free(core::hint::black_box(libc::malloc(core::hint::black_box(KEPT)))) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_can_be_used() {
        let mut mine = [1u8, 2, 3, 4];
        assert!(usable(mine.as_mut_ptr() as usize, 4, true));
        assert_eq!(mine, [1, 2, 3, 4]);
        assert!(!usable(16, 4, false));
        let constant = b"read-only text".as_ptr() as usize;
        assert!(usable(constant, 8, false));
        assert!(!usable(constant, 8, true));
    }
}
