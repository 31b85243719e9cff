//! Barrier, flush, master and masked, single, ordered. (`copyprivate.rs` has copyprivate and its
//! barriers.)

use crate::shared::location::{Ident, barrier_kind};
use core::ffi::c_void;
use omphalos_engine::worksharing::{self, hooks};
use omphalos_engine::{Call, Caller, Entered, MUTEXES, Thread, WORK, barrier, caller};
use omphalos_events::{Endpoint, Event, Kind, SyncKind, WorkKind, dispatch, tell_tools, wants};

unsafe extern "C" fn kmpc_barrier(location: *const Ident, _gtid: i32, caller: Caller) {
    // SAFETY: LLVM's code passes a valid location.
    let kind = unsafe { barrier_kind(location) };
    barrier::barrier(Thread::current(), kind, caller);
}

unsafe extern "C" fn flush(_location: *const Ident) {
    let caller = caller();
    core::sync::atomic::fence(core::sync::atomic::Ordering::SeqCst);
    // First: this may start the runtime, and so the tools.
    let thread = Thread::current();
    if wants(Kind::Flush) {
        dispatch(&Event::Flush { thread: &thread.identity, codeptr: caller.address() });
    }
}

#[inline(always)]
fn is_masked(thread: &Thread, number: i64) -> bool {
    i64::from(thread.num.get()) == number
}

#[inline(always)]
fn masked_event(thread: &'static Thread, endpoint: Endpoint, caller: Caller) {
    let (region, task) = (&thread.team().identity, &thread.task().tool);
    tell_tools::masked(endpoint, region, task, caller.address());
}

#[inline(always)]
fn enter_masked(thread: &'static Thread, number: i64, caller: Caller) -> i32 {
    if !is_masked(thread, number) {
        return not_masked(thread, number);
    }
    masked_event(thread, Endpoint::Begin, caller);
    1
}

/// Returns the answer for a thread that is not masked. A function of its own, so that the others
/// save no registers for it.
#[inline(never)]
fn not_masked(thread: &Thread, number: i64) -> i32 {
    i32::from(is_masked(thread, number))
}

/// The functions behind the shortest entries, on a thread that the entry stub did not find.
mod first {
    use super::*;

    #[cold]
    #[inline(never)]
    pub fn enter_masked(number: i64, caller: Caller) -> i32 {
        super::enter_masked(Thread::current(), number, caller)
    }

    #[cold]
    #[inline(never)]
    pub fn leave_masked(caller: Caller) {
        masked_event(Thread::current(), Endpoint::End, caller);
    }

    #[cold]
    #[inline(never)]
    pub fn enter_single(caller: Caller) -> i32 {
        super::enter_single(Thread::current(), caller)
    }

    #[cold]
    #[inline(never)]
    pub fn leave_single(caller: Caller) {
        super::leave_single(Thread::current(), caller);
    }
}

unsafe extern "C" fn master(call: Entered) -> i32 {
    match call.known() {
        Some(thread) => enter_masked(thread, 0, call.caller()),
        None => first::enter_masked(0, call.caller()),
    }
}

unsafe extern "C" fn masked(call: Entered, filter: i32) -> i32 {
    match call.known() {
        Some(thread) => enter_masked(thread, i64::from(filter), call.caller()),
        None => first::enter_masked(i64::from(filter), call.caller()),
    }
}

/// Ends `master` and `masked`.
unsafe extern "C" fn end_masked(call: Entered) {
    match call.known() {
        Some(thread) => masked_event(thread, Endpoint::End, call.caller()),
        None => first::leave_masked(call.caller()),
    }
}

#[inline(always)]
fn enter_single(thread: &'static Thread, caller: Caller) -> i32 {
    if !worksharing::single(thread) {
        return not_single(thread, caller);
    }
    // The thread that executes it tells of its end later.
    hooks::tell_work(thread, WorkKind::SingleExecutor, Endpoint::Begin, 1, caller);
    1
}

/// Tells the events of a thread that does not execute the `single`. A function of its own, so that
/// the others save no registers for it.
#[inline(never)]
fn not_single(thread: &'static Thread, caller: Caller) -> i32 {
    hooks::tell_work(thread, WorkKind::SingleOther, Endpoint::Begin, 1, caller);
    hooks::tell_work(thread, WorkKind::SingleOther, Endpoint::End, 1, caller);
    0
}

#[inline(always)]
fn leave_single(thread: &'static Thread, caller: Caller) {
    hooks::tell_work(thread, WorkKind::SingleExecutor, Endpoint::End, 1, caller);
}

unsafe extern "C" fn single(call: Entered) -> i32 {
    match call.known() {
        Some(thread) => enter_single(thread, call.caller()),
        None => first::enter_single(call.caller()),
    }
}

unsafe extern "C" fn end_single(call: Entered) {
    match call.known() {
        Some(thread) => leave_single(thread, call.caller()),
        None => first::leave_single(call.caller()),
    }
}

/// Tells the event at one end of a construct that does nothing else.
#[cold]
#[inline(never)]
fn work_ends(kind: WorkKind, endpoint: Endpoint, caller: Caller) {
    hooks::tell_work(Thread::current(), kind, endpoint, 1, caller);
}

/// Begins `scope`, which moves no data and has no wait: it only tells tools.
unsafe extern "C" fn scope(
    _location: *const Ident,
    _gtid: i32,
    _reserved: *mut c_void,
    caller: Caller,
) {
    if wants(Kind::Work) {
        work_ends(WorkKind::Scope, Endpoint::Begin, caller);
    }
}

unsafe extern "C" fn end_scope(
    _location: *const Ident,
    _gtid: i32,
    _reserved: *mut c_void,
    caller: Caller,
) {
    if wants(Kind::Work) {
        work_ends(WorkKind::Scope, Endpoint::End, caller);
    }
}

/// Intel's flush with a memory order. The strongest order serves for all.
unsafe extern "C" fn flush_explicit(location: *const Ident, _gtid: i32, _order: i32) {
    // The entry's words still name the caller.
    // SAFETY: as for a flush.
    unsafe { flush(location) };
}

unsafe extern "C" fn ordered(call: Entered) {
    worksharing::ordered_start_watched(call);
}

unsafe extern "C" fn end_ordered(call: Entered) {
    worksharing::ordered_end_watched(call);
}

/// All arrive; the primary thread returns 1 at once, the others wait for its
/// `__kmpc_end_barrier_master`.
unsafe extern "C" fn barrier_master(_location: *const Ident, _gtid: i32, caller: Caller) -> i32 {
    let thread = Thread::current();
    barrier::barrier(thread, SyncKind::BarrierExplicit, caller);
    if thread.num.get() == 0 {
        return 1;
    }
    barrier::barrier(thread, SyncKind::BarrierExplicit, caller);
    0
}

unsafe extern "C" fn end_barrier_master(_location: *const Ident, _gtid: i32, caller: Caller) {
    barrier::barrier(Thread::current(), SyncKind::BarrierExplicit, caller);
}

unsafe extern "C" fn barrier_master_nowait(
    _location: *const Ident,
    _gtid: i32,
    caller: Caller,
) -> i32 {
    let thread = Thread::current();
    barrier::barrier(thread, SyncKind::BarrierExplicit, caller);
    i32::from(thread.num.get() == 0)
}

omphalos_sys::told_entries! {
    /// Begins `scope`.
    __kmpc_scope(location, gtid, reserved) => scope;
    /// Ends `scope`.
    __kmpc_end_scope(location, gtid, reserved) => end_scope;
    /// See `barrier_master`.
    __kmpc_barrier_master(location, gtid) => barrier_master;
    /// Releases the threads that wait in `__kmpc_barrier_master`.
    __kmpc_end_barrier_master(location, gtid) => end_barrier_master;
    /// A barrier; 1 on the primary thread.
    __kmpc_barrier_master_nowait(location, gtid) => barrier_master_nowait;
}

omphalos_sys::entries! {
    /// A flush of all memory.
    __kmpc_flush => flush;
    /// A flush with a memory order.
    __kmpc_flush_explicit => flush_explicit;
}

/// The functions that entries call while no tool is attached, or none wants events of their class.
mod quick {
    use super::{Ident, barrier_kind, is_masked};
    use omphalos_engine::{Call, Placed, Thread, barrier, worksharing};
    use omphalos_sys::entry::Unused;

    type Known = &'static Thread;

    pub unsafe extern "C" fn barrier(location: *const Ident, _gtid: i32, call: Placed) {
        // SAFETY: LLVM's code passes a valid location.
        let kind = unsafe { barrier_kind(location) };
        barrier::barrier(call.thread(), kind, call);
    }

    pub unsafe extern "C" fn master(thread: Known, _gtid: Unused) -> i32 {
        i32::from(is_masked(thread, 0))
    }

    pub unsafe extern "C" fn masked(thread: Known, _gtid: Unused, filter: i32) -> i32 {
        i32::from(is_masked(thread, i64::from(filter)))
    }

    pub unsafe extern "C" fn single(thread: Known, _gtid: Unused) -> i32 {
        i32::from(worksharing::single(thread))
    }

    pub unsafe extern "C" fn ordered(thread: Known, _gtid: Unused) {
        worksharing::ordered_start_unwatched(thread);
    }

    pub unsafe extern "C" fn end_ordered(thread: Known, _gtid: Unused) {
        worksharing::ordered_end_unwatched(thread);
    }

    /// Ends a construct that does nothing without a tool.
    pub unsafe extern "C" fn end(_thread: Known, _gtid: Unused) {}
}

omphalos_sys::placed_entries! {
    /// A barrier, explicit or implicit as the location says.
    __kmpc_barrier(location, gtid) => quick::barrier, kmpc_barrier;
}

omphalos_sys::located_class_entries! {
    WORK;
    /// 1 on the thread that executes the `single`.
    __kmpc_single() => quick::single, single;
    /// The end of a `single` block, called by the thread that executed it.
    __kmpc_end_single() => quick::end, end_single;
    /// 1 on the primary thread.
    __kmpc_master() => quick::master, master;
    /// The end of a `master` block, called by the thread that executed it.
    __kmpc_end_master() => quick::end, end_masked;
    /// 1 on the thread that `filter` names.
    __kmpc_masked(filter) => quick::masked, masked;
    /// The end of a `masked` block, called by the thread that executed it.
    __kmpc_end_masked() => quick::end, end_masked;
}

omphalos_sys::located_class_entries! {
    MUTEXES;
    /// Enters `ordered`.
    __kmpc_ordered() => quick::ordered, ordered;
    /// Leaves `ordered`.
    __kmpc_end_ordered() => quick::end_ordered, end_ordered;
}
