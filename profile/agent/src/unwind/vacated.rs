//! The places of objects that were unmapped. A record names code by its address, so no other object
//! may be mapped there while the program runs.
//!
//! What must hold: addresses are set aside only where nothing is mapped; no page is ever used.

use core::ffi::c_void;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most address space that is set aside, bytes.
const MOST: u64 = 1 << 34;
/// The most objects whose places are set aside: a program that loads one library again and again
/// gets a new place, and new rows of the tables, each time.
const MOST_OBJECTS: u64 = 256;

static BYTES: AtomicU64 = AtomicU64::new(0);
static OBJECTS: AtomicU64 = AtomicU64::new(0);

/// Whether one more place can be set aside.
pub fn has_room() -> bool {
    BYTES.load(Relaxed) < MOST && OBJECTS.load(Relaxed) < MOST_OBJECTS
}

/// Sets the addresses `from` to `to` of a former object aside, if nothing was mapped there
/// meanwhile.
pub fn keep((from, to): (u64, u64)) {
    const PAGE: u64 = 4096;
    let (from, to) = (from & !(PAGE - 1), to.next_multiple_of(PAGE));
    let length = to.saturating_sub(from);
    if !has_room() || length > MOST || is_bounded() {
        return;
    }
    BYTES.fetch_add(length, Relaxed);
    OBJECTS.fetch_add(1, Relaxed);
    let flags =
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    // SAFETY: nothing that is mapped is replaced. A kernel that does not know the flag may choose
    // another place, which is given back.
    unsafe {
        let at = libc::mmap(from as *mut c_void, length as usize, libc::PROT_NONE, flags, -1, 0);
        if at != libc::MAP_FAILED && at.addr() as u64 != from {
            libc::munmap(at, length as usize);
        }
    }
}

/// Whether the program's address space is limited, or the limit is not known: then the program
/// needs all of it itself.
fn is_bounded() -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure belongs to this function.
    let known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) } == 0;
    !known || limit.rlim_cur != libc::RLIM_INFINITY
}
