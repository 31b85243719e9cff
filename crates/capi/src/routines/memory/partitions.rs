//! Memory partitions (OpenMP 6.0, 27.5 and 20.8.6 to 20.8.10): the program says of what parts an
//! allocation consists and on which resource of the memory space each of them lies.
//!
//! `omp_mempartitioner_t` and `omp_mempartition_t` are the implementation's to define: here each is one
//! word, 0 when it is not initialised. The host's memory is one resource, number 0, so a partition changes
//! where its parts begin (on pages), not where they lie. One is computed for each allocation and released
//! when the memory is there, whatever the partitioner's lifetime: the standard allows to keep one for several
//! allocations, and leaves open how often it is asked for.

use core::ffi::{c_int, c_void};
use omphalos_sys::memory::PAGE;

/// The program's procedures. `space` is passed by value to C, by reference to Fortran.
type Compute = unsafe extern "C" fn(usize, usize, usize, *mut usize);
type Release = unsafe extern "C" fn(*mut usize);

/// What a partitioner's word points to.
struct Partitioner {
    compute: Option<Compute>,
    release: Option<Release>,
    fortran: bool,
}

/// What a partition's word points to.
struct Partition {
    parts: Vec<usize>,
    user_data: *const c_void,
}

/// Computes the partition of an allocation with the partitioner whose word is `partitioner`, and returns
/// the alignment that its parts want.
pub fn alignment(partitioner: usize, space: usize, size: usize, argument: usize) -> usize {
    // SAFETY: the trait's value is a partitioner's word: the program keeps that until its allocators are
    // destroyed.
    let Some(partitioner) = (unsafe { (partitioner as *const Partitioner).as_ref() }) else {
        return 1;
    };
    let mut word = 0usize;
    if let Some(compute) = partitioner.compute {
        let space = if partitioner.fortran { (&raw const space) as usize } else { space };
        // SAFETY: the program's procedure, called as the standard says.
        unsafe { compute(space, size, argument, &mut word) };
    }
    // SAFETY: 0, or written by `omp_init_mempartition`.
    let parts = unsafe { partition(&word) }.map_or(0, |partition| partition.parts.len());
    match partitioner.release {
        // SAFETY: as above; it destroys the partition or keeps it.
        Some(release) => unsafe { release(&mut word) },
        // SAFETY: nobody else knows it.
        None => unsafe { omp_destroy_mempartition(&word) },
    }
    if parts > 1 { PAGE } else { 1 }
}

/// # Safety
/// `word` must be null or point to a partition's word.
unsafe fn partition<'a>(word: *const usize) -> Option<&'a mut Partition> {
    // SAFETY: the caller's promise; a word that is not 0 comes from `omp_init_mempartition`.
    unsafe { (word.as_ref().copied()? as *mut Partition).as_mut() }
}

/// Frees what a word points to; the word is 0 then, also behind a pointer that only allows to read it.
///
/// # Safety
/// `word` must be null or point to a word that is 0 or came from a box of this type.
unsafe fn destroy<T>(word: *const usize) {
    // SAFETY: the caller's promise; who initialised the word could write it.
    unsafe {
        if !word.is_null() && *word != 0 {
            drop(Box::from_raw(*word as *mut T));
            word.cast_mut().write(0);
        }
    }
}

/// # Safety
/// `word` must be null or valid for writes.
unsafe fn init<T>(word: *mut usize, content: T) {
    if !word.is_null() {
        // SAFETY: the caller's promise.
        unsafe { word.write(Box::into_raw(Box::new(content)) as usize) };
    }
}

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

/// Initialises a memory partition of `count` parts, whose sizes and resources follow. For procedures
/// of a partitioner.
///
/// # Safety
/// `partition` must be null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_init_mempartition(
    partition: *mut usize,
    count: usize,
    user_data: *const c_void,
) {
    let mut parts = Vec::new();
    if parts.try_reserve_exact(count).is_ok() {
        parts.extend(core::iter::repeat_n(0, count));
        // SAFETY: the caller's promise.
        unsafe { init(partition, Partition { parts, user_data }) };
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

/// Sets size and resource of a part. 0; -1 if there is no such part or resource, or if a part before
/// the last one is no multiple of the page size.
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
    let is_last = part.checked_add(1) == Some(partition.parts.len());
    let fits = resource == 0 && (is_last || size.is_multiple_of(PAGE));
    match partition.parts.get_mut(part).filter(|_| fits) {
        Some(to) => {
            *to = size;
            0
        }
        None => -1,
    }
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

/// The page size of a memory space, in bytes: the host's for all that lie there, 0 for a device's, whose
/// library does not tell.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_memspace_pagesize(space: usize) -> usize {
    if super::device_library::is_space(space) { 0 } else { PAGE }
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
