//! Task reductions in LLVM's interface.

use super::graph::{self, Registration};
use crate::shared::location::Ident;
use core::ffi::c_void;
use core::mem::size_of;
use omphalos_engine::tasks::{self, ReductionItem};
use omphalos_engine::{Thread, caller};

/// An item as older code registers it.
#[repr(C)]
struct OldItem {
    shared: *mut c_void,
    size: usize,
    init: usize,
    fini: usize,
    combine: usize,
    flags: u32,
}

/// An item as newer code registers it: with the original, which the initialiser may read.
#[repr(C)]
struct NewItem {
    shared: *mut c_void,
    original: *mut c_void,
    size: usize,
    init: usize,
    fini: usize,
    combine: usize,
    flags: u32,
}

const _: () = {
    assert!(core::mem::size_of::<OldItem>() == 48);
    assert!(core::mem::size_of::<NewItem>() == 56);
};

fn item(
    shared: *mut c_void,
    original: *mut c_void,
    size: usize,
    [init, fini, combine]: [usize; 3],
) -> ReductionItem {
    // SAFETY: 0 or addresses of functions with these signatures, as the interface demands.
    unsafe {
        ReductionItem {
            shared,
            original: if original.is_null() { shared } else { original },
            size,
            init: core::mem::transmute::<usize, Option<_>>(init),
            fini: core::mem::transmute::<usize, Option<_>>(fini),
            combine: core::mem::transmute::<usize, Option<_>>(combine),
        }
    }
}

/// Registers items, of the newer form if `NEW`.
///
/// # Safety
/// `data` points to `count` items.
pub unsafe fn register<const NEW: bool>(
    thread: &Thread,
    count: i32,
    data: *const c_void,
) -> *mut c_void {
    let items = (0..usize::try_from(count).unwrap_or(0)).map(|at| {
        // SAFETY: LLVM's code passes that many items.
        unsafe {
            if NEW {
                let new = &*data.cast::<NewItem>().add(at);
                item(new.shared, new.original, new.size, [new.init, new.fini, new.combine])
            } else {
                let old = &*data.cast::<OldItem>().add(at);
                let functions = [old.init, old.fini, old.combine];
                item(old.shared, core::ptr::null_mut(), old.size, functions)
            }
        }
    });
    tasks::reduce(thread, items).cast_mut().cast()
}

/// As [`register`], with the current taskgroup.
///
/// # Safety
/// `data` points to `count` items.
unsafe fn init<const NEW: bool>(count: i32, data: *const c_void) -> *mut c_void {
    let size = if NEW { size_of::<NewItem>() } else { size_of::<OldItem>() };
    // SAFETY: the caller's promise.
    unsafe {
        graph::reduced(|| Registration::new(data, count, size, NEW));
        register::<NEW>(Thread::current(), count, data)
    }
}

omphalos_sys::exported_routines! {
    /// Registers items of the older form with the current taskgroup.
    __kmpc_task_reduction_init(_gtid: i32, count: i32, data: *const c_void) -> *mut c_void
        = init::<false>(count, data);
    /// Registers items of the newer form with the current taskgroup.
    __kmpc_taskred_init(_gtid: i32, count: i32, data: *const c_void) -> *mut c_void
        = init::<true>(count, data);
    /// The calling thread's copy of the item at `data`. `group`: null or a registration's answer.
    __kmpc_task_reduction_get_th_data(
        _gtid: i32, group: *const c_void, data: *mut c_void
    ) -> *mut c_void
        = tasks::reduction_copy(Thread::current(), group.cast(), data).unwrap_or(data);
}

unsafe extern "C" fn modifier_init<const NEW: bool>(
    _location: *const Ident,
    _gtid: i32,
    _is_worksharing: i32,
    count: i32,
    data: *const c_void,
) -> *mut c_void {
    let caller = caller();
    let thread = Thread::current();
    tasks::begin_group(thread, caller);
    // SAFETY: LLVM's code passes `count` items.
    unsafe { register::<NEW>(thread, count, data) }
}

unsafe extern "C" fn modifier_fini(_location: *const Ident, _gtid: i32, _is_worksharing: i32) {
    let caller = caller();
    tasks::end_group(Thread::current(), caller);
}

omphalos_sys::entries! {
    /// Begins the taskgroup of a construct with `reduction(task, ...)`: each thread of the team
    /// reduces the tasks it makes into its own copy of the construct's items.
    __kmpc_task_reduction_modifier_init => modifier_init::<false>;
    /// The same with items of the newer form.
    __kmpc_taskred_modifier_init => modifier_init::<true>;
    /// Ends that taskgroup and combines.
    __kmpc_task_reduction_modifier_fini => modifier_fini;
}
