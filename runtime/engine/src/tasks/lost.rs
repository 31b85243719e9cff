//! Ends the waits for tasks that a forked child has lost: those that other threads had at the fork.
//!
//! The child has the forking thread alone. If another thread executed a task then, or had it in its
//! queue, the task is that thread's, in the parent. The child cannot execute it, because half of it
//! may be done. Nor can it execute a task that waits for such a task. But the counts of parents and
//! groups still include all of them, so a wait for those counts would last for ever.
//!
//! The child cannot find out which tasks are lost: a thread of the parent may have been about to
//! take one, or to count it as finished. So the child does not look for them. It marks each region
//! that the forking thread is in and that has tasks ([`after_fork_in_child`]). In a marked region
//! the thread is alone. It executes the tasks that it finds, including those for helpers and free
//! agents: both of these leave the region alone. If a wait is not over and the thread finds no
//! task, then it waits for lost tasks, and the wait ends ([`are_all`]).
//!
//! One kind of task is in no queue and not lost: a detached one whose event another thread may
//! fulfil in the child. While the region has such a task (`TeamTasks::open`), its waits go on. But
//! while the child has only one thread, no thread can fulfil the event: that thread waits, and has
//! nothing to execute. So the event is lost, too. (A signal handler must not fulfil it: OpenMP's
//! routines are not async-signal-safe.)
//!
//! Why no wait ends too early. The thread sees that no task is open, and only then looks once more
//! at its queues and at the thing that it waits for. No other thread executes tasks of the region.
//! A thread that fulfils an event queues each task that becomes ready, and subtracts the open task
//! from all counts, before it says that the task is not open any more. So if the look finds no
//! task, no thread can bring one.
//!
//! Why there is no model of this. The marks are made in the child when it has one thread, and that
//! thread reads them. At the fork each word had the value from before or from after a write of
//! another thread. The child relies on no pair of such words: it takes a task that it finds in its
//! queues, which a thief in the parent may have taken too, and gives up the tasks that it does not
//! find, whatever the counts say. While it has other threads it reads one word of theirs, `open`,
//! as described. The kernel says whether there is another thread; a thread alone stays so until it
//! makes one.

use super::constraint::Constraint;
use super::{presence, run};
use crate::records::{Slot, Task, Team, Thread};
use core::sync::atomic::Ordering;

/// Marks the team's region in a forked child, if the region has had tasks. The child's only thread
/// is the member of `team` with this `slot`.
pub(crate) fn after_fork_in_child(team: &Team, slot: &Slot) {
    team.tasks.after_fork_in_child();
    slot.tasks.ranked.after_fork_in_child();
    let region = slot.region.get();
    if team.tasks_region.load(Ordering::Relaxed) == region {
        team.tasks.lost_in.store(region, Ordering::Relaxed);
        // The counts of the tasks that others made and finished are gone with their slots. The
        // region's tasks end when a wait finds that the rest is lost.
        if !slot.tasks.tally.is_of(region) {
            slot.tasks.tally.begin(region);
        }
        slot.tasks.tally.never_even();
    }
}

/// Gives a task that waits for a helper to the child's only thread.
pub(crate) fn take_back(task: &Task) {
    // SAFETY: the team of a task that is not complete; teams are never freed.
    let team = unsafe { &*task.team.get() };
    team.tasks.insert(task);
}

/// Whether everything that the calling thread waits for is lost. The thread has just looked for a
/// task in vain, in a region that has lost some.
#[cold]
#[inline(never)]
pub(super) fn are_all(
    thread: &Thread,
    team: &Team,
    constraint: Constraint,
    ready: &mut dyn FnMut() -> bool,
) -> bool {
    let may_open_end = presence::any_open(team) && !omphalos_sys::thread::is_only();
    !may_open_end && !ready() && !run::may_run(thread, team, constraint)
}
