//! Which task a waiting thread runs next: one with a priority, one of its own, one from the team's
//! list, or the oldest of another member.
//!
//! The task scheduling constraint (`constraint.rs`) limits the choice. A thread that waits inside a
//! task may only begin descendants of that task; in its own deque these are the tasks above the
//! current task's mark. A thread that waits in a barrier may begin any task. A thief reads a task
//! of another member before it steals it. If another thread takes the task at that moment, the
//! thief may read nonsense (never freed memory, because records are not freed), but then the steal
//! fails.

use super::constraint::Constraint;
use super::{execute, presence, ranked, reach, spare, unseen};
use crate::records::{FAN, Slot, Task, Team, Thread};
use omphalos_sync::deque::Steal;

/// How long a thread does not search again after a search everywhere in vain, in time-stamp cycles
/// (`reach.rs`).
pub(super) const CYCLES_BETWEEN_VAIN_SEARCHES: u64 = 32_000;
/// The longest way up the tree of tasks that a thief follows. It leaves deeper tasks to others.
pub(super) const LEVELS_FOLLOWED: u32 = 1000;

/// Whether `task` is a descendant of `ancestor`, no more than `far` levels below. Another thread
/// may be taking `task` meanwhile.
pub(super) fn descends(task: &Task, ancestor: &Task, far: u32) -> bool {
    let level = ancestor.depth.get();
    let mut current = task;
    for _ in 0..far {
        if current.depth.get() <= level {
            return false;
        }
        let parent = current.parent.get();
        if core::ptr::eq(parent, ancestor) {
            return true;
        }
        // SAFETY: null or a record that is never freed.
        let Some(next) = (unsafe { parent.as_ref() }) else { return false };
        current = next;
    }
    false
}

/// Whether a thread that waits in `constraint` (or in none) may begin a task.
fn allowed(constraint: Option<&'static Task>) -> impl Fn(&Task) -> bool + Copy {
    move |task: &Task| constraint.is_none_or(|waiting| descends(task, waiting, LEVELS_FOLLOWED))
}

/// As [`allowed`], for tasks that stay where they are meanwhile. It follows the whole way: perhaps
/// no other thread could execute the task.
fn allowed_here(constraint: Option<&'static Task>) -> impl Fn(&Task) -> bool + Copy {
    move |task: &Task| constraint.is_none_or(|waiting| descends(task, waiting, u32::MAX))
}

/// The task that a word of a deque stands for.
pub(super) fn at(word: usize) -> &'static Task {
    // SAFETY: deques hold addresses of records, which are never freed.
    unsafe { &*(word as *const Task) }
}

/// The newest task of the thread's own deque that it may begin. After a task that made others ready
/// it takes the oldest, so that chains of dependences advance side by side.
#[inline(always)]
pub(super) fn own(thread: &Thread, constraint: Constraint) -> Option<&'static Task> {
    let tasks = &thread.slot().tasks;
    if thread.tasks.released.get() {
        thread.tasks.released.set(thread.own(), false);
        let may = allowed(constraint.ancestor());
        if let Steal::Value(word) = tasks.deque.steal(|word| may(at(word))) {
            return Some(at(word));
        }
    }
    match constraint.ancestor() {
        None => tasks.deque.pop().map(at),
        Some(_) => tasks.deque.pop_above(tasks.mark.get()).map(at),
    }
}

/// The oldest task of another member, and whose it was.
fn steal<'a>(
    thread: &Thread,
    team: &'a Team,
    constraint: Option<&'static Task>,
) -> Option<(&'static Task, &'a Slot)> {
    let size = team.size.get();
    let own = thread.own().slot();
    let tasks = &own.tasks;
    let may = allowed(constraint);
    let census = team.census();
    let mut victim = tasks.victim.get();
    let spared = spare::whom(thread);
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
                    Steal::Value(word) => {
                        tasks.victim.set(own, victim);
                        return Some((at(word), slot));
                    }
                    Steal::Lost => omphalos_sys::relax(),
                    Steal::Nothing => break,
                }
            }
            if asks && !core::ptr::eq(slot, spared) {
                unseen::ask(slot.thread());
            }
        }
        victim += 1;
    }
    None
}

/// After this many searches in vain the thread asks the others to queue their tasks: it then reads
/// a word that they write for each task which they execute at once. The number stands for some
/// three microseconds.
const SEARCHES_BEFORE_ASKING: u32 = 32;

/// Whether the thread asks in this search.
#[inline(always)]
fn asks_now(thread: &Thread) -> bool {
    let searches = thread.tasks.searches.get().wrapping_add(1);
    thread.tasks.searches.set(thread.own(), searches);
    searches.is_multiple_of(SEARCHES_BEFORE_ASKING)
}

/// The thread joins the census: from now on it may take another member's task.
#[inline(always)]
pub(super) fn came(thread: &Thread, team: &Team) -> bool {
    presence::come(thread, team);
    true
}

#[inline(always)]
fn listed(
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
    presence::come(thread, team);
    let task = team.tasks.take(allowed_here(constraint))?;
    presence::let_go(team, task);
    Some(task)
}

/// Runs one ready task if there is one that the thread may run.
pub fn run_one(thread: &Thread, team: &Team, within: Constraint) -> bool {
    // SAFETY: records of threads are never freed.
    let thread: &'static Thread = unsafe { &*core::ptr::from_ref(thread) };
    let constraint = within.ancestor();
    if has_ranked(thread, team) && run_ranked(thread, team, constraint) {
        return true;
    }
    // Its own first: they include tasks that it has just made ready, and others may not find those
    // here.
    if let Some(task) = own(thread, within).or_else(|| listed(thread, team, constraint)) {
        execute::queued(thread, task);
        return true;
    }
    let start = now();
    if thread.tasks.searches_from.get() > start {
        return false;
    }
    let Some((task, victim)) = steal(thread, team, constraint) else {
        return reach::beyond(thread, team, within).is_some_and(|reach| reach.run_one());
    };
    thread.tasks.got.set(thread.own(), 1);
    execute::queued(thread, task);
    spare::after(thread, start, victim);
    true
}

/// Whether tasks of the thread's region have priorities.
#[inline(always)]
pub(super) fn has_ranked(thread: &Thread, team: &Team) -> bool {
    team.tasks.has_ranked(thread.slot().region.get())
}

/// Runs a task with a priority: such tasks go first.
#[cold]
fn run_ranked(thread: &'static Thread, team: &Team, constraint: Option<&'static Task>) -> bool {
    let start = now();
    let spares = !spare::whom(thread).is_null();
    let come = || presence::come(thread, team);
    let found = ranked::take(thread, team, spares, allowed_here(constraint), come);
    let Some((task, maker)) = found else { return false };
    thread.tasks.got.set(thread.own(), 1);
    execute::queued(thread, task);
    if maker != thread.num.get() {
        spare::after(thread, start, team.slot(maker));
    }
    true
}

pub(super) fn now() -> u64 {
    omphalos_sys::ticks()
}

/// Whether [`run_one`] might find one. A hint for a thread that is about to sleep.
pub fn may_run(thread: &Thread, team: &Team, within: Constraint) -> bool {
    let own = &thread.slot().tasks;
    let constraint = within.ancestor();
    let floor = if constraint.is_some() { own.mark.get() } else { 0 };
    let may = allowed(constraint);
    let others = || team.members().filter(|slot| !core::ptr::eq(*slot, thread.slot.get()));
    !own.deque.looks_empty() && own.deque.bottom() > floor
        || team.tasks.could_take(allowed_here(constraint))
        || has_ranked(thread, team) && ranked::could_take(team, allowed_here(constraint))
        || others().any(|slot| slot.tasks.deque.could_steal(|word| may(at(word))))
        || reach::beyond(thread, team, within).is_some_and(|reach| reach.may_run())
}
