//! Tells tools of tasks, taskgroups and taskwaits.
//!
//! Who calls: the files of this folder, where something happens to a task. Each function first asks
//! whether a tool wants the event. The common ones are inlined, the rare ones stay out of line.

use crate::call::Call;
use crate::hooks::entered;
use crate::records::{Task, Thread, Traits};
use core::num::NonZero;
use core::sync::atomic::Ordering;
use omphalos_events::{
    Cancel, Dependence, Endpoint, Event, Kind, State, SyncKind, TaskStatus, dispatch, partner,
    tell_tools, wants,
};
use omphalos_sys::entry::Caller;

/// Tells that the current task made a task. Inlined, because the caller has the event's words at
/// hand.
#[inline(always)]
pub(super) fn created(thread: &'static Thread, task: &Task, dependent: bool, call: impl Call) {
    if !call.is_watched() {
        return;
    }
    let caller = call.caller();
    task.tool.identity.renew(thread.unique_id());
    // Without a tool, tasks with such an entry take a shorter way.
    let is_longer = task.has(Traits::ENTRY);
    if is_counted(thread, task, caller, is_longer) {
        return;
    }
    let maker = thread.task();
    maker.tool.frame.enter.store(entered(caller), Ordering::Relaxed);
    tell_tools::task_create(
        &maker.tool,
        &task.tool,
        task.shown_flags(),
        dependent,
        || task.function(),
        caller.address(),
    );
}

/// Does what [`created`] does, for a task whose construct has waited for the task's dependences.
/// Tools of 5.0 and later were told of that wait as a task with these dependences. Earlier tools
/// are told that they are this task's.
#[inline(always)]
pub(super) fn created_behind(
    thread: &'static Thread,
    task: &Task,
    awaited: &[Dependence],
    call: impl Call,
) {
    if call.is_watched() {
        thread.notes.note_awaited(awaited);
        created(thread, task, false, call);
        thread.notes.note_awaited(&[]);
    }
}

/// Counts a task that is made, if the only tool that wants these events wants the thread quiet
/// (`omphalos_events::quiet`). Returns whether it did. `is_longer`: with a tool the task takes a
/// much longer way.
#[inline(always)]
pub(super) fn is_counted(thread: &Thread, task: &Task, caller: Caller, is_longer: bool) -> bool {
    let word = match is_quiet(thread, Kind::TaskCreate) {
        true => thread.notes.tasks.count(caller.address(), 1, is_longer),
        false => None,
    };
    word.is_some_and(|word| {
        partner::set_word(&task.tool.identity, word);
        true
    })
}

/// Counts a task that is about to be made of this record, if the thread is quiet for all events of
/// a task. Returns whether it did: then the task is made and executed by a [`Quiet`](crate::Quiet)
/// call, or as an unseen one (`shown.rs`). `is_longer`: this takes a much longer way than such a
/// task without a tool. It touches at least five words: two that say whether the thread is quiet,
/// two of the place that counts, and the task's data word.
#[inline(always)]
pub fn counts(thread: &Thread, task: &Task, caller: Caller, is_longer: bool) -> bool {
    const TOLD: u64 = Kind::TaskCreate.bit() | Kind::TaskSchedule.bit();
    if !(thread.notes.tasks.is_on() && partner::are_alone(TOLD)) {
        return false;
    }
    let Some(word) = thread.notes.tasks.count(caller.address(), 1, is_longer) else { return false };
    task.tool.identity.renew(thread.unique_id());
    partner::set_word(&task.tool.identity, word);
    true
}

/// Counts so many tasks of a taskloop that are about to be dealt out (`split.rs`), if the thread is
/// quiet for all events of them. Returns the value of their data words.
#[inline]
pub(super) fn counts_dealt(thread: &Thread, caller: Caller, tasks: u64) -> Option<NonZero<u64>> {
    const TOLD: u64 = Kind::TaskCreate.bit()
        | Kind::TaskSchedule.bit()
        | Kind::Dispatch.bit()
        | Kind::WaitBreak.bit();
    if !(thread.notes.tasks.is_on() && partner::are_alone(TOLD)) {
        return None;
    }
    thread.notes.tasks.count(caller.address(), tasks, false).and_then(NonZero::new)
}

/// Gives an id and the data word to a record that became one of the tasks that [`counts_dealt`]
/// counted.
#[inline(always)]
pub(super) fn names_dealt(thread: &Thread, task: &Task, word: NonZero<u64>) {
    task.tool.identity.renew(thread.unique_id());
    partner::set_word(&task.tool.identity, word.get());
}

/// Called when a task that [`counts_dealt`] counted has ended. Calls `another`, which gives the
/// next one on the same record. Returns `None` without that call if a tool is to be told that the
/// task ends.
#[inline(always)]
pub(super) fn follows_dealt<T>(
    thread: &Thread,
    word: NonZero<u64>,
    another: impl FnOnce() -> Option<T>,
) -> Option<T> {
    let counts = &thread.notes.tasks;
    if !(keeps_quiet(thread) && counts.knows(word.get())) {
        return None;
    }
    another().inspect(|_| {
        counts.ends(word.get());
    })
}

/// Whether the thread is quiet for all events of a taskwait.
#[inline(always)]
pub(super) fn passes_taskwait(thread: &Thread) -> bool {
    const TOLD: u64 = Kind::SyncRegion.bit() | Kind::SyncWait.bit();
    thread.notes.tasks.is_on() && partner::are_alone(TOLD)
}

/// Notes the frame from which a task called the runtime, for as long as the task stays in the
/// runtime.
#[inline(always)]
pub(super) fn enter(task: &Task, call: impl Call) {
    if call.is_watched() {
        task.tool.frame.enter.store(call.caller().border(), Ordering::Relaxed);
    }
}

/// Notes that a task goes back to user code.
#[inline(always)]
pub(super) fn resume(task: &Task, call: impl Call) {
    if call.is_watched() {
        task.tool.frame.enter.store(0, Ordering::Relaxed);
    }
}

/// Whether a tool wants the event of [`switch`].
#[inline(always)]
pub(super) fn wants_schedule() -> bool {
    wants(Kind::TaskSchedule)
}

/// Whether the only tool that wants this event wants the thread quiet.
#[inline(always)]
fn is_quiet(thread: &Thread, event: Kind) -> bool {
    thread.notes.tasks.is_on() && partner::is_alone(event)
}

/// Whether no tool is told of the tasks that the thread executes, though one is attached.
#[inline(always)]
pub(super) fn keeps_quiet(thread: &Thread) -> bool {
    is_quiet(thread, Kind::TaskSchedule)
}

/// Does what [`switch`] does, while a tool is attached, unless the thread is quiet.
#[inline(always)]
pub(super) fn switch_on(thread: &Thread, prior: &Task, status: TaskStatus, next: &Task) {
    let quiet = || is_quiet(thread, Kind::TaskSchedule);
    tell_tools::task_schedule_unless(quiet, &prior.tool, status, &next.tool);
}

/// Does what [`switch_on`] does, at a task's end. On a quiet thread this counts the end of a task
/// instead, if another thread counted its begin.
#[inline(always)]
pub(super) fn ends(thread: &Thread, task: &Task, status: TaskStatus, next: &Task) {
    let counted = || {
        is_quiet(thread, Kind::TaskSchedule) && thread.notes.tasks.ends(partner::word(&task.tool))
    };
    tell_tools::task_schedule_unless(counted, &task.tool, status, &next.tool);
}

/// Does what [`ends`] does, for a task that began on a quiet thread. Tools that were attached since
/// then are told nothing of its end: they were told nothing of its begin.
#[inline(always)]
pub(super) fn ends_quietly(thread: &Thread, task: &Task, status: TaskStatus, next: &Task) {
    let tasks = &thread.notes.tasks;
    if !(tasks.is_on() && tasks.ends(partner::word(&task.tool))) {
        ends_told(task, status, next);
    }
}

#[cold]
#[inline(never)]
fn ends_told(task: &Task, status: TaskStatus, next: &Task) {
    tell_tools::task_schedule_unless(|| false, &task.tool, status, &next.tool);
}

/// Tells that the thread has gone from one task to another. The caller has made `next` the current
/// task: the event happens in the context of the task that begins or is resumed (OpenMP 6.0, Task
/// Scheduling; 2016, 4.2.1.4; 2013, 3.3.2).
#[inline(always)]
pub(super) fn switch(prior: &Task, status: TaskStatus, next: Option<&Task>) {
    tell_tools::task_schedule(&prior.tool, status, next.map(|task| &task.tool));
}

/// Tells that a task is discarded because its group or region was cancelled.
#[cold]
pub(super) fn discarded(thread: &Thread, prior: &Task, task: &Task) {
    if wants(Kind::Cancel) {
        let flags = Cancel::TASKGROUP | Cancel::DISCARDED_TASK;
        dispatch(&Event::Cancel { task: &task.tool, flags, codeptr: 0 });
    }
    thread.task.set(thread.as_owner(), core::ptr::from_ref(task).cast_mut());
    switch(prior, TaskStatus::Switch, Some(task));
    thread.task.set(thread.as_owner(), core::ptr::from_ref(prior).cast_mut());
    switch(task, TaskStatus::Cancel, Some(prior));
}

/// Tells the dependences of a task as the program wrote them.
#[cold]
pub(super) fn dependences(task: &Task, list: &[Dependence]) {
    tell_tools::dependences(&task.tool, list);
}

/// Whether a tool wants the edges between tasks.
#[inline(always)]
pub(super) fn wants_edges() -> bool {
    wants(Kind::TaskDependence)
}

/// Tells that `sink` has to wait for `source`. Neither completes meanwhile.
#[cold]
#[inline(never)]
pub(super) fn edge(source: *const Task, sink: *const Task) {
    // SAFETY: null or records, which are never freed.
    if let (Some(source), Some(sink)) = (unsafe { source.as_ref() }, unsafe { sink.as_ref() }) {
        tell_tools::task_dependence(&source.tool, &sink.tool);
    }
}

/// Tells that a taskgroup begins. An entry stub noted the caller.
#[inline(always)]
pub(super) fn group_begin(thread: &'static Thread, caller: Caller) {
    called(thread, SyncKind::Taskgroup, Endpoint::Begin, caller);
}

/// Tells that a taskgroup has ended. An entry stub noted the caller.
#[inline(always)]
pub(super) fn group_end(thread: &'static Thread, caller: Caller) {
    called(thread, SyncKind::Taskgroup, Endpoint::End, caller);
}

/// Tells that a synchronisation construct that the program called begins or ends.
#[inline(always)]
pub(super) fn called(thread: &'static Thread, kind: SyncKind, endpoint: Endpoint, caller: Caller) {
    sync_event(thread, Kind::SyncRegion, kind, endpoint, caller, caller.entry_border());
}

/// Whether a tool wants to be told of tasks inside a wait.
#[inline(always)]
pub(super) fn wants_breaks() -> bool {
    wants(Kind::WaitBreak)
}

/// Returns the construct in whose wait a thread of this state is; `None` if it is in no wait that
/// tools are told of.
pub(super) fn wait_in(state: State) -> Option<SyncKind> {
    Some(match state {
        State::WAIT_BARRIER_EXPLICIT => SyncKind::BarrierExplicit,
        State::WAIT_BARRIER_IMPLICIT_WORKSHARE => SyncKind::BarrierImplicitWorkshare,
        State::WAIT_BARRIER_IMPLICIT_PARALLEL => SyncKind::BarrierImplicitParallel,
        State::WAIT_BARRIER_IMPLEMENTATION => SyncKind::BarrierImplementation,
        State::WAIT_BARRIER_TEAMS => SyncKind::BarrierTeams,
        State::WAIT_TASKWAIT => SyncKind::Taskwait,
        State::WAIT_TASKGROUP => SyncKind::Taskgroup,
        _ => return None,
    })
}

/// Tells that the current task's wait is interrupted, because the thread executes a task, or that
/// it goes on.
#[cold]
pub(super) fn wait_break(thread: &Thread, kind: SyncKind, endpoint: Endpoint) {
    let (region, task) = (&thread.team().counted().identity, &thread.task().tool);
    dispatch(&Event::WaitBreak { kind, endpoint, region, task });
}

/// Tells of a synchronisation construct (`Kind::SyncRegion`) or of the wait in it
/// (`Kind::SyncWait`), also where the runtime itself calls.
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

/// Tells of the event, unless the thread is quiet. Inlined, because each caller knows the event
/// when it is compiled.
#[inline(always)]
fn sync_event(
    thread: &'static Thread,
    event: Kind,
    kind: SyncKind,
    endpoint: Endpoint,
    caller: Caller,
    frame: u64,
) {
    let told = tell_tools::sync_of(event == Kind::SyncWait, kind, endpoint, || {
        if is_quiet(thread, event) {
            return None;
        }
        let (region, task) = (&thread.team().counted().identity, &thread.task().tool);
        task.frame.enter.store(frame, Ordering::Relaxed);
        Some((region, task, caller.address()))
    });
    if told {
        // User code follows, or a wait, which notes the frame itself. The task is looked up again:
        // keeping it in a register over the tool's callbacks costs more.
        thread.task().tool.frame.enter.store(0, Ordering::Relaxed);
    }
}
