//! Takes a task for a waiting thread, in three ways: one of its own, one from the team's list, or
//! the oldest of another member. `run.rs` has their order; `ranked.rs` takes tasks with a priority.
//!
//! The task scheduling constraint (`constraint.rs`) limits the choice. A thread that waits inside a
//! task may only begin descendants of that task; in its own deque these are the tasks above the
//! current task's mark. A thread that waits in a barrier may begin any task. A thief reads a task
//! of another member before it steals it. If another thread takes the task at that moment, the
//! thief may read nonsense (never freed memory, because records are not freed), but then the steal
//! fails.

use super::constraint::Constraint;
use super::descent::{LEVELS_FOLLOWED, at, descends};
use super::prepared::TASKS_TAKEN_BEFORE_ASKING;
use super::{prepared, presence, spare};
use crate::records::{FAN, Slot, Task, Team, Thread};
use omphalos_sync::deque::Steal;

/// The time for which a thread that comes to a barrier takes no tasks of other members, in
/// time-stamp cycles. The others mostly come at the same time, and each executes its own tasks
/// before it waits.
const CYCLES_BEFORE_HELP_AT_BARRIER: u64 = 1000;

/// Called when the thread has come to a barrier before the others, in a region that has tasks.
#[inline(always)]
pub fn arrive(thread: &Thread) {
    let from = omphalos_sys::ticks() + CYCLES_BEFORE_HELP_AT_BARRIER;
    thread.tasks.searches_from.set(thread.as_owner(), from);
}

/// Returns a function that says whether a thread that waits inside the task `constraint` (or in a
/// barrier) may begin a task.
pub(super) fn allowed(constraint: Option<&'static Task>) -> impl Fn(&Task) -> bool + Copy {
    move |task: &Task| constraint.is_none_or(|waiting| descends(task, waiting, LEVELS_FOLLOWED))
}

/// Does what [`allowed`] does, for tasks that stay where they are meanwhile. The function follows
/// the tree of tasks without a limit, because perhaps no other thread could execute the task.
pub(super) fn allowed_here(constraint: Option<&'static Task>) -> impl Fn(&Task) -> bool + Copy {
    move |task: &Task| constraint.is_none_or(|waiting| descends(task, waiting, u32::MAX))
}

/// Takes the newest task of the thread's own deque that it may begin. After a task that made others
/// ready it takes the oldest, so that chains of dependences advance side by side.
#[inline(always)]
pub(super) fn from_own_deque(thread: &Thread, constraint: Constraint) -> Option<&'static Task> {
    let tasks = &thread.slot().tasks;
    if thread.tasks.released.get() {
        thread.tasks.released.set(thread.as_owner(), false);
        let may = allowed(constraint.ancestor());
        if let Steal::Value(word, _) = tasks.deque.steal(|word| may(at(word))) {
            return Some(at(word));
        }
    }
    match constraint.ancestor() {
        None => tasks.deque.pop().map(at),
        Some(_) => tasks.deque.pop_above(tasks.mark.get()).map(at),
    }
}

/// Steals the oldest task of another member. Returns the task and that member's slot.
pub(super) fn steal<'a>(
    thread: &Thread,
    team: &'a Team,
    constraint: Option<&'static Task>,
) -> Option<(&'static Task, &'a Slot)> {
    let size = team.size.get();
    let own = thread.as_owner().slot();
    let tasks = &own.tasks;
    let may = allowed(constraint);
    let census = team.census();
    let mut victim = tasks.victim.get();
    let spared = spare::spared_member(thread);
    let asks = asks_now(thread);
    let mut left = size;
    while left > 0 {
        if victim >= size {
            victim = 0;
        }
        if census.is_some_and(|census| !census.is_near(victim)) {
            // None of the members that share this word of the census has a task.
            let next = (victim / FAN + 1) * FAN;
            left = left.saturating_sub(next - victim);
            victim = next;
            continue;
        }
        left -= 1;
        if victim != thread.num.get() {
            let slot = team.slot(victim);
            while !core::ptr::eq(slot, spared) {
                match slot.tasks.deque.steal(|word| may(at(word)) && came(thread, team)) {
                    Steal::Value(word, index) => {
                        tasks.victim.set(own, victim);
                        if index.is_multiple_of(TASKS_TAKEN_BEFORE_ASKING) {
                            prepared::ask_member(slot.thread());
                        }
                        return Some((at(word), slot));
                    }
                    Steal::Lost => omphalos_sys::relax(),
                    Steal::Nothing => break,
                }
            }
            if asks && !core::ptr::eq(slot, spared) {
                prepared::ask_member(slot.thread());
            }
        }
        victim += 1;
    }
    None
}

/// In one of so many searches the thread asks the other members to queue their tasks. To ask costs
/// them something: the thread reads a word that they write for each task that they execute at once.
/// This many searches take some three microseconds.
const SEARCHES_BEFORE_ASKING: u32 = 32;

/// Whether the thread asks in this search.
#[inline(always)]
fn asks_now(thread: &Thread) -> bool {
    let searches = thread.tasks.searches.get().wrapping_add(1);
    thread.tasks.searches.set(thread.as_owner(), searches);
    searches.is_multiple_of(SEARCHES_BEFORE_ASKING)
}

/// Asks all other members to queue their tasks. The thread is about to sleep, and does not search
/// before it is woken. Returns false if no member executes tasks at once because its queue was
/// full.
#[cold]
pub(super) fn ask_all(thread: &Thread, team: &Team) -> bool {
    let others = team.members().filter(|slot| !core::ptr::eq(*slot, thread.slot.get()));
    others.filter(|slot| prepared::ask_member(slot.thread())).count() != 0
}

/// Makes the thread join the census: from then on it may take another member's task. Returns true.
#[inline(always)]
pub(super) fn came(thread: &Thread, team: &Team) -> bool {
    presence::enter_team(thread, team);
    true
}

#[inline(always)]
pub(super) fn listed(
    thread: &Thread,
    team: &Team,
    constraint: Option<&'static Task>,
) -> Option<&'static Task> {
    if team.tasks.has_listed() { take_listed(thread, team, constraint) } else { None }
}

#[cold]
fn take_listed(
    thread: &Thread,
    team: &Team,
    constraint: Option<&'static Task>,
) -> Option<&'static Task> {
    presence::enter_team(thread, team);
    let task = team.tasks.take(allowed_here(constraint))?;
    presence::let_go(team, task);
    Some(task)
}

/// Whether tasks of the thread's region have priorities.
#[inline(always)]
pub(super) fn has_ranked(thread: &Thread, team: &Team) -> bool {
    team.tasks.has_ranked(thread.slot().region.get())
}
