//! The events of tasking: built out of line, only if a tool wants them.

use super::task::Task;
use crate::call::Call;
use crate::thread::Thread;
use core::sync::atomic::Ordering;
use omphalos_events::{
    Cancel, Dependence, Endpoint, Event, Kind, SyncKind, TaskStatus, WorkKind, dispatch, offer,
    offer_or, wants,
};
use omphalos_sys::entry::Caller;

/// A task was made by the current task.
#[inline(always)]
pub(super) fn created(thread: &'static Thread, task: &Task, dependent: bool, call: impl Call) {
    if call.is_watched() {
        create_event(thread, task, dependent, call.caller());
    }
}

#[cold]
#[inline(never)]
fn create_event(thread: &'static Thread, task: &Task, dependent: bool, caller: Caller) {
    tell_created(thread, task, dependent, caller);
}

/// As [`created`] where a tool is attached.
#[inline(always)]
pub(super) fn tell_created(thread: &'static Thread, task: &Task, dependent: bool, caller: Caller) {
    task.tool.identity.renew(thread.unique_id());
    let maker = thread.task();
    maker.tool.frame.enter.store(caller.cfa(), Ordering::Relaxed);
    let event = |function| Event::TaskCreate {
        encountering: &maker.tool,
        task: &task.tool,
        flags: task.shown_flags(),
        has_dependences: dependent,
        function,
        codeptr: caller.address(),
    };
    offer_or(&event(0), || event(task.function()));
}

/// A task is in the runtime: where it entered, for as long as it stays there.
#[inline(always)]
pub(super) fn enter(task: &Task, call: impl Call) {
    if call.is_watched() {
        task.tool.frame.enter.store(call.caller().cfa(), Ordering::Relaxed);
    }
}

/// A task goes back to user code.
#[inline(always)]
pub(super) fn resume(task: &Task, call: impl Call) {
    if call.is_watched() {
        task.tool.frame.enter.store(0, Ordering::Relaxed);
    }
}

/// Whether anybody hears of [`switch`].
#[inline(always)]
pub(super) fn schedule_heard() -> bool {
    wants(Kind::TaskSchedule)
}

/// Whether the only tool that hears of such events wants none from this thread for now.
#[inline(always)]
fn is_quiet(thread: &Thread, event: Kind) -> bool {
    thread.notes.quiet.load(Ordering::Relaxed) != 0 && omphalos_events::is_sole(event)
}

/// As [`switch`] where a tool is attached, unless it wants to hear nothing of this thread's tasks.
#[inline(always)]
pub(super) fn switch_on(thread: &Thread, prior: &Task, status: TaskStatus, next: &Task) {
    if !is_quiet(thread, Kind::TaskSchedule) {
        let next = Some(&next.tool);
        offer(&Event::TaskSchedule { prior: &prior.tool, status, next });
    }
}

/// The thread goes from one task to another.
#[inline(always)]
pub(super) fn switch(prior: &Task, status: TaskStatus, next: Option<&Task>) {
    if wants(Kind::TaskSchedule) {
        switch_event(prior, status, next);
    }
}

/// Inlined where the event is known.
#[inline(always)]
fn switch_event(prior: &Task, status: TaskStatus, next: Option<&Task>) {
    let next = next.map(|task| &task.tool);
    dispatch(&Event::TaskSchedule { prior: &prior.tool, status, next });
}

/// A task is discarded because its group or region was cancelled.
#[cold]
pub(super) fn discarded(prior: &Task, task: &Task) {
    if wants(Kind::Cancel) {
        let flags = Cancel::TASKGROUP | Cancel::DISCARDED_TASK;
        dispatch(&Event::Cancel { task: &task.tool, flags, codeptr: 0 });
    }
    switch(prior, TaskStatus::Switch, Some(task));
    switch(task, TaskStatus::Cancel, Some(prior));
}

/// The dependences of a task as the program wrote them.
#[cold]
pub(super) fn dependences(task: &Task, list: &[Dependence]) {
    if wants(Kind::Dependences) {
        dispatch(&Event::Dependences { task: &task.tool, dependences: list });
    }
}

/// `sink` has to wait for `source`.
#[inline(always)]
pub(super) fn depends(source: *const Task, sink: *const Task) {
    if wants(Kind::TaskDependence) {
        depends_event(source, sink);
    }
}

#[cold]
#[inline(never)]
fn depends_event(source: *const Task, sink: *const Task) {
    // SAFETY: null or records, which are never freed.
    if let (Some(source), Some(sink)) = (unsafe { source.as_ref() }, unsafe { sink.as_ref() }) {
        dispatch(&Event::TaskDependence { source: &source.tool, sink: &sink.tool });
    }
}

/// A taskgroup begins.
#[inline(always)]
pub(super) fn group_begin(thread: &'static Thread, caller: Caller) {
    sync(thread, Kind::SyncRegion, SyncKind::Taskgroup, Endpoint::Begin, caller);
}

/// A taskgroup has ended.
#[inline(always)]
pub(super) fn group_end(thread: &'static Thread, caller: Caller) {
    sync(thread, Kind::SyncRegion, SyncKind::Taskgroup, Endpoint::End, caller);
}

/// A synchronisation construct (`Kind::SyncRegion`) or the waiting in it (`Kind::SyncWait`).
#[inline(always)]
pub(super) fn sync(
    thread: &'static Thread,
    event: Kind,
    kind: SyncKind,
    endpoint: Endpoint,
    caller: Caller,
) {
    if wants(event) && !is_quiet(thread, event) {
        sync_event(thread, event, kind, endpoint, caller);
    }
}

/// Inlined where the event is known.
#[inline(always)]
fn sync_event(
    thread: &'static Thread,
    event: Kind,
    kind: SyncKind,
    endpoint: Endpoint,
    caller: Caller,
) {
    let (region, task) = (&thread.team().counted().identity, &thread.task().tool);
    let codeptr = caller.address();
    task.frame.enter.store(caller.cfa(), Ordering::Relaxed);
    if event == Kind::SyncWait {
        dispatch(&Event::SyncWait { kind, endpoint, region, task, codeptr });
    } else {
        dispatch(&Event::SyncRegion { kind, endpoint, region, task, codeptr });
    }
    // Begun or ended: user code comes next, or a wait, which notes the frame itself.
    task.frame.enter.store(0, Ordering::Relaxed);
}

/// A taskloop begins or ends: `count` iterations.
pub fn taskloop(thread: &'static Thread, endpoint: Endpoint, count: u64, caller: Caller) {
    crate::worksharing::hooks::work_event(thread, WorkKind::Taskloop, endpoint, count, caller);
}
