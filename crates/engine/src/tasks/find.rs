//! Which task a waiting thread runs next: its own newest, one of the team's list, or the oldest of
//! another member.
//!
//! The task scheduling constraint: a thread that waits inside a task may only begin descendants of
//! that task (OpenMP 5.2, section 12.9); one that waits in a barrier may begin any. In the own deque
//! these are the tasks above the mark of the current task. A task of another member is looked at
//! before it is stolen; if it is being taken at that moment the look may give nonsense (never a
//! fault: records are not freed), but then the steal fails.

use super::execute;
use super::task::Task;
use crate::team::Team;
use crate::thread::Thread;
use omphalos_sync::deque::Steal;

/// Longest way up the tree that a thief follows: a task deeper than that it leaves to others.
const FAR: u32 = 1000;

/// Whether `task` is a descendant of `ancestor`. `task` may be in transit.
fn descends(task: &Task, ancestor: &Task) -> bool {
    let level = ancestor.depth.get();
    let mut current = task;
    for _ in 0..FAR {
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

/// What the calling thread may begin.
fn allowed(thread: &Thread) -> impl Fn(&Task) -> bool + Copy {
    let constraint = thread.tasks.constraint.get();
    // SAFETY: null, or a task that this thread is waiting in.
    move |task: &Task| unsafe { constraint.as_ref() }.is_none_or(|waiting| descends(task, waiting))
}

/// A word of a deque.
fn at(word: usize) -> &'static Task {
    // SAFETY: deques hold addresses of records, which are never freed.
    unsafe { &*(word as *const Task) }
}

/// The newest task of the thread's own deque that it may begin.
#[inline(always)]
pub(super) fn own(thread: &Thread) -> Option<&'static Task> {
    let tasks = &thread.slot().tasks;
    let floor = if thread.tasks.constraint.get().is_null() { 0 } else { tasks.mark.get() };
    tasks.deque.pop_above(floor).map(at)
}

fn steal(thread: &Thread, team: &Team) -> Option<&'static Task> {
    let size = team.size.get();
    let tasks = &thread.slot().tasks;
    let may = allowed(thread);
    let mut victim = tasks.victim.get();
    for _ in 0..size {
        if victim >= size {
            victim = 0;
        }
        if victim != thread.num.get() {
            let deque = &team.slot(victim).tasks.deque;
            loop {
                match deque.steal(|word| may(at(word))) {
                    Steal::Value(word) => {
                        tasks.victim.set(victim);
                        return Some(at(word));
                    }
                    Steal::Lost => omphalos_sys::relax(),
                    Steal::Nothing => break,
                }
            }
        }
        victim += 1;
    }
    None
}

/// Runs one ready task if there is one that the thread may run.
pub fn run_one(thread: &Thread, team: &Team) -> bool {
    // SAFETY: records of threads are never freed.
    let thread: &'static Thread = unsafe { &*core::ptr::from_ref(thread) };
    let listed = || team.tasks.has_listed().then(|| team.tasks.take(allowed(thread))).flatten();
    match listed().or_else(|| own(thread)).or_else(|| steal(thread, team)) {
        Some(task) => {
            execute::queued(thread, task);
            true
        }
        None => false,
    }
}

/// Whether [`run_one`] might find one: a hint for a thread that is about to sleep.
pub fn may_run(thread: &Thread, team: &Team) -> bool {
    let own = &thread.slot().tasks;
    let constrained = !thread.tasks.constraint.get().is_null();
    let may = allowed(thread);
    !own.deque.looks_empty() && (!constrained || own.deque.bottom() > own.mark.get())
        || team.tasks.could_take(may)
        || team.members().any(|slot| {
            !core::ptr::eq(slot, thread.slot.get())
                && slot.tasks.deque.could_steal(|word| may(at(word)))
        })
}
