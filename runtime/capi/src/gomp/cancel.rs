//! Cancellation in GCC's interface.
//!
//! GCC's code calls these at `cancel` and `cancellation point`, and in place of the usual barriers
//! and ends of loops in a region that has a `cancel parallel`. A result of true sends the thread to
//! the end of the cancelled construct. GCC numbers the constructs: parallel 1, loop 2, sections 4,
//! taskgroup 8. The engine does the cancelling.

use core::ffi::c_int;
use omphalos_engine::worksharing::end_loop;
use omphalos_engine::{Thread, barrier, caller, cancel};
use omphalos_events::{Cancel, SyncKind};

/// Returns the engine's name for one of GCC's numbers.
fn construct(which: c_int) -> u32 {
    match which {
        1 => Cancel::PARALLEL,
        2 => Cancel::LOOP,
        4 => Cancel::SECTIONS,
        _ => Cancel::TASKGROUP,
    }
}

/// `condition`: the value of the `if` clause. If it is false, this is only a cancellation point.
unsafe extern "C" fn gomp_cancel(which: c_int, condition: bool) -> bool {
    let caller = caller();
    let thread = Thread::current();
    if condition {
        cancel::cancel(thread, construct(which), caller)
    } else {
        cancel::cancellation_point(thread, construct(which), caller)
    }
}

unsafe extern "C" fn point(which: c_int) -> bool {
    let caller = caller();
    cancel::cancellation_point(Thread::current(), construct(which), caller)
}

unsafe extern "C" fn barrier_cancel() -> bool {
    let (caller, thread) = (caller(), Thread::current());
    let kind = super::sync::barrier_kind(thread, caller);
    barrier::cancellable_barrier(thread, kind, caller)
}

unsafe extern "C" fn end_cancel() -> bool {
    let caller = caller();
    let thread = Thread::current();
    end_loop(thread, caller);
    barrier::cancellable_barrier(thread, SyncKind::BarrierImplicitWorkshare, caller)
}

omphalos_sys::entries! {
    /// `cancel`: true if the construct is cancelled now (GOMP_4.0).
    GOMP_cancel => gomp_cancel;
    /// `cancellation point`: true if the construct was cancelled (GOMP_4.0).
    GOMP_cancellation_point => point;
    /// A barrier; true if the region was cancelled (GOMP_4.0).
    GOMP_barrier_cancel => barrier_cancel;
    /// Ends a loop with its barrier; true if the region was cancelled (GOMP_4.0).
    GOMP_loop_end_cancel => end_cancel;
    /// Ends `sections` with its barrier; true if the region was cancelled (GOMP_4.0).
    GOMP_sections_end_cancel => end_cancel;
}
