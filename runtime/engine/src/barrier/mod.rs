//! The barrier inside a region. README.md has the algorithm and its argument.
//!
//! Who calls: `capi`, for the construct, and the rooms above, for the barriers that end worksharing
//! constructs. What must hold: each member of a team counts the team's barriers (its *epoch*), and
//! all members come to the same barriers in the same order.

mod courtesy;
pub(crate) mod hooks;

use crate::call::Call;
use crate::records::{MeetingTree, SITES, Shape, Slot, Team, Thread};
use crate::tasks::Constraint;
use crate::waiting::Reason;
use crate::{cancel, tasks, waiting};
use core::sync::atomic::Ordering;
use omphalos_events::{State, SyncKind};
use omphalos_sync::tree::{Arrival, Meeting};
use omphalos_sys::entry::Caller;

/// Returns the state of a thread in a barrier of this kind.
fn state_of(kind: SyncKind) -> State {
    match kind {
        SyncKind::BarrierExplicit => State::WAIT_BARRIER_EXPLICIT,
        SyncKind::BarrierImplicitWorkshare => State::WAIT_BARRIER_IMPLICIT_WORKSHARE,
        SyncKind::BarrierTeams => State::WAIT_BARRIER_TEAMS,
        _ => State::WAIT_BARRIER_IMPLEMENTATION,
    }
}

/// Passes a barrier of the current team: returns when all members have arrived and all tasks of the
/// region so far are done.
#[inline]
pub fn barrier(thread: &'static Thread, kind: SyncKind, call: impl Call) {
    barrier_until(thread, kind, call, false);
}

/// Does what [`barrier`] does, but returns early, with true, when the region was cancelled.
pub fn cancellable_barrier(thread: &'static Thread, kind: SyncKind, caller: Caller) -> bool {
    barrier_until(thread, kind, caller, true)
}

#[inline(always)]
fn barrier_until(
    thread: &'static Thread,
    kind: SyncKind,
    call: impl Call,
    cancellable: bool,
) -> bool {
    if !call.may_be_watched() {
        return unwatched(thread, kind, cancellable, call.site());
    }
    // Two functions, so that neither saves registers that only the other needs.
    if call.is_watched() {
        watched(thread, kind, call.caller(), cancellable)
    } else {
        unwatched_yet(thread, kind, cancellable, call.site())
    }
}

/// Does what [`unwatched`] does, where a tool might have been attached: in the thread's first call,
/// or in a call that the runtime itself makes.
#[inline(never)]
fn unwatched_yet(thread: &'static Thread, kind: SyncKind, cancellable: bool, site: u64) -> bool {
    unwatched(thread, kind, cancellable, site)
}

#[inline(always)]
fn unwatched(thread: &'static Thread, kind: SyncKind, cancellable: bool, site: u64) -> bool {
    let team = thread.team();
    let state = thread.replace_state(state_of(kind));
    let cancelled = meet(thread, team, cancellable, site);
    thread.set_state(state);
    if cancelled {
        cancel::detected_in_barrier(thread, Caller::NONE);
    }
    cancelled
}

/// Does what [`barrier_until`] does, while a tool is attached. A function of its own, so that the
/// common one saves no registers for it.
#[cold]
#[inline(never)]
fn watched(thread: &'static Thread, kind: SyncKind, caller: Caller, cancellable: bool) -> bool {
    let team = thread.team();
    let state = thread.replace_state(state_of(kind));
    hooks::begin(thread, kind, caller);
    // Members come to the barrier of one `copyprivate` from two places.
    let is_of_pair = kind == SyncKind::BarrierImplementation;
    let site = if is_of_pair { 0 } else { caller.address() };
    let cancelled = meet(thread, team, cancellable, site);
    hooks::end(thread, kind, caller);
    thread.set_state(state);
    if cancelled {
        cancel::detected_in_barrier(thread, caller);
    }
    cancelled
}

/// Arrives and waits, without events. Returns true if it gave up because the region was cancelled.
/// `site`: the return address of the program's call, for debuggers; 0 if it is not known, or if the
/// members come to one barrier from different places.
#[inline(always)]
pub(crate) fn meet(
    thread: &'static Thread,
    team: &'static Team,
    cancellable: bool,
    site: u64,
) -> bool {
    let slot = thread.as_owner().slot();
    let epoch = slot.epoch.get() + 1;
    slot.epoch.set(slot, epoch);
    slot.share.all_passed(slot);
    let size = team.size.get();
    if size > 1 {
        slot.sites[epoch as usize % SITES].set(slot, site);
        let passed = match team.meeting_tree() {
            None => flat(thread, team, epoch, cancellable),
            Some(tree) => in_tree(thread, team, tree, epoch, cancellable),
        };
        if !passed {
            return true;
        }
    }
    if team.has_tasks(thread) {
        finish_tasks(thread, team, epoch, cancellable);
    }
    cancellable && team.is_cancelled()
}

/// Waits in a barrier: a task scheduling point.
#[inline(always)]
fn wait(thread: &'static Thread, team: &'static Team, reason: Reason, ready: impl FnMut() -> bool) {
    tasks::wait_running_tasks(thread, team, Constraint::in_barrier(), reason, ready);
}

/// Passes a barrier of a flat team: every member watches every other's arrival. Returns false if it
/// gave up because the region was cancelled.
#[inline(always)]
fn flat(thread: &'static Thread, team: &'static Team, epoch: u64, cancellable: bool) -> bool {
    let gone = || cancellable && team.is_cancelled();
    let size = team.size.get();
    thread.slot().published.arrived.swap(epoch, Ordering::SeqCst);
    // Begins with the next member's slot, so that each member looks at another line first.
    let mut complete_at_once = true;
    for step in 1..size {
        let num = thread.num.get() + step;
        let num = if num >= size { num - size } else { num };
        let arrived = &team.slot(num).published.arrived;
        if arrived.load(Ordering::SeqCst) < epoch {
            if complete_at_once && team.has_tasks(thread) {
                tasks::arrive(thread);
            }
            complete_at_once = false;
            let here = || arrived.load(Ordering::SeqCst) >= epoch || gone();
            wait(thread, team, Reason::barrier(team, epoch), here);
            if gone() {
                return false;
            }
        }
    }
    if complete_at_once {
        // This member was the last to arrive: in the order of the SeqCst operations at least one
        // member sees all others there. The others may sleep.
        waiting::wake(team, Reason::barrier(team, epoch));
        courtesy::after_others(thread, team);
    }
    true
}

/// Passes a barrier of a team with a combining tree: arrivals go up the tree, and releases come
/// down it, or from one word of the team (`Shape::Central`). Returns false if it gave up because
/// the region was cancelled.
#[inline(never)]
fn in_tree(
    thread: &'static Thread,
    team: &'static Team,
    tree: &MeetingTree,
    epoch: u64,
    cancellable: bool,
) -> bool {
    let num = thread.num.get();
    // The members of a cancelled region watch `arrived`. So this exchange must come before this
    // member looks whether the region is cancelled.
    thread.slot().published.arrived.swap(epoch, Ordering::SeqCst);
    if team.is_cancelled() {
        waiting::wake_sleepers(team);
        return cancelled(thread, team, epoch, cancellable);
    }
    let central = team.shape.get() == Shape::Central;
    let stop = match tree.arrive(Meeting::Barrier, num, team.size.get()) {
        Arrival::Complete => {
            if central {
                team.released.store(epoch, Ordering::SeqCst);
                waiting::wake(team, Reason::barrier(team, epoch));
                courtesy::after_others(thread, team);
            }
            None
        }
        Arrival::StoppedAt(level) => {
            let released = || match central {
                true => team.released.load(Ordering::SeqCst) >= epoch,
                false => tree.released(level, num) >= epoch,
            };
            let ready = || released() || team.is_cancelled();
            wait(thread, team, Reason::barrier(team, epoch), ready);
            if !released() {
                return cancelled(thread, team, epoch, cancellable);
            }
            Some(level)
        }
    };
    if !central {
        tree.release(stop, num, epoch, |member| waiting::wake_member(team, member));
    }
    true
}

/// Passes a barrier of a region that is being cancelled. Members that left count as arrived
/// everywhere and do not come to the tree. No member that was here uses the tree again in this
/// region.
#[cold]
fn cancelled(thread: &'static Thread, team: &'static Team, epoch: u64, cancellable: bool) -> bool {
    if cancellable {
        return false;
    }
    let here = |slot: &Slot| slot.published.arrived.load(Ordering::SeqCst) >= epoch;
    // By reference, as in other rare waits, so that the compiler makes one function for all of
    // them.
    let all_here: &dyn Fn() -> bool = &|| team.members().all(here);
    wait(thread, team, Reason::ANYTHING, all_here);
    true
}

/// Runs tasks, when all members have arrived, until the team has none left. The end of a cancelled
/// region waits for its tasks, so a barrier that can be cancelled may leave them.
#[cold]
fn finish_tasks(thread: &'static Thread, team: &'static Team, epoch: u64, cancellable: bool) {
    tasks::look_again(thread);
    wait(thread, team, Reason::tasks(team), || {
        if cancellable && team.is_cancelled() {
            return true;
        }
        if team.done_barrier.load(Ordering::SeqCst) >= epoch {
            return true;
        }
        if !tasks::quiescent(team) {
            return false;
        }
        team.done_barrier.fetch_max(epoch, Ordering::SeqCst);
        waiting::wake(team, Reason::tasks(team));
        true
    });
}
