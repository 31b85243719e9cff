//! Translates events into the callbacks of 2013 and 2014.
//!
//! Both name the same events (`event_numbers`) and differ in the arguments. 2013 passes the address
//! of its data word on a thread or task, and the id of a region. 2014 passes ids of everything, in
//! another order. Only in 2013, a tool is not told the end of a thread or task whose word is zero.
//! Constructs of later OpenMP versions (taskloop, scope, leagues) have no event.

use super::call_tool::{LEAGUE, call_tool, frame, from_runtime, is_completed};
use super::event_numbers::number;
use super::generation::Generation;
use super::tool::tool;
use core::sync::atomic::Ordering;
use omphalos_abi::earlier::ompt2014::*;
use omphalos_events::{
    Endpoint, Event, Identity, MutexKind, SyncKind, TaskFlags, TaskStatus, TaskTool, WorkKind,
    inquiry,
};

/// A tool and the generation that it speaks.
#[derive(Clone, Copy)]
struct View {
    slot: usize,
    generation: Generation,
}

impl View {
    fn callback(self, event: ompt_event_t) -> usize {
        match number(self.generation, event) {
            0 => 0,
            number => tool(self.slot).callback(number),
        }
    }

    fn is_2013(self) -> bool {
        self.generation == Generation::Y2013
    }

    /// Returns the name of a thread or task: its word's address, or its id.
    fn name(self, identity: &Identity) -> u64 {
        if self.is_2013() {
            identity.word(self.slot) as u64
        } else {
            identity.id.load(Ordering::Relaxed)
        }
    }

    fn task(self, task: &TaskTool) -> u64 {
        self.name(&task.identity)
    }

    /// Returns region and task, in the order of `ompt_parallel_callback_t`.
    fn pair(self, region: &Identity, task: &TaskTool) -> (u64, u64) {
        let (region, task) = (region.region_id(), self.task(task));
        if self.is_2013() { (task, region) } else { (region, task) }
    }

    /// Whether a tool of 2013 is told no end of this thread or task, because its word is 0.
    fn is_forgotten(self, identity: &Identity) -> bool {
        // SAFETY: the tool's own word, which it does not write while it is told of the end.
        self.is_2013() && unsafe { identity.word(self.slot).read() } == 0
    }
}

/// Returns the number of the begin or the end: the end has the next number.
fn side(begin: ompt_event_t, endpoint: Endpoint) -> ompt_event_t {
    if endpoint == Endpoint::Begin { begin } else { begin + 1 }
}

/// Delivers `event` to the tool in `slot`.
pub fn tell_event(slot: usize, event: &Event<'_>) {
    let view = View { slot, generation: tool(slot).generation() };
    match *event {
        Event::ThreadBegin { thread, kind } => {
            let name = view.name(thread);
            if view.is_2013() {
                call_tool!(view, ompt_event_thread_begin, name);
            } else {
                call_tool!(view, ompt_event_thread_begin, kind as u64, name);
            }
        }
        Event::ThreadEnd { thread, kind } => {
            let name = view.name(thread);
            if !view.is_2013() {
                call_tool!(view, ompt_event_thread_end, kind as u64, name);
            } else if !view.is_forgotten(thread) {
                call_tool!(view, ompt_event_thread_end, name);
            }
        }
        Event::Idle { thread, endpoint } => {
            call_tool!(view, side(ompt_event_idle_begin, endpoint), view.name(thread));
        }
        Event::ParallelBegin { encountering, region, requested, flags, function, .. } => {
            if flags & LEAGUE != 0 {
                return;
            }
            let (task, frame, id) =
                (view.task(encountering), frame(encountering), region.region_id());
            if view.is_2013() {
                call_tool!(view, ompt_event_parallel_begin, task, frame, id);
            } else {
                let (requested, invoker) = (u64::from(requested), invoker(flags));
                call_tool!(
                    view, ompt_event_parallel_begin, task, frame, id, requested, function, invoker
                );
            }
        }
        Event::ParallelEnd { encountering, region, flags, .. } => {
            if flags & LEAGUE != 0 {
                return;
            }
            let (task, id) = (view.task(encountering), region.region_id());
            if view.is_2013() {
                call_tool!(view, ompt_event_parallel_end, task, frame(encountering), id);
            } else {
                call_tool!(view, ompt_event_parallel_end, id, task, invoker(flags));
            }
        }
        Event::ImplicitTask { endpoint, region, task, flags, .. } => {
            if endpoint == Endpoint::End && view.is_forgotten(&task.identity) {
                return;
            }
            let begin = if flags & TaskFlags::INITIAL != 0 {
                ompt_event_initial_task_begin
            } else {
                ompt_event_implicit_task_begin
            };
            let (first, second) = view.pair(region, task);
            call_tool!(view, side(begin, endpoint), first, second);
        }
        // In this generation, the task that stands for a wait with dependences is no task.
        Event::TaskCreate { flags, .. } if flags & TaskFlags::TASKWAIT != 0 => {}
        Event::TaskSchedule { status: TaskStatus::TaskwaitComplete, .. } => {}
        Event::TaskCreate { encountering, task, function, .. } => {
            let (maker, frame, task) =
                (view.task(encountering), frame(encountering), view.task(task));
            if view.is_2013() {
                call_tool!(view, ompt_event_task_begin, maker, frame, task);
            } else {
                call_tool!(view, ompt_event_task_begin, maker, frame, task, function);
            }
        }
        Event::TaskSchedule { prior, status, next } => schedule(view, prior, status, next),
        Event::SyncRegion { kind, endpoint, region, task, .. } => {
            let Some(construct) = construct(kind) else { return };
            let begin = ompt_event_barrier_begin + construct;
            let (first, second) = view.pair(region, task);
            call_tool!(view, side(begin, endpoint), first, second);
        }
        Event::SyncWait { kind, endpoint, region, task, .. } => {
            let Some(construct) = construct(kind) else { return };
            let begin = ompt_event_wait_barrier_begin + construct;
            let (first, second) = view.pair(region, task);
            call_tool!(view, side(begin, endpoint), first, second);
        }
        // A task inside a wait ends it, and the wait begins anew behind the task (2013, 3.2.1).
        Event::WaitBreak { kind, endpoint, region, task } => {
            let Some(construct) = construct(kind) else { return };
            let begin = ompt_event_wait_barrier_begin + construct;
            let (first, second) = view.pair(region, task);
            call_tool!(view, side(begin, endpoint.other()), first, second);
        }
        Event::Work { kind, endpoint, region, task, .. } => {
            work(view, kind, endpoint, region, task)
        }
        Event::Masked { endpoint, region, task, .. } => {
            let (first, second) = view.pair(region, task);
            call_tool!(view, side(ompt_event_master_begin, endpoint), first, second);
        }
        ref other => mutexes_and_the_rest(view, other),
    }
}

fn invoker(flags: u32) -> u64 {
    u64::from(from_runtime(flags))
}

/// Returns the distance of a construct's events from those of barriers: barrier, taskwait and
/// taskgroup have two numbers each.
fn construct(kind: SyncKind) -> Option<ompt_event_t> {
    match kind {
        SyncKind::BarrierExplicit
        | SyncKind::BarrierImplementation
        | SyncKind::BarrierImplicitWorkshare
        | SyncKind::BarrierImplicitParallel => Some(0),
        SyncKind::Taskwait => Some(2),
        SyncKind::Taskgroup => Some(4),
        // Leagues came later.
        SyncKind::Reduction | SyncKind::BarrierTeams => None,
    }
}

/// Tells the end of a task, or the switch away from it.
fn schedule(view: View, prior: &TaskTool, status: TaskStatus, next: Option<&TaskTool>) {
    let ends = is_completed(status);
    if ends && !view.is_forgotten(&prior.identity) {
        // 2013 tells the event in the environment of an ancestor. The thread that executed the task
        // need be in none of its ancestors.
        let notes = inquiry().and_then(|engine| (engine.notes)()).filter(|_| view.is_2013());
        let note = |task| notes.inspect(|notes| notes.exiting.store(task, Ordering::Relaxed));
        note(core::ptr::from_ref(prior).cast_mut());
        call_tool!(view, ompt_event_task_end, view.task(prior));
        note(core::ptr::null_mut());
    }
    if let Some(next) = next {
        let suspended = if ends { 0 } else { view.task(prior) };
        call_tool!(view, ompt_event_task_switch, suspended, view.task(next));
    }
}

fn work(view: View, kind: WorkKind, endpoint: Endpoint, region: &Identity, task: &TaskTool) {
    let begin = match kind {
        WorkKind::Loop
        | WorkKind::LoopStatic
        | WorkKind::LoopDynamic
        | WorkKind::LoopGuided
        | WorkKind::LoopOther => ompt_event_loop_begin,
        WorkKind::Sections => ompt_event_sections_begin,
        WorkKind::SingleExecutor => ompt_event_single_in_block_begin,
        WorkKind::SingleOther => ompt_event_single_others_begin,
        WorkKind::Workshare => ompt_event_workshare_begin,
        WorkKind::Distribute | WorkKind::Taskloop | WorkKind::Scope | WorkKind::Workdistribute => {
            return;
        }
    };
    let (first, second) = view.pair(region, task);
    let has_function = begin != ompt_event_single_others_begin && endpoint == Endpoint::Begin;
    if has_function && !view.is_2013() {
        // The construct's code is part of the region's code.
        let around = inquiry().and_then(|engine| (engine.region)(0).1);
        let function = around.map_or(0, |region| region.function);
        call_tool!(view, begin, first, second, function);
    } else {
        call_tool!(view, side(begin, endpoint), first, second);
    }
}

/// Returns the position of a kind among five events in a row: lock, nest lock, critical, atomic,
/// ordered.
fn mutex(kind: MutexKind) -> ompt_event_t {
    match kind {
        MutexKind::Lock | MutexKind::TestLock => 0,
        MutexKind::NestLock | MutexKind::TestNestLock => 1,
        MutexKind::Critical => 2,
        MutexKind::Atomic => 3,
        MutexKind::Ordered => 4,
    }
}

fn mutexes_and_the_rest(view: View, event: &Event<'_>) {
    match *event {
        Event::MutexWait { kind, wait_id, .. } => {
            call_tool!(view, ompt_event_wait_lock + mutex(kind), wait_id);
        }
        Event::MutexAcquired { kind, wait_id, .. } => {
            // A nest lock's second acquisition has a number in between.
            let at = match mutex(kind) {
                at @ 0..=1 => at,
                at => at + 1,
            };
            call_tool!(view, ompt_event_acquired_lock + at, wait_id);
        }
        Event::MutexReleased { kind, wait_id, .. } => {
            call_tool!(view, ompt_event_release_lock + mutex(kind), wait_id);
        }
        Event::NestLock { endpoint: Endpoint::Begin, wait_id, .. } => {
            call_tool!(view, ompt_event_acquired_nest_lock_next, wait_id);
        }
        Event::NestLock { wait_id, .. } => {
            call_tool!(view, ompt_event_release_nest_lock_prev, wait_id);
        }
        Event::LockInit { kind, wait_id, .. } => {
            call_tool!(view, ompt_event_init_lock + mutex(kind), wait_id);
        }
        Event::LockDestroy { kind, wait_id, .. } => {
            call_tool!(view, ompt_event_destroy_lock + mutex(kind), wait_id);
        }
        Event::Flush { thread, .. } => {
            if view.is_2013() {
                call_tool!(view, ompt_event_flush, view.name(thread));
            } else {
                call_tool!(view, ompt_event_flush);
            }
        }
        Event::Control { command, modifier, result, .. }
            if view.callback(ompt_event_control) != 0 =>
        {
            call_tool!(view, ompt_event_control, command, modifier);
            // Tools of this generation return no result; another tool's answer stands.
            result.set(result.get().max(0));
        }
        Event::Shutdown => call_tool!(view, ompt_event_runtime_shutdown),
        _ => {}
    }
}
