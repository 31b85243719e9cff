//! Synchronisation constructs, the waits in them, reductions.

use super::{call, code, data, shown, shown_word, task_data};
use core::ffi::c_int;
use omphalos_abi::ompt::*;
use omphalos_events::{Endpoint, Event, Identity, SyncKind};

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
                    shown_data(kind, endpoint, region, slot),
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
                    shown_data(kind, endpoint, region, slot),
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

fn shown_data(
    kind: SyncKind,
    endpoint: Endpoint,
    region: &Identity,
    slot: usize,
) -> *mut ompt_data_t {
    shown_word(shown::region(kind as c_int, endpoint as c_int, region), slot)
}
