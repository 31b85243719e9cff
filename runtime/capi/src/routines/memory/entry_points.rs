//! What compilers call for `allocate`: GCC's names, and LLVM's. LLVM's first argument, the number
//! of the calling thread, is not needed.

use super::c_names;
use core::ffi::{c_int, c_void};
use omphalos_memory::allocator::{self, Handle, Trait};
use omphalos_memory::block;
use omphalos_sys::process;

/// GCC: allocates for the `allocate` directive; ends the program when memory runs out, because
/// generated code does not look.
#[unsafe(no_mangle)]
pub extern "C" fn GOMP_alloc(alignment: usize, size: usize, allocator: Handle) -> *mut c_void {
    let block = block::get(alignment, size.max(1), allocator, false);
    if block.is_null() {
        omphalos_sys::message!("no memory for {size} bytes of an `allocate` directive");
        process::abort()
    }
    block
}

/// GCC: frees.
///
/// # Safety
/// `memory` must come from `GOMP_alloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_free(memory: *mut c_void, _allocator: Handle) {
    // SAFETY: the caller's promise.
    unsafe { block::free(memory) }
}

/// LLVM: allocates.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_alloc(_thread: c_int, size: usize, allocator: Handle) -> *mut c_void {
    block::get(1, size, allocator, false)
}

/// LLVM: allocates aligned memory.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_aligned_alloc(
    _thread: c_int,
    alignment: usize,
    size: usize,
    allocator: Handle,
) -> *mut c_void {
    block::get(alignment, size, allocator, false)
}

/// LLVM: allocates zeroed memory.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_calloc(
    _thread: c_int,
    count: usize,
    size: usize,
    allocator: Handle,
) -> *mut c_void {
    c_names::omp_calloc(count, size, allocator)
}

/// LLVM: resizes.
///
/// # Safety
/// As for `omp_realloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_realloc(
    _thread: c_int,
    memory: *mut c_void,
    size: usize,
    allocator: Handle,
    free_allocator: Handle,
) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { block::resize(memory, size, allocator, free_allocator) }
}

/// LLVM: frees.
///
/// # Safety
/// As for `omp_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_free(_thread: c_int, memory: *mut c_void, _allocator: Handle) {
    // SAFETY: the caller's promise.
    unsafe { block::free(memory) }
}

/// LLVM: makes an allocator.
///
/// # Safety
/// As for `omp_init_allocator`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_init_allocator(
    _thread: c_int,
    space: usize,
    count: c_int,
    traits: *const Trait,
) -> Handle {
    // SAFETY: the caller's promise.
    unsafe { c_names::omp_init_allocator(space, count, traits) }
}

/// LLVM: frees an allocator.
///
/// # Safety
/// As for `omp_destroy_allocator`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_destroy_allocator(_thread: c_int, allocator: Handle) {
    // SAFETY: the caller's promise.
    unsafe { allocator::destroy(allocator) }
}

/// LLVM: sets the current task's default allocator.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_set_default_allocator(_thread: c_int, allocator: Handle) {
    allocator::set_default(allocator);
}

/// LLVM: the current task's default allocator.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_get_default_allocator(_thread: c_int) -> Handle {
    allocator::default()
}
