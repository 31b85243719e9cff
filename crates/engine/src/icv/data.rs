//! The ICVs of a data environment, and how a task changes its own.

use super::{Level, settings};
use crate::tasks;
use crate::thread::Thread;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_events::TaskFlags;

/// The ICVs of a data environment. Compared at every fork, so kept small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Icvs {
    /// nthreads-var at this level, at least 1.
    pub nthreads: u32,
    /// nthreads-var below this level, if a `num_threads` clause gave a list.
    pub deeper: Option<&'static Level>,
    /// dyn-var.
    pub dynamic: bool,
    /// max-active-levels-var.
    pub max_active_levels: u32,
    /// thread-limit-var, from 1 to the largest `int`.
    pub thread_limit: u32,
    /// run-sched-var: `omp_sched_t` with the monotonic bit, and the chunk (0 = default).
    pub schedule: (u32, u32),
    /// bind-var at this level: `omp_proc_bind_t`.
    pub bind: u32,
    /// default-device-var.
    pub default_device: i32,
    /// def-allocator-var: an `omp_allocator_handle_t`.
    pub allocator: usize,
}

omphalos_layout::describe!(Icvs { nthreads, deeper, dynamic, max_active_levels, thread_limit, schedule.0, schedule.1, bind, default_device, allocator });

impl Icvs {
    /// Before the settings are read.
    pub const fn initial() -> Icvs {
        Icvs {
            nthreads: 1,
            deeper: None,
            dynamic: false,
            max_active_levels: 1,
            thread_limit: crate::team::NO_LIMIT,
            schedule: (1, 0),
            bind: 0,
            default_device: 0,
            allocator: 1,
        }
    }

    /// What the implicit tasks of a region at `level` inherit (OpenMP 5.2, section 2.4: the first
    /// elements of nthreads-var and bind-var are used up by the enclosing levels).
    #[inline(always)]
    pub fn for_region(&self, level: u32) -> Icvs {
        let mut icvs = *self;
        let settings = settings();
        if let Some(below) = self.deeper {
            icvs.nthreads = below.threads();
            icvs.deeper = Some(below.deeper());
        } else if let Some(&nthreads) = settings.deeper_nthreads.get(level as usize) {
            icvs.nthreads = nthreads;
        }
        if let Some(&bind) = settings.deeper_bind.get(level as usize) {
            icvs.bind = bind;
        }
        icvs
    }
}

/// The ICVs of an initial task.
pub fn initial_task_icvs() -> Icvs {
    settings().initial
}

/// Changes the ICVs of the calling thread's current task.
///
/// The task gets a copy of its own: an implicit task in its slot, an explicit one on the heap
/// (freed with the task). What other tasks see stays as it is. A worker that has been in no region has no
/// task: nothing changes.
pub fn change(thread: &Thread, edit: impl FnOnce(&mut Icvs)) {
    let task = thread.task();
    let mut icvs = *task.icvs();
    edit(&mut icvs);
    if icvs == *task.icvs() || thread.team().is_outside() {
        return;
    }
    tasks::drop_prepared(thread);
    if task.flags.get() & (TaskFlags::INITIAL | TaskFlags::IMPLICIT) != 0 {
        let own = thread.slot().own_icvs.get();
        // SAFETY: the slot's copy belongs to its member, the calling thread; nobody holds a
        // reference to it across this call.
        unsafe { *own = icvs };
        task.set_icvs(own);
    } else {
        task.set_icvs(Box::into_raw(Box::new(icvs)));
    }
}

/// Sets nthreads-var of the calling thread's current task to `count`, at least 1. Programs set what it is again and
/// again: that is but a look.
#[inline(always)]
pub fn set_threads(thread: &Thread, count: u32) {
    if thread.task().icvs().nthreads != count {
        set_other_threads(thread, count);
    }
}

#[inline(never)]
fn set_other_threads(thread: &Thread, count: u32) {
    change(thread, |icvs| icvs.nthreads = count);
}

/// How many threads a region of the calling task would get without a clause (`omp_get_max_threads`): from 1 to the
/// largest `int`, as the two variables are. No more than a look at them: programs ask in inner loops.
#[inline(always)]
pub fn max_threads(thread: &Thread) -> u32 {
    let icvs = thread.task().icvs();
    icvs.nthreads.min(icvs.thread_limit)
}

/// nteams-var and teams-thread-limit-var, 0 = not set: they belong to the device, not to a task.
pub fn teams() -> (u32, u32) {
    let settings = settings();
    (settings.num_teams.load(Relaxed), settings.teams_thread_limit.load(Relaxed))
}
