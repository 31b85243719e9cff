//! A task's place among its dependent siblings.
//!
//! | field | written by |
//! |---|---|
//! | `missing` | predecessors subtract 1 each; the maker settles it once it knows how many edges there are (`omphalos_sync::dependents::Missing`); 0: the task waits for nobody |
//! | `refs` | the maker adds its table's references before the task can run; then whoever drops one subtracts |
//! | `newest` | whoever adds an edge from this node, for itself: one edge is enough for two tasks |
//! | `around` | the maker; whoever completes it takes it |
//! | `links` | the maker; each is in one predecessor's list until that one is complete |
//! | `exclusive` | the maker; then whoever makes the task ready, and at the end who completes it |
//!
//! A predecessor reads what it needs of a successor before it subtracts: a wait's node stands on the
//! waiter's stack and goes as soon as the count is 0. Tasks' nodes are used again (`pool.rs`).

use super::super::hooks;
use super::super::task::Task;
use super::exclusion::Exclusion;
use super::pool;
use super::table::Table;
use crate::thread::Thread;
use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use omphalos_sync::dependents::{Dependents, Link, Missing};

/// Edges that need no memory of their own.
const FEW: usize = 4;

/// See the module. The list of successors stands first, as in the nodes of LLVM's library.
#[repr(C)]
pub struct Node {
    /// Nodes that wait for this one.
    dependents: Dependents,
    /// The newest of them, or null: only compared.
    newest: AtomicPtr<Node>,
    missing: Missing,
    refs: AtomicU32,
    /// The task; null for a wait.
    task: Cell<*const Task>,
    /// For a wait: the thread that waits, and the task that stands for the wait to tools.
    waiter: *const Thread,
    shown: *const Task,
    /// For a task: to whose pool the node belongs.
    pub(super) home: Cell<*const Thread>,
    /// The exit of the transparent task that made the task, while it waits for this one; or null.
    pub(super) around: Cell<*const Node>,
    /// In an unused node: the next one.
    pub(super) next: Cell<*const Node>,
    used: Cell<usize>,
    links: [Link; FEW],
    /// Links beyond the first few.
    #[expect(clippy::vec_box, reason = "a link that joined a list must not move")]
    more: UnsafeCell<Vec<Box<Link>>>,
    /// What the task's own children depend on. Touched by the thread that executes the task.
    table: UnsafeCell<Option<Box<Table>>>,
    /// Whose turn it must be, for a task with `mutexinoutset` dependences.
    exclusive: UnsafeCell<Exclusion>,
}

impl Node {
    fn new(waiter: *const Thread, shown: *const Task) -> Node {
        Node {
            dependents: Dependents::new(),
            newest: AtomicPtr::new(core::ptr::null_mut()),
            missing: Missing::new(),
            refs: AtomicU32::new(1),
            task: Cell::new(core::ptr::null()),
            waiter,
            shown,
            home: Cell::new(core::ptr::null()),
            around: Cell::new(core::ptr::null()),
            next: Cell::new(core::ptr::null()),
            used: Cell::new(0),
            links: core::array::from_fn(|_| Link::new()),
            more: UnsafeCell::new(Vec::new()),
            table: UnsafeCell::new(None),
            exclusive: UnsafeCell::new(Exclusion::none()),
        }
    }

    /// The node of a task, which holds one reference. From the pool of `thread`, the calling one.
    pub(super) fn for_task(thread: &Thread, task: *const Task) -> *const Node {
        let node = pool::take(thread).unwrap_or_else(|| {
            let node = Box::leak(Box::new(Node::new(core::ptr::null(), core::ptr::null())));
            node.home.set(thread);
            node
        });
        node.task.set(task);
        node
    }

    /// The node of a wait, which tools know as the task `shown`; it stays where it is until it is
    /// ready.
    pub(super) fn for_wait(waiter: *const Thread, shown: Option<&Task>) -> Node {
        Node::new(waiter, shown.map_or(core::ptr::null(), core::ptr::from_ref))
    }

    /// The task; null for a wait.
    pub(super) fn task(&self) -> *const Task {
        self.task.get()
    }

    /// The table of the task's children.
    ///
    /// # Safety
    /// For the thread that executes the task (or completes it), one reference at a time.
    #[allow(clippy::mut_from_ref)]
    #[inline(always)]
    pub(super) unsafe fn table(&self) -> &mut Option<Box<Table>> {
        // SAFETY: the caller's promise.
        unsafe { &mut *self.table.get() }
    }

    /// Whose turn it must be before the task begins.
    ///
    /// # Safety
    /// For the maker, then for whoever makes the task ready or completes it, one at a time.
    #[allow(clippy::mut_from_ref)]
    #[inline(always)]
    pub(super) unsafe fn exclusive(&self) -> &mut Exclusion {
        // SAFETY: the caller's promise.
        unsafe { &mut *self.exclusive.get() }
    }

    /// The links of those that wait for this one, newest first.
    pub(super) fn successors(&self) -> *const Link {
        self.dependents.newest()
    }

    /// Whether the task is complete.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.dependents.is_closed()
    }

    /// Makes this one wait for `before`; false if there is nothing to wait for, or if it does so
    /// already. For the maker.
    #[inline]
    pub(super) fn wait_for(&self, before: &Node) -> bool {
        let me = core::ptr::from_ref(self).cast_mut();
        // A node that waits is not used again before what it waits for is done.
        if before.is_done() || before.newest.load(Ordering::Relaxed) == me {
            return false;
        }
        let at = self.used.get();
        let link = match self.links.get(at) {
            Some(link) => link,
            None => self.another_link(),
        };
        // SAFETY: the node lives until all its predecessors have called it.
        let joined = unsafe { before.dependents.join(link, core::ptr::from_ref(self) as usize) };
        if joined {
            before.newest.store(me, Ordering::Relaxed);
            self.used.set(at + 1);
            let sink = if self.task().is_null() { self.shown } else { self.task() };
            hooks::depends(before.task(), sink);
        }
        joined
    }

    #[cold]
    #[inline(never)]
    fn another_link(&self) -> &Link {
        // SAFETY: `more` belongs to the maker; its links are boxed, so they stay where they are.
        unsafe {
            let more = &mut *self.more.get();
            more.push(Box::new(Link::new()));
            &*core::ptr::from_ref(&*more[more.len() - 1])
        }
    }

    /// All edges are there. True if the node is ready already; otherwise a predecessor makes it so.
    #[inline]
    pub(super) fn settle(&self, edges: u32) -> bool {
        self.missing.settle(edges)
    }

    /// For the exit of a transparent task, while that executes: one thing more to wait for.
    pub(super) fn hold_open(&self) {
        self.missing.hold();
    }

    /// One thing less; true if nothing is left.
    pub(super) fn no_longer_held_open(&self) -> bool {
        self.missing.let_go()
    }

    /// The exit that waits for this one, which is told now.
    #[inline(always)]
    pub(super) fn take_around(&self) -> Option<&'static Node> {
        let around = self.around.get();
        if !around.is_null() {
            self.around.set(core::ptr::null());
        }
        // SAFETY: nodes from a pool are never freed.
        unsafe { around.as_ref() }
    }

    /// For a waiter: whether it may go on.
    pub(super) fn is_ready(&self) -> bool {
        self.missing.left() == 0
    }

    /// Edges that are left, once settled.
    #[cfg(test)]
    pub(super) fn missing_for_test(&self) -> u32 {
        self.missing.left()
    }

    /// The task is complete: calls `ready` with each successor (node from a pool, or waiter) that waited
    /// for nothing else.
    #[inline]
    pub(super) fn complete(&self, mut ready: impl FnMut(Result<&'static Node, *const Thread>)) {
        self.dependents.close(|word| {
            // SAFETY: the successor lives until its count is 0; a task's node until the task is
            // complete.
            let next: &'static Node = unsafe { &*(word as *const Node) };
            let waiter = next.waiter;
            if next.missing.let_go() {
                ready(if waiter.is_null() { Ok(next) } else { Err(waiter) });
            }
        });
    }

    /// As new, for the next task. For the only one that knows it.
    fn reset(&self) {
        self.missing.reset();
        self.refs.store(1, Ordering::Relaxed);
        self.dependents.reset();
        self.newest.store(core::ptr::null_mut(), Ordering::Relaxed);
        self.used.set(0);
        // SAFETY: nobody else knows the node.
        let more = unsafe { &mut *self.more.get() };
        if !more.is_empty() {
            more.clear();
        }
    }

    /// Gives one reference up.
    ///
    /// # Safety
    /// `node` came from [`Node::for_task`], and the caller owns a reference.
    #[inline]
    pub(super) unsafe fn release(node: *const Node) {
        // SAFETY: the caller's promise; nodes of tasks are never freed.
        let node: &'static Node = unsafe { &*node };
        // The last owner needs no exchange: nobody else can make it more or less.
        if node.refs.load(Ordering::Acquire) == 1 || node.refs.fetch_sub(1, Ordering::AcqRel) == 1 {
            node.reset();
            pool::give(node);
        }
    }
}

/// A table's reference to a node.
pub(super) struct NodeRef(*const Node);

impl NodeRef {
    /// A reference for the maker's table, while the task cannot run yet.
    pub(super) fn recorded(node: &Node) -> NodeRef {
        node.refs.store(node.refs.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        NodeRef(node)
    }

    /// Whether it is this node.
    pub(super) fn is(&self, node: &Node) -> bool {
        core::ptr::eq(self.0, node)
    }
}

impl Clone for NodeRef {
    fn clone(&self) -> NodeRef {
        self.refs.fetch_add(1, Ordering::Relaxed);
        NodeRef(self.0)
    }
}

impl core::ops::Deref for NodeRef {
    type Target = Node;

    fn deref(&self) -> &Node {
        // SAFETY: the reference keeps the node.
        unsafe { &*self.0 }
    }
}

impl Drop for NodeRef {
    fn drop(&mut self) {
        // SAFETY: this reference is given up.
        unsafe { Node::release(self.0) };
    }
}
