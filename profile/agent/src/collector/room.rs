//! The number of threads that a region may have. The Collector API does not say how many were asked
//! for, and the agent makes room for a region's threads before they come.

use crate::stream::process;
use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use omphalos_sync::settled::Settled;

/// The least room: it costs little.
const LEAST: u32 = 64;

/// The most threads that any region had.
static MOST: AtomicU32 = AtomicU32::new(LEAST);
static TOLD: AtomicBool = AtomicBool::new(false);

/// Returns the room that the next region gets.
pub fn of_region() -> u32 {
    MOST.load(Relaxed).max(max_threads())
}

/// Notes that the thread with this number came to a region with room for `room` threads.
pub fn is_taken(index: u32, room: u32) {
    if index < room {
        return;
    }
    MOST.fetch_max(index + 1, Relaxed);
    if !TOLD.swap(true, Relaxed) {
        process::warn(format_args!(
            "a region had more than {room} threads: what the others did in regions that began \
             before that was known is missing"
        ));
    }
}

/// Returns OpenMP's maximum for the threads of a region without a `num_threads` clause.
fn max_threads() -> u32 {
    static ASK: Settled<Option<unsafe extern "C" fn() -> c_int>> = Settled::new();
    let ask = ASK.get_or(|| {
        // SAFETY: a C string and a pseudo handle.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"omp_get_max_threads".as_ptr()) };
        // SAFETY: null, or a function that has this type by OpenMP.
        unsafe { core::mem::transmute::<*mut libc::c_void, _>(found) }
    });
    // SAFETY: it takes nothing and may be called anywhere.
    ask.map_or(0, |ask| unsafe { ask() }.max(0) as u32)
}
