//! Memory spaces and predefined allocators by device (OpenMP 6.0): the host has all of them, other
//! devices do not exist.

use crate::routines::device::is_host;
use core::ffi::c_int;

/// `omp_null_mem_space` and `omp_null_allocator` for devices that do not exist, as in the headers
/// that declare these routines.
const NO_SPACE: usize = 0;
const NO_ALLOCATOR: usize = 0;

/// # Safety
/// `devices` must point to `count` numbers.
unsafe fn all_host(count: c_int, devices: *const c_int) -> bool {
    // SAFETY: the caller's promise.
    count > 0 && (0..count as usize).all(|i| is_host(unsafe { *devices.add(i) }))
}

/// One device, several, or all: names for spaces and for allocators.
macro_rules! by_device {
    ($none:expr; $($one:ident $one_:ident)*; $($many:ident $many_:ident)*; $all:ident $all_:ident) => {
        $(
            /// What the device offers under this handle.
            #[unsafe(no_mangle)]
            pub extern "C" fn $one(device: c_int, handle: usize) -> usize {
                if is_host(device) { handle } else { $none }
            }

            /// The Fortran name.
            ///
            /// # Safety
            /// The arguments must be valid for reads.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $one_(device: *const c_int, handle: *const usize) -> usize {
                // SAFETY: the caller's promise.
                unsafe { $one(*device, *handle) }
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

            /// The Fortran name.
            ///
            /// # Safety
            /// As for the C name; the other arguments must be valid for reads.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $many_(
                count: *const c_int,
                devices: *const c_int,
                handle: *const usize,
            ) -> usize {
                // SAFETY: the caller's promise.
                unsafe { $many(*count, devices, *handle) }
            }
        )*
        /// What all devices offer under this handle.
        #[unsafe(no_mangle)]
        pub extern "C" fn $all(handle: usize) -> usize {
            handle
        }

        /// The Fortran name.
        ///
        /// # Safety
        /// The argument must be valid for reads.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $all_(handle: *const usize) -> usize {
            // SAFETY: the caller's promise.
            unsafe { *handle }
        }
    };
}

by_device!(NO_SPACE;
    omp_get_device_memspace omp_get_device_memspace_
    omp_get_device_and_host_memspace omp_get_device_and_host_memspace_;
    omp_get_devices_memspace omp_get_devices_memspace_
    omp_get_devices_and_host_memspace omp_get_devices_and_host_memspace_;
    omp_get_devices_all_memspace omp_get_devices_all_memspace_);
by_device!(NO_ALLOCATOR;
    omp_get_device_allocator omp_get_device_allocator_
    omp_get_device_and_host_allocator omp_get_device_and_host_allocator_;
    omp_get_devices_allocator omp_get_devices_allocator_
    omp_get_devices_and_host_allocator omp_get_devices_and_host_allocator_;
    omp_get_devices_all_allocator omp_get_devices_all_allocator_);

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

/// The Fortran name.
///
/// # Safety
/// The argument must be valid for reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_memspace_num_resources_(space: *const usize) -> c_int {
    // SAFETY: the caller's promise.
    omp_get_memspace_num_resources(unsafe { *space })
}

/// The Fortran name.
///
/// # Safety
/// As for the C name; the other arguments must be valid for reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_submemspace_(
    space: *const usize,
    count: *const c_int,
    resources: *const c_int,
) -> usize {
    // SAFETY: the caller's promise.
    unsafe { omp_get_submemspace(*space, *count, resources) }
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
    omp_target_host_mem_alloc = 100;
    omp_target_shared_mem_alloc = 101;
    omp_target_device_mem_alloc = 102;
    omp_null_mem_space = 0;
    omp_default_mem_space = 0;
    omp_large_cap_mem_space = 1;
    omp_const_mem_space = 2;
    omp_high_bw_mem_space = 3;
    omp_low_lat_mem_space = 4;
    omp_target_host_mem_space = 100;
    omp_target_shared_mem_space = 101;
    omp_target_device_mem_space = 102;
}
