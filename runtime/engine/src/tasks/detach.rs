//! Completes detached tasks, by their event.
//!
//! LLVM's code makes an undeferred task with an event and dependences in steps: it makes the event,
//! waits for the dependences, and begins the task without them. But later siblings with these
//! dependences must wait for the event. So the thread keeps the dependences of the latest wait
//! after an event was made ([`note_wait`]), and the task that begins with an event gets them
//! ([`take_waited_for`]). Each event starts with no such dependences: a `taskwait depend` before
//! the event is no part of the construct. The program's code between the event and the task's begin
//! (copy constructors) may itself make such tasks; the construct's own wait still comes last.

use super::complete::{complete_rarely, give_discarded};
use super::{depend, hooks, reach};
use crate::call::Call;
use crate::records::{Depend, Task, Thread};
use crate::waiting;
use core::sync::atomic::Ordering;
use omphalos_events::{TaskFlags, TaskStatus};
use omphalos_sync::completion::{self, BODY, DISCARDED, EVENT};

/// Gives the record of a task that is about to be made an event. Returns its handle, the record's
/// address.
pub fn allow_event(thread: &Thread, task: &Task) -> usize {
    take_waited_for(thread);
    task.ends.store(0, Ordering::Relaxed);
    core::ptr::from_ref(task) as usize
}

/// Notes that the current task has waited for these dependences, perhaps to begin a task with them.
pub fn note_wait(thread: &Thread, list: &[Depend]) {
    let mut kept = take_waited_for(thread);
    kept.clear();
    kept.extend_from_slice(list);
    thread.notes.note_awaited(depend::as_written(&kept));
    thread.tasks.waited_for.set(thread.as_owner(), kept);
}

/// Tells tools that a task was made whose construct may have waited for its dependences.
#[inline(always)]
pub(super) fn created_behind_wait(thread: &'static Thread, task: &Task, call: impl Call) {
    if call.is_watched() {
        hooks::created(thread, task, false, call);
        thread.notes.note_awaited(&[]);
    }
}

/// Takes the dependences for which the calling thread's latest construct with an event waited.
pub(super) fn take_waited_for(thread: &Thread) -> Vec<Depend> {
    thread.notes.note_awaited(&[]);
    thread.tasks.waited_for.replace(thread.as_owner(), Vec::new())
}

/// Fulfils the event of a task (`omp_fulfill_event`): completes the task if its body has ended. Any
/// thread may call this, even one that runs no task of the team.
///
/// # Safety
/// `event` came from [`allow_event`] and was not fulfilled yet.
pub unsafe fn fulfil(event: usize) {
    // SAFETY: the caller's promise; records are never freed.
    let task: &'static Task = unsafe { &*(event as *const Task) };
    if hooks::wants_schedule() {
        // If tools do not know the thread yet, they are told of its begin first.
        Thread::current();
    }
    // These are read first: an undeferred task's record may go at once.
    let undeferred = task.flags.get() & TaskFlags::UNDEFERRED != 0;
    let team = task.team.get();
    let before = if undeferred || !hooks::wants_schedule() {
        // Tools were told that a discarded task was cancelled; nothing follows that.
        if task.ends.load(Ordering::Relaxed) & DISCARDED == 0 {
            hooks::switch(task, TaskStatus::EarlyFulfill, None);
        }
        completion::happened(&task.ends, EVENT)
    } else {
        completion::happened_and_told(&task.ends, EVENT, |before| {
            if before & DISCARDED != 0 {
                return;
            }
            let late = before & BODY != 0;
            let status = if late { TaskStatus::LateFulfill } else { TaskStatus::EarlyFulfill };
            hooks::switch(task, status, None);
        })
    };
    if before & DISCARDED != 0 {
        give_discarded(Thread::current(), task);
    } else if undeferred {
        // SAFETY: null (not made yet) or a team, which is never freed.
        if let Some(team) = unsafe { team.as_ref() } {
            waiting::wake_sleepers(team);
        }
    } else if before & BODY != 0 {
        let thread = Thread::current();
        reach::keeping_to_itself(thread, || complete_rarely(thread, task));
    }
}
