//! Barrier, single, ordered.

use core::ffi::{c_int, c_void};
use omphalos_engine::worksharing::{self, hooks};
use omphalos_engine::{Call, Caller, Entered, MUTEXES, Thread, Unwatched, WORK, barrier};
use omphalos_events::frames::singles_end_at_once;
use omphalos_events::{Endpoint, Kind, SyncKind, WorkKind};

/// GCC calls this for explicit barriers and for those that end its own constructs. A barrier behind
/// a `single` is taken for the one that ends the `single`. Any other barrier is told as an explicit
/// one, although it may end a static loop, which makes no call.
pub(super) fn barrier_kind(thread: &'static Thread, caller: Caller) -> SyncKind {
    if omphalos_events::active() {
        match worksharing::single_is_over(thread) {
            0 => {}
            frame if frame == caller.border() => return SyncKind::BarrierImplicitWorkshare,
            _ => {}
        }
    }
    SyncKind::BarrierExplicit
}

unsafe extern "C" fn gomp_barrier(caller: Caller) {
    let thread = Thread::current();
    barrier::barrier(thread, barrier_kind(thread, caller), caller);
}

/// Takes part in a `single`.
unsafe extern "C" fn single_start(call: Entered) -> bool {
    let thread = call.thread();
    // Two branches, so that the answer is not kept over the tool's callbacks.
    if worksharing::single(thread) {
        worksharing::single_begins(thread, true, call.caller());
        true
    } else {
        worksharing::single_begins(thread, false, call.caller());
        false
    }
}

unsafe extern "C" fn single_copy_start<C: Call>(call: C) -> *mut c_void {
    let thread = call.thread();
    let mine = worksharing::single(thread);
    if call.wants(Kind::Work) {
        worksharing::single_is_over(thread);
        let kind = if mine { WorkKind::SingleExecutor } else { WorkKind::SingleOther };
        hooks::work_event(thread, kind, Endpoint::Begin, 1, call.caller());
        if !mine || singles_end_at_once() {
            hooks::work_event(thread, kind, Endpoint::End, 1, call.caller());
        }
    }
    if mine {
        return core::ptr::null_mut();
    }
    barrier::barrier(thread, SyncKind::BarrierImplementation, call);
    worksharing::copyprivate_get(thread)
}

unsafe extern "C" fn single_copy_end<C: Call>(data: *mut c_void, call: C) {
    let thread = call.thread();
    if call.wants(Kind::Work) && !singles_end_at_once() {
        let kind = WorkKind::SingleExecutor;
        hooks::work_event(thread, kind, Endpoint::End, 1, call.caller());
    }
    worksharing::copyprivate_put(thread, data);
    barrier::barrier(thread, SyncKind::BarrierImplementation, call);
}

unsafe extern "C" fn ordered_start(call: Entered) {
    worksharing::ordered_start_watched(call);
}

unsafe extern "C" fn ordered_end(call: Entered) {
    worksharing::ordered_end_watched(call);
}

/// Whether the `filter` of `masked` names the calling thread.
unsafe extern "C" fn has_masked_thread_num(number: c_int) -> bool {
    i64::from(Thread::current().num.get()) == i64::from(number)
}

omphalos_sys::quick_entries! {
    /// `single copyprivate`: null for the executing thread, else its data (GOMP_1.0).
    GOMP_single_copy_start() =>
        single_copy_start::<Unwatched>, single_copy_start::<Caller>;
    /// The executing thread's data for the others (GOMP_1.0).
    GOMP_single_copy_end(data) => single_copy_end::<Unwatched>, single_copy_end::<Caller>;
}

omphalos_sys::entries! {
    /// `masked filter(number)` (GCC 16's libgomp).
    GOMP_has_masked_thread_num => has_masked_thread_num;
}

/// The functions that entries call while no tool is attached, or none wants events of their class.
mod quick {
    use omphalos_engine::{Call, Placed, Thread, barrier, worksharing};
    use omphalos_events::SyncKind;

    type Known = &'static Thread;

    pub unsafe extern "C" fn barrier(call: Placed) {
        barrier::barrier(call.thread(), SyncKind::BarrierExplicit, call);
    }

    pub unsafe extern "C" fn single_start(thread: Known) -> bool {
        worksharing::single(thread)
    }

    pub unsafe extern "C" fn ordered_start(thread: Known) {
        worksharing::ordered_start_unwatched(thread);
    }

    pub unsafe extern "C" fn ordered_end(thread: Known) {
        worksharing::ordered_end_unwatched(thread);
    }
}

omphalos_sys::placed_entries! {
    /// A barrier (GOMP_1.0).
    GOMP_barrier() => quick::barrier, gomp_barrier;
}

omphalos_sys::class_entries! {
    WORK;
    /// Whether this thread executes the `single` (GOMP_1.0).
    GOMP_single_start() => quick::single_start, single_start;
}

omphalos_sys::class_entries! {
    MUTEXES;
    /// Enters `ordered` (GOMP_1.0).
    GOMP_ordered_start() => quick::ordered_start, ordered_start;
    /// Leaves `ordered` (GOMP_1.0).
    GOMP_ordered_end() => quick::ordered_end, ordered_end;
}
