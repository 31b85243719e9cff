//! Finds the tasks that a wait may begin in addition, if the waiting task is transparent or runs in
//! parts.
//!
//! | the task | its wait may also begin | why |
//! |---|---|---|
//! | transparent | tasks that the wait needs (`depend/need.rs`) | a child may depend on an older sibling of the task, and perhaps no other thread is there to begin that sibling |
//! | runs in parts | descendants anywhere in a deque | it leaves its children in the deques of the threads that it passed, under the tasks that were there |
//!
//! Who calls: `run.rs`, when a thread that waits in such a task has found nothing in the usual
//! places. The wanted task may be anywhere in a deque, but only the ends of a deque can be taken.
//! So the thread takes out the tasks in its way and puts them into the team's list, where every
//! thread finds the tasks that it may begin. Whether a task is a descendant can be seen in place,
//! so deques without descendants stay as they are. Whether a task is needed is only known once the
//! thread holds it.
//!
//! What must hold: README.md, "Why waits end". This file is only used if a thread waits in such a
//! task and finds nothing else to do.

use super::constraint::Constraint;
use super::descent::{LEVELS_FOLLOWED, at, descends};
use super::{depend, find, presence, queue, ranked};
use crate::records::{Task, Team, Thread, Traits, Wanted};
use crate::waiting;
use omphalos_sync::deque::{Deque, Steal};

/// The time for which a thread does not search again after it found no task anywhere, in
/// time-stamp cycles.
const CYCLES_BETWEEN_VAIN_SEARCHES: u64 = 32_000;
/// The number of tasks in the team's list beyond which a thread moves only one task per search out
/// of other members' deques: only the length of the deques limits the makers of tasks.
const LISTED_TASKS_BEFORE_ONE_BY_ONE: u32 = 256;

/// The tasks that one wait may begin in addition.
pub(super) struct Reach<'a> {
    thread: &'static Thread,
    team: &'a Team,
    /// The task in which the thread waits.
    waiting: &'static Task,
    /// The thing that the thread waits for; null if the wait needs descendants only.
    wanted: Wanted,
}

/// Returns the tasks that a wait may begin besides the descendants in their usual places, if there
/// may be any.
#[inline(always)]
pub(super) fn beyond<'a>(
    thread: &Thread,
    team: &'a Team,
    constraint: Constraint,
) -> Option<Reach<'a>> {
    let waiting = constraint.ancestor()?;
    if waiting.has(Traits::TRANSPARENT | Traits::PARTS) {
        any_beyond(thread, team, waiting)
    } else {
        None
    }
}

#[cold]
fn any_beyond<'a>(thread: &Thread, team: &'a Team, waiting: &'static Task) -> Option<Reach<'a>> {
    // SAFETY: records of threads are never freed.
    let thread: &'static Thread = unsafe { &*core::ptr::from_ref(thread) };
    let (task, wanted) = thread.tasks.wants.get();
    let imports = core::ptr::eq(task, waiting) && depend::has_imports(waiting);
    let wanted = if imports { wanted } else { core::ptr::null() };
    Some(Reach { thread, team, waiting, wanted })
}

impl Reach<'_> {
    /// Whether the thread may begin the task. The caller sees to it that no other thread begins it
    /// meanwhile.
    fn may(&self, task: &Task) -> bool {
        descends(task, self.waiting, u32::MAX)
            || !self.wanted.is_null() && depend::needs(self.wanted, task)
    }

    /// Takes one such task, if there is one.
    pub(super) fn take(&self) -> Option<&'static Task> {
        let task = self.search();
        if task.is_none() {
            // The search has gone through all queues. The thread does not repeat it for a while.
            let again_from = omphalos_sys::ticks() + CYCLES_BETWEEN_VAIN_SEARCHES;
            self.thread.tasks.searches_from.set(self.thread.as_owner(), again_from);
        }
        task
    }

    fn search(&self) -> Option<&'static Task> {
        let (thread, team) = (self.thread, self.team);
        if find::has_ranked(thread, team) {
            let come = || presence::enter_team(thread, team);
            let found = ranked::take(thread, team, false, |task| self.may(task), come);
            if let Some((task, _)) = found {
                return Some(task);
            }
        }
        presence::enter_team(thread, team);
        let listed = team.tasks.has_listed().then(|| team.tasks.take(|task| self.may(task)));
        if let Some(task) = listed.flatten() {
            presence::let_go(team, task);
            return Some(task);
        }
        let mut moved = false;
        let found = self.out_of_deques(&mut moved);
        if moved {
            // A task that was in this thread's way may be one that another thread looks for.
            waiting::wake_sleepers(team);
        }
        found
    }

    /// Takes such a task out of the deques. The tasks in its way go to the list.
    fn out_of_deques(&self, moved: &mut bool) -> Option<&'static Task> {
        let (thread, team) = (self.thread, self.team);
        let own = &thread.slot().tasks.deque;
        while self.may_hold(own)
            && let Some(task) = own.pop().map(at)
        {
            if self.may(task) {
                return Some(task);
            }
            queue::set_aside(team, task);
            *moved = true;
        }
        let size = team.size.get();
        let first = thread.num.get() + 1;
        for num in (first..size).chain(0..first.min(size)) {
            let deque = &team.slot(num).tasks.deque;
            while self.may_hold(deque) {
                match deque.steal(|_| find::came(thread, team)) {
                    Steal::Value(word, _) if self.may(at(word)) => return Some(at(word)),
                    Steal::Value(word, _) => {
                        queue::set_aside(team, at(word));
                        *moved = true;
                        if team.tasks.listed() > LISTED_TASKS_BEFORE_ONE_BY_ONE {
                            return None;
                        }
                    }
                    Steal::Lost => omphalos_sys::relax(),
                    Steal::Nothing => break,
                }
            }
        }
        None
    }

    /// Whether the deque may hold a task that the wait may begin.
    fn may_hold(&self, deque: &Deque) -> bool {
        if !self.wanted.is_null() {
            return !deque.looks_empty();
        }
        // Another thread may be taking the task, so only so many of its ancestors are followed. A
        // deeper task may be a descendant.
        let deepest = self.waiting.depth.get().saturating_add(LEVELS_FOLLOWED);
        deque.has_any(|word| {
            let task = at(word);
            task.depth.get() > deepest || descends(task, self.waiting, LEVELS_FOLLOWED)
        })
    }

    /// Whether [`Reach::take`] might find a task, or move one out of the way.
    pub(super) fn may_run(&self) -> bool {
        let (thread, team) = (self.thread, self.team);
        team.members().any(|slot| self.may_hold(&slot.tasks.deque))
            || team.tasks.could_take(|task| self.may(task))
            || find::has_ranked(thread, team) && ranked::could_take(team, |task| self.may(task))
    }
}

/// Runs `f`, which may make tasks ready that do not descend from the current task. Those tasks do
/// not stay in the thread's own deque, above the tasks that the current task queued.
pub(super) fn keeping_to_itself(thread: &'static Thread, f: impl FnOnce()) {
    let deque = &thread.slot().tasks.deque;
    let bottom = deque.bottom();
    f();
    if deque.bottom() > bottom {
        clear_away(thread, bottom);
    }
}

#[cold]
fn clear_away(thread: &'static Thread, bottom: u64) {
    let (team, deque, current) = (thread.team(), &thread.slot().tasks.deque, thread.task());
    let mut own = Vec::new();
    let mut moved = false;
    while let Some(task) = deque.pop_above(bottom).map(at) {
        if descends(task, current, u32::MAX) {
            own.push(task);
        } else {
            presence::enter_team(thread, team);
            queue::set_aside(team, task);
            moved = true;
        }
    }
    for task in own.into_iter().rev() {
        deque.push(core::ptr::from_ref(task) as usize);
    }
    if moved {
        waiting::wake_sleepers(team);
    }
}
