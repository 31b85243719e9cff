//! Makes a forked child's only thread the only member of all of its teams.
//!
//! The thread gets number 0 in each team. So barriers, loops and turns wait for no other thread,
//! and the steps after the fork are those of a region of one thread. The other members' work, done
//! or still to do, happens in the parent.
//!
//! A worker that forks gets no further order when its region is over: the thread that would give it
//! is in the parent. So the worker ends then, and the C library ends the process with it.
//!
//! There is nothing to model: all of this runs in the child, by its only thread, which holds every
//! lock of the process. Words that other threads were changing without a lock (sleepers, barriers'
//! words, the places of workers) are written anew here, whatever their values, or belong to slots
//! that the team does not have any more.

use crate::records::{Slot, Team, Thread, summons};
use crate::tasks;
use core::sync::atomic::Ordering;
use omphalos_events::ThreadKind;

/// Leaves `thread`, the only thread of a forked child, alone in its teams. No other record has a
/// thread.
pub(crate) fn left_alone(thread: &'static Thread) {
    // First come the teams that the thread keeps, which include those under way.
    for team in thread.as_owner().all_kept_teams() {
        team.sleepers.store(0, Ordering::Relaxed);
        team.forget_workers();
    }
    let (mut team, mut slot) = (thread.team(), thread.slot());
    let mut inner: Option<&Team> = None;
    loop {
        let is_primary = core::ptr::eq(team.primary.get(), thread);
        if !is_primary {
            team.keep_only(thread, slot);
            match inner {
                Some(inner) => inner.parent_num.set(inner.as_owner(), 0),
                None => {
                    thread.num.set(thread.as_owner(), 0);
                    thread.as_owner().show_num();
                }
            }
        }
        tasks::lose_after_fork_in_child(team, slot);
        // The thread has no slot in the team around one in which it is a worker, nor in the team
        // around a free agent's. SAFETY: null or a slot, which is never freed.
        let outer = unsafe { team.parent_slot.get().as_ref::<'static>() };
        let has_place = |slot: &Slot| core::ptr::eq(slot.thread.get(), thread);
        match (team.parent(), outer) {
            (Some(outer), Some(place)) if is_primary && has_place(place) => {
                inner = Some(team);
                (team, slot) = (outer, place);
            }
            _ => break,
        }
    }
    if thread.kind.get() == ThreadKind::Worker {
        thread.summons.store(summons::END, Ordering::Relaxed);
        thread.line.gate.order();
    }
}

impl Team {
    /// Makes this member, a worker, the only one and the primary, in a forked child.
    fn keep_only(&self, thread: &'static Thread, slot: &Slot) {
        self.seat_first(slot);
        self.sleepers.store(0, Ordering::Relaxed);
        self.primary.set(self.as_owner(), thread);
        self.forget_workers();
        // By this number the region has tasks. So the worker, at the region's end, looks whether
        // the region is over, and does not wait for an order.
        self.tasks_region.store(slot.region.get(), Ordering::Relaxed);
    }
}
