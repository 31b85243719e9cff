//! The objects of `interop` constructs, each with its device. A device that the host plays has no
//! foreign runtime, so an object tells only its vendor and its device.

use core::ffi::{c_int, c_void};
use omphalos_engine::target::played;
use omphalos_sync::process_lock::{ProcessLock, rank};

/// The live objects with their devices; there are few at a time.
static OBJECTS: ProcessLock<Vec<(usize, c_int)>, { rank::INTEROP }> = ProcessLock::new(Vec::new());

fn place(objects: &[(usize, c_int)], object: *const c_void) -> Option<usize> {
    objects.iter().position(|(known, _)| *known == object as usize)
}

/// Makes an object of a device. Returns `omp_interop_none` for the host and for devices that do not
/// exist.
pub fn make(device: c_int) -> *mut c_void {
    if !played::is_device(device) {
        return core::ptr::null_mut();
    }
    // Programs know it by the address of a byte.
    let object = Box::into_raw(Box::new(0u8));
    OBJECTS.with(|objects| objects.push((object as usize, device)));
    object.cast()
}

/// Removes and frees an object. Does nothing for an address that is no object.
pub fn destroy(object: *mut c_void) {
    let known = OBJECTS.with(|objects| Some(objects.swap_remove(place(objects, object)?)));
    if known.is_some() {
        // SAFETY: made above, and gone from the list just now.
        drop(unsafe { Box::from_raw(object.cast::<u8>()) });
    }
}

/// Returns an object's device. `None` for an address that is no object.
pub fn device(object: *const c_void) -> Option<c_int> {
    if object.is_null() {
        return None;
    }
    OBJECTS.with(|objects| place(objects, object).map(|at| objects[at].1))
}
