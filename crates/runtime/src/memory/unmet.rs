//! Blocks for threads that have no record: the runtime's own pages, never the C library's `malloc`.
//!
//! A program may replace `malloc`, and its own may ask OpenMP something: how many threads there
//! are, or for a lock of its statistics. For a thread with a record that is an ordinary call. A
//! thread without one meets OpenMP by that call. If the runtime itself called `malloc` while the
//! thread meets OpenMP or leaves it, it would come to the same place a second time, under its own
//! locks. (libgomp allocates nothing there. LLVM's runtime waits for itself.)
//!
//! * A thread without a record gets its blocks from here.
//! * What it frees of the C library's blocks waits, until a thread with a record allocates or frees
//!   something ([`free_waiting`]).
//!
//! What must hold: nothing here takes a lock, so a signal handler and a forked child may come here
//! at any moment. A block that is freed serves again, so threads may come and go for ever.
//! LeakSanitizer is told of the pages, since it looks for addresses of blocks in them. Where they
//! are used up, or the system has none, the C library's `malloc` serves.

use core::alloc::Layout;
use core::ffi::c_void;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use omphalos_sync::returns::Returns;
use std::alloc::{GlobalAlloc, System};

/// How long the mapping is: enough for some four hundred threads of the program at once. Pages that
/// nobody used take no memory.
const LENGTH: usize = 1 << 22;
/// A block is a power of two long and at least this, and aligned to a multiple of this.
const LEAST: usize = 1 << 7;
/// What is longer comes from the C library.
const MOST: usize = LEAST << (CLASSES - 1);
const CLASSES: usize = 10;

/// A block that is free, or waits to be freed.
struct Free {
    next: *mut Free,
}

/// The address of the mapping; 0 before there is one, [`NONE`] if there will be none.
static PAGES: AtomicUsize = AtomicUsize::new(0);
/// No address of pages.
const NONE: usize = 1;
/// Bytes of them given away, or asked for in vain.
static USED: AtomicUsize = AtomicUsize::new(0);
/// Free blocks, by class.
static FREE: [Returns<Free>; CLASSES] = [const { Returns::new() }; CLASSES];
/// Blocks of the C library that wait to be freed.
static WAITING: Returns<Free> = Returns::new();

omphalos_sys::weak_references! {
    fn bound() -> [1] of omphalos_root_regions: __lsan_register_root_region
}

/// Whether the calling thread gets its blocks from here. Async-signal-safe.
#[inline(always)]
pub fn is_callers() -> bool {
    omphalos_sys::tls::record().is_null()
}

/// Whether a block came from here.
#[inline(always)]
pub fn is_here(block: *mut u8) -> bool {
    let from = PAGES.load(Relaxed);
    from > NONE && (block as usize).wrapping_sub(from) < LENGTH
}

/// The class of blocks that fit.
fn class(layout: Layout) -> Option<usize> {
    if layout.size() > MOST || layout.align() > LEAST {
        return None;
    }
    let size = layout.size().max(LEAST).next_power_of_two();
    Some((size.trailing_zeros() - LEAST.trailing_zeros()) as usize)
}

/// A block of zeros; null if there is none here.
#[cold]
pub fn get(layout: Layout) -> *mut u8 {
    let Some(class) = class(layout) else { return core::ptr::null_mut() };
    let block = pop(class);
    if block.is_null() {
        return fresh(LEAST << class);
    }
    // SAFETY: the block is this long, and the caller's.
    unsafe { block.write_bytes(0, LEAST << class) };
    block
}

/// Gives a block back.
///
/// # Safety
/// It came from [`get`] with this layout, and nobody uses it any more.
#[cold]
pub unsafe fn give_back(block: *mut u8, layout: Layout) {
    if let Some(class) = class(layout) {
        // SAFETY: the caller's promise.
        unsafe { put(&FREE[class], block.cast(), block.cast()) };
    }
}

/// Keeps a block of the C library until [`free_waiting`].
///
/// # Safety
/// It came from the C library, which makes none shorter than an address, and nobody uses it any
/// more.
#[cold]
pub unsafe fn free_later(block: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { put(&WAITING, block.cast(), block.cast()) };
}

/// For a thread with a record: frees what waits for that. One load where nothing does.
#[inline(always)]
pub fn free_waiting() {
    let waiting = WAITING.take();
    if !waiting.is_null() {
        free_all(waiting);
    }
}

#[cold]
#[inline(never)]
fn free_all(mut block: *mut Free) {
    while !block.is_null() {
        // SAFETY: they are the calling thread's now.
        let next = unsafe { (*block).next };
        // SAFETY: the C library looks at no layout.
        unsafe { System.dealloc(block.cast(), Layout::new::<Free>()) };
        block = next;
    }
}

/// Puts a chain of blocks to the others.
///
/// # Safety
/// The chain goes from `first` to `last`, and is the caller's.
unsafe fn put(to: &Returns<Free>, first: *mut Free, last: *mut Free) {
    to.put(first, |head| {
        // SAFETY: the caller's until it is there.
        unsafe { (*last).next = head };
    });
}

/// A free block of the class: takes all, so that there is no ABA, and puts the others back.
fn pop(class: usize) -> *mut u8 {
    let block = FREE[class].take();
    if block.is_null() {
        return core::ptr::null_mut();
    }
    // SAFETY: the whole chain is the calling thread's now.
    unsafe {
        let rest = (*block).next;
        if !rest.is_null() {
            let mut last = rest;
            while !(*last).next.is_null() {
                last = (*last).next;
            }
            put(&FREE[class], rest, last);
        }
    }
    block.cast()
}

/// A block that nobody had before; null if there is none. The size is a multiple of [`LEAST`].
fn fresh(size: usize) -> *mut u8 {
    let from = match PAGES.load(Relaxed) {
        0 => map(),
        from => from,
    };
    let at = USED.fetch_add(size, Relaxed);
    if from == NONE || at > LENGTH - size {
        return core::ptr::null_mut();
    }
    (from + at) as *mut u8
}

/// The address of the pages, mapped now if no other thread has done it.
#[cold]
fn map() -> usize {
    let made = omphalos_sys::memory::map(LENGTH).unwrap_or(NONE);
    if let Err(others) = PAGES.compare_exchange(0, made, Relaxed, Relaxed) {
        if made != NONE {
            // SAFETY: nobody knows of them.
            unsafe { omphalos_sys::memory::unmap(made, LENGTH) };
        }
        return others;
    }
    let register = bound()[0];
    if made != NONE && !register.is_null() {
        // SAFETY: LeakSanitizer's function of this name has this form.
        let register: extern "C" fn(*const c_void, usize) =
            unsafe { core::mem::transmute(register) };
        register(made as *const c_void, LENGTH);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).unwrap()
    }

    #[test]
    fn blocks_are_zero_aligned_and_serve_again() {
        let asked = layout(200, 64);
        let one = get(asked);
        assert!(is_here(one));
        assert_eq!(one as usize % 64, 0);
        // SAFETY: the block is ours.
        unsafe {
            assert!((0..200).all(|at| *one.add(at) == 0));
            one.write_bytes(7, 200);
            give_back(one, asked);
        }
        let others: Vec<*mut u8> = (0..3).map(|_| get(asked)).collect();
        assert!(others.contains(&one));
        // SAFETY: as above.
        unsafe { assert!((0..200).all(|at| *one.add(at) == 0)) };
    }

    #[test]
    fn long_ones_come_from_elsewhere() {
        assert!(get(layout(MOST + 1, 8)).is_null());
        assert!(get(layout(8, LEAST * 2)).is_null());
        let mut local = 0u8;
        assert!(!is_here(&mut local));
    }

    #[test]
    fn threads_share_them() {
        let asked = layout(40, 8);
        let all = std::thread::scope(|scope| {
            let each = || {
                let blocks: Vec<usize> = (0..500).map(|_| get(asked) as usize).collect();
                for &block in blocks.iter().step_by(2) {
                    // SAFETY: it is ours.
                    unsafe { give_back(block as *mut u8, asked) };
                }
                blocks.into_iter().skip(1).step_by(2).collect::<Vec<_>>()
            };
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(each)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        let different: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }
}
