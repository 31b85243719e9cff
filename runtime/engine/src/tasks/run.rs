//! Runs one task on a waiting thread: one with a priority, one of its own, one from the team's
//! list, the oldest of another member, or one that `reach.rs` adds.
//!
//! `ranked.rs` and `find.rs` take the task, and `execute.rs` executes it. What must hold: the
//! constraint of the wait (`constraint.rs`) allows the task.

use super::constraint::Constraint;
use super::descent::at;
use super::{execute, find, presence, queue, ranked, reach, spare};
use crate::records::{Task, Team, Thread};
use core::ffi::c_void;

/// Runs one ready task if there is one that the thread may run.
pub fn run_one(thread: &Thread, team: &Team, within: Constraint) -> bool {
    // SAFETY: records of threads are never freed.
    let thread: &'static Thread = unsafe { &*core::ptr::from_ref(thread) };
    let constraint = within.ancestor();
    if find::has_ranked(thread, team) && run_ranked(thread, team, constraint) {
        return true;
    }
    // The thread's own tasks come first. They include the tasks that it has just made ready, which
    // other threads may not find here.
    if let Some(task) =
        find::from_own_deque(thread, within).or_else(|| find::listed(thread, team, constraint))
    {
        execute::queued(thread, task);
        return true;
    }
    let start = omphalos_sys::ticks();
    if thread.tasks.searches_from.get() > start {
        return false;
    }
    let Some((task, victim)) = find::steal(thread, team, constraint) else {
        return run_beyond(thread, team, within);
    };
    thread.tasks.got.set(thread.as_owner(), 1);
    execute::queued(thread, task);
    spare::after(thread, start, victim);
    true
}

/// Runs one ready task, if it has this code. A task with other code goes into the thread's queue,
/// and nothing is run.
#[cold]
pub(super) fn run_one_like(
    thread: &'static Thread,
    team: &Team,
    within: Constraint,
    code: *const c_void,
) -> bool {
    let constraint = within.ancestor();
    let found = find::from_own_deque(thread, within)
        .or_else(|| find::listed(thread, team, constraint))
        .or_else(|| find::steal(thread, team, constraint).map(|(task, _)| task));
    let Some(task) = found else { return false };
    let alike = task.code.get() == code;
    if alike {
        execute::queued(thread, task);
    } else {
        queue::enqueue(thread, task);
    }
    alike
}

/// Runs a task with a priority, if there is one. Such tasks go first.
#[cold]
fn run_ranked(thread: &'static Thread, team: &Team, constraint: Option<&'static Task>) -> bool {
    let start = omphalos_sys::ticks();
    let spares = !spare::spared_member(thread).is_null();
    let come = || presence::enter_team(thread, team);
    let found = ranked::take(thread, team, spares, find::allowed_here(constraint), come);
    let Some((task, maker)) = found else { return false };
    thread.tasks.got.set(thread.as_owner(), 1);
    execute::queued(thread, task);
    if maker != thread.num.get() {
        spare::after(thread, start, team.slot(maker));
    }
    true
}

/// Asks the other members to queue their next tasks: the thread found none and is about to sleep.
/// Returns false if they do so anyway.
pub fn ask_others(thread: &Thread, team: &Team) -> bool {
    find::ask_all(thread, team)
}

/// Whether [`run_one`] might find a task, for a thread that is about to sleep.
pub fn may_run(thread: &Thread, team: &Team, within: Constraint) -> bool {
    let own = &thread.slot().tasks;
    let constraint = within.ancestor();
    let floor = if constraint.is_some() { own.mark.get() } else { 0 };
    let may = find::allowed(constraint);
    let others = || team.members().filter(|slot| !core::ptr::eq(*slot, thread.slot.get()));
    !own.deque.looks_empty() && own.deque.bottom() > floor
        || team.tasks.could_take(find::allowed_here(constraint))
        || find::has_ranked(thread, team)
            && ranked::could_take(team, find::allowed_here(constraint))
        || others().any(|slot| slot.tasks.deque.could_steal(|word| may(at(word))))
        || reach::beyond(thread, team, within).is_some_and(|reach| reach.may_run())
}

/// Runs one of the tasks that a wait in a transparent task, or in one that runs in parts, may begin
/// in addition (`reach.rs`), if there is one.
#[inline(always)]
fn run_beyond(thread: &'static Thread, team: &Team, within: Constraint) -> bool {
    let task = reach::beyond(thread, team, within).and_then(|reach| reach.take());
    if let Some(task) = task {
        reach::keeping_to_itself(thread, || execute::queued(thread, task));
    }
    task.is_some()
}
