//! The objects of `interop` constructs: which device each is of. What the host plays has no foreign
//! runtime, so they say who made them and which device it is.

use core::ffi::{c_int, c_void};
use omphalos_engine::target::own;
use omphalos_sync::process_lock::{ProcessLock, rank};
use std::collections::BTreeMap;

/// The objects that there are, with their devices.
static OBJECTS: ProcessLock<BTreeMap<usize, c_int>, { rank::INTEROP }> =
    ProcessLock::new(BTreeMap::new());

/// A new object of a device; `omp_interop_none` of the host and of devices that there are not.
pub fn make(device: c_int) -> *mut c_void {
    if !own::is_device(device) {
        return core::ptr::null_mut();
    }
    // The address of a byte is what programs know it by.
    let object = Box::into_raw(Box::new(0u8));
    OBJECTS.with(|objects| objects.insert(object as usize, device));
    object.cast()
}

/// It goes. Nothing if it is none.
pub fn destroy(object: *mut c_void) {
    if OBJECTS.with(|objects| objects.remove(&(object as usize))).is_some() {
        // SAFETY: made above, and gone from the list just now.
        drop(unsafe { Box::from_raw(object.cast::<u8>()) });
    }
}

/// The device that an object is of; `None` if it is none.
pub fn device(object: *const c_void) -> Option<c_int> {
    if object.is_null() {
        return None;
    }
    OBJECTS.with(|objects| objects.get(&(object as usize)).copied())
}
