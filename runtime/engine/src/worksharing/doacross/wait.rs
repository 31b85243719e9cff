//! Waits until an iteration is done.

use crate::records::{Team, Thread};
use crate::waiting::{Reason, looks_before_wait, wait_plainly};
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use omphalos_events::wishes::tells_doacross_waits;
use omphalos_events::{MutexKind, State, tell_tools};

/// The longest sleep of a waiter that spins first. A post to such a waiter has no fence, so a
/// thread that posts may miss a waiter that goes to sleep in the same few nanoseconds. So the
/// waiter looks again by itself, as for the turn of an `ordered` region. A fence would take as long
/// as the line's way to the waiter, for each iteration.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// Between two looks a wait pauses once for each 16 missing iterations, but at most 256 times.
const ITERATIONS_A_PAUSE: u64 = 16;
const MOST_PAUSES_A_LOOK: u64 = 256;

/// The state of a ledger's word in which an iteration is done.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// The iteration's bit, in a word of 64.
    Bit(u64),
    /// A counter that is past the iteration.
    Counter(u64),
}

impl Wanted {
    #[inline(always)]
    fn number(self) -> u64 {
        match self {
            Wanted::Bit(number) | Wanted::Counter(number) => number,
        }
    }

    /// Returns the least number of iterations that are missing if the word says `now`; 0: none is
    /// missing.
    #[inline(always)]
    fn left(self, now: u64) -> u64 {
        match self {
            Wanted::Bit(number) => u64::from(now >> (number % 64) & 1 == 0),
            // A counter of 0 means that no iteration of its run was posted yet.
            Wanted::Counter(_) if now == 0 => 1,
            Wanted::Counter(number) => (number + 1).saturating_sub(now),
        }
    }
}

/// Waits until `word` of the ledger says that the iteration is done.
#[inline(always)]
pub(super) fn wait(
    thread: &'static Thread,
    team: &'static Team,
    word: &AtomicU64,
    wanted: Wanted,
    codeptr: &impl Fn() -> u64,
) {
    if wanted.left(word.load(Ordering::Acquire)) != 0 {
        wait_longer(thread, team, word, wanted, codeptr());
    }
}

/// Does what [`wait`] does, after the first look.
#[inline(never)]
fn wait_longer(
    thread: &'static Thread,
    team: &'static Team,
    word: &AtomicU64,
    wanted: Wanted,
    codeptr: u64,
) {
    if team.size.get() == 1 {
        return;
    }
    if tells_doacross_waits() {
        wait_told(thread, codeptr, || look_and_wait(thread, team, word, wanted));
    } else {
        look_and_wait(thread, team, word, wanted);
    }
}

/// Waits by `wait`, and tells the tool that asked for it. The wait id is the address of the loop's
/// memory: the word would be another one for each iteration.
#[cold]
#[inline(never)]
fn wait_told(thread: &'static Thread, codeptr: u64, wait: impl FnOnce()) {
    let wait_id = thread.slot().share.nest.get() as u64;
    let state = thread.set_waiting(State::WAIT_ORDERED, wait_id);
    tell_tools::mutex_acquire(MutexKind::Ordered, 0, 0, wait_id, codeptr);
    wait();
    tell_tools::mutex_acquired(MutexKind::Ordered, wait_id, codeptr);
    tell_tools::mutex_released(MutexKind::Ordered, wait_id, codeptr);
    thread.set_state(state);
}

/// Looks for a while, and then waits as a sleeper that the posting threads wake.
#[inline(never)]
fn look_and_wait(thread: &'static Thread, team: &'static Team, word: &AtomicU64, wanted: Wanted) {
    for _ in 0..looks_before_wait(team) {
        omphalos_sys::relax();
        let left = wanted.left(word.load(Ordering::Acquire));
        if left == 0 {
            return;
        }
        leave_alone(left);
    }
    // Debuggers read this word.
    let slot = thread.as_owner().slot();
    slot.share.sink.set(slot, wanted.number());
    let state = thread.set_waiting(State::WAIT_ORDERED, word.as_ptr() as u64);
    wait_plainly(thread, team, Reason::sink(wanted.number()), Some(LOOK_AGAIN), || {
        let left = wanted.left(word.load(Ordering::SeqCst));
        if left != 0 && !team.sleeps_soon() {
            leave_alone(left);
        }
        // A team of one waits only in a forked child: threads of the parent had those iterations.
        left == 0 || team.is_cancelled() || team.size.get() == 1
    });
    thread.set_state(state);
}

/// Pauses for the shortest time that `left` missing iterations may take: each takes at least an
/// [`ITERATIONS_A_PAUSE`]th of a pause. Each look takes the cache line away from the thread that
/// posts them.
#[inline(always)]
fn leave_alone(left: u64) {
    for _ in 0..(left / ITERATIONS_A_PAUSE).min(MOST_PAUSES_A_LOOK) {
        omphalos_sys::relax();
    }
}
