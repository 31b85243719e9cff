//! Memory partitions (OpenMP 6.0, 27.5 and 20.8.6 to 20.8.10): the program describes the parts of
//! an allocation, and the resource of the memory space for each part.
//!
//! The implementation defines `omp_mempartitioner_t` and `omp_mempartition_t`: here each is one
//! word, 0 when it is not initialised. The host's memory is one resource, number 0, so a partition
//! changes where its parts begin (on pages), not where they lie. One partition is computed for each
//! allocation and released once the memory is there, whatever the partitioner's lifetime. The
//! standard also allows one partition for several allocations, and leaves open how often it is
//! computed.

use core::ffi::c_void;
use omphalos_sys::memory::PAGE;

/// The program's procedure that computes a partition. `space` is passed by value to C, by
/// reference to Fortran.
pub type Compute = unsafe extern "C" fn(usize, usize, usize, *mut usize);
/// The program's procedure that destroys a partition or keeps it.
pub type Release = unsafe extern "C" fn(*mut usize);

/// The object that a partitioner's handle points to.
pub struct Partitioner {
    /// The procedure that computes the partition of an allocation.
    pub compute: Option<Compute>,
    /// The procedure that destroys the partition, or keeps it.
    pub release: Option<Release>,
    /// Whether both functions are Fortran's.
    pub fortran: bool,
}

/// The object that a partition's handle points to.
pub struct Partition {
    parts: Vec<usize>,
    /// The program's own word, which the partitioner's functions get.
    pub user_data: *const c_void,
}

/// Computes the partition of an allocation with the partitioner whose word is `partitioner`.
/// Returns the alignment that its parts need.
pub fn alignment(partitioner: usize, space: usize, size: usize, argument: usize) -> usize {
    // SAFETY: the trait's value is a partitioner's word: the program keeps that until its
    // allocators are destroyed.
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
        // SAFETY: no other code knows it.
        None => unsafe { destroy::<Partition>(&word) },
    }
    if parts > 1 { PAGE } else { 1 }
}

/// Returns the partition that a word points to.
///
/// # Safety
/// `word` must be null or point to a partition's word.
pub unsafe fn partition<'a>(word: *const usize) -> Option<&'a mut Partition> {
    // SAFETY: the caller's promise; a word that is not 0 comes from `omp_init_mempartition`.
    unsafe { (word.as_ref().copied()? as *mut Partition).as_mut() }
}

/// Frees the object that a word points to and sets the word to 0, even if the pointer to it only
/// allows reads.
///
/// # Safety
/// `word` must be null or point to a word that is 0 or came from a box of this type.
pub unsafe fn destroy<T>(word: *const usize) {
    // SAFETY: the caller's promise; the code that initialised the word could write it.
    unsafe {
        if !word.is_null() && *word != 0 {
            drop(Box::from_raw(*word as *mut T));
            word.cast_mut().write(0);
        }
    }
}

/// Makes the word point to `content`.
///
/// # Safety
/// `word` must be null or valid for writes.
pub unsafe fn init<T>(word: *mut usize, content: T) {
    if !word.is_null() {
        // SAFETY: the caller's promise.
        unsafe { word.write(Box::into_raw(Box::new(content)) as usize) };
    }
}

impl Partition {
    /// Returns a partition of `count` parts; `None` if there is no memory for them.
    pub fn new(count: usize, user_data: *const c_void) -> Option<Partition> {
        let mut parts = Vec::new();
        parts.try_reserve_exact(count).ok()?;
        parts.extend(core::iter::repeat_n(0, count));
        Some(Partition { parts, user_data })
    }

    /// Sets size and resource of a part. Returns false if there is no such part or resource, or if
    /// a part before the last one is no multiple of the page size.
    pub fn set_part(&mut self, part: usize, resource: i32, size: usize) -> bool {
        let is_last = part.checked_add(1) == Some(self.parts.len());
        let fits = resource == 0 && (is_last || size.is_multiple_of(PAGE));
        match self.parts.get_mut(part).filter(|_| fits) {
            Some(to) => {
                *to = size;
                true
            }
            None => false,
        }
    }
}
