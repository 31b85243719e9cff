//! Target constructs. A transfer between two blocks of the host counts as one to the device:
//! nothing tells which direction was meant.
#![allow(non_upper_case_globals)]

use super::view::View;
use crate::earlier::tell::tell;
use core::sync::atomic::Ordering;
use omphalos_abi::earlier::ompt2016::*;
use omphalos_events::{Endpoint, Event, Identity, TargetOp};

/// Translates target constructs and their operations; ignores other events.
pub fn notify(view: View, event: &Event<'_>) {
    let id = |target: &Identity| target.id.load(Ordering::Relaxed);
    match *event {
        Event::Target { kind, endpoint, device, task, target, codeptr } => {
            // Since 5.1 a `nowait` construct has a number of its own.
            const NOWAIT: u64 = 8;
            let kind = kind as u64;
            let kind = if kind > NOWAIT { kind - NOWAIT } else { kind };
            let (task, target) = (view.task(task), id(target));
            tell!(
                view,
                ompt_event_target,
                device as u64,
                kind,
                task,
                endpoint as u64,
                target,
                codeptr
            );
        }
        Event::TargetDataOp {
            endpoint, target, operation, op, source, destination, bytes, ..
        } => {
            let (kind, told_at) = match op {
                TargetOp::Alloc | TargetOp::AllocAsync => (ompt_target_data_alloc, Endpoint::End),
                TargetOp::Delete | TargetOp::DeleteAsync => {
                    (ompt_target_data_delete, Endpoint::Begin)
                }
                TargetOp::Transfer
                | TargetOp::TransferRect
                | TargetOp::TransferToDevice
                | TargetOp::TransferToDeviceAsync => {
                    (ompt_target_data_transfer_to_dev, Endpoint::Begin)
                }
                TargetOp::TransferFromDevice | TargetOp::TransferFromDeviceAsync => {
                    (ompt_target_data_transfer_from_dev, Endpoint::Begin)
                }
                TargetOp::Memset | TargetOp::Associate | TargetOp::Disassociate => return,
            };
            if endpoint == told_at {
                let (event, target) = (ompt_event_target_data, target.map_or(0, id));
                let operation = id(operation);
                let (from, to, bytes) = (source as u64, destination as u64, bytes as u64);
                tell!(view, event, target, operation, kind as u64, from, to, bytes);
            }
        }
        Event::TargetSubmit { endpoint: Endpoint::Begin, target, operation, teams } => {
            let (teams, operation) = (u64::from(teams), id(operation));
            tell!(view, ompt_event_target_submit, id(target), operation, teams, teams);
        }
        Event::TargetMap { target, items, .. } => {
            /// Flags after `delete` belong to later generations.
            const KNOWN: u32 = 0x1f;
            let flags: Vec<u32> = items.flags.iter().map(|flags| flags & KNOWN).collect();
            let on_host = items.addresses.as_ptr() as u64;
            let on_device = items.on_device.as_ptr() as u64;
            let (sizes, flags) = (items.sizes.as_ptr() as u64, flags.as_ptr() as u64);
            let (event, count) = (ompt_event_target_data_map, items.addresses.len() as u64);
            tell!(view, event, id(target), count, on_host, on_device, sizes, flags);
        }
        _ => {}
    }
}
