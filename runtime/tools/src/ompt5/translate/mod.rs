//! Translates an event into the callback that a tool registered for it.
//!
//! The numbers of the vocabulary are OpenMP 6.0's, so most arguments pass unchanged. Where 5.x
//! wants less than the older generations, this code leaves it out: the region at the end of an
//! implicit task (not of an initial one), and at the end of the barrier that ends a parallel
//! region. A callback is read once for each event, because a tool may remove it at any moment.

pub mod shown;
mod table;

pub(super) use table::{ROWS, number};

use super::device::regions as on_device;
use crate::trace;
use core::ffi::{c_int, c_void};
use omphalos_abi::ompt::*;
use omphalos_events::sums::{PLACES, SumPlace, Sums};
use omphalos_events::{
    Dependence, DispatchKind, Endpoint, Event, Frame, Identity, QuietPlace, QuietTasks, SyncKind,
    TaskFlags, TaskTool,
};

/// Calls one callback, if the tool in `slot` registered it: number, signature, arguments.
macro_rules! call {
    ($slot:expr, $number:ident, $signature:ty, ($($argument:expr),* $(,)?)) => {
        match $crate::ompt5::tool::tool($slot).callback($number as usize) {
            0 => None,
            address => {
                // SAFETY: the tool registered this address under this number, which by the
                // specification has this signature.
                let function: $signature = unsafe { core::mem::transmute::<usize, _>(address) };
                // SAFETY: the arguments are those that the specification promises for the event;
                // they live at least until the call returns.
                Some(unsafe { function($($argument),*) })
            }
        }
    };
}

pub(super) use call;

/// Tells `event` to the OMPT tool in `slot`: the subscriber function of this dialect.
pub fn tell_event(slot: usize, event: &Event<'_>) {
    if trace::recorded_of_regions(slot) == 0 {
        return table::tell_event(slot, event);
    }
    on_device::tell_event(slot, event, || table::tell_event(slot, event));
}

/// Tells an event that does not fit the form of the table's rows. A function of its own, so that
/// the code of common events stays small, and needs no stack for a chunk, which lies there while
/// the tool reads it.
#[inline(never)]
fn tell_other(slot: usize, event: &Event<'_>) {
    match *event {
        Event::Dispatch { kind, region, task, first, count } => {
            let mut chunk = ompt_dispatch_chunk_t { start: first, iterations: count };
            let instance = match kind {
                _ if kind.is_chunk() => ompt_data_t { ptr: (&raw mut chunk).cast() },
                DispatchKind::Section => ompt_data_t { ptr: first as *mut c_void },
                _ => ompt_data_t { value: first },
            };
            call!(
                slot,
                ompt_callback_dispatch,
                ompt_callback_dispatch_t,
                (data(region, slot), task_data(task, slot), kind as c_int, instance)
            );
        }
        Event::Control { command, modifier, arg, codeptr, result } => {
            if let Some(answer) = call!(
                slot,
                ompt_callback_control_tool,
                ompt_callback_control_tool_t,
                (command, modifier, arg, code(codeptr))
            ) {
                result.set(answer);
            }
        }
        ref other => super::target::tell_event(slot, other),
    }
}

/// Returns the tool's word on a thread or region.
#[inline(always)]
pub fn data(identity: &Identity, slot: usize) -> *mut ompt_data_t {
    identity.word(slot).cast()
}

/// Returns the tool's word on a region; null if no region is shown.
#[inline(always)]
fn shown_word(identity: *const Identity, slot: usize) -> *mut ompt_data_t {
    // SAFETY: null or a region of an event, which outlives it.
    unsafe { identity.as_ref() }.map_or(core::ptr::null_mut(), |identity| data(identity, slot))
}

/// Returns the tool's word on a task.
#[inline(always)]
pub fn task_data(task: &TaskTool, slot: usize) -> *mut ompt_data_t {
    data(&task.identity, slot)
}

/// Returns the task's frames, which the runtime fills and tools read.
#[inline(always)]
pub fn frame(task: &TaskTool) -> *const ompt_frame_t {
    (&raw const task.frame).cast()
}

#[inline(always)]
fn code(address: u64) -> *const c_void {
    address as *const c_void
}

// The vocabulary passes numbers and structures through, so both crates must agree on them.
const _: () = {
    use core::mem::{offset_of, size_of};
    assert!(size_of::<QuietTasks>() == size_of::<omphalos_quiet_t>());
    assert!(offset_of!(QuietTasks, mark) == offset_of!(omphalos_quiet_t, mark));
    assert!(offset_of!(QuietTasks, places) == offset_of!(omphalos_quiet_t, sites));
    assert!(offset_of!(QuietPlace, foreign) == offset_of!(omphalos_quiet_site_t, foreign));
    assert!(offset_of!(QuietPlace, count) == offset_of!(omphalos_quiet_site_t, count));
    assert!(PLACES == OMPHALOS_SUM_SITES);
    assert!(size_of::<Sums>() == size_of::<omphalos_sums_t>());
    assert!(size_of::<SumPlace>() == size_of::<omphalos_sum_site_t>());
    assert!(offset_of!(Sums, own) == offset_of!(omphalos_sums_t, own));
    assert!(offset_of!(Sums, places) == offset_of!(omphalos_sums_t, sites));
    assert!(offset_of!(SumPlace, times) == offset_of!(omphalos_sum_site_t, times));
    assert!(size_of::<Frame>() == size_of::<ompt_frame_t>());
    assert!(offset_of!(Frame, enter) == offset_of!(ompt_frame_t, enter_frame));
    assert!(offset_of!(Frame, exit_flags) == offset_of!(ompt_frame_t, exit_frame_flags));
    assert!(size_of::<Dependence>() == size_of::<ompt_dependence_t>());
    assert!(offset_of!(Dependence, kind) == offset_of!(ompt_dependence_t, dependence_type));
    assert!(TaskFlags::INITIAL == ompt_task_initial as u32);
    assert!(TaskFlags::MERGED == ompt_task_merged as u32);
    assert!(TaskFlags::UNDEFERRED == ompt_task_undeferred as u32);
    assert!(
        SyncKind::BarrierImplicitParallel as c_int == ompt_sync_region_barrier_implicit_parallel
    );
    assert!(SyncKind::Taskwait as c_int == ompt_sync_region_taskwait);
    assert!(DispatchKind::DistributeChunk as c_int == ompt_dispatch_distribute_chunk);
    assert!(Endpoint::BeginEnd as c_int == ompt_scope_beginend);
};
