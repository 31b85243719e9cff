//! The GCC 17 forms of older entry points, which tell more: barriers with their kind, `single`,
//! `masked` and `scope` with a call at their end, reductions apart from atomic operations.

use core::ffi::c_int;
use omphalos_engine::worksharing::{self, hooks};
use omphalos_engine::{Caller, Thread, barrier, mutex, tasks};
use omphalos_events::{Endpoint, Kind, SyncKind, WorkKind, tell_tools, wants};

/// Returns the kind of a barrier, from GCC's numbers for the construct that it ends: 0 a region, 1
/// a worksharing construct, 2 nothing (the program wrote the barrier).
fn sync_kind(kind: c_int) -> SyncKind {
    match kind {
        0 => SyncKind::BarrierImplicitParallel,
        1 => SyncKind::BarrierImplicitWorkshare,
        2 => SyncKind::BarrierExplicit,
        _ => SyncKind::BarrierImplementation,
    }
}

unsafe extern "C" fn barrier_ext(kind: c_int, caller: Caller) {
    barrier::barrier(Thread::current(), sync_kind(kind), caller);
}

unsafe extern "C" fn barrier_cancel_ext(kind: c_int, caller: Caller) -> bool {
    barrier::cancellable_barrier(Thread::current(), sync_kind(kind), caller)
}

unsafe extern "C" fn single_start(caller: Caller) -> bool {
    let thread = Thread::current();
    let mine = worksharing::single(thread);
    if wants(Kind::Work) {
        if mine {
            hooks::work_event(thread, WorkKind::SingleExecutor, Endpoint::Begin, 1, caller);
        } else {
            hooks::work_event(thread, WorkKind::SingleOther, Endpoint::Begin, 1, caller);
            hooks::work_event(thread, WorkKind::SingleOther, Endpoint::End, 1, caller);
        }
    }
    mine
}

unsafe extern "C" fn single_end(caller: Caller) {
    if wants(Kind::Work) {
        hooks::work_event(Thread::current(), WorkKind::SingleExecutor, Endpoint::End, 1, caller);
    }
}

fn masked_event(thread: &'static Thread, endpoint: Endpoint, caller: Caller) {
    let (region, task) = (&thread.team().identity, &thread.task().tool);
    tell_tools::masked(endpoint, region, task, caller.address());
}

unsafe extern "C" fn masked_start(number: c_int, caller: Caller) -> bool {
    let thread = Thread::current();
    let mine = i64::from(thread.num.get()) == i64::from(number);
    if mine {
        masked_event(thread, Endpoint::Begin, caller);
    }
    mine
}

unsafe extern "C" fn masked_end(caller: Caller) {
    masked_event(Thread::current(), Endpoint::End, caller);
}

/// Tells that a `scope` begins before the taskgroup of its task reduction does.
unsafe extern "C" fn scope_start(data: *mut usize, caller: Caller) {
    let thread = Thread::current();
    if wants(Kind::Work) {
        hooks::work_event(thread, WorkKind::Scope, Endpoint::Begin, 1, caller);
    }
    if !data.is_null() {
        // SAFETY: GCC's code passes a table that it unregisters at the construct's end.
        unsafe { tasks::gomp_begin_workshare(thread, data) };
    }
}

unsafe extern "C" fn scope_end(caller: Caller) {
    if wants(Kind::Work) {
        hooks::work_event(Thread::current(), WorkKind::Scope, Endpoint::End, 1, caller);
    }
}

/// Excludes atomic operations too, since older objects bracket their reductions as atomic
/// operations.
unsafe extern "C" fn reduction_start(caller: Caller) {
    let thread = Thread::current();
    mutex::reduction_told(thread, Endpoint::Begin, caller);
    mutex::acquire_silently(thread, mutex::lock_of_all_atomics());
}

unsafe extern "C" fn reduction_end(caller: Caller) {
    let thread = Thread::current();
    mutex::release_silently(thread, mutex::lock_of_all_atomics());
    mutex::reduction_told(thread, Endpoint::End, caller);
}

omphalos_sys::told_entries! {
    /// A barrier of a kind (GOMP_6.0.2).
    GOMP_barrier_ext(kind) => barrier_ext;
    /// A barrier of a kind; true if the region was cancelled (GOMP_6.0.2).
    GOMP_barrier_cancel_ext(kind) => barrier_cancel_ext;
    /// Whether this thread executes the `single`; if so it calls at the end too (GOMP_6.0.2).
    GOMP_single_start_with_end() => single_start;
    /// The end of a `single` on the thread that executed it (GOMP_6.0.2).
    GOMP_single_end() => single_end;
    /// `masked filter(number)`; the thread that executes it calls at the end too (GOMP_6.0.2).
    GOMP_has_masked_thread_num_with_end(number) => masked_start;
    /// The end of `masked` on the thread that executed it (GOMP_6.0.2).
    GOMP_masked_end() => masked_end;
    /// Begins `scope`, with the table of a task reduction or null (GOMP_6.0.2).
    GOMP_scope_start_with_end(data) => scope_start;
    /// The end of `scope` (GOMP_6.0.2).
    GOMP_scope_end() => scope_end;
    /// Begins to combine partial results (GOMP_6.0.2).
    GOMP_reduction_start() => reduction_start;
    /// Ends the combining of partial results (GOMP_6.0.2).
    GOMP_reduction_end() => reduction_end;
}
