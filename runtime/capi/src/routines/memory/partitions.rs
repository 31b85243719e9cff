//! Memory partitions (OpenMP 6.0, 27.5 and 20.8.6 to 20.8.10): the names that programs call.

use core::ffi::{c_int, c_void};
use omphalos_memory::partition::{
    Compute, Partition, Partitioner, Release, destroy, init, partition,
};
use omphalos_memory::space::page_size;

/// Initialises a memory partitioner. Its lifetime is a permission that is not made use of.
///
/// # Safety
/// `partitioner` must be null or point to a word; the procedures must be as OpenMP 6.0 has them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_init_mempartitioner(
    partitioner: *mut usize,
    _lifetime: c_int,
    compute: Option<Compute>,
    release: Option<Release>,
) {
    // SAFETY: the caller's promise.
    unsafe { init(partitioner, Partitioner { compute, release, fortran: false }) };
}

/// The Fortran name.
///
/// # Safety
/// As for the C name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_init_mempartitioner_(
    partitioner: *mut usize,
    _lifetime: *const c_int,
    compute: Option<Compute>,
    release: Option<Release>,
) {
    // SAFETY: the caller's promise.
    unsafe { init(partitioner, Partitioner { compute, release, fortran: true }) };
}

/// Releases what belongs to a memory partitioner; its allocators are destroyed already.
///
/// # Safety
/// `partitioner` must be null or point to an initialised partitioner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_destroy_mempartitioner(partitioner: *const usize) {
    // SAFETY: the caller's promise.
    unsafe { destroy::<Partitioner>(partitioner) };
}

/// Initialises a memory partition of `count` parts, whose sizes and resources follow. For
/// procedures of a partitioner.
///
/// # Safety
/// `partition` must be null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_init_mempartition(
    partition: *mut usize,
    count: usize,
    user_data: *const c_void,
) {
    if let Some(content) = Partition::new(count, user_data) {
        // SAFETY: the caller's promise.
        unsafe { init(partition, content) };
    }
}

/// Releases what belongs to a memory partition.
///
/// # Safety
/// `partition` must be null or point to a partition's word.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_destroy_mempartition(partition: *const usize) {
    // SAFETY: the caller's promise.
    unsafe { destroy::<Partition>(partition) };
}

/// Sets size and resource of a part. 0; -1 if there is no such part or resource, or if a part
/// before the last one is no multiple of the page size.
///
/// # Safety
/// `word` must be null or point to a partition's word.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_mempartition_set_part(
    word: *mut usize,
    part: usize,
    resource: c_int,
    size: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    let Some(partition) = (unsafe { partition(word) }) else { return -1 };
    if partition.set_part(part, resource, size) { 0 } else { -1 }
}

/// What was given to `omp_init_mempartition`; null for no partition.
///
/// # Safety
/// `word` must be null or point to a partition's word.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_mempartition_get_user_data(word: *const usize) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { partition(word) }.map_or(core::ptr::null_mut(), |it| it.user_data.cast_mut())
}

/// The page size of a memory space, in bytes; 0 if nobody knows.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_memspace_pagesize(space: usize) -> usize {
    page_size(space)
}

/// Fortran's names of routines whose arguments C passes by value.
macro_rules! fortran {
    ($($name:ident($($argument:ident: $kind:ty),*; $($value:ident: $type:ty),*) -> $result:ty
        = $c:ident;)*) => { $(
        /// The Fortran name.
        ///
        /// # Safety
        /// As for the C name; the other arguments must be valid for reads.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $kind,)* $($value: *const $type),*) -> $result {
            // SAFETY: the caller's promise.
            #[allow(unused_unsafe)]
            unsafe { $c($($argument,)* $(*$value),*) }
        }
    )* };
}

fortran! {
    omp_destroy_mempartitioner_(partitioner: *const usize;) -> () = omp_destroy_mempartitioner;
    omp_init_mempartition_(partition: *mut usize; count: usize, user_data: *const c_void) -> ()
        = omp_init_mempartition;
    omp_destroy_mempartition_(partition: *const usize;) -> () = omp_destroy_mempartition;
    omp_mempartition_set_part_(partition: *mut usize; part: usize, resource: c_int, size: usize)
        -> c_int = omp_mempartition_set_part;
    omp_mempartition_get_user_data_(partition: *const usize;) -> *mut c_void
        = omp_mempartition_get_user_data;
    omp_get_memspace_pagesize_(; space: usize) -> usize = omp_get_memspace_pagesize;
}
