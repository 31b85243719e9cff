//! Device routines: numbers, memory, copies. `mapped.rs` has the routines about host memory that
//! devices have.
//!
//! The devices other than the host are those that the host plays (`OMPHALOS_DEVICES`), with numbers
//! from 0 on. Their memory is in the same address space, so a copy to a device is an ordinary copy.
//! The host has the number after the last device of LLVM's device library, if the program brings
//! that library (0 otherwise); also -1 (`omp_initial_device`) and -5 (GCC's `omp_default_device`).
//! A program with that library finds the device routines there; those here then know the host only.

use super::names::{meet_first, queries};
use core::ffi::{c_int, c_void};
use omphalos_engine::target::devices::{count as devices, is_host};
use omphalos_engine::target::{self, Ends, played};
use omphalos_engine::{Caller, caller};
use omphalos_events::TargetOp;
use omphalos_sys::{heap, needed, warning};

const SUCCESS: i32 = 0;
const INVALID: i32 = libc::EINVAL;

/// Returns the device that the calling code runs on, if it is not the host.
fn on_device() -> Option<c_int> {
    played::running_on()
}

/// Whether the calling code can reach this device's memory.
fn reaches(device: c_int) -> bool {
    is_host(device) || played::is_device(device)
}

/// Returns the host's number, for tools.
fn host() -> c_int {
    target::library::devices()
}

/// Returns a device's number, for tools. They know the host by one number only.
pub(super) fn shown(device: c_int) -> c_int {
    if played::is_device(device) { device } else { host() }
}

/// Returns [`devices`] for a routine, which may be the program's first contact with OpenMP.
fn devices_met() -> c_int {
    meet_first();
    devices()
}

queries! {
    /// Devices other than the host.
    omp_get_num_devices, omp_get_num_devices_ -> i32 = devices_met();
    /// The device that the call runs on.
    omp_get_device_num, omp_get_device_num_ -> i32 = on_device().unwrap_or_else(devices_met);
    /// The host's number.
    omp_get_initial_device, omp_get_initial_device_ -> i32 = devices_met();
    /// Whether the call runs on the host.
    omp_is_initial_device, omp_is_initial_device_ -> i32 = {
        meet_first();
        i32::from(on_device().is_none())
    };
}

unsafe extern "C" fn alloc(size: usize, device: c_int) -> *mut c_void {
    let caller = caller();
    let played = played::is_device(device);
    // For 0 bytes LLVM's runtime gives null, GCC's a block; the standard leaves it open.
    let none = size == 0 && needed::llvm();
    if !played && !is_host(device) || none {
        return core::ptr::null_mut();
    }
    let act = || if played { played::give(device, size) } else { heap::get(size) };
    let ends = Ends { source: core::ptr::null(), destination: core::ptr::null(), bytes: size };
    let on = || (host(), shown(device));
    target::data_op(TargetOp::Alloc, ends, on, caller, act, |&made, ends| ends.destination = made)
}

unsafe extern "C" fn free(memory: *mut c_void, device: c_int) {
    let caller = caller();
    if reaches(device) {
        // The program passes an address that `omp_target_alloc` returned for the same device, or
        // null.
        let act = || match played::is_device(device) {
            true if memory.is_null() || played::take(device, memory) => {}
            true => warning!(
                "omp_target_free: {memory:p} is no block of device {device}, nothing is freed"
            ),
            // SAFETY: as above.
            false => unsafe { heap::free(memory) },
        };
        let bytes = if played::is_device(device) { played::length(device, memory) } else { 0 };
        let ends = Ends { source: memory, destination: core::ptr::null(), bytes };
        let on = || (shown(device), host());
        target::data_op(TargetOp::Delete, ends, on, caller, act, |(), _| {});
    }
}

omphalos_sys::entries! {
    /// `size` bytes on a device; null if there is no such device or no memory.
    omp_target_alloc => alloc;
    /// Frees memory that `omp_target_alloc` gave for the same device.
    omp_target_free => free;
    /// Copies between blocks at offsets. Returns 0 if both devices exist.
    omp_target_memcpy => memcpy;
    /// Sets bytes; returns the memory.
    omp_target_memset => memset;
}

unsafe extern "C" fn memcpy(
    to: *mut c_void,
    from: *const c_void,
    length: usize,
    to_offset: usize,
    from_offset: usize,
    to_device: c_int,
    from_device: c_int,
) -> c_int {
    let caller = caller();
    let on = (to_device, from_device);
    // SAFETY: the program's promise.
    unsafe { copy(to, from, length, (to_offset, from_offset), on, caller) }
}

/// Returns the operation that tools are told for a copy between these devices.
fn direction(from: c_int, to: c_int) -> TargetOp {
    match (played::is_device(from), played::is_device(to)) {
        (false, true) => TargetOp::TransferToDevice,
        (true, false) => TargetOp::TransferFromDevice,
        _ => TargetOp::Transfer,
    }
}

/// Copies. Returns 0 if both devices exist. `offsets`: the destination's, then the source's.
///
/// # Safety
/// The two blocks must be valid for `length` bytes at their offsets.
pub(super) unsafe fn copy(
    to: *mut c_void,
    from: *const c_void,
    length: usize,
    offsets: (usize, usize),
    (to_device, from_device): (c_int, c_int),
    caller: Caller,
) -> c_int {
    // LLVM's runtime copies 0 bytes between any devices, and refuses null. GCC's refuses devices
    // that do not exist, and dereferences null. The standard refuses both.
    let null = length != 0 && (to.is_null() || from.is_null());
    if !reaches(to_device) || !reaches(from_device) || null {
        return INVALID;
    }
    let (to, from) = (to.wrapping_byte_add(offsets.0), from.wrapping_byte_add(offsets.1));
    let act = || {
        if length != 0 {
            // SAFETY: the caller's promise; the blocks may overlap.
            unsafe { played::copy(to as usize, from as usize, length, (to_device, from_device)) };
        }
        SUCCESS
    };
    let ends = Ends { source: from, destination: to, bytes: length };
    let on = || (shown(from_device), shown(to_device));
    let op = direction(from_device, to_device);
    target::data_op(op, ends, on, caller, act, |_, _| {})
}

unsafe extern "C" fn memset(
    memory: *mut c_void,
    value: c_int,
    count: usize,
    device: c_int,
) -> *mut c_void {
    let caller = caller();
    // SAFETY: the program's promise.
    unsafe { fill(memory, value, count, device, caller) }
}

/// Sets bytes; returns `memory`.
///
/// # Safety
/// `memory` must be valid for `count` writes.
pub(super) unsafe fn fill(
    memory: *mut c_void,
    value: c_int,
    count: usize,
    device: c_int,
    caller: Caller,
) -> *mut c_void {
    // Nothing is written to null, as in LLVM's runtime; the standard leaves it open.
    if reaches(device) && !memory.is_null() {
        // SAFETY: the caller's promise.
        let act = || unsafe { played::fill(memory as usize, value as u8, count, device) };
        let ends = Ends { source: core::ptr::null(), destination: memory, bytes: count };
        let on = || (host(), shown(device));
        target::data_op(TargetOp::Memset, ends, on, caller, act, |(), _| {});
    }
    memory
}

/// A part of an array of `rank` dimensions on either side of a copy.
struct Part {
    offsets: *const usize,
    dimensions: *const usize,
}

/// Copies a rectangular part. With two null pointers, returns the greatest number of dimensions.
///
/// # Safety
/// The arrays must have `rank` elements, and the parts that they describe must be valid memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_target_memcpy_rect(
    to: *mut c_void,
    from: *const c_void,
    element: usize,
    rank: c_int,
    volume: *const usize,
    to_offsets: *const usize,
    from_offsets: *const usize,
    to_dimensions: *const usize,
    from_dimensions: *const usize,
    to_device: c_int,
    from_device: c_int,
) -> c_int {
    if to.is_null() && from.is_null() {
        return i32::MAX;
    }
    // LLVM's runtime refuses null, as this one does; GCC's dereferences it.
    let lists = [volume, to_offsets, from_offsets, to_dimensions, from_dimensions];
    let null = to.is_null() || from.is_null() || lists.iter().any(|list| list.is_null());
    if !reaches(to_device) || !reaches(from_device) || rank < 1 || null {
        return INVALID;
    }
    let ends = Ends { source: from, destination: to, bytes: 0 };
    played::watch::routine(TargetOp::TransferRect, &ends, (from_device, to_device), Caller::NONE);
    let to_part = Part { offsets: to_offsets, dimensions: to_dimensions };
    let from_part = Part { offsets: from_offsets, dimensions: from_dimensions };
    let (rank, devices) = (rank as usize, (to_device, from_device));
    // SAFETY: the caller's promise.
    unsafe {
        copy_part(
            (to as usize, from as usize),
            element,
            rank,
            volume,
            (to_part, from_part),
            devices,
        )
    };
    played::watch::routine_ends();
    SUCCESS
}

/// # Safety
/// As for `omp_target_memcpy_rect`.
unsafe fn copy_part(
    (to, from): (usize, usize),
    element: usize,
    rank: usize,
    volume: *const usize,
    (to_part, from_part): (Part, Part),
    devices: (c_int, c_int),
) {
    // SAFETY: the caller promises `rank` elements everywhere.
    unsafe {
        let inner: usize = (1..rank).map(|i| *to_part.dimensions.add(i)).product();
        let to_stride = element * inner;
        let inner: usize = (1..rank).map(|i| *from_part.dimensions.add(i)).product();
        let from_stride = element * inner;
        let to = to + *to_part.offsets * to_stride;
        let from = from + *from_part.offsets * from_stride;
        if rank == 1 {
            return played::copy(to, from, element * *volume, devices);
        }
        let deeper =
            |part: &Part| Part { offsets: part.offsets.add(1), dimensions: part.dimensions.add(1) };
        for i in 0..*volume {
            let places = (to + i * to_stride, from + i * from_stride);
            let parts = (deeper(&to_part), deeper(&from_part));
            copy_part(places, element, rank - 1, volume.add(1), parts, devices);
        }
    }
}

/// LLVM: `OMP_TARGET_OFFLOAD` as 0 disabled, 1 default, 2 mandatory.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_get_target_offload() -> c_int {
    omphalos_settings::ensure();
    omphalos_settings::settings().target_offload() as c_int
}

/// GCC: the address on the current device of a function that the host calls indirectly.
#[unsafe(no_mangle)]
pub extern "C" fn GOMP_target_map_indirect_ptr(function: *mut c_void) -> *mut c_void {
    function
}
