//! OMPT's callbacks for a tool: each makes the event's structure and calls the tool's method.
//!
//! What must hold: the signature of each function here is the one that OMPT has for the number it
//! stands at in [`callback`]; the types of `omphalos_abi` check that.

use crate::attach::{Attached, call};
use crate::device::Device;
use crate::event::*;
use crate::kinds::*;
use crate::raw::{items, slice, text};
use crate::word::Word;
use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::marker::PhantomData;
use core::mem::transmute;
use omphalos_abi::ompt::*;

type Data = *mut ompt_data_t;
type Code = *const c_void;

/// The callback of an event's number.
pub(crate) fn callback<T: Attached>(number: ompt_callbacks_t) -> Option<ompt_callback_t> {
    macro_rules! table {
        ($($number:ident: $type:ident => $function:expr,)*) => {
            match number {
                $(number if number == $number => {
                    let function: $type = $function;
                    // SAFETY: only the runtime calls it, as the type that the number stands for.
                    Some(unsafe { transmute::<$type, ompt_callback_t>(function) })
                })*
                _ => None,
            }
        };
    }
    table! {
        ompt_callback_thread_begin: ompt_callback_thread_begin_t => thread_begin::<T>,
        ompt_callback_thread_end: ompt_callback_thread_end_t => thread_end::<T>,
        ompt_callback_parallel_begin: ompt_callback_parallel_begin_t => parallel_begin::<T>,
        ompt_callback_parallel_end: ompt_callback_parallel_end_t => parallel_end::<T>,
        ompt_callback_implicit_task: ompt_callback_implicit_task_t => implicit_task::<T>,
        ompt_callback_task_create: ompt_callback_task_create_t => task_create::<T>,
        ompt_callback_task_schedule: ompt_callback_task_schedule_t => task_schedule::<T>,
        ompt_callback_dependences: ompt_callback_dependences_t => dependences::<T>,
        ompt_callback_task_dependence: ompt_callback_task_dependence_t => task_dependence::<T>,
        ompt_callback_work: ompt_callback_work_t => work::<T>,
        ompt_callback_dispatch: ompt_callback_dispatch_t => dispatch::<T>,
        ompt_callback_masked: ompt_callback_masked_t => masked::<T>,
        ompt_callback_sync_region: ompt_callback_sync_region_t => sync_region::<T>,
        ompt_callback_sync_region_wait: ompt_callback_sync_region_t => sync_region_wait::<T>,
        ompt_callback_reduction: ompt_callback_sync_region_t => reduction::<T>,
        ompt_callback_lock_init: ompt_callback_mutex_acquire_t => lock_init::<T>,
        ompt_callback_lock_destroy: ompt_callback_mutex_t => lock_destroy::<T>,
        ompt_callback_mutex_acquire: ompt_callback_mutex_acquire_t => mutex_acquire::<T>,
        ompt_callback_mutex_acquired: ompt_callback_mutex_t => mutex_acquired::<T>,
        ompt_callback_mutex_released: ompt_callback_mutex_t => mutex_released::<T>,
        ompt_callback_nest_lock: ompt_callback_nest_lock_t => nest_lock::<T>,
        ompt_callback_flush: ompt_callback_flush_t => flush::<T>,
        ompt_callback_cancel: ompt_callback_cancel_t => cancel::<T>,
        ompt_callback_control_tool: ompt_callback_control_tool_t => control_tool::<T>,
        ompt_callback_error: ompt_callback_error_t => error::<T>,
        ompt_callback_device_initialize:
            ompt_callback_device_initialize_t => device_initialize::<T>,
        ompt_callback_device_finalize: ompt_callback_device_finalize_t => device_finalize::<T>,
        ompt_callback_target_emi: ompt_callback_target_emi_t => target::<T>,
        ompt_callback_target_data_op_emi: ompt_callback_target_data_op_emi_t => target_data_op::<T>,
        ompt_callback_target_submit_emi: ompt_callback_target_submit_emi_t => target_submit::<T>,
        ompt_callback_target_map_emi: ompt_callback_target_map_emi_t => target_map::<T>,
        ompt_callback_device_load: ompt_callback_device_load_t => device_load::<T>,
        ompt_callback_device_unload: ompt_callback_device_unload_t => device_unload::<T>,
        ompt_callback_target: ompt_callback_target_t => target_by_id::<T>,
        ompt_callback_target_data_op: ompt_callback_target_data_op_t => target_data_op_by_id::<T>,
        ompt_callback_target_submit: ompt_callback_target_submit_t => target_submit_by_id::<T>,
        ompt_callback_target_map: ompt_callback_target_map_t => target_map_by_id::<T>,
    }
}

/// Defines callbacks: the C parameters, then the tool's event, and its method if that is not called
/// as the callback is.
macro_rules! callbacks {
    ($($function:ident($($parameter:ident: $type:ty),*) $(as $method:ident)? => $event:ident {
        $($field:ident: $value:expr),*
    };)*) => {$(
        unsafe extern "C" fn $function<T: Attached>($($parameter: $type),*) {
            // SAFETY: the runtime's own arguments, good for the length of the call.
            #[allow(unused_unsafe)]
            let event = unsafe { $event { $($field: $value,)* inside: PhantomData } };
            call::<T, ()>((), |tool| callbacks!(@method tool event $function $($method)?));
        }
    )*};
    (@method $tool:ident $event:ident $function:ident) => { $tool.$function($event) };
    (@method $tool:ident $event:ident $function:ident $method:ident) => { $tool.$method($event) };
}

callbacks! {
    thread_begin(kind: ompt_thread_t, thread: Data) => ThreadBegin {
        kind: ThreadKind::from(kind), thread: Word::new(thread)
    };
    thread_end(thread: Data) => ThreadEnd { thread: Word::new(thread) };
    parallel_begin(
        task: Data, frame: *const ompt_frame_t, region: Data, requested: c_uint, flags: c_int,
        codeptr: Code
    ) => ParallelBegin {
        task: Word::new(task), frame: LentFrame(frame, PhantomData), region: Word::new(region),
        requested: requested, flags: ParallelFlags::from(flags), codeptr: codeptr as u64
    };
    parallel_end(region: Data, task: Data, flags: c_int, codeptr: Code) => ParallelEnd {
        region: Word::new(region), task: Word::new(task), flags: ParallelFlags::from(flags),
        codeptr: codeptr as u64
    };
    implicit_task(
        endpoint: ompt_scope_endpoint_t, region: Data, task: Data, team_size: c_uint, index: c_uint,
        flags: c_int
    ) => ImplicitTask {
        endpoint: Endpoint::from(endpoint), region: Word::new(region), task: Word::new(task),
        team_size: team_size, index: index, flags: TaskFlags::from(flags)
    };
    task_create(
        encountering: Data, frame: *const ompt_frame_t, task: Data, flags: c_int,
            dependences: c_int,
        codeptr: Code
    ) => TaskCreate {
        encountering: Word::new(encountering), frame: LentFrame(frame, PhantomData),
        task: Word::new(task), flags: TaskFlags::from(flags), has_dependences: dependences != 0,
        codeptr: codeptr as u64
    };
    task_schedule(prior: Data, status: ompt_task_status_t, next: Data) => TaskSchedule {
        prior: Word::new(prior), status: TaskStatus::from(status), next: Word::new(next)
    };
    dependences(task: Data, list: *const ompt_dependence_t, count: c_int) => Dependences {
        task: Word::new(task), list: DependenceList(slice(list, count))
    };
    task_dependence(source: Data, sink: Data) => TaskDependence {
        source: Word::new(source), sink: Word::new(sink)
    };
    work(
        kind: ompt_work_t, endpoint: ompt_scope_endpoint_t, region: Data, task: Data, count: u64,
        codeptr: Code
    ) => Work {
        kind: WorkKind::from(kind), endpoint: Endpoint::from(endpoint), region: Word::new(region),
        task: Word::new(task), count: count, codeptr: codeptr as u64
    };
    dispatch(region: Data, task: Data, kind: ompt_dispatch_t, instance: ompt_data_t) => Dispatch {
        region: Word::new(region), task: Word::new(task), kind: DispatchKind::from(kind),
        instance: Instance::new(DispatchKind::from(kind), instance.value)
    };
    masked(endpoint: ompt_scope_endpoint_t, region: Data, task: Data, codeptr: Code) => Masked {
        endpoint: Endpoint::from(endpoint), region: Word::new(region), task: Word::new(task),
        codeptr: codeptr as u64
    };
    sync_region(
        kind: ompt_sync_region_t, endpoint: ompt_scope_endpoint_t, region: Data, task: Data,
        codeptr: Code
    ) => SyncRegion {
        kind: SyncKind::from(kind), endpoint: Endpoint::from(endpoint), region: Word::new(region),
        task: Word::new(task), codeptr: codeptr as u64
    };
    sync_region_wait(
        kind: ompt_sync_region_t, endpoint: ompt_scope_endpoint_t, region: Data, task: Data,
        codeptr: Code
    ) => SyncRegion {
        kind: SyncKind::from(kind), endpoint: Endpoint::from(endpoint), region: Word::new(region),
        task: Word::new(task), codeptr: codeptr as u64
    };
    reduction(
        kind: ompt_sync_region_t, endpoint: ompt_scope_endpoint_t, region: Data, task: Data,
        codeptr: Code
    ) => SyncRegion {
        kind: SyncKind::from(kind), endpoint: Endpoint::from(endpoint), region: Word::new(region),
        task: Word::new(task), codeptr: codeptr as u64
    };
    lock_init(
        kind: ompt_mutex_t, hint: c_uint, implementation: c_uint, wait_id: ompt_wait_id_t,
        codeptr: Code
    ) => MutexAcquire {
        kind: MutexKind::from(kind), hint: hint, implementation: implementation, wait_id: wait_id,
        codeptr: codeptr as u64
    };
    lock_destroy(kind: ompt_mutex_t, wait_id: ompt_wait_id_t, codeptr: Code) => Mutex {
        kind: MutexKind::from(kind), wait_id: wait_id, codeptr: codeptr as u64
    };
    mutex_acquire(
        kind: ompt_mutex_t, hint: c_uint, implementation: c_uint, wait_id: ompt_wait_id_t,
        codeptr: Code
    ) => MutexAcquire {
        kind: MutexKind::from(kind), hint: hint, implementation: implementation, wait_id: wait_id,
        codeptr: codeptr as u64
    };
    mutex_acquired(kind: ompt_mutex_t, wait_id: ompt_wait_id_t, codeptr: Code) => Mutex {
        kind: MutexKind::from(kind), wait_id: wait_id, codeptr: codeptr as u64
    };
    mutex_released(kind: ompt_mutex_t, wait_id: ompt_wait_id_t, codeptr: Code) => Mutex {
        kind: MutexKind::from(kind), wait_id: wait_id, codeptr: codeptr as u64
    };
    nest_lock(endpoint: ompt_scope_endpoint_t, wait_id: ompt_wait_id_t, codeptr: Code) => NestLock {
        endpoint: Endpoint::from(endpoint), wait_id: wait_id, codeptr: codeptr as u64
    };
    flush(thread: Data, codeptr: Code) => Flush {
        thread: Word::new(thread), codeptr: codeptr as u64
    };
    cancel(task: Data, flags: c_int, codeptr: Code) => Cancel {
        task: Word::new(task), flags: CancelFlags::from(flags), codeptr: codeptr as u64
    };
    error(severity: ompt_severity_t, message: *const c_char, length: usize,
        codeptr: Code) => Error {
        severity: Severity::from(severity), message: text(message, length), codeptr: codeptr as u64
    };
    device_initialize(
        device: c_int, kind: *const c_char, handle: *mut ompt_device_t,
        lookup: Option<ompt_function_lookup_t>, documentation: *const c_char
    ) => DeviceInitialize {
        device: device, kind: if kind.is_null() { None } else { Some(CStr::from_ptr(kind)) },
        traced: lookup.map(|lookup| Device::new(device, handle, lookup)),
        documentation: match documentation.is_null() {
            true => None,
            false => Some(CStr::from_ptr(documentation)),
        }
    };
    target(
        kind: ompt_target_t, endpoint: ompt_scope_endpoint_t, device: c_int, task: Data,
        target_task: Data, target: Data, codeptr: Code
    ) => Target {
        kind: TargetKind::from(kind), endpoint: Endpoint::from(endpoint), device: device,
        task: Word::new(task), target_task: Word::new(target_task), target: Word::new(target),
        id: 0, codeptr: codeptr as u64
    };
    target_data_op(
        endpoint: ompt_scope_endpoint_t, target_task: Data, target: Data,
            _host_op_id: *mut ompt_id_t,
        kind: ompt_target_data_op_t, source: *mut c_void, source_device: c_int,
        destination: *mut c_void, destination_device: c_int, bytes: usize, codeptr: Code
    ) => TargetDataOp {
        endpoint: Endpoint::from(endpoint), target_task: Word::new(target_task),
        target: Word::new(target), id: 0, kind: DataOpKind::from(kind), source: source as u64,
        source_device: source_device, destination: destination as u64,
        destination_device: destination_device, bytes: bytes, codeptr: codeptr as u64
    };
    target_submit(
        endpoint: ompt_scope_endpoint_t, target: Data, _host_op_id: *mut ompt_id_t,
        requested_teams: c_uint
    ) => TargetSubmit {
        endpoint: Endpoint::from(endpoint), target: Word::new(target), id: 0,
        requested_teams: requested_teams
    };
    target_map(
        target: Data, count: c_uint, host: *mut *mut c_void, device: *mut *mut c_void,
        bytes: *mut usize, flags: *mut c_uint, codeptr: Code
    ) => TargetMap {
        target: Word::new(target), id: 0, items: items(count, host, device, bytes, flags),
        codeptr: codeptr as u64
    };
    device_load(
        device: c_int, file: *const c_char, offset_in_file: i64, address_in_file: *mut c_void,
        bytes: usize, host_address: *mut c_void, device_address: *mut c_void, module: u64
    ) => DeviceLoad {
        device: device, file: if file.is_null() { None } else { Some(CStr::from_ptr(file)) },
        offset_in_file: offset_in_file, address_in_file: address_in_file as u64, bytes: bytes,
        host_address: host_address as u64, device_address: device_address as u64, module: module
    };
    target_by_id(
        kind: ompt_target_t, endpoint: ompt_scope_endpoint_t, device: c_int, task: Data,
        id: ompt_id_t, codeptr: Code
    ) as target => Target {
        kind: TargetKind::from(kind), endpoint: Endpoint::from(endpoint), device: device,
        task: Word::new(task), target_task: Word::none(), target: Word::none(), id: id,
        codeptr: codeptr as u64
    };
    target_data_op_by_id(
        id: ompt_id_t, _host_op_id: ompt_id_t, kind: ompt_target_data_op_t, source: *mut c_void,
        source_device: c_int, destination: *mut c_void, destination_device: c_int, bytes: usize,
        codeptr: Code
    ) as target_data_op => TargetDataOp {
        endpoint: Endpoint::BeginEnd, target_task: Word::none(), target: Word::none(), id: id,
        kind: DataOpKind::from(kind), source: source as u64, source_device: source_device,
        destination: destination as u64, destination_device: destination_device, bytes: bytes,
        codeptr: codeptr as u64
    };
    target_submit_by_id(id: ompt_id_t, _host_op_id: ompt_id_t, requested_teams: c_uint)
        as target_submit => TargetSubmit {
        endpoint: Endpoint::Begin, target: Word::none(), id: id, requested_teams: requested_teams
    };
    target_map_by_id(
        id: ompt_id_t, count: c_uint, host: *mut *mut c_void, device: *mut *mut c_void,
        bytes: *mut usize, flags: *mut c_uint, codeptr: Code
    ) as target_map => TargetMap {
        target: Word::none(), id: id, items: items(count, host, device, bytes, flags),
        codeptr: codeptr as u64
    };
}

unsafe extern "C" fn device_unload<T: Attached>(device: c_int, module: u64) {
    call::<T, ()>((), |tool| tool.device_unload(device, module));
}

unsafe extern "C" fn control_tool<T: Attached>(
    command: u64,
    modifier: u64,
    argument: *mut c_void,
    codeptr: Code,
) -> c_int {
    let codeptr = codeptr as u64;
    let event = ControlTool { command, modifier, argument, codeptr, inside: PhantomData };
    call::<T, c_int>(-1, |tool| tool.control_tool(event))
}

unsafe extern "C" fn device_finalize<T: Attached>(device: c_int) {
    call::<T, ()>((), |tool| tool.device_finalize(device));
}
