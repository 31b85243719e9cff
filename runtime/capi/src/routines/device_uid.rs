//! Devices by their unique names.

use core::ffi::{c_char, c_int};
use omphalos_engine::target::devices::{count as devices, is_host};
use omphalos_engine::target::played;
use omphalos_sync::settled::Settled;
use std::ffi::CString;

/// GCC's name of the host; LLVM's is `HOST`, known too.
const HOST_UID: &core::ffi::CStr = c"OMP_INITIAL_DEVICE";

/// Returns the device with this name; -2 (`omp_invalid_device`) if there is none.
fn from_uid(uid: &[u8]) -> c_int {
    if uid == HOST_UID.to_bytes() || uid == b"HOST" {
        return devices();
    }
    names().iter().position(|name| name.to_bytes() == uid).map_or(-2, |at| at as c_int)
}

/// Returns the names of the devices that the host plays, by number.
fn names() -> &'static [CString] {
    static NAMES: Settled<Vec<CString>> = Settled::new();
    if !played::may_be_any() {
        return &[];
    }
    let name = |number: c_int| CString::new(format!("OMPHALOS_DEVICE_{number}"));
    NAMES.get_or(|| (0..played::count()).map_while(|number| name(number).ok()).collect())
}

/// Returns the device with this name; -2 (`omp_invalid_device`) if there is none.
///
/// # Safety
/// `uid` must be null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_device_from_uid(uid: *const c_char) -> c_int {
    // SAFETY: the caller's promise.
    if uid.is_null() { -2 } else { from_uid(unsafe { core::ffi::CStr::from_ptr(uid) }.to_bytes()) }
}

/// Returns a device's unique name; null if there is no such device.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_uid_from_device(device: c_int) -> *const c_char {
    if is_host(device) {
        return HOST_UID.as_ptr();
    }
    let name = usize::try_from(device).ok().and_then(|at| names().get(at));
    name.map_or(core::ptr::null(), |name| name.as_ptr())
}

/// The Fortran name; trailing blanks do not count.
///
/// # Safety
/// `uid` must be valid for `length` reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_device_from_uid_(uid: *const u8, length: c_int) -> c_int {
    let length = usize::try_from(length).unwrap_or(0);
    if uid.is_null() || length == 0 {
        return -2;
    }
    // SAFETY: the caller's promise.
    from_uid(unsafe { core::slice::from_raw_parts(uid, length) }.trim_ascii_end())
}
