//! The callbacks of target constructs: each in two forms, of which a tool registers one.
//!
//! The older form has ids of the runtime's, the newer one (OpenMP 5.1) words of the tool's.

use super::tool::tool;
use super::translate::{call, data, task_data};
use core::ffi::{c_int, c_uint, c_void};
use omphalos_abi::ompt::*;
use omphalos_events::{Endpoint, Event, Identity, MapItems, TargetOp};
use std::sync::atomic::Ordering;

/// The host, which is the only device.
const HOST: c_int = 0;

/// Delivers what happens in target constructs; other events have no callback in 5.x: idle and mutex
/// waits are states, the end is the finalizer.
pub fn notify(slot: usize, event: &Event<'_>) {
    match *event {
        Event::Target { kind, endpoint, task, target, codeptr } => {
            let (kind, endpoint, task) = (kind as c_int, endpoint as c_int, task_data(task, slot));
            let code = codeptr as *const c_void;
            call!(
                slot,
                ompt_callback_target_emi,
                ompt_callback_target_emi_t,
                (kind, endpoint, HOST, task, core::ptr::null_mut(), data(target, slot), code)
            );
            call!(
                slot,
                ompt_callback_target,
                ompt_callback_target_t,
                (kind, endpoint, HOST, task, id(target), code)
            );
        }
        Event::TargetSubmit { endpoint, target, operation, teams } => {
            let mut word = operation;
            call!(
                slot,
                ompt_callback_target_submit_emi,
                ompt_callback_target_submit_emi_t,
                (endpoint as c_int, data(target, slot), &raw mut word, teams)
            );
            if endpoint == Endpoint::Begin {
                call!(
                    slot,
                    ompt_callback_target_submit,
                    ompt_callback_target_submit_t,
                    (id(target), operation, teams)
                );
            }
        }
        Event::TargetMap { target, items, codeptr } => map(slot, target, items, codeptr),
        Event::TargetDataOp {
            endpoint,
            target,
            operation,
            op,
            source,
            destination,
            bytes,
            codeptr,
        } => {
            let (from, to) = (source.cast_mut(), destination.cast_mut());
            let code = codeptr as *const c_void;
            let mut word = operation;
            let null = core::ptr::null_mut();
            let target_data = target.map_or(null, |target| data(target, slot));
            call!(
                slot,
                ompt_callback_target_data_op_emi,
                ompt_callback_target_data_op_emi_t,
                (
                    endpoint as c_int,
                    null,
                    target_data,
                    &raw mut word,
                    op as c_int,
                    from,
                    HOST,
                    to,
                    HOST,
                    bytes,
                    code
                )
            );
            // Once: memory must still be there, or be there already.
            let once = if op == TargetOp::Delete { Endpoint::Begin } else { Endpoint::End };
            if endpoint == once {
                let target = target.map_or(ompt_id_none, id);
                call!(
                    slot,
                    ompt_callback_target_data_op,
                    ompt_callback_target_data_op_t,
                    (target, operation, op as c_int, from, HOST, to, HOST, bytes, code)
                );
            }
        }
        _ => {}
    }
}

fn map(slot: usize, target: &Identity, items: MapItems<'_>, codeptr: u64) {
    let count = items.addresses.len() as c_uint;
    // The signature has no const: the tool reads only.
    let addresses = items.addresses.as_ptr().cast_mut();
    let (sizes, flags) = (items.sizes.as_ptr().cast_mut(), items.flags.as_ptr().cast_mut());
    let code = codeptr as *const c_void;
    call!(
        slot,
        ompt_callback_target_map_emi,
        ompt_callback_target_map_emi_t,
        (data(target, slot), count, addresses, addresses, sizes, flags, code)
    );
    call!(
        slot,
        ompt_callback_target_map,
        ompt_callback_target_map_t,
        (id(target), count, addresses, addresses, sizes, flags, code)
    );
}

fn id(target: &Identity) -> ompt_id_t {
    target.id.load(Ordering::Relaxed)
}
