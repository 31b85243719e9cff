//! Reads and changes a task's ICVs. `omphalos_settings` explains them.

use crate::records::Thread;
use crate::tasks;
use omphalos_events::TaskFlags;
use omphalos_settings::Icvs;

/// Changes the ICVs of the calling thread's current task.
///
/// The task gets a copy of its own: an implicit task in its slot, an explicit one on the heap
/// (freed with the task). Other tasks see their values unchanged. A worker that has been in no
/// region has no task: nothing changes.
pub fn change(thread: &Thread, edit: impl FnOnce(&mut Icvs)) {
    let task = thread.as_owner().task();
    let mut icvs = *task.icvs();
    edit(&mut icvs);
    if icvs == *task.icvs() || thread.team().is_outside() {
        return;
    }
    tasks::drop_prepared(thread);
    if task.flags.get() & (TaskFlags::INITIAL | TaskFlags::IMPLICIT) != 0 {
        task.set_icvs(thread.as_owner().slot().keep_icvs(icvs));
    } else {
        task.set_icvs(Box::into_raw(Box::new(icvs)));
    }
}

/// Sets nthreads-var of the calling thread's current task to `count`, at least 1. Programs set the
/// same value again and again, so the common case only compares.
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

/// Returns how many threads a region of the calling task would ask for without a clause
/// (`omp_get_max_threads`), from 1 to the largest `int`. A limit may give it fewer: GCC's and
/// LLVM's runtimes do not say so here. It costs one load, since programs ask in inner loops.
#[inline(always)]
pub fn max_threads(thread: &Thread) -> u32 {
    thread.task().icvs().nthreads
}
