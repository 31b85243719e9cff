//! `__kmpc_copyprivate*`: the executor of a `single` gives its values to the others.

use crate::shared::location::Ident;
use core::ffi::c_void;
use omphalos_engine::worksharing::{copyprivate_get, copyprivate_put};
use omphalos_engine::{Call, Caller, Unwatched, barrier};
use omphalos_events::SyncKind;

/// The executor (`executed` != 0) publishes its data; the others copy with `copy(own, executor's)`.
unsafe extern "C" fn copyprivate<C: Call>(
    _location: *const Ident,
    _gtid: i32,
    _size: usize,
    data: *mut c_void,
    copy: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
    executed: i32,
) {
    let call = C::here();
    let thread = call.thread();
    if executed != 0 {
        copyprivate_put(thread, data);
    }
    barrier::barrier(thread, SyncKind::BarrierImplicitWorkshare, call);
    if executed == 0
        && let Some(copy) = copy
    {
        // SAFETY: both are lists of the same variables' addresses, as LLVM's code made them; the
        // executor keeps its own until the second barrier.
        unsafe { copy(data, copyprivate_get(thread)) };
    }
    barrier::barrier(thread, SyncKind::BarrierImplementation, call);
}

/// The executor passes its data, the others null; all get the executor's. The caller's code copies,
/// and makes the barrier behind it.
unsafe extern "C" fn copyprivate_light<C: Call>(
    _location: *const Ident,
    _gtid: i32,
    data: *mut c_void,
    call: C,
) -> *mut c_void {
    let thread = call.thread();
    if !data.is_null() {
        copyprivate_put(thread, data);
    }
    barrier::barrier(thread, SyncKind::BarrierImplicitWorkshare, call);
    copyprivate_get(thread)
}

omphalos_sys::quick_entries! {
    /// Gives only, with the first barrier.
    __kmpc_copyprivate_light(location, gtid, data) =>
        copyprivate_light::<Unwatched>, copyprivate_light::<Caller>;
}

omphalos_sys::quick_noted_entries! {
    /// Gives and copies, with both barriers.
    __kmpc_copyprivate => copyprivate::<Unwatched>, copyprivate::<Caller>;
}
