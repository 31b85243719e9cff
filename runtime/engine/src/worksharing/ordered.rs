//! Enters and leaves `ordered` regions: the chunks of a loop take turns in the order of their
//! iterations.
//!
//! Who calls: `capi`, at both ends of an `ordered` region; `chunks.rs`, at a chunk's end. The turn
//! is one word of the loop's entry (`WorkShare::turn`): the first iteration of the chunk that may
//! go on. A chunk takes the turn with its first `ordered` region and keeps it to its end, as in
//! libgomp: the next chunk's iterations are later in any case. A chunk of one iteration passes the
//! turn on earlier, at the end of its region: an iteration has at most one such region, so other
//! members need not wait for the rest of it.
//!
//! What must hold: only the member whose chunk has the turn writes the word.

use crate::call::Call;
use crate::mutex::hooks as mutex_hooks;
use crate::records::{Thread, WorkShare};
use crate::waiting::{Reason, looks_before_wait, wait_plainly, wake_after};
use core::sync::atomic::Ordering;
use core::time::Duration;
use omphalos_events::{MutexKind, State};
use omphalos_sys::entry::Caller;

/// The longest sleep of a waiter that spins first. The turn is passed to such a waiter without a
/// fence, so the member that passes it may miss a waiter that goes to sleep in the same few
/// nanoseconds. So the waiter looks again by itself.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

fn entry(thread: &Thread) -> Option<&'static WorkShare> {
    // SAFETY: entries are never freed.
    unsafe { thread.slot().share.entry.get().as_ref() }
}

/// Waits until it is the turn of iteration `first`. `told`: the call of the `ordered` construct if
/// tools are told of its wait, else `Caller::NONE`.
///
/// The member that is next in line asks for the cache line as a writer each time it looks. So the
/// line moves once for a hand-off, not once for the read and once for the write. The other members
/// only read, so that they take the line neither from each other nor from the member that has the
/// turn. In a team of two, one member is always next: there even the first look is a writer's.
#[inline(always)]
fn wait_for_turn(thread: &'static Thread, entry: &WorkShare, first: u64, told: Caller) {
    if thread.team().size.get() == 2 {
        omphalos_sys::will_write(entry.turn.as_ptr());
    }
    if entry.turn.load(Ordering::Acquire) != first {
        wait_longer(thread, entry, first, told);
    }
}

/// Does what [`wait_for_turn`] does, after the first look.
#[inline(never)]
fn wait_longer(thread: &'static Thread, entry: &WorkShare, first: u64, told: Caller) {
    let chunk = thread.slot().share.spec().chunk.max(1);
    for _ in 0..looks_before_wait(thread.team()) {
        let turn = entry.turn.load(Ordering::Acquire);
        if turn == first {
            return;
        }
        omphalos_sys::relax();
        if first.wrapping_sub(turn) <= chunk {
            omphalos_sys::will_write(entry.turn.as_ptr());
        }
    }
    let wait_id = wait_id(entry);
    let state = thread.set_waiting(State::WAIT_ORDERED, wait_id);
    if told != Caller::NONE {
        mutex_hooks::wait(MutexKind::Ordered, wait_id, told);
    }
    let team = thread.team();
    // In a cancelled region the turn may never come: the member that has it may have left. In a
    // forked child it may belong to another thread, of the parent.
    let never_comes = || team.is_cancelled() || team.size.get() == 1;
    wait_plainly(thread, team, Reason::turn(first), Some(LOOK_AGAIN), || {
        entry.turn.load(Ordering::SeqCst) == first || never_comes()
    });
    thread.set_state(state);
}

/// Returns the wait id that tools see: the address of the loop's turn.
#[inline(always)]
fn wait_id(entry: &WorkShare) -> u64 {
    core::ptr::from_ref(&*entry.turn) as u64
}

/// Returns the wait id where there is no turn (outside a loop, or in a team of one thread): the
/// address of the thread's own share.
#[inline(always)]
fn own_wait_id(thread: &Thread) -> u64 {
    core::ptr::from_ref(&thread.slot().share) as u64
}

/// Enters an `ordered` region: waits until all earlier chunks are done. No tool wants events of
/// mutexes.
#[inline(always)]
pub fn ordered_start_unwatched(thread: &'static Thread) {
    // A team of one has no turns.
    if let Some(entry) = entry(thread) {
        let (first, end) = thread.slot().share.current.get();
        if first != end {
            wait_for_turn(thread, entry, first, Caller::NONE);
        }
    }
}

/// Does what [`ordered_start_unwatched`] does, while a tool is attached. Two functions, so that the
/// one without a tool saves no registers for a tool's callbacks.
#[inline(always)]
pub fn ordered_start_watched(call: impl Call) {
    match call.known() {
        Some(thread) => start_told(thread, call.caller()),
        None => start_first(call.caller()),
    }
}

/// Called in the thread's first call.
#[cold]
#[inline(never)]
fn start_first(caller: Caller) {
    start_told(Thread::current(), caller);
}

#[inline(always)]
fn start_told(thread: &'static Thread, caller: Caller) {
    match entry(thread) {
        Some(entry) => start_in_turn(thread, entry, caller),
        None => {
            let wait_id = own_wait_id(thread);
            mutex_hooks::acquire(thread, MutexKind::Ordered, (0, 0), wait_id, caller);
            mutex_hooks::acquired(MutexKind::Ordered, wait_id, caller);
        }
    }
}

#[inline(never)]
fn start_in_turn(thread: &'static Thread, entry: &WorkShare, caller: Caller) {
    mutex_hooks::acquire(thread, MutexKind::Ordered, (0, 0), wait_id(entry), caller);
    let (first, end) = thread.slot().share.current.get();
    if first != end {
        wait_for_turn(thread, entry, first, caller);
    }
    mutex_hooks::acquired(MutexKind::Ordered, wait_id(entry), caller);
}

/// Leaves an `ordered` region. A chunk of several iterations keeps the turn. No tool wants events
/// of mutexes.
#[inline(always)]
pub fn ordered_end_unwatched(thread: &'static Thread) {
    if let Some(entry) = entry(thread) {
        leave(thread, entry);
    }
}

#[inline(always)]
fn leave(thread: &'static Thread, entry: &WorkShare) {
    let slot = thread.as_owner().slot();
    let share = &slot.share;
    let (first, end) = share.current.get();
    if end.wrapping_sub(first) == 1 {
        share.current.set(slot, (0, 0));
        give_on(thread, entry, end);
    }
}

/// Does what [`ordered_end_unwatched`] does, while a tool is attached.
#[inline(always)]
pub fn ordered_end_watched(call: impl Call) {
    match call.known() {
        Some(thread) => end_told(thread, call.caller()),
        None => end_first(call.caller()),
    }
}

/// Called in the thread's first call.
#[cold]
#[inline(never)]
fn end_first(caller: Caller) {
    end_told(Thread::current(), caller);
}

#[inline(always)]
fn end_told(thread: &'static Thread, caller: Caller) {
    match entry(thread) {
        Some(entry) => end_in_turn(thread, entry, caller),
        None => mutex_hooks::released(thread, MutexKind::Ordered, own_wait_id(thread), caller),
    }
}

#[inline(never)]
fn end_in_turn(thread: &'static Thread, entry: &WorkShare, caller: Caller) {
    mutex_hooks::released(thread, MutexKind::Ordered, wait_id(entry), caller);
    leave(thread, entry);
}

/// Passes the turn from the current chunk, which is over, to the next one. If the chunk had no
/// `ordered` region, waits for its turn first.
pub(super) fn pass_on(thread: &'static Thread) {
    let slot = thread.as_owner().slot();
    let share = &slot.share;
    let (first, end) = share.current.get();
    if first == end {
        return;
    }
    share.current.set(slot, (0, 0));
    let Some(entry) = entry(thread) else { return };
    wait_for_turn(thread, entry, first, Caller::NONE);
    give_on(thread, entry, end);
}

/// Gives the turn, which the calling member has, to the chunk that begins with iteration `next`.
#[inline(always)]
fn give_on(thread: &'static Thread, entry: &WorkShare, next: u64) {
    let team = thread.team();
    if team.sleeps_soon() {
        entry.turn.store(next, Ordering::SeqCst);
    } else {
        entry.turn.store(next, Ordering::Release);
    }
    wake_after(team, Reason::turn(next));
}
