//! Counts the devices, and tells which number is the host's.
//!
//! Another library counts its devices itself. Only the dynamic linker finds the library's function,
//! and asking it may deadlock: a thread that loads a library holds the linker's lock while the
//! library's constructors run, and these may wait for the thread that asks. So the linker is asked
//! only if some file of the process defines such a function. This is read from the files
//! themselves.

use core::ffi::{CStr, c_int, c_void};
use core::sync::atomic::{AtomicU64, Ordering};
use omphalos_sync::process_lock::{in_loader, loader_may_be_stuck};
use omphalos_sys::dynamic::nobody_else_defines;
use omphalos_sys::{library, sections};

use super::played;

/// Whether `device` is the host.
pub fn is_host(device: i32) -> bool {
    matches!(device, -1 | -5) || device == count()
}

/// The names of the functions that count devices. The first one is tried first, because the other
/// one may call it in turn.
const NAMES: [&CStr; 2] = [c"omp_get_num_devices", c"__tgt_get_num_devices"];

/// Returns the number of devices: those that the host plays, or those of a library behind this one.
/// That is LLVM's `libomptarget`, which may come at any time, or another library with its newer
/// interface.
pub fn count() -> i32 {
    let played = played::count();
    if played != 0 {
        return played;
    }
    let Some(found) = counter() else { return 0 };
    // SAFETY: both names mean a function without arguments that returns an `int`.
    let ask: extern "C" fn() -> c_int = unsafe { core::mem::transmute(found) };
    ask().max(0)
}

/// Returns the function that counts devices, if there is one.
fn counter() -> Option<*mut c_void> {
    if nobody_counts() {
        return None;
    }
    library::find_behind(NAMES[0]).or_else(|| library::find(NAMES[1]))
}

/// Whether no file of the process has a function that counts devices.
fn nobody_counts() -> bool {
    /// The number of changes to the process's files when no file had such a function the last time,
    /// plus 1; 0 if that is not known.
    static NOBODY_UNTIL: AtomicU64 = AtomicU64::new(0);
    let known = NOBODY_UNTIL.load(Ordering::Relaxed);
    if loader_may_be_stuck() {
        return known != 0;
    }
    // The number is asked before the files are read: a file that comes meanwhile changes it.
    let now = in_loader(sections::generation) + 1;
    if known == now {
        return true;
    }
    let nobody = in_loader(|| nobody_else_defines(&NAMES));
    NOBODY_UNTIL.store(if nobody { now } else { 0 }, Ordering::Relaxed);
    nobody
}
