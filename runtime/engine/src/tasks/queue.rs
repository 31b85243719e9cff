//! Puts ready tasks into queues.
//!
//! A member's tasks are in its own deque, and others steal from it. Tasks with a priority are in
//! its lists (`ranked.rs`). Two kinds go to a list of the team instead, under a lock that is taken
//! only if there are any: tasks of the pool (`agents.rs`), and tasks that a thread outside the team
//! made ready.
//!
//! `presence.rs` counts them.

use super::descent::at;
use super::{agents, helpers, presence, wake};
use crate::records::{Task, Team, Thread, Traits};
use core::sync::atomic::Ordering;
use omphalos_sync::sleepers;

/// Calls `each` with one task of each queue of the team that has tasks: the task that other members
/// would get next.
pub(crate) fn for_each_queue(team: &Team, each: impl Fn(&Task)) {
    for slot in team.members() {
        // The task is only read: another thread may be taking it.
        slot.tasks.deque.could_steal(|word| {
            each(at(word));
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

/// Puts a ready task into a queue, and wakes a sleeper that may begin it, if there is one.
#[inline(always)]
pub(super) fn enqueue(thread: &Thread, task: &'static Task) {
    if !core::ptr::eq(task.team.get(), thread.team.get()) || task.priority.get() > 0 {
        return enlist(thread, task);
    }
    let team = thread.team();
    thread.slot().tasks.deque.push(core::ptr::from_ref(task) as usize);
    // The push is SeqCst.
    if sleepers::any(&team.sleepers) {
        wake::wake_for(team, task);
    }
}

#[cold]
fn enlist(thread: &Thread, task: &'static Task) {
    // SAFETY: teams are never freed.
    let team = unsafe { &*task.team.get() };
    if task.has(Traits::HIDDEN) && !team.has_lost_tasks() {
        return leave_to_helpers(team, task);
    }
    // This is read first: another thread may take the task at once.
    let pool = task.has(Traits::POOL | Traits::HIDDEN);
    if !pool && core::ptr::eq(team, thread.team.get()) {
        let slot = thread.slot();
        slot.tasks.ranked.insert(task);
        let (latest, region) = (&team.tasks.ranked_region, slot.region.get());
        if latest.load(Ordering::Relaxed) != region {
            latest.store(region, Ordering::SeqCst);
        }
        return wake::wake_for(team, task);
    }
    presence::hold(team, task);
    team.tasks.insert(task);
    wake::wake_for(team, task);
    if pool && !team.has_lost_tasks() {
        agents::offer(team);
    }
}

/// Puts a ready task into the team's list. The calling thread, a member that is in the census, took
/// it out of a queue. From the list every member can take it, even if it is not the first one
/// there.
pub(super) fn set_aside(team: &Team, task: &Task) {
    presence::hold(team, task);
    team.tasks.insert(task);
}

/// Offers a task to helpers. Tasks that no helper will execute go to their teams.
#[cold]
fn leave_to_helpers(team: &Team, task: &'static Task) {
    presence::hold(team, task);
    for task in helpers::offer(task) {
        // SAFETY: the team of a task that is not complete; teams are never freed.
        let team = unsafe { &*task.team.get() };
        team.tasks.insert(task);
        wake::wake_for(team, task);
    }
}
