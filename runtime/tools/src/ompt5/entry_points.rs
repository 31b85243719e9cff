//! The functions that a tool gets by name: OpenMP 6.0 chapter 33.
//!
//! One set for each slot, made by the const parameter. Those that the specification calls
//! async-signal-safe only read the engine's table and the slot's records.

use super::tool::{Phase, tool};
use super::{callbacks, start, states, translate};
use crate::entry::{by_name, put, put_next};
use core::ffi::{CStr, c_char, c_int, c_void};
use omphalos_abi::ompt::*;
use omphalos_events::{Inquiry, SLOTS, State, become_partner, inquiry};

/// The lookup function of each slot.
pub static LOOKUP: [ompt_function_lookup_t; SLOTS] =
    [lookup::<0>, lookup::<1>, lookup::<2>, lookup::<3>];

/// `ompt_function_lookup_t`: null for a name that is not an entry point of the host.
unsafe extern "C" fn lookup<const SLOT: usize>(name: *const c_char) -> Option<ompt_interface_fn_t> {
    if name.is_null() {
        return None;
    }
    crate::handed_on::uses(name as usize);
    // SAFETY: the tool passes a zero-terminated string.
    let name = unsafe { CStr::from_ptr(name) };
    let address = by_name!(name.to_bytes(), {
        "ompt_enumerate_states" => enumerate_states as ompt_enumerate_states_t as usize,
        "ompt_enumerate_mutex_impls" => {
            enumerate_mutex_impls as ompt_enumerate_mutex_impls_t as usize
        },
        "ompt_set_callback" => set_callback::<SLOT> as ompt_set_callback_t as usize,
        "ompt_get_callback" => get_callback::<SLOT> as ompt_get_callback_t as usize,
        "ompt_get_thread_data" => get_thread_data::<SLOT> as ompt_get_thread_data_t as usize,
        "ompt_get_num_procs" => get_num_procs as ompt_get_num_procs_t as usize,
        "ompt_get_num_places" => get_num_places as ompt_get_num_places_t as usize,
        "ompt_get_place_proc_ids" => get_place_proc_ids as ompt_get_place_proc_ids_t as usize,
        "ompt_get_place_num" => get_place_num as ompt_get_place_num_t as usize,
        "ompt_get_partition_place_nums" => {
            get_partition_place_nums as ompt_get_partition_place_nums_t as usize
        },
        "ompt_get_proc_id" => get_proc_id::<SLOT> as ompt_get_proc_id_t as usize,
        "ompt_get_state" => get_state as ompt_get_state_t as usize,
        "ompt_get_parallel_info" => {
            get_parallel_info::<SLOT> as ompt_get_parallel_info_t as usize
        },
        "ompt_get_task_info" => get_task_info::<SLOT> as ompt_get_task_info_t as usize,
        "ompt_get_task_memory" => get_task_memory as ompt_get_task_memory_t as usize,
        "ompt_get_target_info" => get_target_info as ompt_get_target_info_t as usize,
        "ompt_get_num_devices" => get_num_devices as ompt_get_num_devices_t as usize,
        "ompt_get_unique_id" => get_unique_id as ompt_get_unique_id_t as usize,
        "ompt_finalize_tool" => finalize_tool::<SLOT> as ompt_finalize_tool_t as usize,
        // Only this runtime has these functions, and only for one tool.
        "omphalos_quiet_counts" => {
            for_partner(SLOT, quiet_counts as omphalos_quiet_counts_t as usize)?
        },
        "omphalos_sums" => for_partner(SLOT, sums as omphalos_sums_fn_t as usize)?,
        "omphalos_summed" => for_partner(SLOT, summed as omphalos_summed_t as usize)?,
        "omphalos_wish" => for_partner(SLOT, wish as omphalos_wish_t as usize)?,
    })?;
    // SAFETY: the address of a function; the tool casts it back to the type that its name has.
    Some(unsafe { core::mem::transmute::<usize, ompt_interface_fn_t>(address) })
}

/// Returns the address, if the tool in the slot is the one that has this runtime for a partner.
fn for_partner(slot: usize, address: usize) -> Option<usize> {
    become_partner(slot).then_some(address)
}

/// Returns the engine's table for the tool in `SLOT`; `None` once the tool has ended (or declined).
/// Such a tool has no words any more, and must not get those of the slot's next tool through an
/// entry point that it kept.
#[inline(always)]
fn engine<const SLOT: usize>() -> Option<&'static Inquiry> {
    match tool(SLOT).phase() {
        Phase::Initialising | Phase::Active => inquiry(),
        Phase::Free | Phase::Ended => None,
    }
}

/// Returns the tool's array as a slice, empty if it gave none.
///
/// # Safety
/// `ids` is null or valid for writes of `size` integers for as long as the slice is used.
unsafe fn array<'a>(size: c_int, ids: *mut c_int) -> &'a mut [c_int] {
    match usize::try_from(size) {
        // SAFETY: the caller's promise; integers have no invalid values.
        Ok(size) if !ids.is_null() => unsafe { core::slice::from_raw_parts_mut(ids, size) },
        _ => &mut [],
    }
}

unsafe extern "C" fn enumerate_states(
    current: c_int,
    next: *mut c_int,
    name: *mut *const c_char,
) -> c_int {
    // SAFETY: the tool's output pointers.
    unsafe { put_next(states::next_state(current), next, name) }
}

unsafe extern "C" fn enumerate_mutex_impls(
    current: c_int,
    next: *mut c_int,
    name: *mut *const c_char,
) -> c_int {
    // SAFETY: the tool's output pointers.
    unsafe { put_next(states::next_mutex(current), next, name) }
}

unsafe extern "C" fn set_callback<const SLOT: usize>(
    event: ompt_callbacks_t,
    callback: Option<ompt_callback_t>,
) -> ompt_set_result_t {
    crate::handed_on::uses(callback.map_or(0, |callback| callback as usize));
    callbacks::set(SLOT, event, callback)
}

unsafe extern "C" fn get_callback<const SLOT: usize>(
    event: ompt_callbacks_t,
    callback: *mut Option<ompt_callback_t>,
) -> c_int {
    let Some(function) = callbacks::get(SLOT, event) else { return 0 };
    // SAFETY: the tool's output pointer.
    unsafe { put(callback, Some(function)) };
    1
}

unsafe extern "C" fn get_thread_data<const SLOT: usize>() -> *mut ompt_data_t {
    let Some(engine) = engine::<SLOT>() else { return core::ptr::null_mut() };
    // SAFETY: the engine gives null or the calling thread's identity, which outlives the thread.
    unsafe { (engine.thread)().as_ref() }
        .map_or(core::ptr::null_mut(), |thread| translate::data(thread, SLOT))
}

unsafe extern "C" fn get_num_procs() -> c_int {
    inquiry().map_or(0, |engine| (engine.num_procs)())
}

unsafe extern "C" fn get_num_places() -> c_int {
    inquiry().map_or(0, |engine| (engine.num_places)())
}

unsafe extern "C" fn get_place_proc_ids(place: c_int, size: c_int, ids: *mut c_int) -> c_int {
    // SAFETY: the tool's array of that size.
    let ids = unsafe { array(size, ids) };
    inquiry().map_or(0, |engine| (engine.place_proc_ids)(place, ids))
}

unsafe extern "C" fn get_place_num() -> c_int {
    inquiry().map_or(-1, |engine| (engine.place_num)())
}

unsafe extern "C" fn get_partition_place_nums(size: c_int, nums: *mut c_int) -> c_int {
    // SAFETY: the tool's array of that size.
    let nums = unsafe { array(size, nums) };
    inquiry().map_or(0, |engine| (engine.partition_place_nums)(nums))
}

unsafe extern "C" fn get_proc_id<const SLOT: usize>() -> c_int {
    match engine::<SLOT>() {
        // A thread that OpenMP does not know has no processor, as in other runtimes.
        Some(engine) if !(engine.thread)().is_null() => (engine.proc_id)(),
        _ => -1,
    }
}

unsafe extern "C" fn get_state(wait_id: *mut ompt_wait_id_t) -> c_int {
    let (mut state, wait) = inquiry().map_or((State::UNDEFINED, 0), |engine| (engine.state)());
    if state == State::UNDEFINED {
        // A thread that OpenMP does not know yet: it is the program's, outside all regions, and
        // would be an initial thread if it called the runtime. Tools know this answer from LLVM's
        // runtime.
        state = State::WORK_SERIAL;
    }
    // SAFETY: the tool's output pointer.
    unsafe { put(wait_id, wait) };
    state.omp()
}

unsafe extern "C" fn get_parallel_info<const SLOT: usize>(
    level: c_int,
    parallel_data: *mut *mut ompt_data_t,
    team_size: *mut c_int,
) -> c_int {
    let (Some(engine), Ok(level)) = (engine::<SLOT>(), u32::try_from(level)) else { return 0 };
    let (available, region) = (engine.region)(level);
    let Some(region) = region else { return available };
    // SAFETY: the engine's region is null or lives while the calling thread is in it.
    let word = unsafe { region.region.as_ref() }
        .map_or(core::ptr::null_mut(), |region| translate::data(region, SLOT));
    // SAFETY: the tool's output pointers.
    unsafe {
        put(parallel_data, word);
        put(team_size, region.team_size);
    }
    available
}

unsafe extern "C" fn get_task_info<const SLOT: usize>(
    level: c_int,
    flags: *mut c_int,
    task_data: *mut *mut ompt_data_t,
    task_frame: *mut *mut ompt_frame_t,
    parallel_data: *mut *mut ompt_data_t,
    thread_num: *mut c_int,
) -> c_int {
    let (Some(engine), Ok(level)) = (engine::<SLOT>(), u32::try_from(level)) else { return 0 };
    let (available, info) = (engine.task)(level);
    let Some(info) = info else { return available };
    // SAFETY: the engine's task is null or lives while it is on the calling thread's stack of
    // tasks.
    let task = unsafe { info.task.as_ref() };
    // SAFETY: the same holds for its region.
    let region = unsafe { info.region.as_ref() };
    // SAFETY: the tool's output pointers.
    unsafe {
        put(flags, info.flags as c_int);
        put(task_data, task.map_or(core::ptr::null_mut(), |t| translate::task_data(t, SLOT)));
        put(task_frame, task.map_or(core::ptr::null_mut(), |t| translate::frame(t).cast_mut()));
        put(parallel_data, region.map_or(core::ptr::null_mut(), |r| translate::data(r, SLOT)));
        put(thread_num, info.thread_num);
    }
    available
}

unsafe extern "C" fn get_task_memory(
    address: *mut *mut c_void,
    size: *mut usize,
    block: c_int,
) -> c_int {
    let (at, bytes, more) = inquiry().map_or((0, 0, false), |engine| (engine.task_memory)(block));
    // SAFETY: the tool's output pointers.
    unsafe {
        put(address, at as *mut c_void);
        put(size, bytes);
    }
    more as c_int
}

/// Writes the target construct that the calling thread executes, and its operation in progress.
unsafe extern "C" fn get_target_info(
    device_num: *mut u64,
    target_id: *mut ompt_id_t,
    host_op_id: *mut ompt_id_t,
) -> c_int {
    let Some(info) = inquiry().and_then(|engine| (engine.target)()) else {
        return 0;
    };
    // SAFETY: the tool's output pointers.
    unsafe {
        put(device_num, info.device as u64);
        put(target_id, info.target);
        put(host_op_id, info.operation);
    }
    1
}

/// Returns the answer of `omp_get_num_devices`: the number of devices other than the host.
unsafe extern "C" fn get_num_devices() -> c_int {
    inquiry().map_or(0, |engine| (engine.num_devices)())
}

unsafe extern "C" fn get_unique_id() -> u64 {
    inquiry().map_or(ompt_id_none, |engine| (engine.unique_id)())
}

/// Returns the calling thread's counts of quiet tasks; null on a thread that OpenMP does not know.
unsafe extern "C" fn quiet_counts() -> *mut omphalos_quiet_t {
    let notes = inquiry().and_then(|engine| (engine.notes)());
    notes.map_or(core::ptr::null_mut(), |notes| (&raw const notes.tasks).cast_mut().cast())
}

/// Returns the calling thread's sums of regions; null on a thread that OpenMP does not know.
unsafe extern "C" fn sums() -> *mut omphalos_sums_t {
    let notes = inquiry().and_then(|engine| (engine.notes)());
    notes.map_or(core::ptr::null_mut(), |notes| (&raw const notes.sums).cast_mut().cast())
}

unsafe extern "C" fn summed(thread_num: *mut u32) -> u64 {
    let (word, number) = inquiry().map_or((0, 0), |engine| (engine.summed)());
    // SAFETY: the tool's output pointer.
    unsafe { put(thread_num, number) };
    word
}

unsafe extern "C" fn wish(wishes: u32) -> u32 {
    omphalos_events::wishes::wish(wishes)
}

unsafe extern "C" fn finalize_tool<const SLOT: usize>() {
    start::end_early(SLOT, tool(SLOT));
}
