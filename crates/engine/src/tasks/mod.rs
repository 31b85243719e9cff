//! Tasks.

mod task;

pub use task::Task;

use crate::team::Team;
use crate::thread::Thread;

/// A thread's tasking state.
pub struct ThreadTasks {}
impl ThreadTasks {
    /// Empty.
    pub const fn new() -> Self {
        ThreadTasks {}
    }
}
/// A member's.
pub struct SlotTasks {}
impl SlotTasks {
    /// Empty.
    pub const fn new() -> Self {
        SlotTasks {}
    }
}
/// A team's.
pub struct TeamTasks {}
impl TeamTasks {
    /// Empty.
    pub const fn new() -> Self {
        TeamTasks {}
    }
}

/// Runs one ready task if there is one that the thread may run.
pub fn run_one(_thread: &Thread, _team: &Team) -> bool {
    false
}

/// Whether [`run_one`] might find one: a hint for a thread that is about to sleep.
pub fn may_run(_thread: &Thread, _team: &Team) -> bool {
    false
}

/// Whether no task of the team is left (README.md of `barrier`).
pub fn quiescent(_team: &Team) -> bool {
    true
}
