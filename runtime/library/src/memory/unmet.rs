//! Blocks for threads that have no record: the runtime's own pages, never the C library's `malloc`.
//!
//! A program may replace `malloc`, and its own `malloc` may ask OpenMP something: the number of
//! threads, or a lock for its statistics. For a thread with a record that is an ordinary call. A
//! thread without one meets OpenMP by that call. If the runtime itself called `malloc` while the
//! thread meets OpenMP or leaves it, the thread would come to the same place a second time, under
//! its own locks. (libgomp allocates nothing there. LLVM's runtime waits for itself.)
//!
//! * A thread without a record gets its blocks from here.
//! * If it frees a block of the C library's, the block waits until a thread with a record allocates
//!   something ([`free_waiting`]).
//!
//! Pages come in pieces. A block's *offset* counts through all of them, as if each piece began
//! where the one before ends.
//!
//! What must hold: nothing here takes a lock, so a signal handler and a forked child may come here
//! at any moment. A block that is freed serves again, so threads may come and go for ever.
//! LeakSanitizer is told of the pages, since it looks for addresses of blocks in them. If they are
//! used up, or the system has none, the C library's `malloc` serves.

use core::alloc::Layout;
use core::ffi::c_void;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};
use omphalos_sync::returns::Returns;
use std::alloc::{GlobalAlloc, System};

/// The length of a piece: enough for some four hundred threads of the program at once. Untouched
/// pages take no memory.
const LENGTH: usize = 1 << 22;
/// The most pieces.
const PIECES: usize = 32;
/// The length of a piece with the links of its blocks.
const WITH_LINKS: usize = LENGTH + LENGTH / LEAST * size_of::<u32>();
/// The least length of a block, and the alignment of all blocks. Their lengths are powers of two.
const LEAST: usize = 1 << 7;
/// The greatest length. Longer blocks come from the C library. A list of 100,000 threads is
/// shorter.
const MOST: usize = LEAST << (CLASSES - 1);
const CLASSES: usize = 15;

/// A block of the C library that waits to be freed.
struct Free {
    next: *mut Free,
}

/// The address of each piece; 0 before there is one, [`NONE`] if there will be none. Behind a piece
/// are the links of its free blocks, one for each [`LEAST`] bytes. (In a block itself, a thread
/// that reads the link could meet another one that uses the block already.)
static PAGES: [AtomicUsize; PIECES] = [const { AtomicUsize::new(0) }; PIECES];
/// In the place of a piece's address: there will be no such piece.
const NONE: usize = 1;
/// The bytes of the pages that were given away, or asked for in vain.
static USED: AtomicUsize = AtomicUsize::new(0);
/// The free blocks of each class, as a list. The lower half is the first one's number: its offset
/// in units of [`LEAST`], and one; 0 for none. The upper half counts the blocks that were taken: a
/// thread that read the list sees by it whether another one took blocks since.
static FREE: [AtomicU64; CLASSES] = [const { AtomicU64::new(0) }; CLASSES];
/// The blocks of the C library that wait to be freed.
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
    let first = PAGES[0].load(Relaxed);
    (first > NONE && (block as usize).wrapping_sub(first) < LENGTH)
        || (USED.load(Relaxed) > LENGTH && offset(block).is_some())
}

/// Returns a block's offset, if it came from here.
#[cold]
#[inline(never)]
fn offset(block: *mut u8) -> Option<usize> {
    let number = USED.load(Relaxed) / LENGTH + 1;
    PAGES.iter().take(number).enumerate().find_map(|(piece, pages)| {
        let from = pages.load(Relaxed);
        let within = (block as usize).wrapping_sub(from);
        (from > NONE && within < LENGTH).then(|| piece * LENGTH + within)
    })
}

/// Returns the address of the block at an offset; null if there is no such piece. Maps the piece if
/// need be.
#[cold]
#[inline(never)]
fn address(offset: usize) -> *mut u8 {
    let Some(pages) = PAGES.get(offset / LENGTH) else { return core::ptr::null_mut() };
    let from = match pages.load(Relaxed) {
        0 => map(pages),
        from => from,
    };
    if from == NONE {
        return core::ptr::null_mut();
    }
    (from + offset % LENGTH) as *mut u8
}

/// Returns the link of a free block: the number of the next one.
///
/// # Safety
/// It is a block of these pages at this offset.
unsafe fn link<'a>(block: *mut u8, offset: usize) -> &'a AtomicU32 {
    let within = offset % LENGTH;
    // SAFETY: the links are behind the piece, which never goes.
    unsafe {
        let links: *const AtomicU32 = block.sub(within).add(LENGTH).cast();
        &*links.add(within / LEAST)
    }
}

/// Returns the class of blocks that fit.
fn class(layout: Layout) -> Option<usize> {
    if layout.size() > MOST || layout.align() > LEAST {
        return None;
    }
    let size = layout.size().max(LEAST).next_power_of_two();
    Some((size.trailing_zeros() - LEAST.trailing_zeros()) as usize)
}

/// Returns a block of zeros; null if there is none here.
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

/// Gives a block back. Returns false if it did not come from here.
///
/// # Safety
/// If it came from [`get`], then with this layout, and no code uses it any more.
#[cold]
pub unsafe fn give_back(block: *mut u8, layout: Layout) -> bool {
    let (Some(class), Some(offset)) = (class(layout), offset(block)) else { return false };
    let number = (offset / LEAST + 1) as u64;
    let mut head = FREE[class].load(Relaxed);
    loop {
        // SAFETY: the block is ours.
        unsafe { link(block, offset).store(head as u32, Relaxed) };
        let new = head >> 32 << 32 | number;
        match FREE[class].compare_exchange_weak(head, new, Release, Relaxed) {
            Ok(_) => return true,
            Err(now) => head = now,
        }
    }
}

/// Keeps a block of the C library until [`free_waiting`].
///
/// # Safety
/// It came from the C library, which makes none shorter than an address, and no code uses it any
/// more.
#[cold]
pub unsafe fn free_later(block: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        let block: *mut Free = block.cast();
        WAITING.put(block, |head| (*block).next = head);
    }
}

/// Frees the blocks that wait, on a thread with a record. One load if there are none.
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
        // SAFETY: the blocks are the calling thread's now.
        let next = unsafe { (*block).next };
        // SAFETY: the C library looks at no layout.
        unsafe { System.dealloc(block.cast(), Layout::new::<Free>()) };
        block = next;
    }
}

/// Takes a free block of the class; null if there is none.
fn pop(class: usize) -> *mut u8 {
    let mut head = FREE[class].load(Acquire);
    while head as u32 != 0 {
        let offset = (head as u32 as usize - 1) * LEAST;
        let block = address(offset);
        // SAFETY: it is a block's link. If another thread took the block meanwhile, the exchange
        // fails.
        let next = unsafe { link(block, offset) }.load(Relaxed);
        let new = (head >> 32).wrapping_add(1) << 32 | u64::from(next);
        match FREE[class].compare_exchange_weak(head, new, Acquire, Acquire) {
            Ok(_) => return block,
            Err(now) => head = now,
        }
    }
    core::ptr::null_mut()
}

/// Returns a block that no thread had before; null if there is none. The size is a multiple of
/// [`LEAST`].
fn fresh(size: usize) -> *mut u8 {
    loop {
        let at = USED.fetch_add(size, Relaxed);
        // A block that would lie in two pieces is skipped.
        if at % LENGTH + size <= LENGTH {
            return address(at);
        }
    }
}

/// Returns the address of a piece. Maps the piece if no other thread has done it.
fn map(pages: &AtomicUsize) -> usize {
    let made = omphalos_sys::memory::map(WITH_LINKS).unwrap_or(NONE);
    if let Err(others) = pages.compare_exchange(0, made, Relaxed, Relaxed) {
        if made != NONE {
            // SAFETY: no other code knows of them.
            unsafe { omphalos_sys::memory::unmap(made, WITH_LINKS) };
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
            assert!(give_back(one, asked));
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
    fn further_pieces_follow_the_first() {
        let asked = layout(MOST, 8);
        let blocks: Vec<*mut u8> = (0..3 * LENGTH / MOST).map(|_| get(asked)).collect();
        assert!(offset(blocks[blocks.len() - 1]).unwrap() > LENGTH);
        let different: std::collections::HashSet<_> = blocks.iter().collect();
        assert_eq!(different.len(), blocks.len());
        for &block in &blocks {
            assert!(is_here(block));
            // SAFETY: it is ours.
            unsafe { assert!(give_back(block, asked)) };
        }
        assert!(blocks.contains(&get(asked)));
    }

    #[test]
    fn threads_share_them() {
        let asked = layout(40, 8);
        let all = std::thread::scope(|scope| {
            let each = || {
                let blocks: Vec<usize> = (0..500).map(|_| get(asked) as usize).collect();
                for &block in blocks.iter().step_by(2) {
                    // SAFETY: it is ours.
                    unsafe { assert!(give_back(block as *mut u8, asked)) };
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
