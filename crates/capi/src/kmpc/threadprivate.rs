//! `__kmpc_threadprivate*`: variables of which every thread has its own copy.

use crate::shared::location::Ident;
use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, Ordering};
use omphalos_engine::Thread;
use omphalos_engine::threadprivate::{self, Making};

/// The table of a variable, as compiled code keeps it.
type Cache = AtomicPtr<AtomicPtr<c_void>>;

/// The calling thread's copy of `size` bytes at `data`. `cache` keeps the table of all copies.
///
/// # Safety
/// Part of LLVM's interface: `data` is valid for `size` bytes, `cache` for the process's life.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_threadprivate_cached(
    _location: *const Ident,
    _gtid: i32,
    data: *mut c_void,
    size: usize,
    cache: *const Cache,
) -> *mut c_void {
    let thread = Thread::current();
    // SAFETY: the caller's promise.
    let cache = unsafe { &*cache };
    let mut table = cache.load(Ordering::Acquire).cast_const();
    if table.is_null() {
        table = threadprivate::table(data);
        cache.store(table.cast_mut(), Ordering::Release);
    }
    // SAFETY: the cache holds the variable's table.
    if let Some(element) = unsafe { threadprivate::element(thread, table) } {
        let copy = element.load(Ordering::Relaxed);
        if !copy.is_null() {
            return copy;
        }
    }
    // SAFETY: the caller's promise.
    unsafe { threadprivate::copy_of(thread, data, size) }
}

/// The calling thread's copy of `size` bytes at `data`.
///
/// # Safety
/// Part of LLVM's interface: `data` is valid for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_threadprivate(
    _location: *const Ident,
    _gtid: i32,
    data: *mut c_void,
    size: usize,
) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { threadprivate::copy_of(Thread::current(), data, size) }
}

/// Says how copies of the object at `data` are made and ended.
///
/// # Safety
/// Part of LLVM's interface: the functions fit the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_threadprivate_register(
    _location: *const Ident,
    data: *mut c_void,
    make: Option<unsafe extern "C" fn(*mut c_void) -> *mut c_void>,
    copy: Option<unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void>,
    end: Option<unsafe extern "C" fn(*mut c_void)>,
) {
    threadprivate::register(data, Making::Object { make, copy, end });
}

/// As [`__kmpc_threadprivate_register`], for an array of `count` objects.
///
/// # Safety
/// Part of LLVM's interface: the functions fit the array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_threadprivate_register_vec(
    _location: *const Ident,
    data: *mut c_void,
    make: Option<unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void>,
    copy: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void>,
    end: Option<unsafe extern "C" fn(*mut c_void, usize)>,
    count: usize,
) {
    threadprivate::register(data, Making::Array { make, copy, end, count });
}
