//! Memory partitions (OpenMP 6.0, 27.5 and 20.8.6 to 20.8.10): the names that programs call.

use core::ffi::{c_int, c_void};
use omphalos_memory::partition::{
    Compute, Partition, Partitioner, Release, destroy, init, partition,
};
use omphalos_memory::space::page_size;

omphalos_sys::exported_routines! {
    /// Initialises a memory partitioner. Its lifetime is a permission that the runtime does not
    /// use.
    omp_init_mempartitioner(
        partitioner: *mut usize, _lifetime: c_int, compute: Option<Compute>,
        release: Option<Release>
    ) = init(partitioner, Partitioner { compute, release, fortran: false });
    /// The Fortran name.
    omp_init_mempartitioner_(
        partitioner: *mut usize, _lifetime: *const c_int, compute: Option<Compute>,
        release: Option<Release>
    ) = init(partitioner, Partitioner { compute, release, fortran: true });
    /// Releases the memory of a memory partitioner; its allocators are destroyed already.
    omp_destroy_mempartitioner(partitioner: *const usize) = destroy::<Partitioner>(partitioner);
    /// Initialises a memory partition of `count` parts, whose sizes and resources follow. For
    /// procedures of a partitioner.
    omp_init_mempartition(partition: *mut usize, count: usize, user_data: *const c_void) = {
        if let Some(content) = Partition::new(count, user_data) {
            init(partition, content);
        }
    };
    /// Releases the memory of a memory partition.
    omp_destroy_mempartition(partition: *const usize) = destroy::<Partition>(partition);
    /// Sets size and resource of a part. Returns 0; -1 if there is no such part or resource, or if
    /// the size of a part before the last one is no multiple of the page size.
    omp_mempartition_set_part(word: *mut usize, part: usize, resource: c_int, size: usize) -> c_int
        = match partition(word).map(|it| it.set_part(part, resource, size)) {
            Some(true) => 0,
            _ => -1,
        };
    /// The pointer that was given to `omp_init_mempartition`; null for no partition.
    omp_mempartition_get_user_data(word: *const usize) -> *mut c_void
        = partition(word).map_or(core::ptr::null_mut(), |it| it.user_data.cast_mut());
    /// The page size of a memory space, in bytes; 0 if it is unknown.
    omp_get_memspace_pagesize(space: usize) -> usize = page_size(space);
    /// The Fortran name.
    omp_destroy_mempartitioner_(partitioner: *const usize)
        = omp_destroy_mempartitioner(partitioner);
    /// The Fortran name.
    omp_init_mempartition_(
        partition: *mut usize, count: *const usize, user_data: *const *const c_void
    ) = omp_init_mempartition(partition, *count, *user_data);
    /// The Fortran name.
    omp_destroy_mempartition_(partition: *const usize) = omp_destroy_mempartition(partition);
    /// The Fortran name.
    omp_mempartition_set_part_(
        partition: *mut usize, part: *const usize, resource: *const c_int, size: *const usize
    ) -> c_int = omp_mempartition_set_part(partition, *part, *resource, *size);
    /// The Fortran name.
    omp_mempartition_get_user_data_(partition: *const usize) -> *mut c_void
        = omp_mempartition_get_user_data(partition);
    /// The Fortran name.
    omp_get_memspace_pagesize_(space: *const usize) -> usize = omp_get_memspace_pagesize(*space);
}
