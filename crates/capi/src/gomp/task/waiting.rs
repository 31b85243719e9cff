//! `taskwait`, `taskyield` and `taskgroup` of GCC's interface.

use crate::shared::dependences::DependList;
use crate::shared::waiting::{
    begin_found_group, begin_group_unwatched, end_found_group, end_group_unwatched, yield_task,
};
use core::ffi::c_void;
use core::mem::offset_of;
use omphalos_engine::tasks::{self, Traits};
use omphalos_engine::team::{Slot, Team};
use omphalos_engine::{Caller, Found, Thread, caller};

unsafe extern "C" fn taskwait() {
    let caller = caller();
    wait_for_children(caller);
}

/// Waits for the children of the current task.
#[inline(always)]
fn wait_for_children(caller: Caller) {
    match Thread::known() {
        Some(thread) if omphalos_events::active() => tasks::watched_taskwait(thread, caller),
        Some(thread) if tasks::pass_taskwait(thread) => {}
        _ => wait_for_any_children(caller),
    }
}

#[inline(never)]
fn wait_for_any_children(caller: Caller) {
    tasks::taskwait(Thread::current(), caller);
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

unsafe extern "C" fn taskyield() {
    let caller = caller();
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
    use omphalos_engine::Thread;

    pub unsafe extern "C" fn taskgroup_start(thread: &'static Thread) {
        begin_group_unwatched(thread);
    }

    pub unsafe extern "C" fn taskgroup_end(thread: &'static Thread) {
        end_group_unwatched(thread);
    }
}

omphalos_sys::entry_unless_bits! {
    /// Waits for the children of the current task (GOMP_2.0).
    GOMP_taskwait => taskwait;
    object: offset_of!(Thread, task),
    field: tasks::TRAITS_AT,
    mask: Traits::PARENT
}

omphalos_sys::entry_unless_equal! {
    /// A task scheduling point (GOMP_3.0): nothing in a region without tasks.
    GOMP_taskyield => taskyield;
    left: (offset_of!(Thread, team), offset_of!(Team, tasks_region)),
    right: (offset_of!(Thread, slot), offset_of!(Slot, region))
}

omphalos_sys::told_entries! {
    /// `taskwait depend` (GOMP_5.0).
    GOMP_taskwait_depend(depend) => taskwait_depend;
    /// `taskwait depend nowait` (GOMP_5.1).
    GOMP_taskwait_depend_nowait(depend) => taskwait_depend_nowait;
}

omphalos_sys::found_entries! {
    /// Begins a taskgroup (GOMP_4.0).
    GOMP_taskgroup_start() => quick::taskgroup_start, taskgroup_start;
    /// Ends a taskgroup (GOMP_4.0).
    GOMP_taskgroup_end() => quick::taskgroup_end, taskgroup_end;
}
