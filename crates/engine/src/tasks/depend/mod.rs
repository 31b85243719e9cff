//! Dependences between sibling tasks.
//!
//! Who calls: `capi`, which makes tasks with dependences ([`spawn_after`], [`spawn_empty`]) and
//! waits for some ([`wait_for`]); `execute.rs`, when a task is complete ([`finish`]) or its body
//! has ended.
//!
//! A task with dependences has a node. Its parent has a table from addresses to the nodes for which
//! a new sibling may have to wait. Only the thread that executes the parent uses the table, so it
//! has no lock. A node counts its predecessors that are not complete (`missing`) and lists its
//! successors (`omphalos_sync::dependents`). Completing a task closes its list and subtracts 1 from
//! each successor's count; the thread that brings a count to 0 makes that task ready. Cost: one
//! table access for each address, and one list entry for each pair of tasks where one really waits
//! for the other.

mod exclusion;
mod exit;
mod few;
mod list;
mod need;
mod node;
mod pool;
mod reference;
mod table;
mod transparent;
mod view;

use list::tell;
pub use list::{Depend, DependKind};
pub(super) use need::needs;
pub use node::Node;
pub(super) use transparent::has_imports;
pub use view::{node_of, successors_of};

use super::constraint::Constraint;
use super::create::{self, Spec};
use super::scheduling_point;
use super::{agents, find, hooks, queue, wait};
use crate::call::Call;
use crate::records::{Task, Thread, Traits};
use crate::waiting::Reason;
use core::ffi::c_void;
use omphalos_events::{State, TaskFlags, TaskStatus};
use omphalos_sys::entry::Caller;
use table::Table;

/// The table of the current task, if it has one.
// The table lies in a cell that only the executing thread opens.
#[allow(clippy::mut_from_ref)]
fn table_of(parent: &Task) -> Option<&mut Box<Table>> {
    // SAFETY: null or the task's own node, which it keeps until it is complete.
    let node = unsafe { node::of(parent).as_ref() }?;
    // SAFETY: only the thread that executes the task gets here, and holds one reference at a time.
    unsafe { node.table() }.as_mut()
}

/// The table of the current task, made if there is none.
#[allow(clippy::mut_from_ref)]
fn make_table<'a>(thread: &Thread, parent: &'a Task) -> &'a mut Box<Table> {
    if parent.node.get().is_null() {
        let task = thread.own().task();
        task.node.set(task, Node::for_task(thread, parent).cast());
        parent.add_traits(Traits::NODE);
    }
    // SAFETY: as in `table_of`; not null now.
    unsafe { (*node::of(parent)).table() }.get_or_insert_default()
}

/// Makes a task with dependences of a record whose payload is filled. `may_wait`: the `if` clause
/// is true.
///
/// # Safety
/// The code may be called once with `data`, by any thread of the team (of the pool: by any thread),
/// later. The record came from [`create::allocate`] and has become no task yet.
pub unsafe fn spawn_after(
    thread: &'static Thread,
    task: &'static Task,
    spec: Spec,
    data: *mut c_void,
    list: &[Depend],
    may_wait: bool,
    caller: impl Call,
) {
    let parent = thread.task();
    if !may_wait || create::includes(thread) {
        wait_for(thread, list, caller.caller());
        if spec.traits & Traits::TRANSPARENT != 0 && !create::includes(thread) {
            // SAFETY: the caller's promise.
            return unsafe { call_transparent(thread, task, spec, data, caller) };
        }
        // SAFETY: the caller's promise.
        return unsafe { create::call(thread, task, spec, data, true, caller) };
    }
    // SAFETY: the caller's promise.
    let own = unsafe { task.claim() };
    create::define(thread, own, &spec, data, false);
    hooks::created(thread, task, !list.is_empty(), caller);
    if caller.is_watched() {
        tell(task, list);
    }
    let pool = task.has(Traits::POOL | Traits::HIDDEN);
    if pool {
        agents::prepare(thread, own);
    }
    const LEFT: u32 = Traits::DETACHABLE | Traits::POOL | Traits::HIDDEN | Traits::TRANSPARENT;
    if is_first(thread) && !task.has(LEFT) {
        return create::execute_now(thread, task, caller);
    }
    let node = Node::for_task(thread, task);
    task.node.set(own, node.cast());
    task.add_traits(Traits::NODE);
    // SAFETY: just made; the task keeps it until it is complete.
    let node = unsafe { &*node };
    let exit = task.has(Traits::TRANSPARENT).then(|| transparent::begin(thread, parent, task));
    let edges =
        if list.is_empty() { 0 } else { make_table(thread, parent).enter(node, list, true) };
    if let Some(exit) = exit {
        transparent::enter(thread, parent, exit);
    }
    // SAFETY: for the maker, as long as nobody else can make it ready.
    let exclusive = unsafe { !node.exclusive().is_none() };
    let may_defer = if pool { agents::may_defer(thread, task) } else { create::may_defer(thread) };
    if edges != 0 || exclusive || may_defer {
        // Before another thread can make the task ready, or run it.
        create::count(thread, task);
    }
    if edges != 0 && !node.settle(edges) {
        limit(thread, parent);
    } else if exclusive && !exclusion::take_turns(node) {
        // The task that gives up that turn makes this one ready.
        limit(thread, parent);
    } else if may_defer {
        queue::enqueue(thread, task);
    } else {
        return create::execute_now(thread, task, caller);
    }
    hooks::resume(parent, caller);
}

/// Executes an undeferred transparent task.
///
/// # Safety
/// As [`spawn_after`].
#[cold]
unsafe fn call_transparent(
    thread: &'static Thread,
    task: &'static Task,
    mut spec: Spec,
    data: *mut c_void,
    caller: impl Call,
) {
    spec.flags |= TaskFlags::UNDEFERRED;
    // SAFETY: the caller's promise.
    create::define(thread, unsafe { task.claim() }, &spec, data, false);
    hooks::created(thread, task, false, caller);
    begin_transparent(thread, task);
    create::execute_now(thread, task, caller);
}

/// The current task begins an undeferred task that is transparent.
#[cold]
pub(super) fn begin_transparent(thread: &Thread, task: &Task) {
    let parent = thread.task();
    if !parent.is_final() {
        let exit = transparent::begin(thread, parent, task);
        transparent::enter(thread, parent, exit);
    }
}

/// Whether no other thread could run a task with dependences that is made now: the thread is alone,
/// and no sibling has dependences.
#[inline(always)]
pub fn is_first(thread: &Thread) -> bool {
    create::is_alone(thread) && table_of(thread.task()).is_none()
}

/// How many waiting children a task may have before their maker executes tasks itself.
const WAITING_CHILDREN_BEFORE_RUNNING: i64 = 1024;

/// A parent that makes tasks faster than they complete executes some itself, so that memory stays
/// bounded.
fn limit(thread: &'static Thread, parent: &'static Task) {
    if parent.children.outstanding(thread) > WAITING_CHILDREN_BEFORE_RUNNING {
        while parent.children.outstanding(thread) > WAITING_CHILDREN_BEFORE_RUNNING / 2 {
            if !find::run_one(thread, thread.team(), Constraint::in_task(parent)) {
                break;
            }
        }
    }
}

/// Waits until everything is complete for which a task with these dependences would wait
/// (`taskwait depend`, undeferred tasks).
///
/// To tools the wait is a task of its own: it is created with the dependences and completes when
/// they are fulfilled.
pub fn wait_for(thread: &'static Thread, list: &[Depend], caller: Caller) {
    if !omphalos_events::active() || list.is_empty() {
        return wait_as(thread, list, None, caller);
    }
    let task = create::allocate(thread, 0);
    let flags = WAIT_FLAGS;
    create::define(
        thread,
        // SAFETY: just allocated.
        unsafe { task.claim() },
        &Spec { code: core::ptr::null(), flags, traits: 0, priority: 0 },
        core::ptr::null_mut(),
        true,
    );
    task.flags.set(flags);
    hooks::created(thread, task, true, caller);
    tell(task, list);
    wait_as(thread, list, Some(task), caller);
    hooks::switch(task, TaskStatus::TaskwaitComplete, None);
    hooks::resume(thread.task(), caller);
    create::cancel_allocation(thread, task);
}

/// What tools know the task of a `taskwait depend` by.
const WAIT_FLAGS: u32 = TaskFlags::TASKWAIT | TaskFlags::UNDEFERRED | TaskFlags::MERGEABLE;

/// `shown`: the task that stands for the wait, if a tool is attached.
fn wait_as(thread: &'static Thread, list: &[Depend], shown: Option<&Task>, caller: Caller) {
    let Some(table) = table_of(thread.task()) else { return };
    let node = Node::for_wait(thread, shown);
    let edges = table.enter(&node, list, false);
    if edges == 0 || node.settle(edges) {
        return;
    }
    wait::silently(thread, State::WAIT_TASKWAIT, caller, |constraint| {
        wait::wanting(thread, (&raw const node).cast(), || {
            let (team, ready) = (thread.team(), || node.is_ready());
            scheduling_point::wait_running_tasks(thread, team, constraint, Reason::ANYTHING, ready);
        });
    });
}

/// Makes an empty task with these dependences (`taskwait depend nowait`). Tools do not see it
/// executed: it completes when its dependences are fulfilled.
pub fn spawn_empty(thread: &'static Thread, list: &[Depend], caller: Caller) {
    extern "C" fn nothing(_: *mut c_void) {}
    let task = create::allocate(thread, 0);
    let code = nothing as *const c_void;
    let flags = TaskFlags::TASKWAIT | TaskFlags::MERGEABLE;
    let spec = Spec { code, flags, traits: 0, priority: 0 };
    // SAFETY: the function does nothing.
    unsafe { spawn_after(thread, task, spec, core::ptr::null_mut(), list, true, caller) };
}

/// The task is complete: its successors wait for it no more.
pub(super) fn finish(thread: &'static Thread, task: &'static Task) {
    // SAFETY: for the one who completes the task.
    let own = unsafe { task.claim() };
    let node: *const Node = task.node.replace(own, core::ptr::null()).cast();
    // SAFETY: the task's own node, which it gives up at the end.
    let node: &'static Node = unsafe { &*node };
    // SAFETY: nobody else touches the table of a task that has ended.
    let table = unsafe { node.table() }.take();
    // SAFETY: for the one who completes the task.
    if !unsafe { node.exclusive() }.is_none() {
        exclusion::give_up_turns(node, |next| enqueue(thread, next));
    }
    release_successors(thread, node);
    // SAFETY: the task's reference, given up.
    unsafe { Node::release(node) };
    if let Some(table) = table
        && table.around.is_some()
    {
        transparent::end(thread, *table);
    }
}

/// The body of a task has ended, and all its children are made; the task itself is not complete.
pub(super) fn body_ended(thread: &'static Thread, task: &Task) {
    // SAFETY: null or the task's own node.
    if let Some(node) = unsafe { node::of(task).as_ref() }
        // SAFETY: for the thread that executed it; nobody makes children of the task any more.
        && let Some(table) = unsafe { node.table() }.take()
    {
        transparent::end(thread, *table);
    }
}

/// What `node` stands for is complete: calls its successors.
#[inline(always)]
fn release_successors(thread: &'static Thread, node: &Node) {
    node.complete(|next| release(thread, next));
}

/// A successor has nothing left to wait for.
#[inline(always)]
fn release(thread: &'static Thread, next: Result<&'static Node, *const Thread>) {
    match next {
        Ok(next) => ready(thread, next),
        Err(waiter) => {
            // SAFETY: threads' records are never freed.
            unsafe { &*waiter }.line.gate.wake();
        }
    }
}

/// All of a task's predecessors are complete.
#[inline(always)]
fn ready(thread: &'static Thread, node: &'static Node) {
    // SAFETY: its last predecessor is the one who acts for it now.
    if unsafe { node.exclusive() }.is_none() || exclusion::take_turns(node) {
        enqueue(thread, node);
    }
}

#[inline(always)]
fn enqueue(thread: &'static Thread, node: &Node) {
    // SAFETY: the record of a task that waits for this moment.
    if let Some(task) = unsafe { node.task().as_ref::<'static>() } {
        thread.tasks.released.set(thread.own(), true);
        queue::enqueue(thread, task);
    }
}
