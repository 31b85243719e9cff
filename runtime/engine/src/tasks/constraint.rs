//! The task scheduling constraint: which tasks a thread may begin where it waits (OpenMP 5.2,
//! section 12.9).
//!
//! A thread begins tasks at task scheduling points only, and only tasks that its tied tasks allow:
//! a task that is suspended outside a barrier allows its own descendants. The tasks suspended on
//! one thread descend from each other, so the current task decides for all of them.
//!
//! | scheduling point | the thread may begin |
//! |---|---|
//! | a barrier, the end of a region | any task of the team: the implicit task is suspended in a barrier, and the tasks below it on the thread made the region |
//! | taskwait, the end of a taskgroup, taskyield, the making of a task, the end of an undeferred one | descendants of the current task |
//!
//! Code that runs tasks passes a [`Constraint`], which says at which point it stands. A wait that
//! is no scheduling point (`ordered`, a sink, room, a lock, a partner of a reduction) has no
//! constraint and so cannot begin a task: `waiting::wait_plainly`.

use super::descent::{LEVELS_FOLLOWED, descends};
use crate::records::{NOTHING, Task, Team, Traits};
use omphalos_sync::sleepers::Allowed;

/// The tasks that may begin: the descendants of one task, or, with `None`, any task of the team.
#[derive(Clone, Copy)]
pub struct Constraint(Option<&'static Task>);

impl Constraint {
    /// Returns the constraint in a barrier or at the end of a region, where the implicit task is
    /// suspended.
    pub(crate) fn in_barrier() -> Constraint {
        Constraint(None)
    }

    /// Returns the constraint at any other scheduling point of `task`, the current one.
    #[inline(always)]
    pub(super) fn in_task(task: &'static Task) -> Constraint {
        Constraint(Some(task))
    }

    /// Returns the task whose descendants may begin; `None` if any task may.
    #[inline(always)]
    pub(super) fn ancestor(self) -> Option<&'static Task> {
        self.0
    }

    /// Whether this is the constraint of a barrier.
    #[inline(always)]
    pub(crate) fn is_barrier(self) -> bool {
        self.0.is_none()
    }

    /// Returns the constraint as one word, which a thread publishes while it sleeps in a wait of
    /// `team`: a task's address, or a team's address + 1. Records of tasks and teams begin at even
    /// addresses.
    pub(crate) fn shown(self, team: &Team) -> usize {
        match self.0 {
            Some(task) => core::ptr::from_ref(task).addr(),
            None => core::ptr::from_ref(team).addr() | 1,
        }
    }

    /// Whether a sleeper that published `shown` may begin `task` of `team`. The task may be in
    /// transit: then some thread has it, and the answer does not matter.
    pub(crate) fn allowed(shown: usize, team: &Team, task: &Task) -> Allowed {
        if shown == NOTHING {
            return Allowed::No;
        }
        if shown & 1 != 0 {
            let of_team = shown == core::ptr::from_ref(team).addr() | 1;
            return if of_team { Allowed::Yes } else { Allowed::No };
        }
        let ancestor = core::ptr::with_exposed_provenance::<Task>(shown);
        // SAFETY: the address of a record, which are never freed.
        let ancestor: &Task = unsafe { &*ancestor };
        if descends(task, ancestor, LEVELS_FOLLOWED) {
            Allowed::Yes
        } else if task.depth.get() > ancestor.depth.get().saturating_add(LEVELS_FOLLOWED)
            || ancestor.has(Traits::TRANSPARENT | Traits::PARTS)
        {
            // The task is too deep for a thief to follow, but the sleeper may find it in a list; or
            // it is within the sleeper's reach (`reach.rs`).
            Allowed::Perhaps
        } else {
            Allowed::No
        }
    }
}
