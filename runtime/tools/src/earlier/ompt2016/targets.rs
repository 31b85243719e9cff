//! Tells of target constructs and their operations, in the terms of OMPT of 2016.
//!
//! Who calls: `tell_event` of the generation; records of traces take the terms from here too. A
//! transfer between two blocks of the host counts as one to the device, because nothing tells the
//! direction.
#![allow(non_upper_case_globals)]

use super::view::View;
use crate::earlier::call_tool::call_tool;
use crate::trace::{self, Names, tell_noted};
use core::sync::atomic::Ordering;
use omphalos_abi::earlier::ompt2016::*;
use omphalos_events::{Endpoint, Event, Identity, TargetOp, inquiry};

/// The flags of maps up to `delete`. The others are of later generations.
pub const KNOWN_FLAGS: u32 = 0x1f;

/// Returns the term for an operation in the texts of 2016, and the end of the operation at which
/// the tool is told; `None` if the texts have no term for it.
pub fn told_as(op: TargetOp) -> Option<(ompt_target_data_op_t, Endpoint)> {
    Some(match op {
        TargetOp::Alloc | TargetOp::AllocAsync => (ompt_target_data_alloc, Endpoint::End),
        TargetOp::Delete | TargetOp::DeleteAsync => (ompt_target_data_delete, Endpoint::Begin),
        TargetOp::Transfer
        | TargetOp::TransferRect
        | TargetOp::TransferToDevice
        | TargetOp::TransferToDeviceAsync => (ompt_target_data_transfer_to_dev, Endpoint::Begin),
        TargetOp::TransferFromDevice | TargetOp::TransferFromDeviceAsync => {
            (ompt_target_data_transfer_from_dev, Endpoint::Begin)
        }
        TargetOp::Memset | TargetOp::Associate | TargetOp::Disassociate => return None,
    })
}

/// Returns an operation's addresses on the host and on the device.
pub fn sides(op: TargetOp, source: u64, destination: u64) -> (u64, u64) {
    match told_as(op) {
        Some((ompt_target_data_transfer_from_dev | ompt_target_data_delete, _)) => {
            (destination, source)
        }
        _ => (source, destination),
    }
}

/// Tells of target constructs and their operations, and records them if the tool traces the device.
/// Other events are ignored.
pub fn tell_event(view: View, event: &Event<'_>) {
    if let Event::TargetDataOp { op, .. } = *event
        && told_as(op).is_none()
    {
        return;
    }
    let notes = inquiry().and_then(|engine| (engine.notes)());
    trace::note_before(view.slot, Names::Ids, event);
    tell_noted(notes, || tell_of(view, event));
    trace::note_behind(view.slot, Names::Ids, event);
}

fn tell_of(view: View, event: &Event<'_>) {
    let id = |target: &Identity| target.id.load(Ordering::Relaxed);
    match *event {
        Event::Target { kind, endpoint, device, task, target, codeptr } => {
            // Since 5.1 a `nowait` construct has a number of its own.
            const NOWAIT: u64 = 8;
            let kind = kind as u64;
            let kind = if kind > NOWAIT { kind - NOWAIT } else { kind };
            let (task, target) = (view.task(task), id(target));
            call_tool!(
                view, ompt_event_target, device as u64, kind, task, endpoint as u64, target,
                codeptr
            );
        }
        Event::TargetDataOp {
            endpoint, target, operation, op, source, destination, bytes, ..
        } => {
            let Some((kind, told_at)) = told_as(op) else { return };
            if endpoint == told_at {
                let (event, target) = (ompt_event_target_data, target.map_or(0, id));
                let (host, device) = sides(op, source as u64, destination as u64);
                let (operation, bytes) = (id(operation), bytes as u64);
                call_tool!(view, event, target, operation, kind as u64, host, device, bytes);
            }
        }
        Event::TargetSubmit { endpoint: Endpoint::Begin, target, operation, teams } => {
            let (teams, operation) = (u64::from(teams), id(operation));
            call_tool!(view, ompt_event_target_submit, id(target), operation, teams, teams);
        }
        Event::TargetMap { target, items, .. } => {
            let flags: Vec<u32> = items.flags.iter().map(|flags| flags & KNOWN_FLAGS).collect();
            let on_host = items.addresses.as_ptr() as u64;
            let on_device = items.on_device.as_ptr() as u64;
            let (sizes, flags) = (items.sizes.as_ptr() as u64, flags.as_ptr() as u64);
            let (event, count) = (ompt_event_target_data_map, items.addresses.len() as u64);
            call_tool!(view, event, id(target), count, on_host, on_device, sizes, flags);
        }
        _ => {}
    }
}
