//! The agent's own heap: pages of its own, never the C library's `malloc`.
//!
//! A program may replace `malloc`, and its own may use OpenMP: a lock or a critical section for its
//! statistics, for example. The agent allocates inside callbacks, such as the one that says that a
//! critical section is held. If that called the program's `malloc`, which wants the same section,
//! the thread would wait for itself.
//!
//! What must hold: this lock is the last one that a thread takes, and under it only the system is
//! called. A handler allocates nothing.

use super::map;
use core::alloc::{GlobalAlloc, Layout};
use dlmalloc::{Allocator, Dlmalloc};
use omphalos_sync::process_lock::{ProcessLock, rank};

#[global_allocator]
static GLOBAL: Heap = Heap;

static HEAP: ProcessLock<Dlmalloc<Pages>, { rank::AGENT_HEAP }> =
    ProcessLock::new(Dlmalloc::new_with_allocator(Pages));

struct Heap;

// SAFETY: the heap keeps these promises for the thread that has the lock.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { HEAP.lock().malloc(layout.size(), layout.align()) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { HEAP.lock().calloc(layout.size(), layout.align()) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { HEAP.lock().free(block, layout.size(), layout.align()) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { HEAP.lock().realloc(block, layout.size(), layout.align(), size) }
    }
}

/// Pages of the system.
struct Pages;

// SAFETY: each mapping is new, and no code but the heap uses it.
unsafe impl Allocator for Pages {
    fn alloc(&self, bytes: usize) -> (*mut u8, usize, u32) {
        match map(bytes) {
            Some(at) => (at as *mut u8, bytes, 0),
            None => (core::ptr::null_mut(), 0, 0),
        }
    }

    fn remap(&self, from: *mut u8, old: usize, new: usize, may_move: bool) -> *mut u8 {
        let flags = if may_move { libc::MREMAP_MAYMOVE } else { 0 };
        // SAFETY: the heap's own mapping.
        let to = unsafe { libc::mremap(from.cast(), old, new, flags) };
        if to == libc::MAP_FAILED { core::ptr::null_mut() } else { to.cast() }
    }

    fn free_part(&self, from: *mut u8, old: usize, new: usize) -> bool {
        // SAFETY: the heap uses the rest no more.
        unsafe { libc::munmap(from.add(new).cast(), old - new) == 0 }
    }

    fn free(&self, from: *mut u8, bytes: usize) -> bool {
        // SAFETY: the heap uses it no more.
        unsafe { libc::munmap(from.cast(), bytes) == 0 }
    }

    fn can_release_part(&self, _: u32) -> bool {
        true
    }

    fn allocates_zeros(&self) -> bool {
        true
    }

    fn page_size(&self) -> usize {
        omphalos_sys::memory::PAGE
    }
}

#[cfg(test)]
mod tests {
    /// Blocks of every size keep their contents while they grow and others go.
    #[test]
    fn blocks_keep_what_is_in_them() {
        std::thread::scope(|scope| {
            for seed in 0..4u64 {
                scope.spawn(move || {
                    let mut blocks: Vec<Vec<u64>> = (0..64).map(|_| Vec::new()).collect();
                    let mut random = seed + 1;
                    for _ in 0..20_000 {
                        random ^= random << 13;
                        random ^= random >> 7;
                        random ^= random << 17;
                        let at = (random % 64) as usize;
                        let block = &mut blocks[at];
                        assert!(block.iter().all(|word| *word == at as u64));
                        match random >> 32 & 7 {
                            0 => *block = Vec::new(),
                            1 => *block = vec![at as u64; (random >> 40) as usize % 5000],
                            _ => block.push(at as u64),
                        }
                    }
                });
            }
        });
        let zeros = vec![0u64; 100_000];
        assert!(zeros.iter().all(|word| *word == 0));
    }
}
