//! `target` in GCC's interface: on the host, where data stays where it is, or on a device.

mod device;
mod driven;
mod host;
mod kinds;
mod later;

use crate::shared::device::chosen;
use core::ffi::{c_int, c_uint, c_ushort, c_void};
use device::{NOWAIT, On};
pub use host::words;
use host::{NOTHING, data, limits, run, run_with};
use kinds::Items;
use omphalos_engine::target::played::Limits;
use omphalos_engine::{Caller, caller};
use omphalos_events::TargetKind;

type Region = Option<unsafe extern "C" fn(*mut c_void)>;

/// The flag of `target exit data`.
const EXIT_DATA: c_uint = 2;

/// Executes a `target` region of GCC's older interface, which has no kinds that tools could read.
unsafe extern "C" fn target(
    device: c_int,
    body: Region,
    _unused: *const c_void,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut u8,
) {
    let caller = caller();
    if let Some(device) = chosen(device) {
        // SAFETY: GCC's code passes a function that may be called with the addresses, and arrays of
        // `count` elements.
        return unsafe {
            let kinds = device::widened(kinds, count);
            let items = Items { count, addresses, sizes, kinds: kinds.as_ptr() };
            On { device, kind: TargetKind::Target, caller }.region(body, items, Limits::default());
        };
    }
    let Some(body) = body else { return };
    // SAFETY: GCC's code passes a function that may be called with the addresses.
    unsafe { run(TargetKind::Target, caller, Limits::default(), |_, _| {}, body, addresses) };
}

/// Executes a `target` region, once its dependences are complete. On the host a region with
/// `nowait` still runs here and now, as an undeferred task may.
unsafe extern "C" fn target_ext(
    device: c_int,
    body: Region,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut c_ushort,
    flags: c_uint,
    dependences: *mut *mut c_void,
    arguments: *mut *mut c_void,
) {
    let caller = caller();
    let kind = if flags & NOWAIT != 0 { TargetKind::TargetNowait } else { TargetKind::Target };
    let items = Items { count, addresses, sizes, kinds };
    // SAFETY: GCC's code passes a function that may be called with the addresses, arrays of `count`
    // elements, and dependences in libgomp's form or null.
    unsafe {
        if let Some(device) = chosen(device) {
            let (on, limit) = (On { device, kind, caller }, limits(arguments));
            if flags & NOWAIT != 0 {
                return later::leave(on, Some((body, limit)), items, dependences);
            }
            wait_for(dependences, caller);
            return on.region(body, items, limit);
        }
        if let (true, Some(body)) = (flags & NOWAIT != 0 && later::is_told(), body) {
            return later::here(caller, limits(arguments), body, items, dependences);
        }
        wait_for(dependences, caller);
        let Some(body) = body else { return };
        let limit = limits(arguments);
        run_with(kind, caller, limit, body, items);
    }
}

/// # Safety
/// `dependences` is null or in libgomp's form.
unsafe fn wait_for(dependences: *mut *mut c_void, caller: Caller) {
    if !dependences.is_null() {
        // SAFETY: the caller's promise.
        unsafe { super::task::wait_on(dependences, caller) };
    }
}

/// Executes a construct without a region on a device, or leaves it to a task.
///
/// # Safety
/// The arrays hold `count` elements; `dependences` is null or in libgomp's form.
unsafe fn on_device(on: On, items: Items, flags: c_uint, dependences: *mut *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe {
        if flags & NOWAIT != 0 {
            return later::leave(on, None, items, dependences);
        }
        wait_for(dependences, on.caller);
        on.data(items);
    }
}

unsafe extern "C" fn target_data(
    device: c_int,
    _unused: *const c_void,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut u8,
) {
    let caller = caller();
    if let Some(device) = chosen(device) {
        // SAFETY: GCC's code passes arrays of `count` elements.
        return unsafe {
            let kinds = device::widened(kinds, count);
            let items = Items { count, addresses, sizes, kinds: kinds.as_ptr() };
            On { device, kind: TargetKind::EnterData, caller }.begin_data(items);
        };
    }
    device::begin_host_data();
    // SAFETY: no items.
    unsafe { data(TargetKind::EnterData, NOTHING, caller) };
}

unsafe extern "C" fn target_data_ext(
    device: c_int,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut c_ushort,
) {
    let caller = caller();
    if let Some(device) = chosen(device) {
        let items = Items { count, addresses, sizes, kinds };
        // SAFETY: GCC's code passes arrays of `count` elements.
        return unsafe { On { device, kind: TargetKind::EnterData, caller }.begin_data(items) };
    }
    device::begin_host_data();
    // SAFETY: GCC's code passes arrays of `count` elements.
    unsafe { data(TargetKind::EnterData, Items { count, addresses, sizes, kinds }, caller) };
}

unsafe extern "C" fn target_end_data() {
    let caller = caller();
    if device::end_data(caller) {
        return;
    }
    // SAFETY: no items.
    unsafe { data(TargetKind::ExitData, NOTHING, caller) };
}

unsafe extern "C" fn target_update(
    device: c_int,
    _unused: *const c_void,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut u8,
) {
    let caller = caller();
    if let Some(device) = chosen(device) {
        // SAFETY: GCC's code passes arrays of `count` elements.
        return unsafe {
            let kinds = device::widened(kinds, count);
            let items = Items { count, addresses, sizes, kinds: kinds.as_ptr() };
            On { device, kind: TargetKind::Update, caller }.data(items);
        };
    }
    // SAFETY: no items.
    unsafe { data(TargetKind::Update, NOTHING, caller) };
}

unsafe extern "C" fn target_update_ext(
    device: c_int,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut c_ushort,
    flags: c_uint,
    dependences: *mut *mut c_void,
) {
    let caller = caller();
    let kind = if flags & NOWAIT != 0 { TargetKind::UpdateNowait } else { TargetKind::Update };
    // SAFETY: GCC's code passes arrays of `count` elements and dependences in libgomp's form or
    // null.
    unsafe {
        if let Some(device) = chosen(device) {
            let (on, items) =
                (On { device, kind, caller }, Items { count, addresses, sizes, kinds });
            return on_device(on, items, flags, dependences);
        }
        wait_for(dependences, caller);
        data(kind, Items { count, addresses, sizes, kinds }, caller);
    }
}

unsafe extern "C" fn target_enter_exit_data(
    device: c_int,
    count: usize,
    addresses: *mut *mut c_void,
    sizes: *mut usize,
    kinds: *mut c_ushort,
    flags: c_uint,
    dependences: *mut *mut c_void,
) {
    let caller = caller();
    let kind = match (flags & EXIT_DATA != 0, flags & NOWAIT != 0) {
        (false, false) => TargetKind::EnterData,
        (false, true) => TargetKind::EnterDataNowait,
        (true, false) => TargetKind::ExitData,
        (true, true) => TargetKind::ExitDataNowait,
    };
    // SAFETY: as above.
    unsafe {
        if let Some(device) = chosen(device) {
            let (on, items) =
                (On { device, kind, caller }, Items { count, addresses, sizes, kinds });
            return on_device(on, items, flags, dependences);
        }
        wait_for(dependences, caller);
        data(kind, Items { count, addresses, sizes, kinds }, caller);
    }
}

omphalos_sys::entries! {
    /// A `target` region (GOMP_4.0).
    GOMP_target => target;
    /// A `target` region (GOMP_4.5).
    GOMP_target_ext => target_ext;
    /// Begins `target data` (GOMP_4.0): nothing to move.
    GOMP_target_data => target_data;
    /// Begins `target data` (GOMP_4.5): nothing to move.
    GOMP_target_data_ext => target_data_ext;
    /// Ends `target data` (GOMP_4.0).
    GOMP_target_end_data => target_end_data;
    /// `target update` (GOMP_4.0): nothing to move.
    GOMP_target_update => target_update;
    /// `target update` (GOMP_4.5): waits for its dependences; nothing to move.
    GOMP_target_update_ext => target_update_ext;
    /// `target enter data` and `target exit data` (GOMP_4.5): wait for their dependences.
    GOMP_target_enter_exit_data => target_enter_exit_data;
}
