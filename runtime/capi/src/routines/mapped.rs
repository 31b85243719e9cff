//! Routines that ask for, or set, the counterpart of host memory on a device. On the host each
//! address is its own counterpart.

use super::device::shown;
use core::ffi::{c_int, c_void};
use omphalos_engine::caller;
use omphalos_engine::target::devices::is_host;
use omphalos_engine::target::{Ends, data_op, played};
use omphalos_events::TargetOp;
use omphalos_mapping::{Section, Table};
use omphalos_sys::{needed, stderr};

const SUCCESS: c_int = 0;
const INVALID: c_int = libc::EINVAL;
/// `omp_initial_device`.
const HOST: c_int = -1;

/// Whether a host address has a counterpart on a device; on the host it is its own. Null has one on
/// the host in GCC's runtime, as the standard says, and none in LLVM's; each program gets the
/// answer of its own runtime.
#[unsafe(no_mangle)]
pub extern "C" fn omp_target_is_present(pointer: *const c_void, device: c_int) -> c_int {
    if pointer.is_null() && needed::llvm() {
        return 0;
    }
    let host = pointer as usize;
    let present = played::with_table(device, |table, _| table.is_present(host));
    c_int::from(present.unwrap_or_else(|| is_host(device)))
}

/// Whether a device can reach host memory: no device but the host can. Null is as for
/// `omp_target_is_present`.
#[unsafe(no_mangle)]
pub extern "C" fn omp_target_is_accessible(
    pointer: *const c_void,
    _size: usize,
    device: c_int,
) -> c_int {
    c_int::from(is_host(device) && !(pointer.is_null() && needed::llvm()))
}

/// Returns a host address's counterpart on a device; null if there is no such device, or no
/// counterpart.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_mapped_ptr(pointer: *const c_void, device: c_int) -> *mut c_void {
    let host = pointer as usize;
    let found = played::with_table(device, |table, _| {
        table.is_present(host).then(|| table.translate(host)).flatten().unwrap_or(0)
    });
    match found {
        Some(address) => address as *mut c_void,
        None if is_host(device) => pointer.cast_mut(),
        None => core::ptr::null_mut(),
    }
}

unsafe extern "C" fn associate(
    host: *const c_void,
    device_memory: *const c_void,
    size: usize,
    offset: usize,
    device: c_int,
) -> c_int {
    let caller = caller();
    // The standard asks for valid pointers. LLVM's runtime refuses null, GCC's takes it.
    if !played::is_device(device) || host.is_null() || device_memory.is_null() {
        return INVALID;
    }
    let at = device_memory.wrapping_byte_add(offset);
    let section = Section::new(host as usize, size);
    let act = || played::with_table(device, |table, _| table.associate(section, at as usize));
    let ends = Ends { source: host, destination: at, bytes: size };
    let on = || (shown(HOST), device);
    let done = data_op(TargetOp::Associate, ends, on, caller, act, |_, _| {});
    if done == Some(true) { SUCCESS } else { INVALID }
}

unsafe extern "C" fn disassociate(host: *const c_void, device: c_int) -> c_int {
    let caller = caller();
    if !played::is_device(device) {
        return INVALID;
    }
    let at = |table: &Table| table.translate(host as usize).filter(|_| !host.is_null());
    let at = played::with_table(device, |table, _| at(table)).flatten().unwrap_or(0);
    let act = || played::with_table(device, |table, _| table.disassociate(host as usize));
    let ends = Ends { source: host, destination: at as *const c_void, bytes: 0 };
    let on = || (shown(HOST), device);
    let done = data_op(TargetOp::Disassociate, ends, on, caller, act, |_, _| {});
    if done == Some(true) {
        return SUCCESS;
    }
    if played::with_table(device, |table, _| table.is_held(host as usize)) == Some(true) {
        // LLVM's message: an extension of LLVM's holds the counterpart.
        let words = "Trying to disassociate a pointer with a non-zero hold reference count";
        stderr::raw(format!("omptarget error: {words}\n").as_bytes());
    }
    INVALID
}

omphalos_sys::entries! {
    /// Makes memory of a device the counterpart of the host's. 0 if it is the counterpart now.
    /// Fails on the host, and if other memory is the counterpart.
    omp_target_associate_ptr => associate;
    /// Takes such a counterpart away; 0 if there was one.
    omp_target_disassociate_ptr => disassociate;
}
