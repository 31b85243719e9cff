//! The entries that compilers call for `allocate`: GCC's names, and LLVM's. LLVM's first argument,
//! the number of the calling thread, is not needed.

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

omphalos_sys::exported_routines! {
    /// GCC: frees.
    GOMP_free(memory: *mut c_void, _allocator: Handle) = block::free(memory);
    /// LLVM: allocates.
    __kmpc_alloc(_thread: c_int, size: usize, allocator: Handle) -> *mut c_void
        = block::get(1, size, allocator, false);
    /// LLVM: allocates aligned memory.
    __kmpc_aligned_alloc(
        _thread: c_int, alignment: usize, size: usize, allocator: Handle
    ) -> *mut c_void = block::get(alignment, size, allocator, false);
    /// LLVM: allocates zeroed memory.
    __kmpc_calloc(_thread: c_int, count: usize, size: usize, allocator: Handle) -> *mut c_void
        = c_names::omp_calloc(count, size, allocator);
    /// LLVM: resizes.
    __kmpc_realloc(
        _thread: c_int, memory: *mut c_void, size: usize, allocator: Handle,
        free_allocator: Handle
    ) -> *mut c_void = block::resize(memory, size, allocator, free_allocator);
    /// LLVM: frees.
    __kmpc_free(_thread: c_int, memory: *mut c_void, _allocator: Handle) = block::free(memory);
    /// LLVM: makes an allocator.
    __kmpc_init_allocator(
        _thread: c_int, space: usize, count: c_int, traits: *const Trait
    ) -> Handle = c_names::omp_init_allocator(space, count, traits);
    /// LLVM: frees an allocator.
    __kmpc_destroy_allocator(_thread: c_int, allocator: Handle) = allocator::destroy(allocator);
    /// LLVM: sets the current task's default allocator.
    __kmpc_set_default_allocator(_thread: c_int, allocator: Handle)
        = allocator::set_default(allocator);
    /// LLVM: the current task's default allocator.
    __kmpc_get_default_allocator(_thread: c_int) -> Handle = allocator::default();
}
