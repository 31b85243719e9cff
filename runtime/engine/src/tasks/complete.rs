//! Completes a task: takes the steps that follow when nothing of it is left to execute.
//!
//! Who calls: `execute.rs`, when a body has returned or a task is discarded; `detach.rs`, when an
//! event is fulfilled after the body; `split.rs`, for a ticket. What must hold: each step may let
//! another thread continue, so no later step touches the records that it frees (README.md, "The
//! life of a task").

use super::{depend, presence, records};
use crate::records::{Group, Last, Task, Team, Thread, Traits};
use crate::waiting;
use core::sync::atomic::Ordering;
use omphalos_sync::completion::{self, DISCARDED, EVENT};

/// Completes a task: its successors become ready, its parent and its group subtract it, and its
/// record is given back unless children need it.
#[inline(always)]
pub(super) fn complete(thread: &'static Thread, task: &'static Task) {
    // The traits are read once: the code below changes none of those that are asked for later.
    let traits = task.traits.get();
    if traits & (Traits::NODE | Traits::OWN_ICVS | Traits::DETACHABLE) != 0 {
        if traits & Traits::OPEN != 0 {
            return complete_open(thread, task);
        }
        if traits & Traits::NODE != 0 {
            depend::finish(thread, task);
        }
        // SAFETY: the task is complete, and the caller takes it apart.
        unsafe { task.claim() }.drop_own_icvs();
        task.ends.store(0, Ordering::Relaxed);
    }
    let places = Places::of(task, traits);
    end_record(thread, task, traits);
    places.subtract(thread);
}

/// Does what [`complete`] does, as a function that is not inlined, for places that seldom complete
/// a task.
#[cold]
#[inline(never)]
pub(super) fn complete_rarely(thread: &'static Thread, task: &'static Task) {
    complete(thread, task);
}

/// Completes a task with an event that is discarded. The program may fulfil the event at any later
/// time, because nothing tells it that the task will never run. So the record stays until both have
/// happened.
#[cold]
#[inline(never)]
pub(super) fn complete_discarded(thread: &'static Thread, task: &'static Task) {
    if task.has(Traits::NODE) {
        depend::finish(thread, task);
    }
    // SAFETY: the task never ran, and the caller takes it apart.
    unsafe { task.claim() }.drop_own_icvs();
    let places = Places::of(task, task.traits.get());
    if completion::happened(&task.ends, DISCARDED) & EVENT != 0 {
        give_discarded(thread, task);
    }
    places.subtract(thread);
}

/// Gives back the record of a discarded task, whose event has been fulfilled.
pub(super) fn give_discarded(thread: &'static Thread, task: &'static Task) {
    task.ends.store(0, Ordering::Relaxed);
    records::give(thread, task);
}

/// The counts in which a task is included. They are read before its record is given back, because
/// afterwards the record may be another task's.
struct Places {
    counted: bool,
    parent: *mut Task,
    group: *const Group,
    team: *mut Team,
}

impl Places {
    #[inline(always)]
    fn of(task: &Task, traits: u32) -> Places {
        Places {
            counted: traits & Traits::COUNTED != 0,
            parent: task.parent.get(),
            group: task.group.get(),
            team: task.team.get(),
        }
    }

    /// Subtracts the task wherever it was counted.
    #[inline(always)]
    fn subtract(self, thread: &'static Thread) {
        if !self.counted {
            return;
        }
        // SAFETY: null or the group that the task was counted in until now.
        if let Some(group) = unsafe { self.group.as_ref() } {
            act_on(thread, group.count.finish(thread), core::ptr::null());
        }
        // SAFETY: the parent's record lives until this child is subtracted.
        let last = unsafe { &*self.parent }.children.finish(thread);
        act_on(thread, last, self.parent);
        // SAFETY: teams are never freed.
        presence::count_finished(thread, unsafe { &*self.team });
    }
}

/// Completes a task that no thread executes: its event was fulfilled after its body had ended.
#[cold]
#[inline(never)]
fn complete_open(thread: &'static Thread, task: &'static Task) {
    // SAFETY: no thread executes the task, and the caller takes it apart.
    unsafe { task.claim() }.remove_traits(Traits::OPEN);
    // SAFETY: teams are never freed.
    let team = unsafe { &*task.team.get() };
    complete_rarely(thread, task);
    presence::let_go_open(team, task);
    if !core::ptr::eq(team, thread.team.get()) {
        waiting::wake_sleepers(team);
    }
}

#[inline(always)]
fn act_on(thread: &Thread, last: Last, record: *const Task) {
    match last {
        Last::No => {}
        Last::Wake(waiter) => {
            // SAFETY: threads' records are never freed.
            if let Some(waiter) = unsafe { waiter.as_ref() } {
                waiter.line.gate.wake();
            }
        }
        Last::Free => free(thread, record),
    }
}

/// Frees a record that has ended long ago, and the records that it held.
#[cold]
fn free(thread: &Thread, mut record: *const Task) {
    // SAFETY: the caller subtracted the record's last child.
    while let Some(task) = unsafe { record.as_ref::<'static>() } {
        let parent = task.parent.get();
        records::give(thread, task);
        // SAFETY: the record that was just given back held its parent's.
        if unsafe { &*parent }.children.release_hold() {
            record = parent;
        } else {
            return;
        }
    }
}

/// Gives the record back unless children need it. While children need it, it keeps its parent's
/// record.
#[inline(always)]
fn end_record(thread: &'static Thread, task: &'static Task, traits: u32) {
    if traits & Traits::PARENT != 0 {
        end_parent(thread, task);
    } else {
        records::give(thread, task);
    }
}

#[inline(never)]
fn end_parent(thread: &'static Thread, task: &'static Task) {
    // These are read first: afterwards another thread may free the record.
    let (parent, counted) = (task.parent.get(), task.has(Traits::COUNTED));
    if task.children.end(thread) {
        return records::give(thread, task);
    }
    // SAFETY: a task's parent lives as long as it does.
    let parent = unsafe { &*parent };
    if !counted && !parent.has(Traits::PARENT) {
        // SAFETY: the calling thread executes the parent, which has not counted this child so far.
        unsafe { parent.claim() }.add_traits(Traits::PARENT);
    }
    parent.children.hold();
}
