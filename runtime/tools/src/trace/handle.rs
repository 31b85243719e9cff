//! Makes the handles by which tools name a device: addresses that mean nothing else.

use core::ffi::c_void;

/// The most devices that a process can have.
const DEVICES: usize = 256;

static HANDLES: [u8; DEVICES] = [0; DEVICES];

/// Returns a device's handle; null for a number that no device can have.
pub fn handle(device: i32) -> *mut c_void {
    let place = usize::try_from(device).ok().and_then(|index| HANDLES.get(index));
    place.map_or(core::ptr::null_mut(), |at| core::ptr::from_ref(at).cast_mut().cast())
}

/// Returns the device that has the handle.
pub fn device_of(handle: *const c_void) -> Option<i32> {
    let index = (handle as usize).checked_sub(HANDLES.as_ptr() as usize)?;
    (index < DEVICES).then_some(index as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_names_one_device() {
        for device in [0, 1, 255] {
            assert_eq!(device_of(handle(device)), Some(device));
        }
        assert!(handle(256).is_null() && handle(-1).is_null());
        assert_eq!(device_of(core::ptr::null()), None);
        assert_eq!(device_of(usize::MAX as *const _), None);
    }
}
