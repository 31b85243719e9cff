//! Device tracing of 2016: the functions that a device's lookup gives, for devices that this
//! runtime plays. Both variants have ids in their records.
//!
//! A construct's begin and end have no record in that text; operations, regions and maps have.
#![allow(non_upper_case_globals)]

mod records;

use crate::earlier::entry_points::Lookup;
use crate::earlier::tool::tool;
use crate::entry::by_name;
use crate::entry::put;
use crate::trace::{self, Functions, Request, Traced, device_of};
use core::ffi::{CStr, c_char, c_int, c_void};
use omphalos_abi::earlier::ompt2016::*;
use omphalos_abi::earlier::trace2016::*;
use omphalos_events::{Kind, SLOTS, inquiry};
use omphalos_sys::clock;

const DOCUMENTATION: &CStr =
    c"A device that the host plays (OMPHALOS_DEVICES): target regions run \
on it with memory of its own. Times are nanoseconds; ompt_target_translate_time gives seconds of \
omp_get_wtime. Recorded are target_data, target_submit and target_data_map; there are no native \
records. Buffer callbacks come one at a time on a thread of the runtime's.";

/// The lookup function of each slot's devices.
static LOOKUP: [Lookup; SLOTS] = [lookup::<0>, lookup::<1>, lookup::<2>, lookup::<3>];

/// The kinds of events from which records are made.
pub const KINDS: u64 = Kind::TargetDataOp.bit() | Kind::TargetSubmit.bit() | Kind::TargetMap.bit();

/// `ompt_target_get_device_info`. Returns false if there is no such device, or this runtime does
/// not play it.
pub unsafe extern "C" fn get_device_info<const SLOT: usize>(
    device: i32,
    kind: *mut *const c_char,
    handle: *mut *mut c_void,
    lookup: *mut Option<Lookup>,
    documentation: *mut *const c_char,
) -> bool {
    let played = inquiry().map_or(0, |engine| (engine.played_devices)());
    if !tool(SLOT).may_inquire() || !(0..played).contains(&device) {
        return false;
    }
    // SAFETY: the tool's output pointers.
    unsafe {
        put(kind, c"host".as_ptr());
        put(handle, trace::handle(device));
        put(lookup, Some(LOOKUP[SLOT]));
        put(documentation, DOCUMENTATION.as_ptr());
    }
    true
}

unsafe extern "C" fn lookup<const SLOT: usize>(name: *const c_char) -> *const c_void {
    if name.is_null() {
        return core::ptr::null();
    }
    // SAFETY: the tool passes a zero-terminated string.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    let found = by_name!(name, {
        "ompt_target_get_time" => get_time::<SLOT> as *const c_void,
        "ompt_target_translate_time" => translate_time as *const c_void,
        "ompt_target_set_trace_ompt" => set_trace_ompt::<SLOT> as *const c_void,
        "ompt_target_set_trace_native" => set_trace_native as *const c_void,
        "ompt_target_start_trace" => start_trace::<SLOT> as *const c_void,
        "ompt_target_pause_trace" => pause_trace::<SLOT> as *const c_void,
        "ompt_target_stop_trace" => stop_trace::<SLOT> as *const c_void,
        "ompt_target_advance_buffer_cursor" => records::advance as *const c_void,
        "ompt_target_buffer_get_record_type" => records::kind as *const c_void,
        "ompt_target_buffer_get_record_ompt" => records::record as *const c_void,
        "ompt_target_buffer_get_record_native" => records::native as *const c_void,
        "ompt_target_buffer_get_record_native_abstract" => records::abstracted as *const c_void,
    });
    found.unwrap_or(core::ptr::null())
}

/// Returns the device of a handle, while the tool is attached.
fn device<const SLOT: usize>(handle: *const c_void) -> Option<i32> {
    device_of(handle).filter(|_| tool(SLOT).may_inquire())
}

unsafe extern "C" fn get_time<const SLOT: usize>(at: *const c_void) -> u64 {
    device::<SLOT>(at).map_or(ompt_time_none, |_| clock::nanoseconds())
}

unsafe extern "C" fn translate_time(_at: *const c_void, time: u64) -> f64 {
    clock::seconds_of(time)
}

/// The third argument is an event's number, 0 for all.
unsafe extern "C" fn set_trace_ompt<const SLOT: usize>(
    at: *const c_void,
    enable: bool,
    event: ompt_event_t,
) -> c_int {
    let Some(device) = device::<SLOT>(at) else { return SET_ERROR };
    let recorded = [
        (ompt_event_target_data, Traced::DataOp),
        (ompt_event_target_submit, Traced::Submit),
        (ompt_event_target_data_map, Traced::Map),
    ];
    let mut known = false;
    for (number, traced) in recorded {
        if event == 0 || event == number {
            known = true;
            trace::wanted(SLOT, device, traced, if enable { number as u32 } else { 0 });
        }
    }
    match event {
        0 => SET_SOMETIMES,
        _ if known => SET_ALWAYS,
        ompt_event_thread_begin..=ompt_event_flush => SET_IMPOSSIBLE,
        _ => SET_ERROR,
    }
}

/// There are no native records.
unsafe extern "C" fn set_trace_native(_at: *const c_void, _enable: bool, _flags: u32) -> c_int {
    SET_NEVER
}

/// The callback as later texts have it, except that its last argument is a `bool`.
type Complete = unsafe extern "C" fn(c_int, *mut c_void, usize, u64, c_int);

unsafe extern "C" fn start_trace<const SLOT: usize>(
    at: *const c_void,
    request: Option<Request>,
    complete: Option<Complete>,
    _get_info: *const c_void,
) -> bool {
    let (Some(device), Some(request), Some(complete)) = (device::<SLOT>(at), request, complete)
    else {
        return false;
    };
    let functions = Functions { form: &records::FORM, request, complete };
    let started = trace::start(SLOT, device, functions);
    tool(SLOT).attach_slot(SLOT);
    started
}

unsafe extern "C" fn pause_trace<const SLOT: usize>(at: *const c_void, pause: bool) -> bool {
    device::<SLOT>(at).is_some_and(|device| trace::pause(SLOT, device, pause))
}

unsafe extern "C" fn stop_trace<const SLOT: usize>(at: *const c_void) -> bool {
    let stopped = device::<SLOT>(at).is_some_and(|device| trace::stop(SLOT, device));
    tool(SLOT).attach_slot(SLOT);
    stopped
}
