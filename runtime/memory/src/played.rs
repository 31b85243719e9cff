//! Memory of the devices that the host plays or that a plugin has, in the form in which a device
//! library offers it. Each device has one resource, its memory, by the device's number; the host's
//! has the number behind the last device. Like such a library, this module reads the first fields
//! of allocators and of memory spaces (`device.rs`).

use core::ffi::{c_int, c_void};
use omphalos_engine::Thread;
use omphalos_engine::target::played;

/// The mark of a memory space that takes memory of the task's default device.
pub(crate) const OF_DEFAULT_DEVICE: usize = 1;

/// The first fields of an allocator.
#[repr(C)]
struct Record {
    space: usize,
}

/// The first fields of a memory space.
#[repr(C)]
struct Space {
    kind: usize,
    count: c_int,
    resources: *const c_int,
}

/// Whether there are devices that the host plays or that a plugin has.
#[inline]
pub(crate) fn are_there() -> bool {
    played::may_be_any() && played::count() > 0
}

/// Returns the device that the calling task runs on, or, if it runs on the host, its default
/// device; `None` if that is the host.
pub(crate) fn default_device() -> Option<c_int> {
    if !played::may_be_any() {
        return None;
    }
    let thread = Thread::current();
    let device = played::current(thread).unwrap_or(thread.task().icvs().default_device);
    played::is_device(device).then_some(device)
}

pub(crate) unsafe extern "C" fn resources(
    count: c_int,
    devices: *const c_int,
    host: c_int,
    _kind: usize,
    to: *mut c_int,
) -> c_int {
    let behind = (host != 0).then(played::count);
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: the caller passes this many numbers.
    let devices = (0..count).map(|at| unsafe { *devices.add(at) });
    let all = devices.chain(behind);
    if !to.is_null() {
        for (at, number) in all.clone().enumerate() {
            // SAFETY: the caller has room for as many as this function says.
            unsafe { *to.add(at) = number };
        }
    }
    all.count() as c_int
}

/// Allocates from the first device of the allocator's memory space: all others reach its memory
/// too.
pub(crate) unsafe extern "C" fn allocate(size: usize, record: *const c_void) -> *mut c_void {
    // SAFETY: an allocator's record.
    let space = unsafe { &*record.cast::<Record>() }.space;
    let device = match space {
        OF_DEFAULT_DEVICE => default_device(),
        space => {
            // SAFETY: otherwise an allocator's space is a record, which is never freed, with at
            // least one resource.
            let first = unsafe { *(*(space as *const Space)).resources };
            Some(first).filter(|&number| played::is_device(number))
        }
    };
    device.map_or(core::ptr::null_mut(), |device| played::give(device, size))
}

pub(crate) unsafe extern "C" fn free(block: *mut c_void, _record: *const c_void) {
    // The default device may be another one by now.
    let _ = (0..played::count()).any(|device| played::take(device, block));
}
