//! The barrier inside a region. README.md has the algorithm and its argument.

use crate::team::{self, Reason, Team};
use crate::thread::Thread;
use crate::{cancel, hooks, tasks};
use core::sync::atomic::Ordering;
use omphalos_events::{Endpoint, State, SyncKind};
use omphalos_sys::entry::Caller;

/// The state that goes with a kind of barrier.
fn state_of(kind: SyncKind) -> State {
    match kind {
        SyncKind::BarrierExplicit => State::WAIT_BARRIER_EXPLICIT,
        SyncKind::BarrierImplicitWorkshare => State::WAIT_BARRIER_IMPLICIT_WORKSHARE,
        SyncKind::BarrierTeams => State::WAIT_BARRIER_TEAMS,
        _ => State::WAIT_BARRIER_IMPLEMENTATION,
    }
}

/// A barrier of the current team: returns when all members have arrived and all tasks of the region
/// so far are done.
#[inline]
pub fn barrier(thread: &'static Thread, kind: SyncKind, caller: Caller) {
    barrier_until(thread, kind, caller, false);
}

/// As [`barrier`], but returns early, with true, when the region was cancelled.
pub fn cancellable_barrier(thread: &'static Thread, kind: SyncKind, caller: Caller) -> bool {
    barrier_until(thread, kind, caller, true)
}

#[inline(always)]
fn barrier_until(
    thread: &'static Thread,
    kind: SyncKind,
    caller: Caller,
    cancellable: bool,
) -> bool {
    let team = thread.team();
    let observed = omphalos_events::active();
    let state = thread.set_state(state_of(kind));
    if observed {
        hooks::sync_called(thread, kind, Endpoint::Begin, caller);
    }
    let cancelled = meet(thread, team, cancellable);
    if observed {
        hooks::sync_called(thread, kind, Endpoint::End, caller);
    }
    thread.set_state(state);
    if cancelled {
        cancel::detected_in_barrier(thread, caller);
    }
    cancelled
}

/// Arrival and waiting, without events. True if it gave up because the region was cancelled.
#[inline(always)]
pub(crate) fn meet(thread: &'static Thread, team: &'static Team, cancellable: bool) -> bool {
    let slot = thread.slot();
    let epoch = slot.epoch.get() + 1;
    slot.epoch.set(epoch);
    slot.share.all_passed();
    let size = team.size.get();
    let gone = || cancellable && cancel::is_cancelled(team);
    if size > 1 {
        slot.published.arrived.swap(epoch, Ordering::SeqCst);
        team.ring.look_after_waiters(team);
        // Starts behind the own slot: the members look at different lines first.
        let mut complete_at_once = true;
        for step in 1..size {
            let num = thread.num.get() + step;
            let num = if num >= size { num - size } else { num };
            let arrived = &team.slot(num).published.arrived;
            if arrived.load(Ordering::SeqCst) < epoch {
                complete_at_once = false;
                let here = || arrived.load(Ordering::SeqCst) >= epoch || gone();
                team::wait_for(thread, team, Reason::BARRIER, None, here);
                if gone() {
                    return true;
                }
            }
        }
        if complete_at_once {
            // The last to arrive (in the order of the SeqCst operations at least one member sees
            // all the others): the others may sleep.
            team::wake(team, Reason::BARRIER);
        }
    }
    if team.has_tasks(thread) {
        finish_tasks(thread, team, epoch);
    }
    gone()
}

/// All have arrived: runs tasks until none is left in the team.
#[cold]
fn finish_tasks(thread: &'static Thread, team: &'static Team, epoch: u64) {
    team::wait_for(thread, team, Reason::BARRIER, None, || {
        if team.done_barrier.load(Ordering::SeqCst) >= epoch {
            return true;
        }
        if !tasks::quiescent(team) {
            return false;
        }
        team.done_barrier.fetch_max(epoch, Ordering::SeqCst);
        team::wake(team, Reason::BARRIER);
        true
    });
}
