//! The events of tasking: built out of line, only if a tool wants them.

use crate::call::Call;
use crate::enable;
use crate::records::{Task, Thread};
use core::sync::atomic::Ordering;
use omphalos_events::{
    Cancel, Dependence, Endpoint, Event, Kind, SyncKind, TaskStatus, dispatch, tell, wants,
};
use omphalos_sys::entry::Caller;

/// A task was made by the current task. Inlined: what it is made of is at hand.
#[inline(always)]
pub(super) fn created(thread: &'static Thread, task: &Task, dependent: bool, call: impl Call) {
    if !call.is_watched() {
        return;
    }
    let caller = call.caller();
    task.tool.identity.renew(thread.unique_id());
    if is_counted(thread, task, caller) {
        return;
    }
    let maker = thread.task();
    maker.tool.frame.enter.store(caller.border(), Ordering::Relaxed);
    tell::task_create(
        &maker.tool,
        &task.tool,
        task.shown_flags(),
        dependent,
        || task.function(),
        caller.address(),
    );
}

/// Whether a task that is made is only counted: the tool that alone hears of such wants it so for
/// now.
#[inline(always)]
pub(super) fn is_counted(thread: &Thread, task: &Task, caller: Caller) -> bool {
    let word = match is_quiet(thread, Kind::TaskCreate) {
        true => thread.notes.tasks.count(caller.address()),
        false => None,
    };
    word.is_some_and(|word| {
        tell::counted_task(&task.tool, word);
        true
    })
}

/// A task is in the runtime: where it entered, for as long as it stays there.
#[inline(always)]
pub(super) fn enter(task: &Task, call: impl Call) {
    if call.is_watched() {
        task.tool.frame.enter.store(call.caller().border(), Ordering::Relaxed);
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
pub(super) fn wants_schedule() -> bool {
    wants(Kind::TaskSchedule)
}

/// Whether the only tool that hears of such events wants none from this thread for now.
#[inline(always)]
fn is_quiet(thread: &Thread, event: Kind) -> bool {
    thread.notes.tasks.is_on() && omphalos_events::is_sole(event)
}

/// Whether nobody hears of tasks that the thread executes, though a tool is attached.
#[inline(always)]
pub(super) fn hushes(thread: &Thread) -> bool {
    is_quiet(thread, Kind::TaskSchedule) && !enable::is_on()
}

/// As [`switch`] where a tool is attached, unless it wants to hear nothing of this thread's tasks.
#[inline(always)]
pub(super) fn switch_on(thread: &Thread, prior: &Task, status: TaskStatus, next: &Task) {
    let quiet = || is_quiet(thread, Kind::TaskSchedule);
    tell::task_schedule_unless(quiet, &prior.tool, status, &next.tool);
}

/// As [`switch_on`] at a task's end. While tasks are counted only, those that another thread made
/// are counted here.
#[inline(always)]
pub(super) fn ends(thread: &Thread, task: &Task, status: TaskStatus, next: &Task) {
    let counted = || {
        is_quiet(thread, Kind::TaskSchedule) && thread.notes.tasks.ends(tell::data_of(&task.tool))
    };
    tell::task_schedule_unless(counted, &task.tool, status, &next.tool);
}

/// The thread goes from one task to another.
#[inline(always)]
pub(super) fn switch(prior: &Task, status: TaskStatus, next: Option<&Task>) {
    tell::task_schedule(&prior.tool, status, next.map(|task| &task.tool));
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
    tell::dependences(&task.tool, list);
}

/// Whether a tool hears of edges between tasks.
#[inline(always)]
pub(super) fn wants_edges() -> bool {
    wants(Kind::TaskDependence)
}

/// `sink` has to wait for `source`. Neither completes meanwhile.
#[cold]
#[inline(never)]
pub(super) fn edge(source: *const Task, sink: *const Task) {
    // SAFETY: null or records, which are never freed.
    if let (Some(source), Some(sink)) = (unsafe { source.as_ref() }, unsafe { sink.as_ref() }) {
        tell::task_dependence(&source.tool, &sink.tool);
    }
}

/// A taskgroup begins. An entry stub said who called.
#[inline(always)]
pub(super) fn group_begin(thread: &'static Thread, caller: Caller) {
    called(thread, SyncKind::Taskgroup, Endpoint::Begin, caller);
}

/// A taskgroup has ended. An entry stub said who called.
#[inline(always)]
pub(super) fn group_end(thread: &'static Thread, caller: Caller) {
    called(thread, SyncKind::Taskgroup, Endpoint::End, caller);
}

/// A synchronisation construct that the program called begins or ends.
#[inline(always)]
pub(super) fn called(thread: &'static Thread, kind: SyncKind, endpoint: Endpoint, caller: Caller) {
    sync_event(thread, Kind::SyncRegion, kind, endpoint, caller, caller.entry_border());
}

/// A synchronisation construct (`Kind::SyncRegion`) or the waiting in it (`Kind::SyncWait`),
/// whoever called.
#[inline(always)]
pub(super) fn sync(
    thread: &'static Thread,
    event: Kind,
    kind: SyncKind,
    endpoint: Endpoint,
    caller: Caller,
) {
    sync_event(thread, event, kind, endpoint, caller, caller.border());
}

/// Inlined where the event is known; told unless the only tool that hears of it wants none from
/// this thread.
#[inline(always)]
fn sync_event(
    thread: &'static Thread,
    event: Kind,
    kind: SyncKind,
    endpoint: Endpoint,
    caller: Caller,
    frame: u64,
) {
    let told = tell::sync_of(event == Kind::SyncWait, kind, endpoint, || {
        if is_quiet(thread, event) {
            return None;
        }
        let (region, task) = (&thread.team().counted().identity, &thread.task().tool);
        task.frame.enter.store(frame, Ordering::Relaxed);
        Some((region, task, caller.address()))
    });
    if told {
        // Begun or ended: user code comes next, or a wait, which notes the frame itself. Looked up
        // again: that is less than to keep it.
        thread.task().tool.frame.enter.store(0, Ordering::Relaxed);
    }
}
