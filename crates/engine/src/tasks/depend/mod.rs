//! Dependences between sibling tasks.
//!
//! Who calls: `dependent.rs`, which makes tasks with dependences ([`enter`]) and waits for some
//! ([`wait_behind`]); `complete.rs`, when a task is complete ([`finish`]); `execute.rs`, when its
//! body has ended.
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

pub(super) use list::tell;
pub use list::{Depend, DependKind};
pub(super) use need::needs;
pub use node::Node;
pub(super) use transparent::{exist as exist_transparent, has_imports};
pub use view::{node_of, successors_of};

use super::{define, queue};
use crate::records::{Owner, Task, Thread, Traits, Wanted};
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

/// The table of a task's children, made if there is none.
fn make_table<'a>(thread: &Thread, task: Owner<'a, Task>) -> &'a mut Box<Table> {
    if task.node.get().is_null() {
        task.node.set(task, Node::for_task(thread, task.record()).cast());
        task.add_traits(Traits::NODE);
    }
    // SAFETY: as in `table_of`; not null now.
    unsafe { (*node::of(&task)).table() }.get_or_insert_default()
}

/// A task among its siblings, before anybody else can make it ready or run it.
pub(super) struct Entered {
    node: &'static Node,
    /// Siblings that it waits for, as far as they are not complete.
    edges: u32,
    /// It has `mutexinoutset` dependences.
    exclusive: bool,
}

/// Enters a task that the current task, `parent`, has just defined behind the siblings that its
/// dependences name.
#[inline(always)]
pub(super) fn enter(
    thread: &Thread,
    parent: Owner<'_, Task>,
    task: Owner<'static, Task>,
    list: &[Depend],
) -> Entered {
    let node = Node::for_task(thread, task.record());
    task.node.set(task, node.cast());
    task.add_traits(Traits::NODE);
    // SAFETY: just made; the task keeps it until it is complete.
    let node: &'static Node = unsafe { &*node };
    let exit = task.has(Traits::TRANSPARENT).then(|| transparent::begin(thread, parent, task));
    let edges =
        if list.is_empty() { 0 } else { make_table(thread, parent).enter(node, list, true) };
    if let Some(exit) = exit {
        transparent::enter(thread, parent, exit);
    }
    // SAFETY: for the maker, as long as nobody else can make it ready.
    let exclusive = unsafe { !node.exclusive().is_none() };
    Entered { node, edges, exclusive }
}

impl Entered {
    /// Whether another thread may have to make the task ready.
    #[inline(always)]
    pub(super) fn may_wait(&self) -> bool {
        self.edges != 0 || self.exclusive
    }

    /// Whether the task is ready. If not, the thread that completes its last predecessor, or gives
    /// up the turn that it waits for, makes it ready; it may be gone already.
    #[inline(always)]
    pub(super) fn is_ready(&self) -> bool {
        if self.edges != 0 && !self.node.settle(self.edges) {
            return false;
        }
        !self.exclusive || exclusion::take_turns(self.node)
    }
}

/// Waits until everything is complete for which a task with these dependences would wait. `wait`
/// gets what is wanted and whether it has come; it is not called if nothing is left to wait for.
/// `shown`: the task that stands for the wait, if a tool is attached.
pub(super) fn wait_behind(
    thread: &'static Thread,
    list: &[Depend],
    shown: Option<&Task>,
    wait: impl FnOnce(Wanted, &dyn Fn() -> bool),
) {
    let Some(table) = table_of(thread.task()) else { return };
    let node = Node::for_wait(thread, shown);
    let edges = table.enter(&node, list, false);
    if edges != 0 && !node.settle(edges) {
        wait((&raw const node).cast(), &|| node.is_ready());
    }
}

/// The current task begins an undeferred task that is transparent.
#[cold]
pub(super) fn begin_transparent(thread: &Thread, task: Owner<'_, Task>) {
    let parent = thread.own().task();
    if !parent.is_final() {
        let exit = transparent::begin(thread, parent, task);
        transparent::enter(thread, parent, exit);
    }
}

/// Whether no other thread could run a task with dependences that is made now: the thread is alone,
/// and no sibling has dependences.
#[inline(always)]
pub fn is_first(thread: &Thread) -> bool {
    define::is_alone(thread) && table_of(thread.task()).is_none()
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
