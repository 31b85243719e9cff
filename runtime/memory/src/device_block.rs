//! Blocks that an allocator takes from a device's memory. The host cannot write a header into them,
//! so a table lists them.
//!
//! `block` calls it for allocators whose memory space belongs to devices. What must hold: a block
//! is in the table from before the program gets it until it is freed.

use crate::allocator::Allocator;
use crate::device::offered;
use core::ffi::c_void;
use core::sync::atomic::{AtomicUsize, Ordering};
use omphalos_index::Index;
use omphalos_sync::process_lock::{Guard, ProcessLock, rank};

/// The number of such blocks in use. While there are none, freeing a block needs no look at the
/// table.
static IN_USE: AtomicUsize = AtomicUsize::new(0);

/// The blocks with the allocators they came from and their sizes in bytes.
type Blocks = Index<(&'static Allocator, usize)>;

fn blocks() -> Guard<'static, Blocks, { rank::BLOCKS }> {
    static BLOCKS: ProcessLock<Blocks, { rank::BLOCKS }> = ProcessLock::new(Blocks::new());
    BLOCKS.lock()
}

/// Returns an allocator, as the device library takes it ([`offered`]).
fn record(allocator: &'static Allocator) -> *const c_void {
    core::ptr::from_ref(allocator).cast()
}

/// Returns a block of a device's memory; null if there is none, or none with this alignment.
pub(crate) fn get(allocator: &'static Allocator, alignment: usize, size: usize) -> *mut c_void {
    let null = core::ptr::null_mut();
    let Some(library) = offered().filter(|_| allocator.take(size)) else { return null };
    // SAFETY: the library's interface.
    let block = unsafe { (library.allocate)(size, record(allocator)) };
    if block.is_null() || !(block as usize).is_multiple_of(alignment) {
        allocator.give_back(size);
        if !block.is_null() {
            // SAFETY: the library gave this block just now, and the program does not have it.
            unsafe { (library.free)(block, record(allocator)) };
        }
        return null;
    }
    IN_USE.fetch_add(1, Ordering::Relaxed);
    blocks().insert(block as usize, (allocator, size));
    block
}

/// Whether the block is one of a device.
pub(crate) fn owns(block: *mut c_void) -> bool {
    IN_USE.load(Ordering::Relaxed) != 0 && blocks().get(block as usize).is_some()
}

/// Frees a block of a device. Returns false if it is no such block.
pub(crate) fn free(block: *mut c_void) -> bool {
    if IN_USE.load(Ordering::Relaxed) == 0 {
        return false;
    }
    let Some((allocator, size)) = blocks().remove(block as usize) else { return false };
    IN_USE.fetch_sub(1, Ordering::Relaxed);
    if let Some(library) = offered() {
        // SAFETY: the library gave this block for this allocator, which the program may not destroy
        // before it frees the block.
        unsafe { (library.free)(block, record(allocator)) };
    }
    allocator.give_back(size);
    true
}
