//! `omp_alloc` and its kin: the C names, and the Fortran names of those that have one.

use core::ffi::{c_int, c_void};
use omphalos_memory::allocator::{self, Handle, Trait};
use omphalos_memory::block;

/// Allocates; null for 0 bytes or when memory runs out.
#[unsafe(no_mangle)]
pub extern "C" fn omp_alloc(size: usize, allocator: Handle) -> *mut c_void {
    block::get(1, size, allocator, false)
}

/// Allocates aligned memory.
#[unsafe(no_mangle)]
pub extern "C" fn omp_aligned_alloc(
    alignment: usize,
    size: usize,
    allocator: Handle,
) -> *mut c_void {
    block::get(alignment, size, allocator, false)
}

/// Allocates zeroed memory.
#[unsafe(no_mangle)]
pub extern "C" fn omp_calloc(count: usize, size: usize, allocator: Handle) -> *mut c_void {
    omp_aligned_calloc(1, count, size, allocator)
}

/// Allocates aligned, zeroed memory.
#[unsafe(no_mangle)]
pub extern "C" fn omp_aligned_calloc(
    alignment: usize,
    count: usize,
    size: usize,
    allocator: Handle,
) -> *mut c_void {
    match count.checked_mul(size) {
        Some(size) => block::get(alignment, size, allocator, true),
        None => core::ptr::null_mut(),
    }
}

/// Resizes.
///
/// # Safety
/// `memory` must be null or come from one of these routines.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_realloc(
    memory: *mut c_void,
    size: usize,
    allocator: Handle,
    free_allocator: Handle,
) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { block::resize(memory, size, allocator, free_allocator) }
}

/// Frees; which allocator it was is known without being told.
///
/// # Safety
/// `memory` must be null or come from one of these routines.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_free(memory: *mut c_void, _allocator: Handle) {
    // SAFETY: the caller's promise.
    unsafe { block::free(memory) }
}

/// Makes an allocator; null if a trait is not valid.
///
/// # Safety
/// `traits` must point to `count` traits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_init_allocator(
    space: usize,
    count: c_int,
    traits: *const Trait,
) -> Handle {
    let traits = match usize::try_from(count) {
        // SAFETY: the caller's promise.
        Ok(count @ 1..) => unsafe { core::slice::from_raw_parts(traits, count) },
        _ => &[],
    };
    allocator::make(space, traits)
}

/// Frees an allocator.
///
/// # Safety
/// No block of it may be in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_destroy_allocator(allocator: Handle) {
    // SAFETY: the caller's promise.
    unsafe { allocator::destroy(allocator) }
}

/// Sets the current task's default allocator.
#[unsafe(no_mangle)]
pub extern "C" fn omp_set_default_allocator(allocator: Handle) {
    allocator::set_default(allocator);
}

/// The current task's default allocator.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_default_allocator() -> Handle {
    allocator::default()
}

/// The Fortran name.
///
/// # Safety
/// The arguments must be valid for reads, and `traits` point to `count` traits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_init_allocator_(
    space: *const usize,
    count: *const i32,
    traits: *const Trait,
) -> Handle {
    // SAFETY: the caller's promise.
    unsafe { omp_init_allocator(*space, *count, traits) }
}

/// The Fortran name for an 8-byte count.
///
/// # Safety
/// As for the Fortran name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_init_allocator_8_(
    space: *const usize,
    count: *const i64,
    traits: *const Trait,
) -> Handle {
    // SAFETY: the caller's promise.
    unsafe { omp_init_allocator(*space, crate::routines::names::narrow(*count), traits) }
}

/// The Fortran name.
///
/// # Safety
/// The argument must be valid for reads, and no block of the allocator in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_destroy_allocator_(allocator: *const Handle) {
    // SAFETY: the caller's promise.
    unsafe { allocator::destroy(*allocator) }
}

/// The Fortran name.
///
/// # Safety
/// The argument must be valid for reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_set_default_allocator_(allocator: *const Handle) {
    // SAFETY: the caller's promise.
    allocator::set_default(unsafe { *allocator });
}

/// The Fortran name.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_default_allocator_() -> Handle {
    allocator::default()
}
