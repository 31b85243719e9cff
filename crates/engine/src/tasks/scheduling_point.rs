//! Waiting at a task scheduling point: the thread executes tasks meanwhile; and waking for a new
//! task.
//!
//! The sleep and the wake-up are `waiting.rs`'s. A sleeper also says what it would begin, so that
//! the one wake-up for a new task goes to who may begin it: one spent on a plain wait, or on one in
//! another task, would leave the task to nobody while others sleep on. Who was woken takes the task
//! or finds that somebody has it, with one exception: what it waits for has come true as well, and
//! it goes on without a look. In a barrier all have arrived by then, and look at the tasks next.
//! From any other wait that it had announced, the thread wakes others for what is queued before it
//! goes on ([`leave_to_others`]).

use super::{Constraint, find, presence, queue};
use crate::records::{Task, Team, Thread};
use crate::waiting::{Reason, pass_on, sleep_once, wake_sleepers};
use core::mem::take;
use core::sync::atomic::{Ordering, fence};
use omphalos_settings::settings;
use omphalos_sync::sleepers;

/// Waits at a task scheduling point until `ready` holds, executing tasks of the team meanwhile that
/// `constraint` allows. What makes `ready` true is as in `waiting::wait_plainly`.
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
    let mut spin = settings().wait(team.busy.get(), &thread.sharing);
    loop {
        // A meeting is not over while a task of this member's waits to be executed. To ask would
        // fetch the lines in which the others count each task that they finish: more than a tiny
        // task takes.
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
            if find::run_one(thread, team, constraint) {
                let cancelled = team.is_cancelled();
                if cancelled {
                    // Others may wait for the end of the tasks in a barrier that this thread left
                    // out.
                    wake_sleepers(team);
                }
                has_own = constraint.is_barrier() && !cancelled && thread.slot().tasks.has_any();
                spin = settings().wait(team.busy.get(), &thread.sharing);
                continue;
            }
            if reason.is_meeting() && presence::leave_census(thread, team) {
                continue;
            }
        }
        if !spin.again_politely() {
            settings().waited_in_vain();
            announced = true;
            let enough =
                || ready() || team.has_tasks(thread) && find::may_run(thread, team, constraint);
            sleep_once(thread, team, (reason, constraint.shown(team)), None, enough);
        }
    }
}

/// Wakes one sleeper of the team that may begin `task`, if any: it was just queued.
#[inline(always)]
pub fn wake_for(team: &Team, task: &Task) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        wake_one_for(team, task);
    }
}

#[cold]
fn wake_one_for(team: &Team, task: &Task) {
    let places = team.members().map(|slot| slot.thread().line.place());
    sleepers::wake_one(places, |shown| Constraint::allowed(shown, team, task));
}

/// The calling thread, which may have been woken for a task, goes on without having looked for one.
#[cold]
fn leave_to_others(team: &Team) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        queue::for_each_queue(team, |task| wake_one_for(team, task));
    }
}
