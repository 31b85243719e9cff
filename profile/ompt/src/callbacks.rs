//! OMPT's callbacks for a tool: each makes the event's structure and calls the tool's method.
//!
//! What must hold: each function here has the signature that OMPT has for its number; the types of
//! `omphalos_abi` check that.

#![allow(non_upper_case_globals)]

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

macro_rules! callback {
    ($signature:ident => $function:expr) => {{
        let function: $signature = $function;
        // SAFETY: only the runtime calls it, as the type that the number stands for.
        Some(unsafe { transmute::<$signature, ompt_callback_t>(function) })
    }};
}

/// Returns the callback of an event's number.
pub(crate) fn callback<T: Attached>(number: ompt_callbacks_t) -> Option<ompt_callback_t> {
    macro_rules! table {
        ($($(#[$meta:meta])* $name:ident $fields:tt $(by $hand:ident)? => {
            $($(#[$doc:meta])* $event:ident $method:ident = $of_event:ident: $signature:ident;)*
        })*) => {
            match number {
                $($($of_event => callback!($signature => $method::<T>),)*)*
                ompt_callback_control_tool => {
                    callback!(ompt_callback_control_tool_t => control_tool::<T>)
                }
                ompt_callback_device_finalize => {
                    callback!(ompt_callback_device_finalize_t => device_finalize::<T>)
                }
                ompt_callback_device_unload => {
                    callback!(ompt_callback_device_unload_t => device_unload::<T>)
                }
                ompt_callback_target => {
                    callback!(ompt_callback_target_t => target_by_id::<T>)
                }
                ompt_callback_target_data_op => {
                    callback!(ompt_callback_target_data_op_t => target_data_op_by_id::<T>)
                }
                ompt_callback_target_submit => {
                    callback!(ompt_callback_target_submit_t => target_submit_by_id::<T>)
                }
                ompt_callback_target_map => {
                    callback!(ompt_callback_target_map_t => target_map_by_id::<T>)
                }
                _ => None,
            }
        };
    }
    rows!(table)
}

/// Defines the callbacks of the rows whose parameters are the fields of their structures.
macro_rules! of_rows {
    ($($(#[$meta:meta])* $name:ident $fields:tt $(by $hand:ident)? => $events:tt)*) => {
        $(of_rows!(@row $name $fields $(by $hand)? => $events);)*
    };
    (@row $name:ident $fields:tt by hand => $events:tt) => {};
    (@row $name:ident $fields:tt => {
        $($(#[$doc:meta])* $event:ident $method:ident = $number:ident: $signature:ident;)*
    }) => { $(of_rows!(@callback $method $name $fields);)* };
    (@callback $method:ident $name:ident {
        $($(#[$of_field:meta])* $field:ident: $type:ty $(= $raw:ty)?,)*
    }) => {
        // Some structures lend nothing.
        #[allow(clippy::extra_unused_lifetimes)]
        unsafe extern "C" fn $method<'a, T: Attached>(
            $($field: of_rows!(@raw $type $(= $raw)?)),*
        ) {
            // SAFETY: the runtime's own arguments, good for the length of the call.
            let event = unsafe {
                $name { $($field: of_rows!(@value $field $type $(= $raw)?),)* inside: PhantomData }
            };
            call::<T, ()>((), |tool| tool.$method(event));
        }
    };
    (@raw $type:ty) => { <$type as Lent>::Raw };
    (@raw $type:ty = $raw:ty) => { $raw };
    (@value $field:ident $type:ty) => { <$type as Lent>::lent($field) };
    (@value $field:ident $type:ty = $raw:ty) => { $field as $type };
}

rows!(of_rows);

/// Defines callbacks: the C parameters, then the tool's event, and its method if that has another
/// name than the callback.
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
    dependences(task: Data, list: *const ompt_dependence_t, count: c_int) => Dependences {
        task: Word::new(task), list: DependenceList(slice(list, count))
    };
    dispatch(region: Data, task: Data, kind: ompt_dispatch_t, instance: ompt_data_t) => Dispatch {
        region: Word::new(region), task: Word::new(task), kind: DispatchKind::from(kind),
        instance: Instance::new(DispatchKind::from(kind), instance.value)
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
