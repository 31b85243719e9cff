//! Memory of a group of threads that a device's region asks for when it starts (`dyn_groupprivate`,
//! OpenMP 6.1, which LLVM 23 has). The host has no such groups, and so no such memory.

use core::ffi::{c_int, c_void};
use core::ptr::null_mut;

use omphalos_memory::space::NO_SPACE;

omphalos_sys::exported_routines! {
    /// The address of the group's memory, or of memory that replaces it: null on the host.
    omp_get_dyn_gprivate_ptr(_offset: usize, _group: c_int) -> *mut c_void = null_mut();
    /// The address of the group's memory, without a replacement: null on the host.
    omp_get_dyn_gprivate_nofb_ptr(_offset: usize, _group: c_int) -> *mut c_void = null_mut();
    /// The bytes of the group's memory: none on the host.
    omp_get_dyn_gprivate_size(_group: c_int) -> usize = 0;
    /// The memory space of the group's memory: `omp_null_mem_space` on the host.
    omp_get_dyn_gprivate_memspace(_group: c_int) -> usize = NO_SPACE;
}
