//! The device half of OMPT, for devices that this runtime plays: what a tool gets in
//! `device_initialize`, and the functions that its lookup function gives.
//!
//! Times are nanoseconds of the clock that `omp_get_wtime` reads. A record's ids are those that the
//! callbacks give: the values that a tool puts into its words (`_emi`) stand in its records too.

#![allow(non_upper_case_globals)]

mod records;
pub mod regions;

use super::callbacks::{answer, kinds_of, subscribe_anew};
use super::tool::{Phase, tool};
use crate::entry::by_name;
use crate::trace::{self, BUFFERS_AT_ONCE, Functions, RECOMMENDED_BYTES, Traced, device_of};
use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use omphalos_abi::ompt::*;
use omphalos_events::{Kind, SLOTS, inquiry};
use omphalos_sys::clock;

/// The device's type.
pub const TYPE: &CStr = c"Omphalos; host; 1";

/// The documentation that OpenMP wants for native tracing interfaces. This one is about all of
/// tracing.
pub const DOCUMENTATION: &CStr =
    c"A device that the host plays (OMPHALOS_DEVICES): target regions \
run on it with memory of its own. Times are nanoseconds; ompt_translate_time gives seconds of \
omp_get_wtime. Recorded are target, target_data_op, target_submit and target_map, in their older \
and their emi form, and what regions do on the device; there are no native records. Buffer \
callbacks come one at a time on a thread of the runtime's. omphalos_lost_records(device) gives \
the number of records that are lost, \
uint64_t.";

/// The lookup function of each slot's devices.
pub static LOOKUP: [ompt_function_lookup_t; SLOTS] =
    [lookup::<0>, lookup::<1>, lookup::<2>, lookup::<3>];

unsafe extern "C" fn lookup<const SLOT: usize>(name: *const c_char) -> Option<ompt_interface_fn_t> {
    if name.is_null() {
        return None;
    }
    // SAFETY: the tool passes a zero-terminated string.
    let name = unsafe { CStr::from_ptr(name) };
    let address = by_name!(name.to_bytes(), {
        "ompt_get_device_num_procs" => {
            get_device_num_procs::<SLOT> as ompt_get_device_num_procs_t as usize
        },
        "ompt_get_device_time" => get_device_time::<SLOT> as ompt_get_device_time_t as usize,
        "ompt_translate_time" => translate_time::<SLOT> as ompt_translate_time_t as usize,
        "ompt_set_trace_ompt" => set_trace_ompt::<SLOT> as ompt_set_trace_ompt_t as usize,
        "ompt_set_trace_native" => set_trace_native::<SLOT> as ompt_set_trace_native_t as usize,
        "ompt_get_buffer_limits" => get_buffer_limits::<SLOT> as ompt_get_buffer_limits_t as usize,
        "ompt_start_trace" => start_trace::<SLOT> as *const () as usize,
        "ompt_pause_trace" => pause_trace::<SLOT> as ompt_pause_trace_t as usize,
        "ompt_flush_trace" => flush_trace::<SLOT> as ompt_flush_trace_t as usize,
        "ompt_stop_trace" => stop_trace::<SLOT> as ompt_stop_trace_t as usize,
        "ompt_advance_buffer_cursor" => {
            records::advance_buffer_cursor as ompt_advance_buffer_cursor_t as usize
        },
        "ompt_get_record_type" => records::get_record_type as ompt_get_record_type_t as usize,
        "ompt_get_record_ompt" => records::get_record_ompt as ompt_get_record_ompt_t as usize,
        "ompt_get_record_native" => records::get_record_native as ompt_get_record_native_t as usize,
        "ompt_get_record_abstract" => {
            records::get_record_abstract as ompt_get_record_abstract_t as usize
        },
        // Only this runtime has this function.
        "omphalos_lost_records" => lost_records::<SLOT> as omphalos_lost_records_t as usize,
    })?;
    // SAFETY: the address of a function; the tool casts it back to the type that its name has.
    Some(unsafe { core::mem::transmute::<usize, ompt_interface_fn_t>(address) })
}

/// The kinds of events from which records of constructs are made.
pub const OF_CONSTRUCTS: u64 = Kind::Target.bit()
    | Kind::TargetDataOp.bit()
    | Kind::TargetSubmit.bit()
    | Kind::TargetMap.bit();

/// Returns the kinds of events from which the tool's records are made.
pub fn kinds(slot: usize) -> u64 {
    match trace::is_recording(slot) {
        true => OF_CONSTRUCTS | kinds_of(trace::recorded_of_regions(slot)),
        false => 0,
    }
}

/// Returns the kinds that have to come as events, because their events of regions are recorded.
pub fn regions_kinds(slot: usize) -> u64 {
    kinds_of(trace::recorded_of_regions(slot))
}

/// Returns the device of a handle, while its tool is attached.
fn device<const SLOT: usize>(device: *const ompt_device_t) -> Option<i32> {
    match tool(SLOT).phase() {
        Phase::Initialising | Phase::Active => device_of(device),
        Phase::Free | Phase::Ended => None,
    }
}

unsafe extern "C" fn get_device_num_procs<const SLOT: usize>(at: *mut ompt_device_t) -> c_int {
    let known = device::<SLOT>(at).and_then(|_| inquiry());
    known.map_or(0, |engine| (engine.num_procs)())
}

unsafe extern "C" fn get_device_time<const SLOT: usize>(
    at: *mut ompt_device_t,
) -> ompt_device_time_t {
    device::<SLOT>(at).map_or(ompt_time_none, |_| clock::nanoseconds())
}

unsafe extern "C" fn translate_time<const SLOT: usize>(
    _at: *mut ompt_device_t,
    time: ompt_device_time_t,
) -> f64 {
    clock::seconds_of(time)
}

/// Returns the events for which a number stands; none for a number whose events are not recorded.
fn events(number: c_uint) -> &'static [Traced] {
    match number as ompt_callbacks_t {
        0 => &Traced::ALL,
        ompt_callback_target | ompt_callback_target_emi => &[Traced::Target],
        ompt_callback_target_data_op | ompt_callback_target_data_op_emi => &[Traced::DataOp],
        ompt_callback_target_submit | ompt_callback_target_submit_emi => &[Traced::Submit],
        ompt_callback_target_map | ompt_callback_target_map_emi => &[Traced::Map],
        _ => &[],
    }
}

/// Returns the number under which an event is recorded if the tool names none: that of the form
/// that it registered, else that of the newer form.
fn number_of(slot: usize, event: Traced) -> ompt_callbacks_t {
    let (older, newer) = match event {
        Traced::Target => (ompt_callback_target, ompt_callback_target_emi),
        Traced::DataOp => (ompt_callback_target_data_op, ompt_callback_target_data_op_emi),
        Traced::Submit => (ompt_callback_target_submit, ompt_callback_target_submit_emi),
        Traced::Map => (ompt_callback_target_map, ompt_callback_target_map_emi),
    };
    let has = |number: ompt_callbacks_t| tool(slot).callback(number as usize) != 0;
    if has(older) && !has(newer) { older } else { newer }
}

unsafe extern "C" fn set_trace_ompt<const SLOT: usize>(
    at: *mut ompt_device_t,
    enable: c_uint,
    number: c_uint,
) -> ompt_set_result_t {
    let Some(device) = device::<SLOT>(at) else { return ompt_set_error };
    if number as usize >= CALLBACK_LIMIT {
        return ompt_set_error;
    }
    for &event in events(number) {
        let as_number = if number == 0 { number_of(SLOT, event) as u32 } else { number };
        trace::wanted(SLOT, device, event, if enable != 0 { as_number } else { 0 });
    }
    let regions = if number == 0 { regions::NUMBERS } else { regions::NUMBERS & 1 << number };
    if regions != 0 {
        trace::wanted_of_regions(SLOT, device, regions, enable != 0);
        subscribe_anew(SLOT);
    }
    match number {
        0 => ompt_set_sometimes,
        _ if regions != 0 => answer(number as usize),
        _ if events(number).is_empty() => ompt_set_impossible,
        _ => ompt_set_always,
    }
}

/// There are no native records.
unsafe extern "C" fn set_trace_native<const SLOT: usize>(
    at: *mut ompt_device_t,
    _enable: c_int,
    _flags: c_int,
) -> ompt_set_result_t {
    device::<SLOT>(at).map_or(ompt_set_error, |_| ompt_set_never)
}

unsafe extern "C" fn get_buffer_limits<const SLOT: usize>(
    _at: *mut ompt_device_t,
    most: *mut c_int,
    bytes: *mut usize,
) {
    // SAFETY: the tool's output pointers, which may be null.
    unsafe {
        if let Some(most) = most.as_mut() {
            *most = BUFFERS_AT_ONCE;
        }
        if let Some(bytes) = bytes.as_mut() {
            *bytes = RECOMMENDED_BYTES;
        }
    }
}

unsafe extern "C" fn start_trace<const SLOT: usize>(
    at: *mut ompt_device_t,
    request: Option<ompt_callback_buffer_request_t>,
    complete: Option<ompt_callback_buffer_complete_t>,
) -> c_int {
    let (Some(device), Some(request), Some(complete)) = (device::<SLOT>(at), request, complete)
    else {
        return 0;
    };
    let started = trace::start(SLOT, device, Functions { form: &records::FORM, request, complete });
    subscribe_anew(SLOT);
    c_int::from(started)
}

unsafe extern "C" fn pause_trace<const SLOT: usize>(
    at: *mut ompt_device_t,
    begin_pause: c_int,
) -> c_int {
    let known = device::<SLOT>(at);
    c_int::from(known.is_some_and(|device| trace::pause(SLOT, device, begin_pause != 0)))
}

unsafe extern "C" fn flush_trace<const SLOT: usize>(at: *mut ompt_device_t) -> c_int {
    let known = device::<SLOT>(at);
    c_int::from(known.is_some_and(|device| trace::flush(SLOT, device)))
}

unsafe extern "C" fn stop_trace<const SLOT: usize>(at: *mut ompt_device_t) -> c_int {
    let stopped = device::<SLOT>(at).is_some_and(|device| trace::stop(SLOT, device));
    subscribe_anew(SLOT);
    c_int::from(stopped)
}

unsafe extern "C" fn lost_records<const SLOT: usize>(at: *const c_void) -> u64 {
    device_of(at).map_or(0, |device| trace::lost(SLOT, device))
}
