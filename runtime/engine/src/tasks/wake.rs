//! Wakes a sleeper for a new task.
//!
//! A sleeper publishes which tasks it would begin (`constraint.rs`), so that the one wake-up for a
//! new task goes to a thread that may begin it. If it went to a plain wait, or to a wait in another
//! task, the new task would stay in its queue while others sleep.

use super::constraint::Constraint;
use crate::records::{Task, Team};
use core::sync::atomic::{Ordering, fence};
use omphalos_sync::sleepers;

/// Wakes one sleeper of the team that may begin the task, which was just queued, if there is one.
#[inline(always)]
pub fn wake_for(team: &Team, task: &Task) {
    fence(Ordering::SeqCst);
    if sleepers::any(&team.sleepers) {
        wake_one_for(team, task);
    }
}

#[cold]
pub(super) fn wake_one_for(team: &Team, task: &Task) {
    let places = team.members().map(|slot| slot.thread().line.place());
    sleepers::wake_one(places, |shown| Constraint::allowed(shown, team, task));
}
