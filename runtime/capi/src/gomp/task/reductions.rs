//! GCC's task reductions: tables that the program registers.

use crate::gomp::parallel::{Outlined, region};
use core::ffi::{c_uint, c_void};
use omphalos_engine::{Thread, barrier, caller, mutex, tasks, team};
use omphalos_events::{Endpoint, SyncKind};

omphalos_sys::exported_routines! {
    /// Registers a table with the current taskgroup (GOMP_5.0).
    GOMP_taskgroup_reduction_register(data: *mut usize)
        = tasks::gomp_register(Thread::current(), data, core::ptr::null_mut());
}

/// The program has combined the copies.
unsafe extern "C" fn unregister(data: *mut usize) {
    let caller = caller();
    // SAFETY: GCC's code passes the table that it registered, and uses the copies no more.
    unsafe {
        tasks::gomp_combined(Thread::current(), data, caller);
        tasks::gomp_unregister(data);
    }
}

omphalos_sys::exported_routines! {
    /// Replaces addresses of list items by those of the calling thread's copies (GOMP_5.0).
    GOMP_task_reduction_remap(count: usize, originals: usize, addresses: *mut usize)
        = tasks::gomp_remap(Thread::current(), count, originals, addresses);
}

/// Ends the taskgroup of a worksharing construct with a task reduction.
unsafe extern "C" fn workshare_unregister(cancelled: bool) {
    let caller = caller();
    let thread = Thread::current();
    let data = tasks::gomp_registered(thread);
    let frees = thread.num.get() == 0;
    if frees && !cancelled && !data.is_null() {
        // The primary's code has just combined the copies. The barrier before that did not know
        // that combining follows, so tools are told of both ends now.
        mutex::reduction_told(thread, Endpoint::Begin, caller);
        mutex::reduction_told(thread, Endpoint::End, caller);
    }
    tasks::end_group(thread, caller);
    if frees {
        // SAFETY: registered when the construct began. The copies belong to the team: the primary
        // thread frees them after its last use, which is GCC's contract.
        unsafe { tasks::gomp_unregister(data) };
    }
    if !cancelled {
        barrier::barrier(thread, SyncKind::BarrierImplicitWorkshare, caller);
    }
}

/// Begins `scope reduction(task, ...)` (GOMP_5.1).
///
/// # Safety
/// `data` is null or a table of GCC's that the end of the construct unregisters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_scope_start(data: *mut usize) {
    if !data.is_null() {
        // SAFETY: the caller's promise.
        unsafe { tasks::gomp_begin_workshare(Thread::current(), data) };
    }
}

/// A region with `reduction(task, ...)`: each thread executes its body in a taskgroup.
struct Reducing {
    body: Outlined,
    data: *mut c_void,
    table: *mut usize,
}

unsafe extern "C" fn reducing(this: *mut c_void) {
    let thread = Thread::current();
    // SAFETY: `parallel_reductions` passes its own, which lives until the region ends.
    let this = unsafe { &*this.cast::<Reducing>() };
    tasks::gomp_enter_prepared(thread, this.table);
    if let Some(body) = this.body {
        // SAFETY: GCC's code passes a body that every thread may call with the data.
        unsafe { body(this.data) };
    }
    tasks::end_group_of_region(thread);
}

/// Runs a region with task reductions; returns the number of its threads, whose copies the program
/// then combines. The first word of the data is the table.
unsafe extern "C" fn parallel_reductions(
    body: Outlined,
    data: *mut c_void,
    threads: c_uint,
    flags: c_uint,
) -> c_uint {
    let caller = caller();
    let thread = Thread::current();
    let wanted = team::team_size(thread, thread.team(), threads, threads == 1);
    // SAFETY: GCC's code passes a table in the first word of the data.
    let table = unsafe { *data.cast::<*mut usize>() };
    let mut this = Reducing { body, data, table };
    // SAFETY: as above.
    unsafe { tasks::gomp_prepare_region(table, wanted) };
    let work = core::ptr::from_mut(&mut this).cast();
    let region = region(Some(reducing), work, wanted, flags, caller, None);
    let team = team::begin(thread, &region);
    let size = team.size.get();
    // SAFETY: `this` lives until `end` has returned.
    unsafe { region.work.run_in(team.slot(0), thread.gtid, 0) };
    team::end(thread, region.flags, caller);
    tasks::gomp_combining(thread, table, caller);
    size
}

omphalos_sys::entries! {
    /// A region with a task reduction; the number of its threads (GOMP_5.0).
    GOMP_parallel_reductions => parallel_reductions;
    /// Frees the copies that `GOMP_taskgroup_reduction_register` allocated (GOMP_5.0).
    GOMP_taskgroup_reduction_unregister => unregister;
    /// Ends the taskgroup of a worksharing construct with a task reduction (GOMP_5.0).
    GOMP_workshare_task_reduction_unregister => workshare_unregister;
}
