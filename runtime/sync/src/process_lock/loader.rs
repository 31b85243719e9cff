//! Avoids the loader's lock on its list of files where a fork may have left it taken.
//!
//! `dl_iterate_phdr` takes it, and so does a thread that loads or unloads a library. In a forked
//! child the C library sets the loader's other locks right, but not this one. If another thread had
//! it at the fork, a thread that asks for the list in the child waits for ever.
//!
//! This code asks under a lock of the table ([`in_loader`]), so no thread is inside such a call
//! while a thread forks. But the program's threads may ask without it. So a child whose parent had
//! several threads finds out once, by a thread made for this ([`is_stuck`]): either it comes back
//! soon, or it never does. A child that never asks makes no thread.

use super::{ProcessLock, rank};
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use core::time::Duration;
use omphalos_sys::signals::Blocked;
use omphalos_sys::{futex, library, thread};

/// The longest time that a thread waits for the one that asks. An answer that comes later counts
/// from then on.
const LOADER_PATIENCE: Duration = Duration::from_secs(1);

/// The list is available.
const FREE: u32 = 0;
/// This is a child that has not asked yet.
const UNKNOWN: u32 = 1;
/// A thread asks.
const ASKED: u32 = 2;
/// The thread that asks has not come back in time.
const LATE: u32 = 3;

/// One of the states above; a futex.
static STATE: AtomicU32 = AtomicU32::new(FREE);
/// Whether the process has several threads. Set before the fork, for the child.
static OTHERS: AtomicBool = AtomicBool::new(false);

pub(super) fn before_fork() {
    OTHERS.store(!thread::alone(), Ordering::Relaxed);
}

pub(super) fn after_fork_in_child() {
    if OTHERS.load(Ordering::Relaxed) {
        STATE.store(UNKNOWN, Ordering::Relaxed);
    }
}

/// Whether the process is the child of one with several threads, and no thread has found that the
/// loader's list is available. Code that can do without the loader then does without it.
pub fn may_be_stuck() -> bool {
    STATE.load(Ordering::Acquire) != FREE
}

/// Whether the loader's list is unavailable, as far as that is known: a thread that asks for it
/// would wait for ever. The first call in a child may make a thread, and wait for it.
pub fn is_stuck() -> bool {
    match STATE.load(Ordering::Acquire) {
        FREE => false,
        LATE => true,
        _ => ask_loader(),
    }
}

/// Makes a thread ask, if none does, and waits for it. Returns the answer of [`is_stuck`].
#[cold]
fn ask_loader() -> bool {
    extern "C" fn look(_: *mut c_void) -> *mut c_void {
        library::each_file(|_| true);
        STATE.store(FREE, Ordering::Release);
        futex::wake(&STATE, u32::MAX);
        core::ptr::null_mut()
    }
    // The program's handlers do not run on the new thread, and do not cut this thread's wait short.
    let _blocked = Blocked::new();
    if change(UNKNOWN, ASKED) {
        // SAFETY: a function that needs no argument and stays loaded.
        if unsafe { thread::spawn(look, core::ptr::null_mut(), 0) }.is_err() {
            STATE.store(UNKNOWN, Ordering::Relaxed);
            return true;
        }
    }
    futex::wait(&STATE, ASKED, Some(LOADER_PATIENCE));
    change(ASKED, LATE);
    STATE.load(Ordering::Acquire) != FREE
}

fn change(from: u32, to: u32) -> bool {
    STATE.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
}

/// Runs `look`, which goes through the loader's list of files (`dl_iterate_phdr`), but not while a
/// thread forks: if another thread is inside, the loader's own lock stays taken in the child.
pub fn in_loader<R>(look: impl FnOnce() -> R) -> R {
    static LOADER: ProcessLock<(), { rank::LOADER }> = ProcessLock::new(());
    let _held = LOADER.lock();
    look()
}
