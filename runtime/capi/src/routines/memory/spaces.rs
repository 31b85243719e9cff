//! Memory spaces and allocators by device (OpenMP 6.0, 27.1 and 27.2): the names that programs
//! call, and the predefined handles as data.

use core::ffi::c_int;
use omphalos_memory::space::{self, Devices, allocator_of, space_of};

/// # Safety
/// `devices` must point to `count` numbers.
unsafe fn list<'a>(count: c_int, devices: *const c_int) -> &'a [c_int] {
    match usize::try_from(count) {
        // SAFETY: the caller's promise.
        Ok(count @ 1..) if !devices.is_null() => unsafe {
            core::slice::from_raw_parts(devices, count)
        },
        _ => &[],
    }
}

/// One device, several, or all: names for spaces and for allocators.
macro_rules! by_device {
    ($find:ident;
     $($one:ident $one_:ident $one_kind:ident)*;
     $($many:ident $many_:ident $many_kind:ident)*;
     $all:ident $all_:ident) => {
        $(
            /// What the device has of this memory space.
            #[unsafe(no_mangle)]
            pub extern "C" fn $one(device: c_int, space: usize) -> usize {
                $find(&Devices::$one_kind(&[device]), space)
            }

            /// The Fortran name.
            ///
            /// # Safety
            /// The arguments must be valid for reads.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $one_(device: *const c_int, space: *const usize) -> usize {
                // SAFETY: the caller's promise.
                unsafe { $one(*device, *space) }
            }
        )*
        $(
            /// What these devices have of this memory space.
            ///
            /// # Safety
            /// `devices` must point to `count` numbers.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $many(
                count: c_int,
                devices: *const c_int,
                space: usize,
            ) -> usize {
                // SAFETY: the caller's promise.
                $find(&Devices::$many_kind(unsafe { list(count, devices) }), space)
            }

            /// The Fortran name.
            ///
            /// # Safety
            /// As for the C name; the other arguments must be valid for reads.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $many_(
                count: *const c_int,
                devices: *const c_int,
                space: *const usize,
            ) -> usize {
                // SAFETY: the caller's promise.
                unsafe { $many(*count, devices, *space) }
            }
        )*
        /// What all devices, the host included, have of this memory space.
        #[unsafe(no_mangle)]
        pub extern "C" fn $all(space: usize) -> usize {
            $find(&Devices::All, space)
        }

        /// The Fortran name.
        ///
        /// # Safety
        /// The argument must be valid for reads.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $all_(space: *const usize) -> usize {
            // SAFETY: the caller's promise.
            $all(unsafe { *space })
        }
    };
}

by_device!(space_of;
    omp_get_device_memspace omp_get_device_memspace_ These
    omp_get_device_and_host_memspace omp_get_device_and_host_memspace_ WithHost;
    omp_get_devices_memspace omp_get_devices_memspace_ These
    omp_get_devices_and_host_memspace omp_get_devices_and_host_memspace_ WithHost;
    omp_get_devices_all_memspace omp_get_devices_all_memspace_);
by_device!(allocator_of;
    omp_get_device_allocator omp_get_device_allocator_ These
    omp_get_device_and_host_allocator omp_get_device_and_host_allocator_ WithHost;
    omp_get_devices_allocator omp_get_devices_allocator_ These
    omp_get_devices_and_host_allocator omp_get_devices_and_host_allocator_ WithHost;
    omp_get_devices_all_allocator omp_get_devices_all_allocator_);

omphalos_sys::exported_routines! {
    /// Resources of a memory space: of the host's one, its memory; of `omp_null_mem_space` none.
    omp_get_memspace_num_resources(space: usize) -> c_int = space::resource_count(space);
    /// The part of a memory space that consists of the resources at these places: of the host's,
    /// which has one, itself.
    omp_get_submemspace(space: usize, count: c_int, resources: *const c_int) -> usize
        = space::part(space, list(count, resources));
    /// The Fortran name.
    omp_get_memspace_num_resources_(space: *const usize) -> c_int
        = omp_get_memspace_num_resources(*space);
    /// The Fortran name.
    omp_get_submemspace_(
        space: *const usize, count: *const c_int, resources: *const c_int
    ) -> usize = omp_get_submemspace(*space, *count, resources);
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
    omp_cgroup_mem_space = 5;
    omp_target_host_mem_space = 100;
    omp_target_shared_mem_space = 101;
    omp_target_device_mem_space = 102;
}
