//! Makes threads wait for a helper, within bounds.

use super::queue::{self, Asked};
use super::{helper, index};
use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use omphalos_events::{SLOTS, inquiry};
use omphalos_sys::{clock, futex};

/// The longest wait for a helper that makes no progress, because a tool keeps it so long in one
/// call.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// For each slot, the number of the helper's steps. A futex: a thread that reads it before it looks
/// at a queue does not sleep through a change.
static PROGRESS: [AtomicU32; SLOTS] = [const { AtomicU32::new(0) }; SLOTS];
/// For each slot, the number of threads that sleep on `PROGRESS`. Sequentially consistent, as
/// `PROGRESS` is: a thread that the helper does not see in this count sees the helper's progress
/// before it sleeps.
static WAITING: [AtomicU32; SLOTS] = [const { AtomicU32::new(0) }; SLOTS];

/// Returns the number of the helper's steps so far.
pub fn progress(slot: usize) -> u32 {
    PROGRESS[index(slot)].load(Ordering::SeqCst)
}

/// Notes that the helper has made a step.
pub fn got_on(slot: usize) {
    let progress = &PROGRESS[index(slot)];
    progress.fetch_add(1, Ordering::SeqCst);
    if WAITING[index(slot)].load(Ordering::SeqCst) != 0 {
        futex::wake(progress, u32::MAX);
    }
}

/// A wait that lasts as long as the helper makes progress.
pub struct Patience {
    seen: u32,
    since: u64,
}

impl Patience {
    /// Begins a wait.
    pub fn new() -> Patience {
        Patience { seen: 0, since: 0 }
    }

    /// Sleeps unless the helper has made a step since the count was `seen`. Returns false if the
    /// wait was too long.
    pub fn wait(&mut self, slot: usize, seen: u32) -> bool {
        let now = clock::nanoseconds();
        if self.since == 0 || self.seen != seen {
            (self.seen, self.since) = (seen, now);
        }
        let left = (self.since + PATIENCE.as_nanos() as u64).saturating_sub(now);
        if left == 0 {
            return false;
        }
        let waiting = &WAITING[index(slot)];
        waiting.fetch_add(1, Ordering::SeqCst);
        futex::wait(&PROGRESS[index(slot)], seen, Some(Duration::from_nanos(left)));
        waiting.fetch_sub(1, Ordering::SeqCst);
        true
    }
}

/// Waits until the tool has the records that were asked for, unless the calling thread is in one of
/// its callbacks.
pub fn until_delivered(slot: usize, asked: Asked) {
    if !is_in_callback(slot) {
        until(slot, || queue::is_delivered(slot, asked));
    }
}

/// Waits until `done` holds, unless the calling thread is the helper itself.
pub fn to_the_end(slot: usize, done: impl Fn() -> bool) {
    if !helper::is_calling(slot) {
        until(slot, done);
    }
}

fn until(slot: usize, done: impl Fn() -> bool) {
    let mut patience = Patience::new();
    loop {
        let seen = progress(slot);
        if done() || !patience.wait(slot, seen) {
            return;
        }
    }
}

/// Whether the calling thread may be in a callback: it is the helper, or tells a tool of a target
/// event, or its task is inside the runtime. If that is unknown, as in a callback of a lock,
/// [`PATIENCE`] bounds the wait.
fn is_in_callback(slot: usize) -> bool {
    if helper::is_calling(slot) {
        return true;
    }
    let Some(engine) = inquiry() else { return false };
    let tells = (engine.notes)().is_some_and(|notes| notes.target.load(Ordering::Relaxed) != 0);
    let inside = || {
        let (_, info) = (engine.task)(0);
        // SAFETY: the engine's task lives while it is on the calling thread's stack of tasks.
        let task = info.and_then(|info| unsafe { info.task.as_ref() });
        task.is_some_and(|task| task.frame.enter.load(Ordering::Relaxed) != 0)
    };
    tells || inside()
}
