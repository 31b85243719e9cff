//! From an event to the callbacks of 2016, both variants: where one has an id, the other has the
//! address of the tool's data word, in the same argument. Outside of a parallel region either is zero.
//!
//! What came with later OpenMP versions (taskloop, scope, leagues, cancellation) has no event.
#![allow(non_upper_case_globals)]

use super::generation::Generation;
use super::tool::Delivery::{self, Always, Sometimes};
use super::tool::tool;
use core::sync::atomic::Ordering;
use omphalos_abi::earlier::ompt2016::*;
use omphalos_events::{
    Dependence, Endpoint, Event, Identity, Kind, MutexKind, SyncKind, TargetOp, TaskFlags,
    TaskStatus, TaskTool, WorkKind, inquiry,
};

/// `ompt_parallel_league`.
const LEAGUE: u32 = 0x4000_0000;
/// `ompt_parallel_invoker_runtime`.
const INVOKER_RUNTIME: u32 = 0x2;

/// How often an event comes; `None` if there is none of that number.
pub fn delivery(event: usize) -> Option<Delivery> {
    Some(match i32::try_from(event).ok()? {
        ompt_event_thread_begin => Always(Kind::ThreadBegin.bit()),
        ompt_event_thread_end => Always(Kind::ThreadEnd.bit()),
        ompt_event_parallel_begin => Always(Kind::ParallelBegin.bit()),
        ompt_event_parallel_end => Always(Kind::ParallelEnd.bit()),
        ompt_event_task_create => Always(Kind::TaskCreate.bit()),
        ompt_event_task_schedule => Always(Kind::TaskSchedule.bit()),
        ompt_event_implicit_task => Always(Kind::ImplicitTask.bit()),
        // Compilers that know no device call the region of a target construct in line.
        ompt_event_target => Sometimes(Kind::Target.bit()),
        ompt_event_target_data => Sometimes(Kind::TargetDataOp.bit()),
        ompt_event_target_submit => Sometimes(Kind::TargetSubmit.bit()),
        ompt_event_target_data_map => Sometimes(Kind::TargetMap.bit()),
        ompt_event_control => Always(Kind::Control.bit()),
        // Called from the runtime's end itself.
        ompt_event_runtime_shutdown => Always(0),
        ompt_event_idle => Always(Kind::Idle.bit()),
        ompt_event_sync_region_wait => Always(Kind::SyncWait.bit()),
        ompt_event_sync_region => Always(Kind::SyncRegion.bit()),
        ompt_event_task_dependences => Always(Kind::Dependences.bit()),
        ompt_event_task_dependence_pair => Always(Kind::TaskDependence.bit()),
        ompt_event_init_lock => Always(Kind::LockInit.bit()),
        ompt_event_destroy_lock => Always(Kind::LockDestroy.bit()),
        ompt_event_nested_lock => Always(Kind::NestLock.bit()),
        // Compilers make instructions of most atomic constructs, GCC also of master, flush and the
        // bounds of static loops.
        // That a nest lock is not owned shows only when it must be waited for, or was acquired.
        ompt_event_mutex_acquire => {
            Sometimes(Kind::MutexAcquire.bit() | Kind::MutexWait.bit() | Kind::MutexAcquired.bit())
        }
        ompt_event_mutex_acquired => Sometimes(Kind::MutexAcquired.bit()),
        ompt_event_mutex_release => Sometimes(Kind::MutexReleased.bit()),
        ompt_event_worksharing => Sometimes(Kind::Work.bit()),
        ompt_event_master => Sometimes(Kind::Masked.bit()),
        ompt_event_flush => Sometimes(Kind::Flush.bit()),
        _ => return None,
    })
}

/// Calls one callback, if the tool has it: an event and up to six words.
macro_rules! tell {
    ($view:expr, $event:expr $(, $argument:expr)* $(,)?) => {{
        let address = tool($view.slot).callback($event as usize);
        if address != 0 {
            // SAFETY: the tool registered this address for this event. In the C calling convention of
            // this architecture every argument of this generation is one integer register, whose
            // upper part the callee ignores where its type is narrower.
            let function = unsafe {
                core::mem::transmute::<usize, unsafe extern "C" fn($(tell!(@word $argument)),*)>(address)
            };
            // SAFETY: the arguments are what the text promises; what they point to lives until the
            // call returns.
            unsafe { function($($argument),*) };
        }
    }};
    (@word $argument:expr) => { u64 };
}

/// A tool and its variant.
#[derive(Clone, Copy)]
struct View {
    slot: usize,
    by_id: bool,
}

impl View {
    fn name(self, identity: &Identity) -> u64 {
        if self.by_id {
            identity.id.load(Ordering::Relaxed)
        } else {
            identity.word(self.slot) as u64
        }
    }

    fn task(self, task: &TaskTool) -> u64 {
        self.name(&task.identity)
    }

    fn region(self, region: &Identity) -> u64 {
        region_name(self.slot, self.by_id, region)
    }
}

/// What a region is called by: zero outside of parallel regions.
pub fn region_name(slot: usize, by_id: bool, region: &Identity) -> u64 {
    match region.region_id() {
        0 => 0,
        id if by_id => id,
        _ => region.word(slot) as u64,
    }
}

fn frame(task: &TaskTool) -> u64 {
    &raw const task.frame as u64
}

fn invoker(flags: u32) -> u64 {
    let invoker =
        if flags & INVOKER_RUNTIME != 0 { ompt_invoker_runtime } else { ompt_invoker_program };
    invoker as u64
}

/// Delivers `event` to the tool in `slot`.
pub fn notify(slot: usize, event: &Event<'_>) {
    let view = View { slot, by_id: tool(slot).generation() == Generation::Y2016Ids };
    match *event {
        Event::ThreadBegin { thread, kind } => {
            tell!(view, ompt_event_thread_begin, kind as u64, view.name(thread));
        }
        Event::ThreadEnd { thread, .. } => tell!(view, ompt_event_thread_end, view.name(thread)),
        Event::Idle { endpoint, .. } => tell!(view, ompt_event_idle, endpoint as u64),
        Event::ParallelBegin { encountering, region, requested, flags, codeptr, .. } => {
            if flags & LEAGUE == 0 {
                let (task, frame) = (view.task(encountering), frame(encountering));
                let (region, requested) = (view.region(region), u64::from(requested));
                let event = ompt_event_parallel_begin;
                tell!(view, event, task, frame, region, requested, invoker(flags), codeptr);
            }
        }
        Event::ParallelEnd { encountering, region, flags, codeptr } => {
            if flags & LEAGUE == 0 {
                let (region, task) = (view.region(region), view.task(encountering));
                tell!(view, ompt_event_parallel_end, region, task, invoker(flags), codeptr);
            }
        }
        Event::ImplicitTask { endpoint, region, task, index, flags, .. } => {
            if flags & TaskFlags::INITIAL == 0 {
                let (region, task, num) = (view.region(region), view.task(task), u64::from(index));
                tell!(view, ompt_event_implicit_task, endpoint as u64, region, task, num);
            }
        }
        Event::TaskCreate { encountering, task, flags, has_dependences, codeptr, .. } => {
            let (maker, frame, task) =
                (view.task(encountering), frame(encountering), view.task(task));
            let (kind, dependent) = (task_type(flags) as u64, u64::from(has_dependences));
            tell!(view, ompt_event_task_create, maker, frame, task, kind, dependent, codeptr);
        }
        Event::TaskSchedule { prior, status, next } => {
            // How early an event was fulfilled shows only in the task's end.
            if status != TaskStatus::EarlyFulfill {
                let completed = matches!(
                    status,
                    TaskStatus::Complete
                        | TaskStatus::Cancel
                        | TaskStatus::LateFulfill
                        | TaskStatus::TaskwaitComplete
                );
                let next = next.map_or(0, |next| view.task(next));
                let (prior, completed) = (view.task(prior), u64::from(completed));
                tell!(view, ompt_event_task_schedule, prior, completed, next);
            }
        }
        Event::SyncRegion { kind, endpoint, region, task, codeptr } => {
            sync(view, ompt_event_sync_region, (kind, endpoint), region, task, codeptr);
        }
        Event::SyncWait { kind, endpoint, region, task, codeptr } => {
            sync(view, ompt_event_sync_region_wait, (kind, endpoint), region, task, codeptr);
        }
        Event::Work { kind, endpoint, region, task, codeptr, .. } => {
            let Some(kind) = worksharing(kind) else { return };
            let (region, task) = (view.region(region), view.task(task));
            tell!(
                view,
                ompt_event_worksharing,
                kind as u64,
                endpoint as u64,
                region,
                task,
                codeptr
            );
        }
        Event::Masked { endpoint, region, task, codeptr } => {
            let (region, task) = (view.region(region), view.task(task));
            tell!(view, ompt_event_master, endpoint as u64, region, task, codeptr);
        }
        ref other => mutexes_and_the_rest(view, other),
    }
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
        // Leagues came later.
        SyncKind::Reduction | SyncKind::BarrierTeams => return,
        _ => ompt_sync_region_barrier,
    };
    let (region, task) = (view.region(region), view.task(task));
    tell!(view, event, kind as u64, endpoint as u64, region, task, codeptr);
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

/// `ompt_task_type_t` of `ompt_task_flag_t`.
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

fn mutex(kind: MutexKind) -> ompt_mutex_kind_t {
    match kind {
        MutexKind::Lock | MutexKind::TestLock => ompt_mutex_lock,
        MutexKind::NestLock | MutexKind::TestNestLock => ompt_mutex_nest_lock,
        MutexKind::Critical => ompt_mutex_critical,
        MutexKind::Atomic => ompt_mutex_atomic,
        MutexKind::Ordered => ompt_mutex_ordered,
    }
}

fn mutexes_and_the_rest(view: View, event: &Event<'_>) {
    match *event {
        // A test is no attempt to acquire: it may be in vain. And a nest lock that the task owns it need
        // not acquire; which it is shows later.
        Event::MutexAcquire {
            kind: MutexKind::TestLock | MutexKind::TestNestLock | MutexKind::NestLock,
            ..
        } => {}
        Event::MutexAcquire { kind, hint, implementation, wait_id, codeptr } => {
            let (hint, implementation) = (u64::from(hint), u64::from(implementation));
            let (event, kind) = (ompt_event_mutex_acquire, mutex(kind) as u64);
            tell!(view, event, kind, hint, implementation, wait_id, codeptr);
        }
        Event::MutexWait { kind: MutexKind::NestLock, wait_id, codeptr } => {
            asks_for_nest_lock(view, wait_id, codeptr);
            note_asking(view, true);
        }
        Event::MutexAcquired { kind, wait_id, codeptr } => {
            if kind == MutexKind::NestLock && !note_asking(view, false) {
                asks_for_nest_lock(view, wait_id, codeptr);
            }
            tell!(view, ompt_event_mutex_acquired, mutex(kind) as u64, wait_id, codeptr);
        }
        Event::MutexReleased { kind, wait_id, codeptr } => {
            tell!(view, ompt_event_mutex_release, mutex(kind) as u64, wait_id, codeptr);
        }
        // The event is the inner acquisition, from its begin to its end; the inner release has none.
        Event::NestLock { endpoint: Endpoint::Begin, wait_id, codeptr } => {
            for endpoint in [ompt_scope_begin, ompt_scope_end] {
                tell!(view, ompt_event_nested_lock, endpoint as u64, wait_id, codeptr);
            }
        }
        Event::LockInit { kind, hint, implementation, wait_id, codeptr } => {
            let nest = u64::from(mutex(kind) == ompt_mutex_nest_lock);
            let (hint, implementation) = (u64::from(hint), u64::from(implementation));
            tell!(view, ompt_event_init_lock, nest, wait_id, hint, implementation, codeptr);
        }
        Event::LockDestroy { kind, wait_id, codeptr } => {
            let nest = u64::from(mutex(kind) == ompt_mutex_nest_lock);
            tell!(view, ompt_event_destroy_lock, nest, wait_id, codeptr);
        }
        Event::Dependences { task, dependences } => dependences_of(view, task, dependences),
        Event::TaskDependence { source, sink } => {
            tell!(view, ompt_event_task_dependence_pair, view.task(source), view.task(sink));
        }
        Event::Flush { thread, codeptr } => {
            tell!(view, ompt_event_flush, view.name(thread), codeptr)
        }
        Event::Control { command, modifier, codeptr, result, .. }
            if tool(view.slot).callback(ompt_event_control as usize) != 0 =>
        {
            tell!(view, ompt_event_control, command, modifier, codeptr);
            // These tools say nothing about how it went; another tool's answer stands.
            result.set(result.get().max(0));
        }
        Event::Shutdown => tell!(view, ompt_event_runtime_shutdown),
        ref other => targets(view, other),
    }
}

/// Target constructs. A transfer between blocks of the host is one to the device: nothing says which was
/// meant.
fn targets(view: View, event: &Event<'_>) {
    let id = |target: &Identity| target.id.load(Ordering::Relaxed);
    match *event {
        Event::Target { kind, endpoint, device, task, target, codeptr } => {
            // A nowait construct has a number of its own since 5.1.
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
            /// What came after `delete` is of later generations.
            const KNOWN: u32 = 0x1f;
            let flags: Vec<u32> = items.flags.iter().map(|flags| flags & KNOWN).collect();
            let addresses = items.addresses.as_ptr() as u64;
            let (sizes, flags) = (items.sizes.as_ptr() as u64, flags.as_ptr() as u64);
            let (event, count) = (ompt_event_target_data_map, items.addresses.len() as u64);
            tell!(view, event, id(target), count, addresses, addresses, sizes, flags);
        }
        _ => {}
    }
}

/// The implementation that the runtime's mutexes have, as `ompt_enumerate_mutex_kinds` names it.
const IMPLEMENTATION: u64 = 1;

/// The calling thread is about to acquire a nest lock that it does not own.
fn asks_for_nest_lock(view: View, wait_id: u64, codeptr: u64) {
    let (event, kind) = (ompt_event_mutex_acquire, ompt_mutex_nest_lock as u64);
    tell!(view, event, kind, 0, IMPLEMENTATION, wait_id, codeptr);
}

/// Notes whether the tool was told that the thread asks for one; what was noted before.
fn note_asking(view: View, asks: bool) -> bool {
    let Some(notes) = inquiry().and_then(|engine| (engine.notes)()) else { return false };
    let (bit, noted) = (1 << view.slot, notes.asking.load(Ordering::Relaxed));
    let noting = if asks { noted | bit } else { noted & !bit };
    notes.asking.store(noting, Ordering::Relaxed);
    noted & bit != 0
}

/// `ompt_task_dependence_t`.
#[repr(C)]
struct TaskDependence {
    variable: u64,
    flags: u32,
}

/// In and out have changed places since; what came later excludes like inout. Doacross loops had no
/// event.
fn dependences_of(view: View, task: &TaskTool, dependences: &[Dependence]) {
    const IN: i32 = 1;
    const OUT: i32 = 2;
    const SOURCE: i32 = 5;
    const SINK: i32 = 6;
    if tool(view.slot).callback(ompt_event_task_dependences as usize) == 0
        || dependences.iter().any(|d| matches!(d.kind, SOURCE | SINK))
    {
        return;
    }
    let list: Vec<TaskDependence> = dependences
        .iter()
        .map(|dependence| {
            let flags = match dependence.kind {
                IN => ompt_task_dependence_type_in,
                OUT => ompt_task_dependence_type_out,
                _ => ompt_task_dependence_type_inout,
            };
            TaskDependence { variable: dependence.variable, flags: flags as u32 }
        })
        .collect();
    let (address, length) = (list.as_ptr() as u64, list.len() as u64);
    tell!(view, ompt_event_task_dependences, view.task(task), address, length);
}

const _: () = assert!(size_of::<TaskDependence>() == 16);
