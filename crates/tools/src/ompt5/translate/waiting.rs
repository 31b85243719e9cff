//! Synchronisation constructs, the waits in them, reductions.

use super::{call, code, data, task_data};
use core::ffi::c_int;
use omphalos_abi::ompt::*;
use omphalos_events::{Event, shown_region};

/// Tells one of these events. Inlined, so that one jump leads to each.
#[inline(always)]
pub(super) fn notify(slot: usize, event: &Event<'_>) {
    match *event {
        Event::SyncRegion { kind, endpoint, region, task, codeptr } => {
            call!(
                slot,
                ompt_callback_sync_region,
                ompt_callback_sync_region_t,
                (
                    kind as c_int,
                    endpoint as c_int,
                    shown_region(kind, endpoint, data(region, slot)),
                    task_data(task, slot),
                    code(codeptr)
                )
            );
        }
        Event::SyncWait { kind, endpoint, region, task, codeptr } => {
            call!(
                slot,
                ompt_callback_sync_region_wait,
                ompt_callback_sync_region_t,
                (
                    kind as c_int,
                    endpoint as c_int,
                    shown_region(kind, endpoint, data(region, slot)),
                    task_data(task, slot),
                    code(codeptr)
                )
            );
        }
        Event::Reduction { endpoint, region, task, codeptr } => {
            call!(
                slot,
                ompt_callback_reduction,
                ompt_callback_sync_region_t,
                (
                    ompt_sync_region_reduction,
                    endpoint as c_int,
                    data(region, slot),
                    task_data(task, slot),
                    code(codeptr)
                )
            );
        }
        _ => {}
    }
}
