//! The runtime's own memory: the C library's, with one line on standard error if there is no more.
//! Threads that OpenMP has not met get theirs from [`unmet`].
//!
//! What must hold: the line needs no memory. Only the runtime's own structures come from here:
//! memory that the program itself asks for in vain does not end it.

mod unmet;

use crate::line::Line;
use core::fmt::Write;
use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use omphalos_sys::stderr;
use std::alloc::{GlobalAlloc, Layout, System};

#[global_allocator]
static MEMORY: Memory = Memory;

struct Memory;

/// Returns the block, or ends the process if there is none: the runtime cannot do without it.
#[inline(always)]
fn block_or_abort(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        refused(size);
    }
    memory
}

#[cold]
#[inline(never)]
pub fn refused(size: usize) -> ! {
    // The process whose thread writes the message: not the parent of a forked child.
    static SAYS: AtomicU32 = AtomicU32::new(0);
    let process = std::process::id();
    if SAYS.swap(process, Ordering::Relaxed) == process {
        // Another thread of this process writes the message and ends the process.
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
    let mut line = Line::new();
    let _ = writeln!(
        line,
        "omphalos: the system refused {size} bytes of memory for the runtime, which ends the \
         program; \
         see \
         ulimit -v and -d, OMP_STACKSIZE, OMP_NUM_THREADS and the limits of its control group"
    );
    stderr::raw(line.bytes());
    std::process::abort()
}

// SAFETY: all blocks are the system's or `unmet`'s, which keep the promises; a refused request does
// not return.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { get(layout, false) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { get(layout, true) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if unmet::is_callers() || unmet::is_here(memory) {
            // SAFETY: the caller's promise.
            return unsafe { give_back_unmet(memory, layout) };
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) };
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if unmet::is_callers() || unmet::is_here(memory) {
            // SAFETY: the caller's promise.
            return unsafe { move_unmet(memory, layout, size) };
        }
        // SAFETY: the caller's promise.
        block_or_abort(unsafe { System.realloc(memory, layout, size) }, size)
    }
}

/// Returns a block, of zeros if `zeros`.
///
/// # Safety
/// As for `alloc`.
#[inline(never)]
unsafe fn get(layout: Layout, zeros: bool) -> *mut u8 {
    if unmet::is_callers() {
        let block = unmet::get(layout);
        if !block.is_null() {
            return block;
        }
    } else {
        unmet::free_waiting();
    }
    // SAFETY: the caller's promise.
    block_or_abort(
        unsafe { if zeros { System.alloc_zeroed(layout) } else { System.alloc(layout) } },
        layout.size(),
    )
}

/// Frees a block that a thread without a record got, or that such a thread gives back.
///
/// # Safety
/// As for `dealloc`.
#[cold]
#[inline(never)]
unsafe fn give_back_unmet(memory: *mut u8, layout: Layout) {
    // SAFETY: the caller's promise.
    unsafe {
        if !unmet::give_back(memory, layout) {
            unmet::free_later(memory);
        }
    }
}

/// Moves a block that a thread without a record got, or that such a thread moves.
///
/// # Safety
/// As for `realloc`.
#[cold]
#[inline(never)]
unsafe fn move_unmet(memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    // SAFETY: the caller's promise: the size is valid for this alignment.
    unsafe {
        let new = MEMORY.alloc(Layout::from_size_align_unchecked(size, layout.align()));
        new.copy_from_nonoverlapping(memory, layout.size().min(size));
        give_back_unmet(memory, layout);
        new
    }
}
