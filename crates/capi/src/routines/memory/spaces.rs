//! Memory spaces and predefined allocators by device (OpenMP 6.0): the host has all of them, other
//! devices do not exist.

use crate::routines::device::is_host;
use core::ffi::c_int;

/// `omp_null_mem_space` and `omp_null_allocator` for devices that do not exist: no predefined space
/// has this number.
const NO_SPACE: usize = usize::MAX;
const NO_ALLOCATOR: usize = 0;

/// # Safety
/// `devices` must point to `count` numbers.
unsafe fn all_host(count: c_int, devices: *const c_int) -> bool {
    // SAFETY: the caller's promise.
    count > 0 && (0..count as usize).all(|i| is_host(unsafe { *devices.add(i) }))
}

/// One device, several, or all: names for spaces and for allocators.
macro_rules! by_device {
    ($none:expr; $($one:ident)*; $($many:ident)*; $all:ident) => {
        $(
            /// What the device offers under this handle.
            #[unsafe(no_mangle)]
            pub extern "C" fn $one(device: c_int, handle: usize) -> usize {
                if is_host(device) { handle } else { $none }
            }
        )*
        $(
            /// What these devices offer under this handle.
            ///
            /// # Safety
            /// `devices` must point to `count` numbers.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $many(
                count: c_int,
                devices: *const c_int,
                handle: usize,
            ) -> usize {
                // SAFETY: the caller's promise.
                if unsafe { all_host(count, devices) } { handle } else { $none }
            }
        )*
        /// What all devices offer under this handle.
        #[unsafe(no_mangle)]
        pub extern "C" fn $all(handle: usize) -> usize {
            handle
        }
    };
}

by_device!(NO_SPACE;
    omp_get_device_memspace omp_get_device_and_host_memspace;
    omp_get_devices_memspace omp_get_devices_and_host_memspace;
    omp_get_devices_all_memspace);
by_device!(NO_ALLOCATOR;
    omp_get_device_allocator omp_get_device_and_host_allocator;
    omp_get_devices_allocator omp_get_devices_and_host_allocator;
    omp_get_devices_all_allocator);

/// Resources of a memory space: one, the host's memory.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_memspace_num_resources(_space: usize) -> c_int {
    1
}

/// The part of a memory space that consists of these resources: with only one, the space itself.
///
/// # Safety
/// `resources` must point to `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_submemspace(
    space: usize,
    count: c_int,
    resources: *const c_int,
) -> usize {
    // SAFETY: the caller's promise.
    if count == 1 && unsafe { *resources } == 0 { space } else { NO_SPACE }
}

/// Predefined handles as data, for programs built against headers without enumerations.
macro_rules! handles {
    ($($name:ident = $value:expr;)*) => { $(
        /// A predefined handle.
        #[allow(non_upper_case_globals)]
        #[unsafe(no_mangle)]
        pub static $name: usize = $value;
    )* };
}

handles! {
    omp_null_allocator = 0;
    omp_default_mem_alloc = 1;
    omp_large_cap_mem_alloc = 2;
    omp_const_mem_alloc = 3;
    omp_high_bw_mem_alloc = 4;
    omp_low_lat_mem_alloc = 5;
    omp_cgroup_mem_alloc = 6;
    omp_pteam_mem_alloc = 7;
    omp_thread_mem_alloc = 8;
    omp_default_mem_space = 0;
    omp_large_cap_mem_space = 1;
    omp_const_mem_space = 2;
    omp_high_bw_mem_space = 3;
    omp_low_lat_mem_space = 4;
}
