//! Calls the callbacks of target constructs. Each has two forms, and a tool registers one of them.
//!
//! The older form has the runtime's ids, the newer one (OpenMP 5.1) the tool's words. A tool that
//! registers both gets only the newer one.

use super::device;
use super::translate::{call, data, task_data};
use crate::trace::{self, Names, tell_noted};
use core::ffi::{c_int, c_uint, c_void};
use omphalos_abi::ompt::*;
use omphalos_events::{DeviceEvent, Endpoint, Event, Identity, MapItems, SLOTS, TargetOp, inquiry};
use std::sync::atomic::Ordering;

/// Tells of target constructs and their operations, and records them if the tool traces the device.
/// Other events have no callback in 5.x: idle and mutex waits are states, the end is the finalizer.
pub fn tell_event(slot: usize, event: &Event<'_>) {
    // In 5.x a construct tells its maps once.
    if let Event::TargetMap { ends: true, .. } = event {
        return;
    }
    let notes = inquiry().and_then(|engine| (engine.notes)());
    trace::note_before(slot, Names::Words, event);
    if let Event::Device(DeviceEvent::Finalize { device }) = *event {
        // The tool has all records before it loses the device.
        trace::end(slot, device);
    }
    tell_noted(notes, || tell_construct(slot, event));
    trace::note_behind(slot, Names::Words, event);
}

/// The word in place of a target task's word, which the events of constructs do not have. The text
/// allows a null pointer there. LLVM's library gives a word, and tools that know that library read
/// it, among them its own tests.
const EMPTY: ompt_data_t = ompt_data_t { value: 0 };

fn tell_construct(slot: usize, event: &Event<'_>) {
    match *event {
        Event::Target { kind, endpoint, device, task, target, codeptr } => {
            let (kind, endpoint, task) = (kind as c_int, endpoint as c_int, task_data(task, slot));
            let code = codeptr as *const c_void;
            let mut own = EMPTY;
            let newer = call!(
                slot,
                ompt_callback_target_emi,
                ompt_callback_target_emi_t,
                (kind, endpoint, device, task, &raw mut own, data(target, slot), code)
            );
            if newer.is_none() {
                call!(
                    slot,
                    ompt_callback_target,
                    ompt_callback_target_t,
                    (kind, endpoint, device, task, id(target), code)
                );
            }
        }
        Event::TargetSubmit { endpoint, target, operation, teams } => {
            let newer = call!(
                slot,
                ompt_callback_target_submit_emi,
                ompt_callback_target_submit_emi_t,
                (endpoint as c_int, data(target, slot), operation.word(slot), teams)
            );
            if newer.is_none() && endpoint == Endpoint::Begin {
                call!(
                    slot,
                    ompt_callback_target_submit,
                    ompt_callback_target_submit_t,
                    (id(target), id(operation), teams)
                );
            }
        }
        Event::TargetMap { target, items, codeptr, .. } => map(slot, target, items, codeptr),
        Event::Device(event) => of_device(slot, event),
        Event::TargetDataOp {
            endpoint,
            target,
            operation,
            op,
            source,
            destination,
            devices: (from_device, to_device),
            bytes,
            codeptr,
        } => {
            let goes = matches!(op, TargetOp::Delete | TargetOp::DeleteAsync);
            let (from, to) = (source.cast_mut(), after(op, destination).cast_mut());
            let code = codeptr as *const c_void;
            // Outside of a construct, the callback gets an empty word for it, too.
            let (mut task, mut none) = (EMPTY, EMPTY);
            let target_data = target.map_or(&raw mut none, |target| data(target, slot));
            let newer = call!(
                slot,
                ompt_callback_target_data_op_emi,
                ompt_callback_target_data_op_emi_t,
                (
                    endpoint as c_int,
                    &raw mut task,
                    target_data,
                    operation.word(slot),
                    op as c_int,
                    from,
                    from_device,
                    to,
                    to_device,
                    bytes,
                    code
                )
            );
            // The older form is told once, when the memory still exists, or exists already.
            let once = if goes { Endpoint::Begin } else { Endpoint::End };
            if newer.is_none() && endpoint == once {
                let target = target.map_or(ompt_id_none, id);
                call!(
                    slot,
                    ompt_callback_target_data_op,
                    ompt_callback_target_data_op_t,
                    (
                        target,
                        id(operation),
                        op as c_int,
                        from,
                        from_device,
                        to,
                        to_device,
                        bytes,
                        code
                    )
                );
            }
        }
        _ => {}
    }
}

/// Returns the address of the data after an operation: null if they are deleted.
pub fn after(op: TargetOp, destination: *const c_void) -> *const c_void {
    let goes = matches!(op, TargetOp::Delete | TargetOp::DeleteAsync);
    if goes { core::ptr::null() } else { destination }
}

fn map(slot: usize, target: &Identity, items: MapItems<'_>, codeptr: u64) {
    let count = items.addresses.len() as c_uint;
    // The signature has no const, but the tool only reads.
    let addresses = items.addresses.as_ptr().cast_mut();
    let on_device = items.on_device.as_ptr().cast_mut();
    let (sizes, flags) = (items.sizes.as_ptr().cast_mut(), items.flags.as_ptr().cast_mut());
    let code = codeptr as *const c_void;
    let newer = call!(
        slot,
        ompt_callback_target_map_emi,
        ompt_callback_target_map_emi_t,
        (data(target, slot), count, addresses, on_device, sizes, flags, code)
    );
    if newer.is_none() {
        call!(
            slot,
            ompt_callback_target_map,
            ompt_callback_target_map_t,
            (id(target), count, addresses, on_device, sizes, flags, code)
        );
    }
}

/// Tells of the begin, the end and the code of a device.
fn of_device(slot: usize, event: DeviceEvent) {
    match event {
        DeviceEvent::Initialize { device, kind, handle, lookup, documentation } => {
            // SAFETY: a function of this type, as the library gave it, or 0 for none.
            let lookup: Option<ompt_function_lookup_t> =
                unsafe { core::mem::transmute::<usize, _>(lookup) };
            call!(
                slot,
                ompt_callback_device_initialize,
                ompt_callback_device_initialize_t,
                (device, kind, handle.cast(), lookup, documentation)
            );
        }
        DeviceEvent::Ready { device } => {
            call!(
                slot,
                ompt_callback_device_initialize,
                ompt_callback_device_initialize_t,
                (
                    device,
                    device::TYPE.as_ptr(),
                    trace::handle(device),
                    Some(device::LOOKUP[slot % SLOTS]),
                    device::DOCUMENTATION.as_ptr()
                )
            );
        }
        DeviceEvent::Finalize { device } => {
            call!(slot, ompt_callback_device_finalize, ompt_callback_device_finalize_t, (device));
        }
        DeviceEvent::Load { device, file, offset, in_file, bytes, on_host, on_device, module } => {
            call!(
                slot,
                ompt_callback_device_load,
                ompt_callback_device_load_t,
                (device, file, offset, in_file, bytes, on_host, on_device, module)
            );
        }
        DeviceEvent::Unload { device, module } => {
            call!(
                slot,
                ompt_callback_device_unload,
                ompt_callback_device_unload_t,
                (device, module)
            );
        }
    }
}

fn id(target: &Identity) -> ompt_id_t {
    target.id.load(Ordering::Relaxed)
}
