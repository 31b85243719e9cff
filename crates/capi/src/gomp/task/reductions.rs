//! GCC's task reductions: tables that the program registers.

use omphalos_engine::{Thread, barrier, caller, tasks};
use omphalos_events::SyncKind;

/// Registers a table with the current taskgroup (GOMP_5.0).
///
/// # Safety
/// `data` is a table of GCC's that lives until it is unregistered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_taskgroup_reduction_register(data: *mut usize) {
    // SAFETY: the caller's promise.
    unsafe { tasks::gomp_register(Thread::current(), data, core::ptr::null_mut()) };
}

/// Frees what [`GOMP_taskgroup_reduction_register`] allocated (GOMP_5.0).
///
/// # Safety
/// `data` was registered; its copies are not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_taskgroup_reduction_unregister(data: *mut usize) {
    // SAFETY: the caller's promise.
    unsafe { tasks::gomp_unregister(data) };
}

/// Replaces addresses of list items by those of the calling thread's copies (GOMP_5.0).
///
/// # Safety
/// `addresses` is valid for `count + originals` words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_task_reduction_remap(
    count: usize,
    originals: usize,
    addresses: *mut usize,
) {
    // SAFETY: the caller's promise.
    unsafe { tasks::gomp_remap(Thread::current(), count, originals, addresses) };
}

/// Ends the taskgroup of a worksharing construct with a task reduction.
unsafe extern "C" fn workshare_unregister(cancelled: bool) {
    let caller = caller();
    let thread = Thread::current();
    let data = tasks::gomp_registered(thread);
    tasks::end_group(thread, caller);
    let frees = thread.num.get() == 0;
    // SAFETY: registered when the construct began. The copies are the team's: the primary thread
    // frees them, after its last use, which is GCC's contract.
    if frees {
        unsafe { tasks::gomp_unregister(data) };
    }
    if !cancelled {
        barrier::barrier(thread, SyncKind::BarrierImplicitWorkshare, caller);
    }
}

omphalos_sys::entries! {
    /// Ends the taskgroup of a worksharing construct with a task reduction (GOMP_5.0).
    GOMP_workshare_task_reduction_unregister => workshare_unregister;
}
