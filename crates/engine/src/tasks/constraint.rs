//! The task scheduling constraint: what a thread may begin where it waits (OpenMP 5.2, section
//! 12.9).
//!
//! A thread begins tasks at task scheduling points only, and there those that its tied tasks allow:
//! a task that is suspended, but not in a barrier, allows its descendants. The tasks suspended on a
//! thread descend from each other, so the current one speaks for all of them.
//!
//! | scheduling point | the thread may begin |
//! |---|---|
//! | a barrier, the end of a region | any task of the team: the implicit task is suspended in a barrier, and what stands below it on the thread made the region |
//! | taskwait, the end of a taskgroup, taskyield, the making of a task, the end of an undeferred one | descendants of the current task |
//!
//! Whoever runs tasks says where it stands by a [`Constraint`]. A wait that is no scheduling point
//! (`ordered`, a sink, room, a lock, a partner of a reduction) has none, and cannot begin any:
//! `waiting::wait_plainly`.

use super::find;
use crate::records::{Task, Team, Traits};
use omphalos_sync::sleepers::Allowed;

/// See the module.
#[derive(Clone, Copy)]
pub struct Constraint(Option<&'static Task>);

/// What a thread that may begin nothing shows of its constraint.
pub(crate) const NOTHING: usize = 0;

impl Constraint {
    /// In a barrier, or at the end of a region: its implicit task is suspended there.
    pub(crate) fn in_barrier() -> Constraint {
        Constraint(None)
    }

    /// At any other scheduling point of `task`, the current one.
    #[inline(always)]
    pub(super) fn in_task(task: &'static Task) -> Constraint {
        Constraint(Some(task))
    }

    /// The task whose descendants alone may begin; none: any task may.
    #[inline(always)]
    pub(super) fn ancestor(self) -> Option<&'static Task> {
        self.0
    }

    /// Whether it is a barrier's.
    #[inline(always)]
    pub(crate) fn is_barrier(self) -> bool {
        self.0.is_none()
    }

    /// What others see of it while the thread sleeps in a wait of `team`. Records of tasks and
    /// teams begin at even addresses.
    pub(crate) fn shown(self, team: &Team) -> usize {
        match self.0 {
            Some(task) => core::ptr::from_ref(task).addr(),
            None => core::ptr::from_ref(team).addr() | 1,
        }
    }

    /// Whether a thread that showed `shown` may begin `task` of `team`, which may be in transit:
    /// then somebody has it, and the answer does not matter.
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
        if find::descends(task, ancestor, find::LEVELS_FOLLOWED) {
            Allowed::Yes
        } else if task.depth.get() > ancestor.depth.get().saturating_add(find::LEVELS_FOLLOWED)
            || ancestor.has(Traits::TRANSPARENT | Traits::PARTS)
        {
            // Too deep for a thief, not for who finds it in a list; or within reach (`reach.rs`).
            Allowed::Perhaps
        } else {
            Allowed::No
        }
    }
}
