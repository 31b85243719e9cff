//! `taskwait`, `taskyield` and `taskgroup` of GCC's interface.

use crate::shared::dependences::DependList;
use crate::shared::waiting::{
    begin_found_group, begin_group_unwatched, end_found_group, end_group_unwatched, yield_task,
};
use core::ffi::c_void;
use omphalos_engine::tasks;
use omphalos_engine::{Call, Caller, Found, Thread};

unsafe extern "C" fn taskwait(call: Found) {
    tasks::watched_taskwait(call.thread(), call);
}

unsafe extern "C" fn taskwait_depend(depend: *const *mut c_void, caller: Caller) {
    // SAFETY: GCC's code passes a list of dependences.
    let list = unsafe { DependList::read(depend) };
    tasks::wait_for(Thread::current(), &list, caller);
}

/// Waits for everything for which a construct with these dependences would wait. Other code of this
/// interface then executes the construct at once.
///
/// # Safety
/// `depend` is a list of GCC's.
pub unsafe fn wait_on(depend: *const *mut c_void, caller: Caller) {
    // SAFETY: the caller's promise.
    let list = unsafe { DependList::read(depend) };
    tasks::wait_for(Thread::current(), &list, caller);
}

unsafe extern "C" fn taskwait_depend_nowait(depend: *const *mut c_void, caller: Caller) {
    // SAFETY: as above.
    let list = unsafe { DependList::read(depend) };
    tasks::spawn_empty(Thread::current(), &list, caller);
}

unsafe extern "C" fn taskyield(caller: Caller) {
    yield_task(caller);
}

unsafe extern "C" fn taskgroup_start(call: Found) {
    begin_found_group(call);
}

unsafe extern "C" fn taskgroup_end(call: Found) {
    end_found_group(call);
}

/// The functions that entries call while no tool is attached.
mod quick {
    use super::{begin_group_unwatched, end_group_unwatched};
    use omphalos_engine::{Thread, Unwatched, tasks};

    pub unsafe extern "C" fn taskwait(thread: &'static Thread) {
        if !tasks::pass_taskwait(thread) {
            tasks::taskwait(thread, Unwatched(thread));
        }
    }

    pub unsafe extern "C" fn taskgroup_start(thread: &'static Thread) {
        begin_group_unwatched(thread);
    }

    pub unsafe extern "C" fn taskgroup_end(thread: &'static Thread) {
        end_group_unwatched(thread);
    }
}

omphalos_sys::told_entries! {
    /// A task scheduling point (GOMP_3.0): nothing in a region without tasks.
    GOMP_taskyield() => taskyield;
    /// `taskwait depend` (GOMP_5.0).
    GOMP_taskwait_depend(depend) => taskwait_depend;
    /// `taskwait depend nowait` (GOMP_5.1).
    GOMP_taskwait_depend_nowait(depend) => taskwait_depend_nowait;
}

omphalos_sys::found_entries! {
    /// Waits for the children of the current task (GOMP_2.0).
    GOMP_taskwait() => quick::taskwait, taskwait;
    /// Begins a taskgroup (GOMP_4.0).
    GOMP_taskgroup_start() => quick::taskgroup_start, taskgroup_start;
    /// Ends a taskgroup (GOMP_4.0).
    GOMP_taskgroup_end() => quick::taskgroup_end, taskgroup_end;
}
