//! Tasks that are executed at once and that nobody else can see: no tool listens, nothing can be
//! cancelled, and nothing is copied.
//!
//! Their record is defined once and used again for every such child of one task: `prepared` of a
//! thread is null, or an idle record that is defined as a child of the thread's current task as
//! that is now. While such a record is itself the current task, the next one is a child of it; when
//! it ends, that one stays with it (in `data`, which nothing else reads), so that a recursion
//! defines a record once for each depth. What must hold: whoever changes the current task of a
//! thread or that one's ICVs calls [`drop_prepared`] before; a change of its group is repeated in
//! the record. Two thirds of such a task's cost would be to define its record.
//!
//! A task whose body did no more than code outside tasks could do leaves its traits as they were,
//! 0; any other goes the way of all tasks at its end.

use super::create::{self, Spec};
use super::{execute, records};
use crate::call::Call;
use crate::records::{Group, Task, Thread};
use core::ffi::c_void;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_settings::settings;

/// What a task of GCC's form executes.
pub type Body = unsafe extern "C" fn(*mut c_void);

/// Whether a task that is executed at once can be executed by [`call_row`].
#[inline(always)]
pub fn is_unseen(call: impl Call) -> bool {
    !call.is_watched() && may_prepare()
}

/// Whether a record may be prepared: nothing can be cancelled.
#[inline(always)]
pub fn may_prepare() -> bool {
    !settings().cancellation
}

/// The prepared record, if there is one; `None` if others stay with it, which [`change_group`]
/// would give back.
#[inline(always)]
pub(super) fn prepared_alone(thread: &Thread) -> Option<Option<&'static Task>> {
    // SAFETY: null or an idle record; records are never freed.
    let task = unsafe { thread.tasks.prepared.get().as_ref() };
    match task {
        Some(task) if !task.data.get().is_null() => None,
        task => Some(task),
    }
}

/// The innermost group of the thread's current task has changed.
#[inline(always)]
pub(super) fn change_group(thread: &Thread, group: *const Group) {
    // SAFETY: null or an idle record; records are never freed.
    if let Some(task) = unsafe { thread.tasks.prepared.get().as_ref() } {
        task.group.set(group);
        if !task.data.get().is_null() {
            give_chain(thread, task.data.replace(core::ptr::null_mut()).cast());
        }
    }
}

/// The thread's current task or its ICVs are about to change.
#[inline(always)]
pub fn drop_prepared(thread: &Thread) {
    if !thread.tasks.prepared.get().is_null() {
        give_chain(thread, thread.tasks.prepared.replace(core::ptr::null()));
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

/// An idle record that is prepared.
#[inline(always)]
pub(super) fn at_hand(thread: &Thread) -> &'static Task {
    // SAFETY: null or an idle record; records are never freed.
    unsafe { thread.tasks.prepared.get().as_ref() }.unwrap_or_else(|| prepare(thread))
}

#[cold]
#[inline(never)]
fn prepare(thread: &Thread) -> &'static Task {
    let task = records::take_own(thread);
    let spec = Spec { code: core::ptr::null(), flags: 0, traits: 0, priority: 0 };
    create::define(thread, task, &spec, core::ptr::null_mut(), true);
    task
}

/// How many tasks a thread executes at once before it looks at its full queue again, unless another
/// thread that finds nothing to do asks it to ([`ask`]).
const TASKS_BETWEEN_LOOKS: i32 = 15;

/// The next task is queued or executed at once as the queue then is.
#[inline(always)]
pub(crate) fn look_again(thread: &Thread) {
    thread.tasks.ready.store(0, Relaxed);
}

/// The calling thread found no task at `member`: that one is to queue its next tasks, not to
/// execute them at once. A member that changes its number at the same moment may not notice; who
/// finds nothing asks again.
#[inline(always)]
pub(super) fn ask(member: &Thread) {
    // One that may execute more than these has to: it is alone, or in a final task.
    if (1..=TASKS_BETWEEN_LOOKS).contains(&member.tasks.ready.load(Relaxed)) {
        member.tasks.ready.store(0, Relaxed);
    }
}

/// Whether a task of this priority made now by the current task is executed at once although its
/// construct does not ask for that; notes how long that will be so.
#[inline]
pub fn goes_first(thread: &Thread, priority: i32) -> bool {
    let tasks = &thread.tasks;
    if create::is_alone(thread) || thread.task().is_final() {
        // As long as the current task is.
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

/// Whether what [`goes_first`] said last holds for one more task; where a record is prepared, as
/// entry stubs ask it.
#[inline(always)]
pub fn still_goes_first(thread: &Thread) -> bool {
    let ready = thread.tasks.ready.load(Relaxed);
    thread.tasks.ready.store(ready.wrapping_sub(1), Relaxed);
    ready > 0 && !thread.tasks.prepared.get().is_null()
}

/// Whether a record is at hand: then a task that is executed at once can be executed by [`call`].
/// (Where tasks can be cancelled none is ever prepared.)
#[inline(always)]
pub fn prepared(thread: &Thread) -> Option<&'static Task> {
    // SAFETY: null or an idle record; records are never freed.
    unsafe { thread.tasks.prepared.get().as_ref() }.filter(|_| !omphalos_events::active())
}

/// Executes a task of GCC's form at once on the construct's own data: all there is to a task that
/// nobody else can see. Entry stubs jump here.
///
/// # Safety
/// The body may be called once with `data`; `task` is the thread's prepared record, and no tool
/// listens.
#[inline(never)]
pub unsafe extern "C" fn call(
    thread: &'static Thread,
    body: Body,
    data: *mut c_void,
    task: &'static Task,
) {
    let queue = &thread.slot().tasks;
    // The program calls this, and while it runs there is no constraint.
    let mark = queue.mark.replace(queue.deque.bottom());
    begin(thread, task, body);
    // SAFETY: the caller's promise.
    unsafe { body(data) };
    thread.slot().tasks.mark.set(mark);
    end(thread, task, task.parent.get());
}

/// An idle record that is prepared becomes the current task.
#[inline(always)]
pub(super) fn begin(thread: &Thread, task: &Task, body: Body) {
    take(thread, task);
    thread.own().set_task(core::ptr::from_ref(task).cast_mut());
    task.code.set(body as *const c_void);
}

/// What is prepared for its child is what the thread has prepared.
#[inline(always)]
pub(super) fn take(thread: &Thread, task: &Task) {
    thread.tasks.prepared.set(task.data.get().cast());
}

/// The current task is over.
#[inline(always)]
pub(super) fn end(thread: &'static Thread, task: &'static Task, parent: *mut Task) {
    thread.own().set_task(parent);
    if task.traits.get() == 0 {
        task.data.set(thread.tasks.prepared.get().cast_mut().cast());
        thread.tasks.prepared.set(task);
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
    let queue = &thread.slot().tasks;
    // The program calls this, and while it runs there is no constraint. The mark stays where
    // nothing was queued since.
    let (mark, bottom) = (queue.mark.get(), queue.deque.bottom());
    if mark != bottom {
        queue.mark.set(bottom);
    }
    loop {
        let task = at_hand(thread);
        begin(thread, task, body);
        // Again and again while the body leaves nothing behind.
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
        queue.mark.set(mark);
    }
}

/// A task that turned out to have more to it.
#[cold]
#[inline(never)]
fn finish(thread: &'static Thread, task: &'static Task) {
    drop_prepared(thread);
    execute::complete(thread, task);
}
