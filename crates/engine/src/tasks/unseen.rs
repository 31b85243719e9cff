//! Tasks that their maker executes at once and that nobody else can see: no tool is attached,
//! nothing can be cancelled, and nothing is copied.
//!
//! To define such a task's record would be two thirds of its cost. So the record is defined once
//! and used for every such child of one task. `prepared` of a thread is null, or an unused record
//! that is defined as a child of the thread's current task, in its current state. While such a
//! record is itself the current task, the next one is a child of it. When it ends, that child stays
//! with it (in `data`, which nothing else reads), so a recursion defines one record for each depth.
//!
//! What must hold: whoever changes a thread's current task, or that task's ICVs, calls
//! [`drop_prepared`] first. A change of the task's group is repeated in the record.
//!
//! If the body did only what code outside a task could do, the record's traits are still 0 at the
//! end, and the record is ready for the next task. Any other body ends as every task ends.

use super::complete::complete;
use super::create::{self, Spec};
use super::records;
use crate::call::Call;
use crate::records::{Group, Owner, Task, Thread};
use core::ffi::c_void;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_settings::settings;

/// What a task of GCC's form executes.
pub type Body = unsafe extern "C" fn(*mut c_void);

/// Whether [`call_row`] may execute a task that its maker executes at once.
#[inline(always)]
pub fn is_unseen(call: impl Call) -> bool {
    !call.is_watched() && may_prepare()
}

/// Whether a record may be prepared: nothing can be cancelled.
#[inline(always)]
pub fn may_prepare() -> bool {
    !settings().cancellation
}

/// The prepared record, if there is one. `None`: other records stay with it, which [`change_group`]
/// would give back.
#[inline(always)]
pub(super) fn prepared_alone(thread: &Thread) -> Option<Option<Owner<'static, Task>>> {
    match thread.own().prepared() {
        Some(task) if !task.data.get().is_null() => None,
        task => Some(task),
    }
}

/// The innermost group of the thread's current task has changed.
#[inline(always)]
pub(super) fn change_group(thread: &Thread, group: *const Group) {
    if let Some(task) = thread.own().prepared() {
        task.group.set(task, group);
        if !task.data.get().is_null() {
            give_chain(thread, task.data.replace(task, core::ptr::null_mut()).cast());
        }
    }
}

/// The thread's current task or its ICVs are about to change.
#[inline(always)]
pub fn drop_prepared(thread: &Thread) {
    if !thread.tasks.prepared.get().is_null() {
        give_chain(thread, thread.tasks.prepared.replace(thread.own(), core::ptr::null()));
    }
}

/// Gives back a prepared record and those that stayed with it.
#[inline(never)]
fn give_chain(thread: &Thread, first: *const Task) {
    look_again(thread);
    // SAFETY: null or an idle record; records are never freed.
    let mut next = unsafe { first.as_ref::<'static>() };
    while let Some(task) = next {
        // SAFETY: as above.
        next = unsafe { task.data.get().cast::<Task>().as_ref() };
        records::give_own(thread, task);
    }
}

/// The prepared record; it makes one if there is none.
#[inline(always)]
pub(super) fn at_hand(thread: &Thread) -> &'static Task {
    match thread.own().prepared() {
        Some(task) => task.record(),
        None => prepare(thread),
    }
}

#[cold]
#[inline(never)]
fn prepare(thread: &Thread) -> &'static Task {
    let task = records::take_own(thread);
    let spec = Spec { code: core::ptr::null(), flags: 0, traits: 0, priority: 0 };
    create::define(thread, task, &spec, core::ptr::null_mut(), true);
    task.record()
}

/// How many tasks a thread executes at once before it looks at its full queue again, unless another
/// thread that finds nothing to do asks it to ([`ask`]).
const TASKS_BETWEEN_LOOKS: i32 = 15;

/// Before its next task the thread asks again whether to queue it or to execute it at once.
#[inline(always)]
pub(crate) fn look_again(thread: &Thread) {
    thread.tasks.ready.store(0, Relaxed);
}

/// The calling thread found no task at `member`: that member is to queue its next tasks instead of
/// executing them at once. A member that writes the number at the same moment may miss this; a
/// thread that finds nothing asks again.
#[inline(always)]
pub(super) fn ask(member: &Thread) {
    // A member with a higher number has no choice: it is alone, or in a final task.
    if (1..=TASKS_BETWEEN_LOOKS).contains(&member.tasks.ready.load(Relaxed)) {
        member.tasks.ready.store(0, Relaxed);
    }
}

/// Whether a task of this priority that the current task makes now is executed at once, although
/// its construct does not ask for that. Notes for how many tasks that stays so.
#[inline]
pub fn goes_first(thread: &Thread, priority: i32) -> bool {
    let tasks = &thread.tasks;
    if create::is_alone(thread) || thread.task().is_final() {
        // As long as this task is the current one.
        tasks.ready.store(i32::MAX, Relaxed);
        return true;
    }
    let queues = create::may_defer(thread) && !create::is_crowded(thread, priority);
    tasks.ready.store(if queues { 0 } else { TASKS_BETWEEN_LOOKS }, Relaxed);
    if !queues {
        tasks.count_at_once(TASKS_BETWEEN_LOOKS as u32 + 1);
    }
    !queues
}

/// Whether what [`goes_first`] said last holds for one more task. Entry stubs ask this where a
/// record is prepared.
#[inline(always)]
pub fn still_goes_first(thread: &Thread) -> bool {
    let ready = thread.tasks.ready.load(Relaxed);
    thread.tasks.ready.store(ready.wrapping_sub(1), Relaxed);
    ready > 0 && !thread.tasks.prepared.get().is_null()
}

/// Whether a record is prepared: then [`call`] can execute a task at once. (While tasks can be
/// cancelled none is ever prepared.)
#[inline(always)]
pub fn prepared(thread: &Thread) -> Option<&'static Task> {
    thread.own().prepared().map(Owner::record).filter(|_| !omphalos_events::active())
}

/// Executes a task of GCC's form at once on the construct's own data. Nobody else sees such a task,
/// so there is no more to it. Entry stubs jump here.
///
/// # Safety
/// The body may be called once with `data`; `task` is the thread's prepared record; no tool is
/// attached.
#[inline(never)]
pub unsafe extern "C" fn call(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    task: &'static Task,
) {
    let slot = thread.own().slot();
    let queue = &slot.tasks;
    // As if the program called the body; no constraint holds while it runs.
    let mark = queue.mark.replace(slot, queue.deque.bottom());
    begin(thread, task, body);
    // SAFETY: the caller's promise.
    unsafe { body(data) };
    let slot = thread.own().slot();
    slot.tasks.mark.set(slot, mark);
    end(thread, task, task.parent.get());
}

/// The prepared record becomes the current task.
#[inline(always)]
pub(super) fn begin(thread: &Thread, task: &Task, body: Body) {
    take(thread, task);
    thread.task.set(thread.own(), core::ptr::from_ref(task).cast_mut());
    let own = thread.own().task();
    task.code.set(own, body as *const c_void);
}

/// The record that was prepared for the task's child becomes the thread's prepared one.
#[inline(always)]
pub(super) fn take(thread: &Thread, task: &Task) {
    thread.tasks.prepared.set(thread.own(), task.data.get().cast());
}

/// The current task is over.
#[inline(always)]
pub(super) fn end(thread: &'static Thread, task: &'static Task, parent: *mut Task) {
    thread.task.set(thread.own(), parent);
    if task.traits.get() == 0 {
        // SAFETY: it is over, and the thread keeps its record.
        let own = unsafe { task.claim() };
        task.data.set(own, thread.tasks.prepared.get().cast_mut().cast());
        thread.tasks.prepared.set(thread.own(), task);
    } else {
        finish(thread, task);
    }
}

/// Executes tasks of GCC's form one after the other on the same data: one, and then one more each
/// time `another` says yes.
///
/// # Safety
/// The body may be called once with `data`, and again each time after `another` said yes;
/// [`is_unseen`] holds.
#[inline(always)]
pub unsafe fn call_row(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    mut another: impl FnMut() -> bool,
) {
    let parent = thread.task.get();
    let slot = thread.own().slot();
    let queue = &slot.tasks;
    // As if the program called the body; no constraint holds while it runs. The mark stays where it
    // is if nothing was queued since.
    let (mark, bottom) = (queue.mark.get(), queue.deque.bottom());
    if mark != bottom {
        queue.mark.set(slot, bottom);
    }
    loop {
        let task = at_hand(thread);
        begin(thread, task, body);
        // Repeats while the body leaves nothing behind.
        let over = loop {
            // SAFETY: the caller's promise.
            unsafe { body(data) };
            if task.traits.get() != 0 {
                break false;
            }
            if !another() {
                break true;
            }
        };
        end(thread, task, parent);
        if over || !another() {
            break;
        }
    }
    if mark != bottom {
        queue.mark.set(slot, mark);
    }
}

/// Ends a task whose body left something behind.
#[cold]
#[inline(never)]
fn finish(thread: &'static Thread, task: &'static Task) {
    drop_prepared(thread);
    complete(thread, task);
}
