//! Dependences between iterations in LLVM's interface.
//!
//! The nest is described before its loop begins, so the loop's schedule is not known here.

use crate::shared::location::Ident;
use omphalos_engine::worksharing::{
    Dimension, begin_doacross_alone, doacross_is_done, doacross_post, doacross_wait,
    end_doacross_alone,
};
use omphalos_engine::{Caller, Thread};

/// Begins a loop nest; `dims` are `count` triples of first value, last value and step.
///
/// # Safety
/// Part of LLVM's interface: `dims` is valid for `count` triples.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_doacross_init(
    _location: *const Ident,
    _gtid: i32,
    count: i32,
    dims: *const Dimension,
) {
    // SAFETY: the caller's promise; `Dimension` has the layout of `struct kmp_dim`.
    let dimensions = unsafe { core::slice::from_raw_parts(dims, count.max(0) as usize) };
    begin_doacross_alone(Thread::current(), dimensions);
}

/// # Safety
/// Part of LLVM's interface: `values` is valid for one value of each loop.
unsafe extern "C" fn wait(_location: *const Ident, _gtid: i32, values: *const i64, caller: Caller) {
    // SAFETY: the caller's promise.
    let value = |index, _| unsafe { *values.add(index) };
    if !doacross_is_done(Thread::current(), value) {
        // SAFETY: the caller's promise.
        unsafe { wait_longer(values, caller) };
    }
}

/// A function of its own, so that a wait that is over at once has no frame.
///
/// # Safety
/// As [`wait`].
#[cold]
#[inline(never)]
unsafe fn wait_longer(values: *const i64, caller: Caller) {
    // SAFETY: the caller's promise.
    let value = |index, _| unsafe { *values.add(index) };
    doacross_wait(Thread::current(), value, || caller.address());
}

omphalos_sys::told_entries! {
    /// Waits for an iteration of the nest.
    __kmpc_doacross_wait(location, gtid, values) => wait;
}

omphalos_sys::exported_routines! {
    /// Says that an iteration of the nest is done.
    __kmpc_doacross_post(_location: *const Ident, _gtid: i32, values: *const i64)
        = doacross_post(Thread::current(), |index, _| *values.add(index));
    /// Ends the nest, after its loop.
    __kmpc_doacross_fini(_location: *const Ident, _gtid: i32)
        = end_doacross_alone(Thread::current());
}
