//! Cancellation in LLVM's interface.
//!
//! LLVM's numbers of the constructs: parallel 1, loop 2, sections 3, taskgroup 4.

use crate::shared::location::{Ident, barrier_kind};
use omphalos_engine::worksharing::end_loop;
use omphalos_engine::{Caller, Thread, barrier, caller, cancel};
use omphalos_events::Cancel;

/// Returns the engine's name for one of LLVM's numbers.
fn construct(kind: i32) -> u32 {
    match kind {
        1 => Cancel::PARALLEL,
        2 => Cancel::LOOP,
        3 => Cancel::SECTIONS,
        _ => Cancel::TASKGROUP,
    }
}

/// Leaves a cancelled loop on the engine's side: code that does so asks for no more chunks, and
/// before clang 19 it makes no other call at the loop's end either.
fn leave(thread: &'static Thread, kind: u32, cancelled: bool, caller: Caller) -> i32 {
    if cancelled && kind == Cancel::LOOP && thread.slot().share.is_open() {
        end_loop(thread, caller);
    }
    i32::from(cancelled)
}

unsafe extern "C" fn kmpc_cancel(_location: *const Ident, _gtid: i32, kind: i32) -> i32 {
    let caller = caller();
    let (thread, kind) = (Thread::current(), construct(kind));
    let cancelled = cancel::cancel(thread, kind, caller);
    leave(thread, kind, cancelled, caller)
}

unsafe extern "C" fn point(_location: *const Ident, _gtid: i32, kind: i32) -> i32 {
    let caller = caller();
    let (thread, kind) = (Thread::current(), construct(kind));
    let cancelled = cancel::cancellation_point(thread, kind, caller);
    leave(thread, kind, cancelled, caller)
}

unsafe extern "C" fn cancel_barrier(location: *const Ident, _gtid: i32) -> i32 {
    let caller = caller();
    // SAFETY: LLVM's code passes a valid location.
    let kind = unsafe { barrier_kind(location) };
    i32::from(barrier::cancellable_barrier(Thread::current(), kind, caller))
}

omphalos_sys::entries! {
    /// `cancel`: 1 if the construct is cancelled now.
    __kmpc_cancel => kmpc_cancel;
    /// `cancellation point`: 1 if the construct was cancelled.
    __kmpc_cancellationpoint => point;
    /// A barrier in a region that can be cancelled; 1 if it was.
    __kmpc_cancel_barrier => cancel_barrier;
}
