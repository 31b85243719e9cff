//! A forked child: its only thread is alone in all of its teams.
//!
//! The thread is the only member of each, with number 0: barriers, loops and turns wait for nobody,
//! and the steps after the fork are those of a region of one thread. The other members' work, done
//! or still to do, happens in the parent.
//!
//! A worker that forks has nowhere to go when its region is over: the thread that would give it an
//! order is in the parent. Then its thread ends, and the C library ends the process with it.
//!
//! There is nothing to model: all of this runs in the child, by its only thread, which holds every
//! lock of the process. Words that other threads were changing without a lock (sleepers, barriers'
//! words, the places of workers) are written anew here, whatever their values, or belong to slots
//! that the team does not have any more.

use crate::records::{Slot, Team, Thread, summons};
use crate::tasks;
use core::sync::atomic::Ordering;
use omphalos_events::ThreadKind;

/// In a forked child, whose only thread is `thread`; all other records are nobody's.
pub(crate) fn left_alone(thread: &'static Thread) {
    // First the teams that it keeps, those under way among them.
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
        // Around a team in which it is a worker it has no place, nor around a free agent's.
        // SAFETY: null or a slot, which is never freed.
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
    /// Only this member is left, a worker, and it becomes the primary. In a forked child.
    fn keep_only(&self, thread: &'static Thread, slot: &Slot) {
        self.seat_first(slot);
        self.sleepers.store(0, Ordering::Relaxed);
        self.primary.set(self.as_owner(), thread);
        self.forget_workers();
        // With this number the worker looks at the region's end whether it is over, and does not
        // wait for an order.
        self.tasks_region.store(slot.region.get(), Ordering::Relaxed);
    }
}
