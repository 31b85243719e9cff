//! Finds out whether a team has tasks left, by the counts of each member, or by the census.
//!
//! A team that meets flat (a few members) has one tally for each member: tasks made and tasks
//! finished. A thread that asks adds them up. A larger team meets in a tree, which has a census
//! beside it. A member is in the census while it executes a task or has some in its queues, and one
//! word of the census tells whether any member is in it. README.md and `omphalos_sync::{tally,
//! census}` have the arguments.
//!
//! A member's tally also says whether the member is in the census: it is if the tally belongs to
//! this region. So making and finishing a task costs the same in both kinds of teams, and a fork
//! resets nothing.
//!
//! Tasks that no member has stand in the census by themselves ([`hold`]): a detached task whose
//! body has ended, and the tasks of the team's own list.

use crate::records::{Slot, Task, Team, Thread};
use crate::waiting;
use core::sync::atomic::Ordering;
use omphalos_sync::tally;

/// Makes the member's tally count for its current region, and puts the member into the census.
#[cold]
#[inline(never)]
fn first_in_region(thread: &Thread, team: &Team, slot: &Slot, region: u64) {
    slot.tasks.tally.begin(region);
    if let Some(census) = team.census() {
        census.add_thread(thread.num.get());
    }
}

/// Notes that the team has tasks: a member that waits for the region's end must look for them.
#[cold]
fn first_of_team(team: &Team, slot: &Slot, region: u64) {
    if team.tasks_region.load(Ordering::SeqCst) != region {
        // Another member may still be in a barrier that this member has passed while there were no
        // tasks. That member must not wait for the tasks to come. (Only a member outside barriers
        // makes a first task.)
        team.done_barrier.fetch_max(slot.epoch.get(), Ordering::SeqCst);
        team.tasks_region.store(region, Ordering::SeqCst);
    }
}

/// Counts a task that the calling thread made, before another thread can see the task.
#[inline(always)]
pub(super) fn count_made(thread: &Thread) {
    let slot = thread.slot();
    let (tally, region) = (&slot.tasks.tally, slot.region.get());
    if !tally.is_of(region) {
        first_in_region(thread, thread.team(), slot, region);
        first_of_team(thread.team(), slot, region);
    }
    tally.count_made();
}

/// Counts a task of `team` that the calling thread finished, after everything else.
#[inline(always)]
pub(super) fn count_finished(thread: &Thread, team: &Team) {
    if !core::ptr::eq(team, thread.team.get()) {
        return count_finished_outside(thread, team);
    }
    let slot = thread.slot();
    let (tally, region) = (&slot.tasks.tally, slot.region.get());
    if !tally.is_of(region) {
        first_in_region(thread, team, slot, region);
    }
    tally.count_finished();
}

/// The number of bits of `TeamTasks::outside` that count tasks. A million tasks a second need nine
/// years to fill them.
const OUTSIDE_BITS: u32 = 48;
const OUTSIDE: u64 = (1 << OUTSIDE_BITS) - 1;
/// The number of bits above these, which hold the low bits of the region's number.
pub(crate) const NUMBER_BITS: u32 = u64::BITS - OUTSIDE_BITS;
const NUMBER: u64 = (1 << NUMBER_BITS) - 1;

#[cold]
fn count_finished_outside(thread: &Thread, team: &Team) {
    if core::ptr::eq(thread.tasks.owes.get(), team) {
        // A free agent counts its task when the descendants are complete too.
        return thread.tasks.owes.set(thread.as_owner(), core::ptr::null());
    }
    // The region cannot end before this task is counted, so this is its number.
    let region = team.tasks_region.load(Ordering::Acquire) & NUMBER;
    let outside = &team.tasks.outside;
    let mut now = outside.load(Ordering::Relaxed);
    loop {
        let next = if now >> OUTSIDE_BITS == region { now + 1 } else { region << OUTSIDE_BITS | 1 };
        match outside.compare_exchange_weak(now, next, Ordering::SeqCst, Ordering::Relaxed) {
            Ok(_) => break,
            Err(newer) => now = newer,
        }
    }
    // Perhaps no member is awake to see that this was the last one.
    waiting::wake_sleepers(team);
}

/// Counts a task that the calling thread, which is no member of `team`, executed for the team. The
/// task is complete, and so are all its descendants, which are tasks of the team's region too.
pub(crate) fn count_finished_for(thread: &Thread, team: &Team, task: &Task) {
    thread.tasks.owes.set(thread.as_owner(), core::ptr::null());
    count_finished(thread, team);
    let_go(team, task);
}

/// Called when the member is about to take a task from queues that are not its own: puts it into
/// the census.
#[inline(always)]
pub(super) fn enter_team(thread: &Thread, team: &Team) {
    if team.meets_in_tree() {
        come_to_census(thread, team);
    }
}

fn come_to_census(thread: &Thread, team: &Team) {
    let slot = thread.slot();
    let region = slot.region.get();
    if !slot.tasks.tally.is_of(region) {
        first_in_region(thread, team, slot, region);
    }
}

/// Makes a member leave the census, if it waits where members meet and has no task. Returns whether
/// it left: then it may have been the last.
pub(crate) fn leave_census(thread: &Thread, team: &Team) -> bool {
    let Some(census) = team.census() else { return false };
    let slot = thread.slot();
    let tally = &slot.tasks.tally;
    let executes = !core::ptr::eq(thread.task.get(), &raw const slot.task);
    if executes || !tally.is_of(slot.region.get()) || slot.tasks.has_any() {
        return false;
    }
    tally.end();
    census.leave(thread.num.get());
    true
}

/// Returns the number under which a task stands in the census by itself.
fn number(team: &Team, task: &Task) -> u32 {
    (core::ptr::from_ref(task).addr() >> 8) as u32 % team.size.get().max(1)
}

/// Counts a task that is not complete and that no thread has any more. The thread that had the task
/// calls this.
#[cold]
pub(super) fn hold(team: &Team, task: &Task) {
    if let Some(census) = team.census() {
        census.add_thread(number(team, task));
    }
}

/// Takes back what [`hold`] counted. Called when a member that is in the census has the task again,
/// or when the task counts as finished; a thread outside the team then wakes the waiters. Only the
/// task's address is used.
#[cold]
pub(super) fn let_go(team: &Team, task: &Task) {
    if let Some(census) = team.census() {
        census.leave(number(team, task));
    }
}

/// Does what [`hold`] does, for a detached task whose body has ended.
#[cold]
pub(super) fn hold_open(team: &Team, task: &Task) {
    open(team);
    hold(team, task);
}

/// Does what [`let_go`] does, for a detached task. The task is complete, and the tasks that waited
/// for it are in a queue.
#[cold]
pub(super) fn let_go_open(team: &Team, task: &Task) {
    let_go(team, task);
    close(team);
}

/// Counts a task as open: it is not complete before a thread fulfils its event.
pub(super) fn open(team: &Team) {
    team.tasks.open.fetch_add(1, Ordering::SeqCst);
}

/// Takes back what [`open`] counted: the task's event was fulfilled, and everything that follows
/// from that is done.
pub(super) fn close(team: &Team) {
    team.tasks.open.fetch_sub(1, Ordering::SeqCst);
}

/// Whether the team has an open task. If not, the calling thread sees everything that the end of
/// the last one has done.
pub(super) fn any_open(team: &Team) -> bool {
    team.tasks.open.load(Ordering::SeqCst) != 0
}

/// Whether some task of the calling thread's team is not complete.
pub(crate) fn are_left(thread: &Thread) -> bool {
    let team = thread.team();
    team.has_tasks(thread) && !quiescent(team)
}

/// Whether the team has no task left. The answer is reliable only once every member has arrived.
#[inline]
pub fn quiescent(team: &Team) -> bool {
    if let Some(census) = team.census() {
        return census.is_empty();
    }
    let region = team.tasks_region.load(Ordering::Acquire);
    let outside = team.tasks.outside.load(Ordering::SeqCst);
    let outside = if outside >> OUTSIDE_BITS == region & NUMBER { outside & OUTSIDE } else { 0 };
    tally::none_left(region, outside, team.members().map(|slot| &*slot.tasks.tally))
}
