//! Translates events into the callbacks of 2016, both variants. Where one variant has an id, the
//! other has the address of the tool's data word, in the same argument. Outside a parallel region
//! either is zero. This file has regions, tasks and the constructs that threads execute in them;
//! mutexes, dependences and targets have their own files.
//!
//! Constructs of later OpenMP versions (taskloop, scope, leagues, cancellation) have no event.
#![allow(non_upper_case_globals)]

mod delivery;
mod dependences;
pub mod device;
mod mutexes;
mod targets;
mod view;

pub use delivery::delivery;
pub use view::region_name;

use super::call_tool::{LEAGUE, call_tool, frame, from_runtime, is_completed};
use super::generation::Generation;
use super::tool::tool;
use core::sync::atomic::Ordering;
use omphalos_abi::earlier::ompt2016::*;
use omphalos_events::{
    Endpoint, Event, Identity, SyncKind, TaskFlags, TaskStatus, TaskTool, WorkKind, inquiry,
};
use view::View;

/// Delivers `event` to the tool in `slot`.
pub fn tell_event(slot: usize, event: &Event<'_>) {
    let view = View { slot, by_id: tool(slot).generation() == Generation::Y2016Ids };
    match *event {
        Event::ThreadBegin { thread, kind } => {
            call_tool!(view, ompt_event_thread_begin, kind as u64, view.name(thread));
        }
        Event::ThreadEnd { thread, .. } => {
            call_tool!(view, ompt_event_thread_end, view.name(thread))
        }
        Event::Idle { endpoint, .. } => call_tool!(view, ompt_event_idle, endpoint as u64),
        Event::ParallelBegin { encountering, region, requested, flags, codeptr, .. } => {
            if flags & LEAGUE == 0 {
                let (task, frame) = (view.task(encountering), frame(encountering));
                let (region, requested) = (view.region(region), u64::from(requested));
                let event = ompt_event_parallel_begin;
                call_tool!(view, event, task, frame, region, requested, invoker(flags), codeptr);
            }
        }
        Event::ParallelEnd { encountering, region, flags, codeptr } => {
            if flags & LEAGUE == 0 {
                let (region, task) = (view.region(region), view.task(encountering));
                call_tool!(view, ompt_event_parallel_end, region, task, invoker(flags), codeptr);
            }
        }
        Event::ImplicitTask { endpoint, region, task, index, flags, .. } => {
            if flags & TaskFlags::INITIAL == 0 {
                let (region, task, num) = (view.region(region), view.task(task), u64::from(index));
                call_tool!(view, ompt_event_implicit_task, endpoint as u64, region, task, num);
            }
        }
        // This generation does not know the task that stands for a wait with dependences.
        Event::TaskCreate { flags, .. } if flags & TaskFlags::TASKWAIT != 0 => {}
        Event::TaskSchedule { status: TaskStatus::TaskwaitComplete, .. } => {}
        Event::TaskCreate { encountering, task, flags, has_dependences, codeptr, .. } => {
            let awaited = dependences::awaited();
            let (made, maker) = (view.task(task), view.task(encountering));
            let (kind, frame) = (task_type(flags) as u64, frame(encountering));
            let dependent = u64::from(has_dependences || !awaited.is_empty());
            call_tool!(view, ompt_event_task_create, maker, frame, made, kind, dependent, codeptr);
            if !awaited.is_empty() {
                dependences::tell_event(view, task, awaited);
            }
        }
        Event::TaskSchedule { prior, status, next } => {
            // The early fulfilment of an event shows only in the task's end.
            if status != TaskStatus::EarlyFulfill {
                let next = next.map_or(0, |next| view.task(next));
                let (prior, completed) = (view.task(prior), u64::from(is_completed(status)));
                call_tool!(view, ompt_event_task_schedule, prior, completed, next);
            }
        }
        Event::SyncRegion { kind, endpoint, region, task, codeptr } => {
            sync(view, ompt_event_sync_region, (kind, endpoint), region, task, codeptr);
        }
        Event::SyncWait { kind, endpoint, region, task, codeptr } => {
            sync(view, ompt_event_sync_region_wait, (kind, endpoint), region, task, codeptr);
        }
        // A task inside a wait ends it, and the wait begins anew behind the task (4.2.1).
        Event::WaitBreak { kind, endpoint, region, task } => {
            let codeptr = called_from(kind, task);
            let ends = (kind, endpoint.other());
            sync(view, ompt_event_sync_region_wait, ends, region, task, codeptr);
        }
        Event::Work { kind, endpoint, region, task, codeptr, .. } => {
            let Some(kind) = worksharing(kind) else { return };
            let (region, task) = (view.region(region), view.task(task));
            call_tool!(
                view, ompt_event_worksharing, kind as u64, endpoint as u64, region, task, codeptr
            );
        }
        Event::Masked { endpoint, region, task, codeptr } => {
            let (region, task) = (view.region(region), view.task(task));
            call_tool!(view, ompt_event_master, endpoint as u64, region, task, codeptr);
        }
        Event::Dependences { task, dependences } if !dependences::is_stand_in(task) => {
            dependences::tell_event(view, task, dependences);
        }
        Event::TaskDependence { source, sink } if !dependences::is_stand_in(sink) => {
            call_tool!(view, ompt_event_task_dependence_pair, view.task(source), view.task(sink));
        }
        Event::Flush { thread, codeptr } => {
            call_tool!(view, ompt_event_flush, view.name(thread), codeptr)
        }
        Event::Control { command, modifier, codeptr, result, .. }
            if view.callback(ompt_event_control) != 0 =>
        {
            call_tool!(view, ompt_event_control, command, modifier, codeptr);
            // Tools of this generation return no result; another tool's answer stands.
            result.set(result.get().max(0));
        }
        Event::Shutdown => call_tool!(view, ompt_event_runtime_shutdown),
        Event::MutexAcquire { .. }
        | Event::MutexWait { .. }
        | Event::MutexAcquired { .. }
        | Event::MutexReleased { .. }
        | Event::NestLock { .. }
        | Event::LockInit { .. }
        | Event::LockDestroy { .. } => mutexes::tell_event(view, event),
        ref other => targets::tell_event(view, other),
    }
}

fn invoker(flags: u32) -> u64 {
    let invoker = if from_runtime(flags) { ompt_invoker_runtime } else { ompt_invoker_program };
    invoker as u64
}

fn sync(
    view: View,
    event: ompt_event_t,
    (kind, endpoint): (SyncKind, Endpoint),
    region: &Identity,
    task: &TaskTool,
    codeptr: u64,
) {
    let kind = match kind {
        SyncKind::Taskwait => ompt_sync_region_taskwait,
        SyncKind::Taskgroup => ompt_sync_region_taskgroup,
        // This generation has no kind for these.
        SyncKind::Reduction | SyncKind::BarrierTeams => return,
        _ => ompt_sync_region_barrier,
    };
    // The address may be null only at the end. The barrier that ends a region has the return
    // address of the region's call.
    let codeptr = match codeptr {
        0 if endpoint == Endpoint::Begin => codeptr_of_region(),
        codeptr => codeptr,
    };
    let (region, task) = (view.region(region), view.task(task));
    call_tool!(view, event, kind as u64, endpoint as u64, region, task, codeptr);
}

/// Returns the return address of the construct in which the task waits, 0 if the program did not
/// call it.
fn called_from(kind: SyncKind, task: &TaskTool) -> u64 {
    match task.frame.enter.load(Ordering::Relaxed) {
        0 => 0,
        _ if kind == SyncKind::BarrierImplicitParallel => 0,
        // SAFETY: while a task waits in a construct that the program called, its enter frame is the
        // word of the call's return address.
        border => unsafe { *(border as *const u64) },
    }
}

/// Returns the return address of the call that began the calling thread's region.
fn codeptr_of_region() -> u64 {
    inquiry().and_then(|engine| (engine.region)(0).1).map_or(0, |info| info.codeptr)
}

fn worksharing(kind: WorkKind) -> Option<ompt_worksharing_type_t> {
    Some(match kind {
        WorkKind::Loop
        | WorkKind::LoopStatic
        | WorkKind::LoopDynamic
        | WorkKind::LoopGuided
        | WorkKind::LoopOther => ompt_worksharing_loop,
        WorkKind::Sections => ompt_worksharing_sections,
        WorkKind::SingleExecutor => ompt_worksharing_single_executor,
        WorkKind::SingleOther => ompt_worksharing_single_other,
        WorkKind::Workshare => ompt_worksharing_workshare,
        WorkKind::Distribute => ompt_worksharing_distribute,
        WorkKind::Taskloop | WorkKind::Scope | WorkKind::Workdistribute => return None,
    })
}

/// Returns the `ompt_task_type_t` for an `ompt_task_flag_t`.
pub fn task_type(flags: u32) -> ompt_task_type_t {
    if flags & TaskFlags::INITIAL != 0 {
        ompt_task_initial
    } else if flags & TaskFlags::IMPLICIT != 0 {
        ompt_task_implicit
    } else if flags & TaskFlags::TARGET != 0 {
        ompt_task_target
    } else {
        ompt_task_explicit
    }
}
