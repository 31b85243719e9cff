//! Waits at a task scheduling point, where the thread executes tasks meanwhile.
//!
//! `waiting.rs` has the sleep and the wake-up, `wake.rs` chooses the thread that is woken for a new
//! task. A woken thread takes the task or finds that another thread has it. There is one exception:
//! if the thread's own wait is over too, it goes on without looking for the task. In a barrier all
//! members have arrived by then, and they look at the tasks next. In any other wait, a thread that
//! was about to sleep wakes others for the queued tasks before it goes on ([`leave_to_others`]).

use super::constraint::Constraint;
use super::{depend, lost, presence, queue, run, wake};
use crate::records::{Team, Thread};
use crate::waiting::{Reason, pass_on, sleep_once, wake_sleepers};
use core::mem::take;
use core::sync::atomic::{Ordering, fence};
use core::time::Duration;
use omphalos_settings::settings;
use omphalos_sync::sleepers;

/// Waits at a task scheduling point until `ready` holds, and meanwhile executes tasks of the team
/// that `constraint` allows. `waiting::wait_plainly` says how `ready` must be made true.
#[inline]
pub fn wait_running_tasks(
    thread: &Thread,
    team: &Team,
    constraint: Constraint,
    reason: Reason,
    mut ready: impl FnMut() -> bool,
) {
    if ready() {
        return;
    }
    let mut announced = false;
    let mut has_own = false;
    let mut vain_since = None;
    let mut spin = settings().wait(team.busy.get(), &thread.sharing);
    loop {
        // A meeting is not over while a task of this member waits to be executed, so the thread
        // does not ask. `ready` would fetch the lines in which the others count each task that they
        // finish, and that takes longer than a tiny task.
        if !take(&mut has_own) && ready() {
            if announced {
                if reason.is_for_many() {
                    pass_on(team, reason, thread.num.get());
                }
                if !constraint.is_barrier() {
                    leave_to_others(team);
                }
            }
            return;
        }
        if team.has_tasks(thread) {
            if run::run_one(thread, team, constraint) {
                let cancelled = team.is_cancelled();
                if cancelled {
                    // Others may wait for the end of the tasks, in a barrier that this thread
                    // skipped.
                    wake_sleepers(team);
                }
                has_own = constraint.is_barrier() && !cancelled && thread.slot().tasks.has_any();
                vain_since = None;
                spin = settings().wait(team.busy.get(), &thread.sharing);
                continue;
            }
            if reason.is_meeting() && presence::leave_census(thread, team) {
                continue;
            }
            if team.has_lost_tasks() && lost::are_all(thread, team, constraint, &mut ready) {
                return;
            }
        }
        if !spin.again_politely() {
            settings().waited_in_vain();
            announced = true;
            let enough =
                || ready() || team.has_tasks(thread) && run::may_run(thread, team, constraint);
            let says = (reason, constraint.shown(team));
            let longest = if team.has_tasks(thread) && run::ask_others(thread, team) {
                Some(SLEEP_BEHIND_A_QUESTION)
            } else {
                longest_sleep(team, constraint, &mut vain_since)
            };
            sleep_once(thread, team, says, longest, enough);
        }
    }
}

/// The longest sleep of a thread that asked others to queue their tasks. After it the thread asks
/// again, in case one of the others missed the question.
const SLEEP_BEHIND_A_QUESTION: Duration = Duration::from_millis(1);

/// The longest sleep of a thread whose team has lost tasks and that waits for the event of another
/// task. When no further task can come, no thread wakes it.
const SLEEP_WITH_LOST_TASKS: Duration = Duration::from_millis(10);

/// The first sleep of a thread that waits in a task of a program with transparent tasks, before it
/// looks at the queues again. No thread wakes it when a task in a queue becomes a task that its
/// wait needs (README.md, "Who is told of it").
const FIRST_SLEEP_BESIDE_TRANSPARENT: Duration = Duration::from_millis(1);
/// Each later sleep of such a thread is the time that it has waited in vain, divided by this
/// number. So the thread finds a needed task late by at most this part of its wait, and looks
/// seldom if none comes.
const PART_OF_THE_WAIT: u32 = 4;

/// Returns the longest sleep of a thread that waits under `constraint`; `None` if there is no
/// limit. `since`: the time since when the thread has waited in vain, in nanoseconds; `None`: this
/// is its first sleep.
fn longest_sleep(team: &Team, constraint: Constraint, since: &mut Option<u64>) -> Option<Duration> {
    if team.has_lost_tasks() {
        return Some(SLEEP_WITH_LOST_TASKS);
    }
    if constraint.is_barrier() || !depend::exist_transparent() {
        return None;
    }
    let now = omphalos_sys::clock::nanoseconds();
    let waited = Duration::from_nanos(now - *since.get_or_insert(now));
    Some(FIRST_SLEEP_BESIDE_TRANSPARENT.max(waited / PART_OF_THE_WAIT))
}

/// Wakes other threads for the queued tasks: the calling thread may have been woken for a task, and
/// goes on without having looked for one.
#[cold]
fn leave_to_others(team: &Team) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        queue::for_each_queue(team, |task| wake::wake_one_for(team, task));
    }
}
