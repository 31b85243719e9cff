//! The record of a task, implicit or explicit.

use crate::icv::Icvs;
use crate::team::Team;
use core::cell::Cell;
use core::sync::atomic::AtomicU32;
use omphalos_events::TaskTool;

/// See the module.
#[repr(C)]
pub struct Task {
    /// What tools see.
    pub tool: TaskTool,
    /// `ompt_task_flag_t`.
    pub flags: Cell<u32>,
    /// Depth in the tree of tasks of its region: 0 for implicit tasks.
    pub depth: Cell<u32>,
    /// The task that made it; for an implicit task the encountering one; null for an initial task.
    pub parent: Cell<*mut Task>,
    /// The team whose threads may run it.
    pub team: Cell<*mut Team>,
    /// Its ICVs: the team's, its parent's, or its own.
    icvs: Cell<*const Icvs>,
    /// Child tasks that are not complete. Written by whoever makes or completes one.
    pub children: AtomicU32,
}

// SAFETY: cells are written by the thread that executes the task (before the first share by its
// maker); the rest are atomics.
unsafe impl Sync for Task {}

impl Task {
    /// An unused record.
    pub const fn new() -> Task {
        Task {
            tool: TaskTool::new(),
            flags: Cell::new(0),
            depth: Cell::new(0),
            parent: Cell::new(core::ptr::null_mut()),
            team: Cell::new(core::ptr::null_mut()),
            icvs: Cell::new(core::ptr::null()),
            children: AtomicU32::new(0),
        }
    }

    /// The record becomes an implicit (or initial) task of `team`'s current region.
    #[inline]
    pub fn become_implicit(&self, team: &Team, flags: u32) {
        self.flags.set(flags);
        self.parent.set(team.parent_task.get());
        self.team.set(core::ptr::from_ref(team).cast_mut());
        self.icvs.set(team.icvs());
    }

    /// The task's ICVs.
    #[inline(always)]
    pub fn icvs(&self) -> &Icvs {
        // SAFETY: points to the team's, which outlive the region, or to a copy that outlives the task.
        unsafe { &*self.icvs.get() }
    }

    /// Points the task at its own copy of the ICVs.
    pub fn set_icvs(&self, icvs: *const Icvs) {
        self.icvs.set(icvs);
    }
}

impl Default for Task {
    fn default() -> Self {
        Self::new()
    }
}
