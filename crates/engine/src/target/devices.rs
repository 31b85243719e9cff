//! How many devices there are, and which number is the host's.

use core::ffi::c_int;
use omphalos_sys::library;

use super::own;

/// Whether `device` is the host.
pub fn is_host(device: i32) -> bool {
    matches!(device, -1 | -5) || device == count()
}

/// Devices of a library behind this one that has any: LLVM's `libomptarget`, which may come at any
/// time, or another one with its newer interface.
pub fn count() -> i32 {
    let played = own::count();
    if played != 0 {
        return played;
    }
    // First, since the other one may ask this name in turn.
    let behind = library::find_behind(c"omp_get_num_devices");
    let Some(found) = behind.or_else(|| library::find(c"__tgt_get_num_devices")) else {
        return 0;
    };
    // SAFETY: the name's one meaning: a function without arguments that returns an `int`.
    let ask: extern "C" fn() -> c_int = unsafe { core::mem::transmute(found) };
    ask().max(0)
}
