//! Asynchronous device routines. They are executed at once, after the tasks on which they may
//! depend.
//!
//! Such a routine would be a child task of the calling task. Its dependences can only name siblings
//! of it, which are children of the calling task too. So waiting for all children satisfies every
//! dependence object, and none has to be read (GCC and LLVM lay them out differently).

use super::device::{copy, fill, omp_target_memcpy_rect};
use core::ffi::{c_int, c_void};
use omphalos_engine::{Caller, Thread, caller, tasks};

fn wait(dependences: c_int, caller: Caller) {
    if dependences > 0 {
        tasks::taskwait(Thread::current(), caller);
    }
}

#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn memcpy(
    to: *mut c_void,
    from: *const c_void,
    length: usize,
    to_offset: usize,
    from_offset: usize,
    to_device: c_int,
    from_device: c_int,
    dependences: c_int,
    _list: *mut c_void,
) -> c_int {
    let caller = caller();
    wait(dependences, caller);
    let (offsets, devices) = ((to_offset, from_offset), (to_device, from_device));
    // SAFETY: the caller's promise, see `omp_target_memcpy`.
    unsafe { copy(to, from, length, offsets, devices, caller) }
}

#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn memcpy_rect(
    to: *mut c_void,
    from: *const c_void,
    element: usize,
    rank: c_int,
    volume: *const usize,
    to_offsets: *const usize,
    from_offsets: *const usize,
    to_dimensions: *const usize,
    from_dimensions: *const usize,
    to_device: c_int,
    from_device: c_int,
    dependences: c_int,
    _list: *mut c_void,
) -> c_int {
    wait(dependences, caller());
    // SAFETY: the caller's promise, see `omp_target_memcpy_rect`.
    unsafe {
        omp_target_memcpy_rect(
            to, from, element, rank, volume, to_offsets, from_offsets, to_dimensions,
            from_dimensions, to_device, from_device,
        )
    }
}

unsafe extern "C" fn memset(
    memory: *mut c_void,
    value: c_int,
    count: usize,
    device: c_int,
    dependences: c_int,
    _list: *mut c_void,
) -> *mut c_void {
    let caller = caller();
    wait(dependences, caller);
    // SAFETY: the caller's promise, see `omp_target_memset`.
    unsafe { fill(memory, value, count, device, caller) }
}

omphalos_sys::entries! {
    /// Copies after the tasks that it may depend on.
    omp_target_memcpy_async => memcpy;
    /// Copies a rectangular part after the tasks that it may depend on.
    omp_target_memcpy_rect_async => memcpy_rect;
    /// LLVM's Fortran name, whose arguments are the C routine's.
    omp_target_memcpy_async_ => memcpy;
    /// LLVM's Fortran name, whose arguments are the C routine's.
    omp_target_memcpy_rect_async_ => memcpy_rect;
    /// Sets bytes after the tasks that it may depend on.
    omp_target_memset_async => memset;
}
