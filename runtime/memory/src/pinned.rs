//! Keeps the pages of blocks in memory.
//!
//! The kernel locks whole pages, once, however often it is asked. The pages inside of a block are
//! its own; the first and the last one may hold other blocks too, so a table says how many pinned
//! blocks begin or end in them. What must hold: a page is locked while a pinned block has a byte in
//! it. The table's lock is held over the system call, so that no other thread counts meanwhile.

use core::ffi::c_void;
use omphalos_index::Numbers;
use omphalos_sync::process_lock::{Guard, ProcessLock, rank};
use omphalos_sys::heap;

/// The number of bytes of a page.
pub(crate) const PAGE: usize = 4096;

/// Returns, by the addresses of pages, the number of blocks that begin or end there. A block of one
/// page counts once.
fn ends() -> Guard<'static, Numbers, { rank::PINNED }> {
    static ENDS: ProcessLock<Numbers, { rank::PINNED }> = ProcessLock::new(Numbers::new());
    ENDS.lock()
}

/// Returns the first and the last page of a block.
fn pages(block: *mut c_void, size: usize) -> (usize, usize) {
    let start = block as usize;
    (start & !(PAGE - 1), (start + size - 1) & !(PAGE - 1))
}

/// Keeps a block in memory. Returns false, and changes nothing, if the system's limit forbids it.
///
/// # Safety
/// The block is `size` bytes long, at least one.
pub(crate) unsafe fn pin(block: *mut c_void, size: usize) -> bool {
    let (first, last) = pages(block, size);
    let mut ends = ends();
    // SAFETY: the caller's promise.
    let pinned = unsafe { heap::pin(block, size) };
    for page in [first].into_iter().chain((last > first).then_some(last)) {
        let count = ends.get(page).unwrap_or(0);
        ends.insert(page, count + 1);
    }
    drop(ends);
    if !pinned {
        // Part of it may be locked.
        // SAFETY: as above; it counts as pinned.
        unsafe { unpin(block, size) };
    }
    pinned
}

/// Undoes [`pin`].
///
/// # Safety
/// As for [`pin`], and the block is pinned.
pub(crate) unsafe fn unpin(block: *mut c_void, size: usize) {
    let (first, last) = pages(block, size);
    let mut ends = ends();
    let mut is_free = |page: usize| match ends.remove(page) {
        Some(count) if count > 1 => {
            ends.insert(page, count - 1);
            false
        }
        _ => true,
    };
    let start = if is_free(first) { first } else { first + PAGE };
    let end = if last == first || is_free(last) { last + PAGE } else { last };
    if start < end {
        // SAFETY: pages of the block alone, or that no other pinned one is in.
        unsafe { heap::unpin(start as *mut c_void, end - start) };
    }
}
