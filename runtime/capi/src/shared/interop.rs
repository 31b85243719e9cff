//! The objects of `interop` constructs: which device each is of. What the host plays has no foreign
//! runtime, so they say who made them and which device it is.

use core::ffi::{c_int, c_void};
use omphalos_engine::target::played;
use omphalos_sync::process_lock::{ProcessLock, rank};

/// The objects that there are, with their devices: few at a time.
static OBJECTS: ProcessLock<Vec<(usize, c_int)>, { rank::INTEROP }> = ProcessLock::new(Vec::new());

fn place(objects: &[(usize, c_int)], object: *const c_void) -> Option<usize> {
    objects.iter().position(|(known, _)| *known == object as usize)
}

/// A new object of a device; `omp_interop_none` of the host and of devices that there are not.
pub fn make(device: c_int) -> *mut c_void {
    if !played::is_device(device) {
        return core::ptr::null_mut();
    }
    // The address of a byte is what programs know it by.
    let object = Box::into_raw(Box::new(0u8));
    OBJECTS.with(|objects| objects.push((object as usize, device)));
    object.cast()
}

/// It goes. Nothing if it is none.
pub fn destroy(object: *mut c_void) {
    let known = OBJECTS.with(|objects| Some(objects.swap_remove(place(objects, object)?)));
    if known.is_some() {
        // SAFETY: made above, and gone from the list just now.
        drop(unsafe { Box::from_raw(object.cast::<u8>()) });
    }
}

/// The device that an object is of; `None` if it is none.
pub fn device(object: *const c_void) -> Option<c_int> {
    if object.is_null() {
        return None;
    }
    OBJECTS.with(|objects| place(objects, object).map(|at| objects[at].1))
}
