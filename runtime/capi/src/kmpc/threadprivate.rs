//! `__kmpc_threadprivate*`: variables of which each thread has its own copy.
//!
//! Who calls: code of Flang, Intel's compilers, and clang without TLS. The engine has the copies
//! and their tables (`threadprivate.rs`). Here an access to a variable finds the calling thread's
//! copy in the variable's table, which the compiled code caches. What must hold: a cache is null or
//! points to the variable's table, which never moves.

use crate::shared::location::Ident;
use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, Ordering};
use omphalos_engine::Thread;
use omphalos_engine::threadprivate::{self, Making};

/// The compiled code's cache of a variable: a pointer to the table of all threads' copies.
type Cache = AtomicPtr<AtomicPtr<c_void>>;

/// Returns the calling thread's copy of `size` bytes at `data`. `cache` holds the table of all
/// copies, or gets it.
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

omphalos_sys::exported_routines! {
    /// Returns the calling thread's copy of `size` bytes at `data`.
    __kmpc_threadprivate(
        _location: *const Ident, _gtid: i32, data: *mut c_void, size: usize
    ) -> *mut c_void = threadprivate::copy_of(Thread::current(), data, size);
    /// Sets how copies of the object at `data` are made and ended.
    __kmpc_threadprivate_register(
        _location: *const Ident,
        data: *mut c_void,
        make: Option<unsafe extern "C" fn(*mut c_void) -> *mut c_void>,
        copy: Option<unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void>,
        end: Option<unsafe extern "C" fn(*mut c_void)>
    ) = threadprivate::register(data, Making::Object { make, copy, end });
    /// As [`__kmpc_threadprivate_register`], for an array of `count` objects.
    __kmpc_threadprivate_register_vec(
        _location: *const Ident,
        data: *mut c_void,
        make: Option<unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void>,
        copy: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void>,
        end: Option<unsafe extern "C" fn(*mut c_void, usize)>,
        count: usize
    ) = threadprivate::register(data, Making::Array { make, copy, end, count });
}
