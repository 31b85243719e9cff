//! Routines that ask or say which counterpart host memory has on a device. On the host each address
//! is its own counterpart.

use core::ffi::{c_int, c_void};
use omphalos_engine::target::devices::is_host;
use omphalos_engine::target::own;
use omphalos_mapping::Section;

const SUCCESS: c_int = 0;
const INVALID: c_int = libc::EINVAL;

/// Whether a host address has a counterpart on a device: on the host, itself.
#[unsafe(no_mangle)]
pub extern "C" fn omp_target_is_present(pointer: *const c_void, device: c_int) -> c_int {
    let host = pointer as usize;
    let present = own::with_table(device, |table, _| table.is_present(host));
    c_int::from(present.unwrap_or_else(|| is_host(device)))
}

/// Whether a device can reach host memory: no device but the host can.
#[unsafe(no_mangle)]
pub extern "C" fn omp_target_is_accessible(
    _pointer: *const c_void,
    _size: usize,
    device: c_int,
) -> c_int {
    c_int::from(is_host(device))
}

/// A host address's counterpart on a device; null if there is no such device, or it has none.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_mapped_ptr(pointer: *const c_void, device: c_int) -> *mut c_void {
    let host = pointer as usize;
    let found = own::with_table(device, |table, _| {
        table.is_present(host).then(|| table.translate(host)).flatten().unwrap_or(0)
    });
    match found {
        Some(address) => address as *mut c_void,
        None if is_host(device) => pointer.cast_mut(),
        None => core::ptr::null_mut(),
    }
}

/// Makes memory of a device the counterpart of the host's. 0 if that is so; not on the host, nor
/// where something else is the counterpart.
#[unsafe(no_mangle)]
pub extern "C" fn omp_target_associate_ptr(
    host: *const c_void,
    device_memory: *const c_void,
    size: usize,
    offset: usize,
    device: c_int,
) -> c_int {
    let at = (device_memory as usize).wrapping_add(offset);
    let section = Section::new(host as usize, size);
    let done = own::with_table(device, |table, _| table.associate(section, at));
    if done == Some(true) { SUCCESS } else { INVALID }
}

/// Takes that back; 0 if it was so.
#[unsafe(no_mangle)]
pub extern "C" fn omp_target_disassociate_ptr(host: *const c_void, device: c_int) -> c_int {
    let done = own::with_table(device, |table, _| table.disassociate(host as usize));
    if done == Some(true) { SUCCESS } else { INVALID }
}
