//! `omp_alloc` and its kin: the C names, and the Fortran names of those that have one.

use core::ffi::{c_int, c_void};
use omphalos_memory::allocator::{self, Handle, Trait};
use omphalos_memory::block;

omphalos_sys::exported_routines! {
    /// Allocates; null for 0 bytes or when memory runs out.
    omp_alloc(size: usize, allocator: Handle) -> *mut c_void
        = block::get(1, size, allocator, false);
    /// Allocates aligned memory.
    omp_aligned_alloc(alignment: usize, size: usize, allocator: Handle) -> *mut c_void
        = block::get(alignment, size, allocator, false);
    /// Allocates zeroed memory.
    omp_calloc(count: usize, size: usize, allocator: Handle) -> *mut c_void
        = omp_aligned_calloc(1, count, size, allocator);
    /// Allocates aligned, zeroed memory.
    omp_aligned_calloc(
        alignment: usize, count: usize, size: usize, allocator: Handle
    ) -> *mut c_void = match count.checked_mul(size) {
        Some(size) => block::get(alignment, size, allocator, true),
        None => core::ptr::null_mut(),
    };
    /// Resizes.
    omp_realloc(
        memory: *mut c_void, size: usize, allocator: Handle, free_allocator: Handle
    ) -> *mut c_void = block::resize(memory, size, allocator, free_allocator);
    /// Frees; the block itself says which allocator it came from.
    omp_free(memory: *mut c_void, _allocator: Handle) = block::free(memory);
    /// Makes an allocator of `count` traits; null if one is not valid.
    omp_init_allocator(space: usize, count: c_int, traits: *const Trait) -> Handle = {
        let traits = match usize::try_from(count) {
            Ok(count @ 1..) => core::slice::from_raw_parts(traits, count),
            _ => &[],
        };
        allocator::make(space, traits)
    };
    /// Frees an allocator.
    omp_destroy_allocator(allocator: Handle) = allocator::destroy(allocator);
    /// Sets the current task's default allocator.
    omp_set_default_allocator(allocator: Handle) = allocator::set_default(allocator);
    /// The current task's default allocator.
    omp_get_default_allocator() -> Handle = allocator::default();
    /// The Fortran name.
    omp_init_allocator_(space: *const usize, count: *const i32, traits: *const Trait) -> Handle
        = omp_init_allocator(*space, *count, traits);
    /// The Fortran name for an 8-byte count.
    omp_init_allocator_8_(space: *const usize, count: *const i64, traits: *const Trait) -> Handle
        = omp_init_allocator(*space, crate::routines::names::narrow(*count), traits);
    /// The Fortran name.
    omp_destroy_allocator_(allocator: *const Handle) = allocator::destroy(*allocator);
    /// The Fortran name.
    omp_set_default_allocator_(allocator: *const Handle) = allocator::set_default(*allocator);
    /// The Fortran name.
    omp_get_default_allocator_() -> Handle = allocator::default();
}
