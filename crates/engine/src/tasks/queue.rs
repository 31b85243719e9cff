//! What a member and a team keep of tasks: queues.
//!
//! A member's tasks are in its own deque; others steal from it. Those with a priority are in its
//! lists (`ranked.rs`). Two kinds go to a list of the team instead, under a lock that is only taken
//! if there are any: tasks of the pool (`agents.rs`), and tasks that a thread outside the team made
//! ready.
//!
//! What a member counts of them is `presence.rs`'s.

use super::scheduling_point;
use super::{agents, find, helpers, presence};
use crate::records::{Task, Team, Thread, Traits};
use core::sync::atomic::Ordering;
use omphalos_sync::sleepers;

/// Calls `each` with one task of each queue of the team that has any: with the one that others come
/// to first.
pub(crate) fn for_each_queue(team: &Team, each: impl Fn(&Task)) {
    for slot in team.members() {
        // Only looked at: it may be in transit.
        slot.tasks.deque.could_steal(|word| {
            each(find::at(word));
            false
        });
        slot.tasks.ranked.could_take(|task| {
            each(task);
            true
        });
    }
    team.tasks.could_take(|task| {
        each(task);
        false
    });
}

/// A ready task goes where the team finds it, and a sleeper that may begin it, if any, wakes.
#[inline(always)]
pub(super) fn enqueue(thread: &Thread, task: &'static Task) {
    if !core::ptr::eq(task.team.get(), thread.team.get()) || task.priority.get() > 0 {
        return enlist(thread, task);
    }
    let team = thread.team();
    thread.slot().tasks.deque.push(core::ptr::from_ref(task) as usize);
    // The push is SeqCst.
    if sleepers::any(&team.sleepers) {
        scheduling_point::wake_for(team, task);
    }
}

#[cold]
fn enlist(thread: &Thread, task: &'static Task) {
    // SAFETY: teams are never freed.
    let team = unsafe { &*task.team.get() };
    if task.has(Traits::HIDDEN) {
        return leave_to_helpers(team, task);
    }
    // Read before somebody can take it.
    let pool = task.has(Traits::POOL);
    if !pool && core::ptr::eq(team, thread.team.get()) {
        let slot = thread.slot();
        slot.tasks.ranked.insert(task);
        let (latest, region) = (&team.tasks.ranked_region, slot.region.get());
        if latest.load(Ordering::Relaxed) != region {
            latest.store(region, Ordering::SeqCst);
        }
        return scheduling_point::wake_for(team, task);
    }
    presence::hold(team, task);
    team.tasks.insert(task);
    scheduling_point::wake_for(team, task);
    if pool {
        agents::offer(team);
    }
}

/// A ready task that the calling thread, a member that is in the census, took out of a queue goes
/// to the team's list: there everybody can reach it, whatever is before it.
pub(super) fn set_aside(team: &Team, task: &Task) {
    presence::hold(team, task);
    team.tasks.insert(task);
}

/// Their teams have tasks that no helper will execute.
#[cold]
fn leave_to_helpers(team: &Team, task: &'static Task) {
    presence::hold(team, task);
    for task in helpers::offer(task) {
        // SAFETY: the team of a task that is not complete; teams are never freed.
        let team = unsafe { &*task.team.get() };
        team.tasks.insert(task);
        scheduling_point::wake_for(team, task);
    }
}
