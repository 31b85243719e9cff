//! Zeroed memory for data that lives as long as the process: tables and buffers of threads'
//! records. All other memory is in `heap`.
//!
//! What must hold: nothing is ever given back, so late readers always find it. No page is touched
//! before its user touches it: an allocator may clear a block page by page, and for the tables of
//! one thread that costs more than everything the thread does with them.

mod heap;

use omphalos_sync::process_lock::{ProcessLock, rank};

/// The size of one request to the system, bytes.
const EXTENT: usize = 4 << 20;

/// The rest of the newest extent: address and bytes.
static REST: ProcessLock<(usize, usize), { rank::AGENT_MEMORY }> = ProcessLock::new((0, 0));

/// Returns `count` values whose bytes are all zero. Ends the process, as any allocation does, if
/// the system has no memory left.
///
/// # Safety
/// All bytes zero must be a valid `T`.
pub unsafe fn zeroed<T>(count: usize) -> &'static mut [T] {
    let bytes = size_of::<T>().saturating_mul(count).next_multiple_of(64);
    debug_assert!(align_of::<T>() <= 64, "extents are cut at multiples of a cache line");
    match cut(bytes) {
        // SAFETY: cut for this caller alone, aligned to a line, zero, and never unmapped.
        Some(at) => unsafe { core::slice::from_raw_parts_mut(at as *mut T, count) },
        // SAFETY: the caller's promise.
        None => unsafe { Box::leak(Box::new_zeroed_slice(count).assume_init()) },
    }
}

fn cut(bytes: usize) -> Option<usize> {
    let mut rest = REST.lock();
    if rest.1 < bytes {
        if bytes > EXTENT / 2 {
            return map(bytes);
        }
        *rest = (map(EXTENT)?, EXTENT);
    }
    let at = rest.0;
    *rest = (at + bytes, rest.1 - bytes);
    Some(at)
}

fn map(bytes: usize) -> Option<usize> {
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping, wherever the system likes.
    let at = unsafe {
        libc::mmap(core::ptr::null_mut(), bytes, access, kind | libc::MAP_NORESERVE, -1, 0)
    };
    (at != libc::MAP_FAILED).then_some(at as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_zero_and_apart() {
        // SAFETY: integers.
        let (one, other) = unsafe { (zeroed::<u64>(1000), zeroed::<u64>(EXTENT)) };
        assert_eq!((one.len(), other.len()), (1000, EXTENT));
        one.fill(1);
        assert!(other.iter().all(|word| *word == 0));
        other.fill(2);
        assert!(one.iter().all(|word| *word == 1));
    }
}
