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

omphalos_sys::exported_routines! {
    /// The device's part of this memory space.
    omp_get_device_memspace(device: c_int, space: usize) -> usize
        = space_of(&Devices::These(&[device]), space);
    /// The Fortran name.
    omp_get_device_memspace_(device: *const c_int, space: *const usize) -> usize
        = space_of(&Devices::These(&[*device]), *space);
    /// The part of this memory space that the device and the host have.
    omp_get_device_and_host_memspace(device: c_int, space: usize) -> usize
        = space_of(&Devices::WithHost(&[device]), space);
    /// The Fortran name.
    omp_get_device_and_host_memspace_(device: *const c_int, space: *const usize) -> usize
        = space_of(&Devices::WithHost(&[*device]), *space);
    /// The part of this memory space that these devices have.
    omp_get_devices_memspace(count: c_int, devices: *const c_int, space: usize) -> usize
        = space_of(&Devices::These(list(count, devices)), space);
    /// The Fortran name.
    omp_get_devices_memspace_(
        count: *const c_int, devices: *const c_int, space: *const usize
    ) -> usize = space_of(&Devices::These(list(*count, devices)), *space);
    /// The part of this memory space that these devices and the host have.
    omp_get_devices_and_host_memspace(count: c_int, devices: *const c_int, space: usize) -> usize
        = space_of(&Devices::WithHost(list(count, devices)), space);
    /// The Fortran name.
    omp_get_devices_and_host_memspace_(
        count: *const c_int, devices: *const c_int, space: *const usize
    ) -> usize = space_of(&Devices::WithHost(list(*count, devices)), *space);
    /// The part of this memory space that all devices, the host included, have.
    omp_get_devices_all_memspace(space: usize) -> usize = space_of(&Devices::All, space);
    /// The Fortran name.
    omp_get_devices_all_memspace_(space: *const usize) -> usize = space_of(&Devices::All, *space);
    /// The allocator for the device's part of this memory space.
    omp_get_device_allocator(device: c_int, space: usize) -> usize
        = allocator_of(&Devices::These(&[device]), space);
    /// The Fortran name.
    omp_get_device_allocator_(device: *const c_int, space: *const usize) -> usize
        = allocator_of(&Devices::These(&[*device]), *space);
    /// The allocator for the part of this memory space that the device and the host have.
    omp_get_device_and_host_allocator(device: c_int, space: usize) -> usize
        = allocator_of(&Devices::WithHost(&[device]), space);
    /// The Fortran name.
    omp_get_device_and_host_allocator_(device: *const c_int, space: *const usize) -> usize
        = allocator_of(&Devices::WithHost(&[*device]), *space);
    /// The allocator for the part of this memory space that these devices have.
    omp_get_devices_allocator(count: c_int, devices: *const c_int, space: usize) -> usize
        = allocator_of(&Devices::These(list(count, devices)), space);
    /// The Fortran name.
    omp_get_devices_allocator_(
        count: *const c_int, devices: *const c_int, space: *const usize
    ) -> usize = allocator_of(&Devices::These(list(*count, devices)), *space);
    /// The allocator for the part of this memory space that these devices and the host have.
    omp_get_devices_and_host_allocator(count: c_int, devices: *const c_int, space: usize) -> usize
        = allocator_of(&Devices::WithHost(list(count, devices)), space);
    /// The Fortran name.
    omp_get_devices_and_host_allocator_(
        count: *const c_int, devices: *const c_int, space: *const usize
    ) -> usize = allocator_of(&Devices::WithHost(list(*count, devices)), *space);
    /// The allocator for the part of this memory space that all devices, the host included, have.
    omp_get_devices_all_allocator(space: usize) -> usize = allocator_of(&Devices::All, space);
    /// The Fortran name.
    omp_get_devices_all_allocator_(space: *const usize) -> usize
        = allocator_of(&Devices::All, *space);
    /// The number of resources of a memory space: 1 for the host's, its memory; 0 for
    /// `omp_null_mem_space`.
    omp_get_memspace_num_resources(space: usize) -> c_int = space::resource_count(space);
    /// The part of a memory space that consists of the resources with these numbers. The host's
    /// space has one resource, so the part is the space itself.
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
