//! Makes threads rest while another program watches (`watch.rs`), so that faults of `nowait` show.
//! A thread that leaves a construct with `nowait` to a task rests until the task has begun. The
//! task rests at its end. If another thread does not wait for the task and uses its data meanwhile,
//! the watcher sees that.
//!
//! All rests together are bounded, so that a program with thousands of such constructs does not
//! take minutes.

use super::watch::{self, is_watched};
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use core::time::Duration;
use omphalos_events::TargetKind;
use omphalos_sys::tls::thread_pointer;
use std::time::Instant;

/// The time for which a construct with `nowait` goes on after all its work is done.
const LONG: Duration = Duration::from_millis(20);
/// The longest time for which a thread waits until the construct's task begins.
const BEGIN: Duration = Duration::from_secs(1);
/// The longest such time if the task may have to wait for other tasks.
const BEGIN_AFTER_OTHERS: Duration = Duration::from_millis(30);
/// The time between two checks of whether a rest is over.
const LOOK: Duration = Duration::from_micros(200);
/// The longest time of all rests together.
const ALL: Duration = Duration::from_secs(2);

/// The sum of all rests, in microseconds.
static RESTED: AtomicU64 = AtomicU64::new(0);
/// The number of threads that leave a construct to a task and have not gone on.
static LEAVING: AtomicU32 = AtomicU32::new(0);
/// The number of times that [`begun`] was called.
static BEGUN: AtomicU32 = AtomicU32::new(0);
/// The thread that left a construct last, by its thread pointer.
static LEAVER: AtomicUsize = AtomicUsize::new(0);

/// Rests until `is_over`, or for the time `most`.
fn rest(most: Duration, is_over: impl Fn() -> bool) {
    if Duration::from_micros(RESTED.load(Ordering::Relaxed)) > ALL {
        return;
    }
    let since = Instant::now();
    while !is_over() && since.elapsed() < most {
        omphalos_sys::thread::rest(LOOK);
    }
    RESTED.fetch_add(since.elapsed().as_micros() as u64, Ordering::Relaxed);
}

/// A construct that is about to be left to a task. It keeps the value of [`BEGUN`] at that time.
pub struct Leaving(u32);

/// Called before a task is made for a construct; [`Leaving::left`] follows.
#[inline(always)]
pub fn leaving() -> Option<Leaving> {
    if !is_watched() {
        return None;
    }
    // The calling thread leaves the construct: its next accesses are the host's.
    watch::left(0, &[]);
    LEAVER.store(thread_pointer(), Ordering::Relaxed);
    LEAVING.fetch_add(1, Ordering::Relaxed);
    Some(Leaving(BEGUN.load(Ordering::Relaxed)))
}

impl Leaving {
    /// Called when the task was made: rests until it begins. `after`: it may have to wait for other
    /// tasks.
    #[cold]
    pub fn left(self, after: bool) {
        let most = if after { BEGIN_AFTER_OTHERS } else { BEGIN };
        rest(most, || BEGUN.load(Ordering::Relaxed) != self.0);
        LEAVING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Called when a construct's region begins, or when all work of a construct without a region is
/// done. If another thread left the construct to this one, this one rests until the other has gone
/// on, because on a busy machine the other may have no processor yet. Then it rests a while:
/// meanwhile the watcher keeps the host's copies from the program. A construct that is executed at
/// once waits for no thread.
pub(super) fn begun() {
    BEGUN.fetch_add(1, Ordering::Relaxed);
    if LEAVING.load(Ordering::Relaxed) > 0 && LEAVER.load(Ordering::Relaxed) != thread_pointer() {
        rest(BEGIN, || LEAVING.load(Ordering::Relaxed) == 0);
        rest(LONG, || false);
    }
}

/// Called when all work of a construct is done and its end is not told yet.
#[cold]
pub(super) fn done(kind: TargetKind) {
    use TargetKind::{EnterDataNowait, ExitDataNowait, TargetNowait, UpdateNowait};
    if matches!(kind, TargetNowait | EnterDataNowait | ExitDataNowait | UpdateNowait) {
        watch::rests();
        begun();
        rest(LONG, || false);
    }
}
