//! `GOMP_add_alloc` and `GOMP_is_alloc`: which variables an `allocators` construct allocated.

use core::ffi::c_void;
use omphalos_memory::tracked;

omphalos_sys::exported_routines! {
    /// GCC: `memory` came from `GOMP_alloc`; null changes nothing (GOMP_5.1.2).
    GOMP_add_alloc(memory: *mut c_void) = tracked::add(memory as usize);
    /// GCC: whether `memory` came from `GOMP_alloc`. Compilers ask before it is freed or moved, so
    /// the runtime forgets it (GOMP_5.1.2).
    GOMP_is_alloc(memory: *mut c_void) -> bool = tracked::take(memory as usize);
}
