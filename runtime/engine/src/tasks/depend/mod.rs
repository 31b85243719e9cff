//! Orders sibling tasks by their dependences.
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

mod children;
mod exclusion;
mod exit;
mod few_nodes;
mod list;
mod need;
mod node;
mod pool;
mod reference;
mod release;
mod siblings;
mod table;
mod transparent;
mod view;

pub use crate::records::{Depend, DependKind};
pub(super) use list::{as_written, tell_dependences};
pub(super) use need::needs;
pub use node::Node;
pub(super) use transparent::{exist as exist_transparent, has_imports};
pub use view::{node_of, successors_of};

use super::define;
use crate::records::{Owner, Task, Thread, Traits, Wanted};
use release::{enqueue, release_successors};

/// A task that was entered among its siblings, before another thread can make it ready or run it.
pub(super) struct Entered {
    node: &'static Node,
    /// The number of siblings that the task waits for: those that were not complete.
    edges: u32,
    /// Whether the task has `mutexinoutset` dependences.
    exclusive: bool,
}

/// Enters a task that the current task, `parent`, has just defined: it waits for the siblings that
/// its dependences name.
#[inline(always)]
pub(super) fn enter(
    thread: &Thread,
    parent: Owner<'_, Task>,
    task: Owner<'static, Task>,
    list: &[Depend],
) -> Entered {
    let node = pool::for_task(thread, task.record());
    task.node.set(task, node.cast());
    task.add_traits(Traits::NODE);
    // SAFETY: just made; the task keeps it until it is complete.
    let node: &'static Node = unsafe { &*node };
    let exit = task.has(Traits::TRANSPARENT).then(|| transparent::begin(thread, parent, task));
    let edges =
        if list.is_empty() { 0 } else { children::make(thread, parent).enter(node, list, true) };
    if let Some(exit) = exit {
        transparent::enter(thread, parent, exit);
    }
    // SAFETY: the calling thread is the maker, and no other thread can make the task ready yet.
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
    /// up the turn that it waits for, makes it ready. Then the task may even be complete when this
    /// function returns.
    #[inline(always)]
    pub(super) fn is_ready(&self) -> bool {
        if self.edges != 0 && !self.node.settle(self.edges) {
            return false;
        }
        !self.exclusive || self.node.take_turns()
    }
}

/// Enters a task that the current task has just defined and begins now. The current task has
/// already waited for the siblings that these dependences name. Turns of `mutexinoutset` are free
/// too, because such a wait waits for all tasks that have one.
#[cold]
pub(super) fn enter_behind_wait(thread: &Thread, task: Owner<'static, Task>, list: &[Depend]) {
    let is_ready = enter(thread, thread.as_owner().task(), task, list).is_ready();
    debug_assert!(is_ready, "a sibling that was waited for is not complete");
}

/// Waits until all siblings are complete for which a task with these dependences would wait. Calls
/// `wait`, if there are any, with the node to wait for and a function that says whether the node is
/// ready. `shown`: the task that stands for the wait, if a tool is attached.
pub(super) fn wait_behind(
    thread: &'static Thread,
    list: &[Depend],
    shown: Option<&Task>,
    wait: impl FnOnce(Wanted, &dyn Fn() -> bool),
) {
    let Some(siblings) = children::of(thread.task()) else { return };
    let node = Node::for_wait(thread, shown);
    let edges = siblings.enter(&node, list, false);
    if edges != 0 && !node.settle(edges) {
        wait((&raw const node).cast(), &|| node.is_ready());
    }
}

/// Enters an undeferred transparent task that the current task begins now.
#[cold]
pub(super) fn begin_transparent(thread: &Thread, task: Owner<'_, Task>) {
    let parent = thread.as_owner().task();
    if !parent.is_final() {
        let exit = transparent::begin(thread, parent, task);
        transparent::enter(thread, parent, exit);
    }
}

/// Whether no other thread could run a task with dependences that is made now: the thread is alone,
/// and no sibling has dependences.
#[inline(always)]
pub fn is_first(thread: &Thread) -> bool {
    define::is_alone(thread) && children::of(thread.task()).is_none()
}

/// Takes a complete task from its siblings: its successors no longer wait for it.
pub(super) fn finish(thread: &'static Thread, task: &'static Task) {
    // SAFETY: for the thread that completes the task.
    let own = unsafe { task.claim() };
    let node: *const Node = task.node.replace(own, core::ptr::null()).cast();
    // SAFETY: the task's own node, which it gives up at the end.
    let node: &'static Node = unsafe { &*node };
    // SAFETY: no other thread touches the table of a task that has ended.
    let siblings = unsafe { children::take(node) };
    // SAFETY: for the thread that completes the task.
    if !unsafe { node.exclusive() }.is_none() {
        node.give_up_turns(|next| enqueue(thread, next));
    }
    release_successors(thread, node);
    // SAFETY: this gives up the task's reference.
    unsafe { pool::release(node) };
    if let Some(siblings) = siblings
        && siblings.around.is_some()
    {
        transparent::end(thread, *siblings);
    }
}

/// Called when the body of a task has ended: all its children are made, but the task itself is not
/// complete.
pub(super) fn body_ended(thread: &'static Thread, task: &Task) {
    // SAFETY: null or the task's own node.
    if let Some(node) = unsafe { node::of(task).as_ref() }
        // SAFETY: the calling thread executed the task, and no thread makes children of it any
        // more.
        && let Some(siblings) = unsafe { children::take(node) }
    {
        transparent::end(thread, *siblings);
    }
}
