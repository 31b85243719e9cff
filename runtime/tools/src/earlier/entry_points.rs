//! The functions that a tool of 2014 or 2016 gets by name.
//!
//! There is one set for each slot, because the functions have no argument that names the tool. If
//! several generations have a name, it gives one function, which answers as the tool's generation
//! expects. All but registration are async-signal-safe.

use super::generation::Generation;
use super::ompt2016::{device, region_name, task_type};
use super::states;
use super::tool::tool;
use crate::entry::{by_name, put, put_next};
use crate::handed_on;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::sync::atomic::Ordering;
use omphalos_events::{Identity, Inquiry, RegionInfo, SLOTS, State, TaskInfo, inquiry};

/// `ompt_function_lookup_t`.
pub type Lookup = unsafe extern "C" fn(*const c_char) -> *const c_void;

/// The lookup function of each slot.
pub static LOOKUP: [Lookup; SLOTS] = [lookup::<0>, lookup::<1>, lookup::<2>, lookup::<3>];

/// Returns the function with this name; null for a name that none of these generations has.
unsafe extern "C" fn lookup<const SLOT: usize>(name: *const c_char) -> *const c_void {
    if name.is_null() {
        return core::ptr::null();
    }
    handed_on::uses(name as usize);
    // SAFETY: the tool passes a zero-terminated string.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    tool(SLOT).asked_for(name);
    let found = by_name!(name, {
        "ompt_set_callback" => set_callback::<SLOT> as *const c_void,
        "ompt_get_callback" => get_callback::<SLOT> as *const c_void,
        "ompt_get_state" => get_state::<SLOT> as *const c_void,
        "ompt_enumerate_state" => enumerate_states::<SLOT> as *const c_void,
        "ompt_enumerate_states" => enumerate_states::<SLOT> as *const c_void,
        "ompt_get_thread_id" => get_thread_id::<SLOT> as *const c_void,
        "ompt_get_thread_data" => get_thread_data::<SLOT> as *const c_void,
        // 2014
        "ompt_get_idle_frame" => get_idle_frame::<SLOT> as *const c_void,
        "ompt_get_parallel_id" => get_parallel_id::<SLOT> as *const c_void,
        "ompt_get_parallel_team_size" => get_parallel_team_size::<SLOT> as *const c_void,
        "ompt_get_task_id" => get_task_id::<SLOT> as *const c_void,
        "ompt_get_task_frame" => get_task_frame::<SLOT> as *const c_void,
        "ompt_idle" => ompt_idle as *const c_void,
        "ompt_overhead" => ompt_overhead as *const c_void,
        "ompt_barrier_wait" => ompt_barrier_wait as *const c_void,
        "ompt_task_wait" => ompt_task_wait as *const c_void,
        "ompt_mutex_wait" => ompt_mutex_wait as *const c_void,
        // 2016
        "ompt_enumerate_mutex_kinds" => enumerate_mutex_kinds as *const c_void,
        "ompt_get_parallel_info" => get_parallel_info::<SLOT> as *const c_void,
        "ompt_get_task_info" => get_task_info::<SLOT> as *const c_void,
        "ompt_get_target_info" => get_target_info as *const c_void,
        "ompt_target_get_device_info" => device::get_device_info::<SLOT> as *const c_void,
        "ompt_get_device_info" => device::get_device_info::<SLOT> as *const c_void,
        "ompt_target_get_device_id" => target_get_device_id as *const c_void,
        "ompt_get_num_devices" => get_num_devices as *const c_void,
    });
    found.unwrap_or(core::ptr::null())
}

/// Returns the engine's table, while the tool in `slot` may inquire.
pub fn engine(slot: usize) -> Option<&'static Inquiry> {
    if tool(slot).may_inquire() { inquiry() } else { None }
}

/// Returns the calling thread; `None` for one that OpenMP does not know.
pub fn thread(slot: usize) -> Option<&'static Identity> {
    // SAFETY: null, or the calling thread's identity, which outlives the thread.
    engine(slot).and_then(|engine| unsafe { (engine.thread)().as_ref() })
}

/// Returns the task at a level of the calling thread. In 2013 and 2014 the task above a task is its
/// maker; in later generations it is the task that the thread left for it.
pub fn task(slot: usize, level: c_int) -> Option<TaskInfo> {
    let (engine, level) = (engine(slot)?, u32::try_from(level).ok()?);
    match tool(slot).generation() {
        Generation::Y2013 | Generation::Y2014 => (engine.making_task)(level).1,
        Generation::Y2016Ids | Generation::Y2016Data => (engine.task)(level).1,
    }
}

/// Returns the region at a level.
pub fn region(slot: usize, level: c_int) -> Option<RegionInfo> {
    let (engine, level) = (engine(slot)?, u32::try_from(level).ok()?);
    (engine.region)(level).1
}

/// Returns the id of the region at a level; 0 outside of regions.
pub fn region_id(slot: usize, level: c_int) -> u64 {
    // SAFETY: the engine's region lives while the calling thread is in it.
    region(slot, level)
        .and_then(|info| unsafe { info.region.as_ref() })
        .map_or(0, |region| region.region_id())
}

/// Returns the state and the wait id of the calling thread, in the tool's numbers.
pub fn state(slot: usize) -> (c_int, u64) {
    let (state, wait_id) = engine(slot).map_or((State::UNDEFINED, 0), |engine| {
        let (state, mutex) = (engine.state)();
        (state, if mutex == 0 { awaited(engine, state) } else { mutex })
    });
    (states::number(tool(slot).generation(), state), wait_id)
}

/// Returns the object that a thread waits for if it waits for no mutex: the address of an object of
/// the runtime's, the same for all threads that wait for one thing. At a barrier it is the region,
/// in a taskwait the task, in a taskgroup a part of the task.
fn awaited(engine: &Inquiry, state: State) -> u64 {
    let task = || (engine.task)(0).1.map_or(core::ptr::null(), |info| info.task);
    match state {
        State::WAIT_TASKWAIT => task() as u64,
        State::WAIT_TASKGROUP if !task().is_null() => {
            // SAFETY: the engine's task lives while the calling thread is in it.
            unsafe { &raw const (*task()).frame as u64 }
        }
        state if states::is_barrier(state) => {
            (engine.region)(0).1.map_or(0, |info| info.region as u64)
        }
        _ => 0,
    }
}

unsafe extern "C" fn set_callback<const SLOT: usize>(event: c_int, callback: usize) -> c_int {
    tool(SLOT).register(SLOT, event, callback)
}

unsafe extern "C" fn get_callback<const SLOT: usize>(event: c_int, callback: *mut usize) -> c_int {
    let address = usize::try_from(event).map_or(0, |event| tool(SLOT).callback(event));
    if address == 0 {
        return 0;
    }
    // SAFETY: the tool's output pointer.
    unsafe { put(callback, address) };
    1
}

unsafe extern "C" fn get_state<const SLOT: usize>(wait_id: *mut u64) -> c_int {
    let (state, wait) = state(SLOT);
    // SAFETY: the tool's output pointer.
    unsafe { put(wait_id, wait) };
    state
}

unsafe extern "C" fn enumerate_states<const SLOT: usize>(
    current: c_int,
    next: *mut c_int,
    name: *mut *const c_char,
) -> c_int {
    // SAFETY: the tool's output pointers.
    unsafe { put_next(states::next_state(tool(SLOT).generation(), current), next, name) }
}

unsafe extern "C" fn enumerate_mutex_kinds(
    current: c_int,
    next: *mut c_int,
    name: *mut *const c_char,
) -> c_int {
    // SAFETY: the tool's output pointers.
    unsafe { put_next(states::next_mutex(current), next, name) }
}

unsafe extern "C" fn get_thread_id<const SLOT: usize>() -> u64 {
    thread(SLOT).map_or(0, |thread| thread.id.load(Ordering::Relaxed))
}

unsafe extern "C" fn get_thread_data<const SLOT: usize>() -> *mut u64 {
    thread(SLOT).map_or(core::ptr::null_mut(), |thread| thread.word(SLOT))
}

unsafe extern "C" fn get_idle_frame<const SLOT: usize>() -> u64 {
    engine(SLOT).map_or(0, |engine| (engine.idle_frame)())
}

unsafe extern "C" fn get_parallel_id<const SLOT: usize>(level: c_int) -> u64 {
    region_id(SLOT, level)
}

/// Returns the number of threads of the region at a level; -1 if there is no such level.
unsafe extern "C" fn get_parallel_team_size<const SLOT: usize>(level: c_int) -> c_int {
    region(SLOT, level).map_or(-1, |region| region.team_size)
}

unsafe extern "C" fn get_task_id<const SLOT: usize>(level: c_int) -> u64 {
    // SAFETY: the engine's task lives while it is on the calling thread's stack of tasks.
    task(SLOT, level)
        .and_then(|info| unsafe { info.task.as_ref() })
        .map_or(0, |task| task.identity.id.load(Ordering::Relaxed))
}

unsafe extern "C" fn get_task_frame<const SLOT: usize>(level: c_int) -> *const c_void {
    // SAFETY: as above.
    task(SLOT, level)
        .and_then(|info| unsafe { info.task.as_ref() })
        .map_or(core::ptr::null(), |task| (&raw const task.frame).cast())
}

/// Writes the information on the region at a level. Returns whether the level exists.
unsafe extern "C" fn get_parallel_info<const SLOT: usize>(
    level: c_int,
    parallel: *mut u64,
    team_size: *mut c_int,
) -> bool {
    let Some(info) = region(SLOT, level) else { return false };
    let by_id = tool(SLOT).generation() == Generation::Y2016Ids;
    // SAFETY: the engine's region lives while the calling thread is in it.
    let name = unsafe { info.region.as_ref() }.map_or(0, |region| region_name(SLOT, by_id, region));
    // SAFETY: the tool's output pointers.
    unsafe {
        put(parallel, name);
        put(team_size, info.team_size);
    }
    true
}

/// Writes the information on the task at a level. Returns whether the level exists.
unsafe extern "C" fn get_task_info<const SLOT: usize>(
    level: c_int,
    kind: *mut c_int,
    task_name: *mut u64,
    task_frame: *mut *const c_void,
    parallel: *mut u64,
    thread_num: *mut u32,
) -> bool {
    let Some(info) = task(SLOT, level) else { return false };
    let by_id = tool(SLOT).generation() == Generation::Y2016Ids;
    // SAFETY: the engine's task lives while it is on the calling thread's stack of tasks.
    let task = unsafe { info.task.as_ref() };
    let name = task.map_or(0, |task| {
        if by_id {
            task.identity.id.load(Ordering::Relaxed)
        } else {
            task.identity.word(SLOT) as u64
        }
    });
    let frame = task.map_or(core::ptr::null(), |task| (&raw const task.frame).cast());
    // SAFETY: the same holds for its region.
    let region =
        unsafe { info.region.as_ref() }.map_or(0, |region| region_name(SLOT, by_id, region));
    // SAFETY: the tool's output pointers.
    unsafe {
        put(kind, task_type(info.flags));
        put(task_name, name);
        put(task_frame, frame);
        put(parallel, region);
        put(thread_num, info.thread_num.max(0) as u32);
    }
    true
}

/// Writes the id of the target construct that the calling thread executes, and that of the
/// operation in progress; 0 for each that does not exist.
unsafe extern "C" fn get_target_info(target_id: *mut u64, host_op_id: *mut u64) -> bool {
    let info = inquiry().and_then(|engine| (engine.target)());
    let (target, operation) = info.map_or((0, 0), |info| (info.target, info.operation));
    // SAFETY: the tool's output pointers.
    unsafe {
        put(target_id, target);
        put(host_op_id, operation);
    }
    info.is_some()
}

/// Returns the device of the target construct that the calling thread executes, -1 outside of any.
unsafe extern "C" fn target_get_device_id() -> c_int {
    inquiry().and_then(|engine| (engine.target)()).map_or(-1, |info| info.device)
}

unsafe extern "C" fn get_num_devices() -> c_int {
    inquiry().map_or(0, |engine| (engine.num_devices)())
}

/// Functions that are never called. 2014's tools put them on top of a call stack, to show a
/// thread's work inside the runtime.
macro_rules! placeholders {
    ($($name:ident)*) => { $(
        extern "C" fn $name() {
            // Each function has a distinct text: the linker may merge equal functions, and each
            // needs its own address.
            core::hint::black_box(stringify!($name));
        }
    )* };
}
placeholders! { ompt_idle ompt_overhead ompt_barrier_wait ompt_task_wait ompt_mutex_wait }
