//! A task's place among its dependent siblings.
//!
//! | field | written by |
//! |---|---|
//! | `missing` | starts at `OPEN`; predecessors subtract 1 each; the maker, once it knows how many edges there are, subtracts `OPEN` less that number; 0: ready |
//! | `refs` | the maker adds its table's references before the task can run; then whoever drops one subtracts |
//! | `links` | the maker; each is in one predecessor's list until that one is complete |
//!
//! A predecessor reads what it needs of a successor before it subtracts: a wait's node stands on the
//! waiter's stack and goes as soon as the count is 0.

use super::super::hooks;
use super::super::task::Task;
use super::table::Table;
use crate::thread::Thread;
use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_sync::dependents::{Dependents, Link};

const OPEN: u32 = 1 << 30;
/// Edges that need no memory of their own.
const FEW: usize = 4;

/// See the module.
pub struct Node {
    missing: AtomicU32,
    refs: AtomicU32,
    /// Nodes that wait for this one.
    dependents: Dependents,
    /// The task; null for a wait.
    task: *const Task,
    /// The task that tools see: the same, or the one that stands for the wait.
    shown: *const Task,
    /// For a wait: the thread that waits.
    waiter: *const Thread,
    /// What the task's own children depend on. Touched by the thread that executes the task.
    table: UnsafeCell<Option<Box<Table>>>,
    links: [Link; FEW],
    used: Cell<usize>,
    /// Links beyond the first few.
    #[expect(clippy::vec_box, reason = "a link that joined a list must not move")]
    more: UnsafeCell<Vec<Box<Link>>>,
}

impl Node {
    fn new(task: *const Task, shown: *const Task, waiter: *const Thread) -> Node {
        Node {
            missing: AtomicU32::new(OPEN),
            refs: AtomicU32::new(1),
            dependents: Dependents::new(),
            task,
            shown,
            waiter,
            table: UnsafeCell::new(None),
            links: core::array::from_fn(|_| Link::new()),
            used: Cell::new(0),
            more: UnsafeCell::new(Vec::new()),
        }
    }

    /// The node of a task, which holds one reference.
    pub(super) fn for_task(task: *const Task) -> *const Node {
        Box::into_raw(Box::new(Node::new(task, task, core::ptr::null())))
    }

    /// The node of a wait, which tools know as the task `shown`; it stays where it is until it is
    /// ready.
    pub(super) fn for_wait(waiter: *const Thread, shown: Option<&Task>) -> Node {
        let shown = shown.map_or(core::ptr::null(), core::ptr::from_ref);
        Node::new(core::ptr::null(), shown, waiter)
    }

    /// The table of the task's children.
    ///
    /// # Safety
    /// For the thread that executes the task (or completes it), one reference at a time.
    #[allow(clippy::mut_from_ref)]
    pub(super) unsafe fn table(&self) -> &mut Option<Box<Table>> {
        // SAFETY: the caller's promise.
        unsafe { &mut *self.table.get() }
    }

    /// Whether the task is complete.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.dependents.is_closed()
    }

    /// Makes this one wait for `before`; false if there is nothing to wait for. For the maker.
    #[inline]
    pub(super) fn wait_for(&self, before: &Node) -> bool {
        if before.is_done() {
            return false;
        }
        let at = self.used.get();
        // SAFETY: `more` belongs to the maker; its links are boxed, so they stay where they are.
        let link = self.links.get(at).unwrap_or_else(|| unsafe {
            let more = &mut *self.more.get();
            more.push(Box::new(Link::new()));
            &*core::ptr::from_ref(&*more[more.len() - 1])
        });
        // SAFETY: the node lives until all its predecessors have called it.
        let joined = unsafe { before.dependents.join(link, core::ptr::from_ref(self) as usize) };
        if joined {
            self.used.set(at + 1);
            hooks::depends(before.task, self.shown);
        }
        joined
    }

    /// All edges are there. True if the node is ready already; otherwise a predecessor makes it so.
    pub(super) fn settle(&self, edges: u32) -> bool {
        let rest = OPEN - edges;
        self.missing.fetch_sub(rest, Ordering::SeqCst) == rest
    }

    /// For a waiter: whether it may go on.
    pub(super) fn is_ready(&self) -> bool {
        self.missing.load(Ordering::SeqCst) == 0
    }

    /// Edges that are left, once settled.
    #[cfg(test)]
    pub(super) fn missing_for_test(&self) -> u32 {
        self.missing.load(Ordering::SeqCst)
    }

    /// The task is complete: calls `ready` with each successor (task and waiter) that waited for
    /// nothing else.
    pub(super) fn complete(&self, mut ready: impl FnMut(*const Task, *const Thread)) {
        self.dependents.close(|word| {
            // SAFETY: the successor lives until its count is 0.
            let next = unsafe { &*(word as *const Node) };
            let (task, waiter) = (next.task, next.waiter);
            if next.missing.fetch_sub(1, Ordering::SeqCst) == 1 {
                ready(task, waiter);
            }
        });
    }

    /// Gives one reference up.
    ///
    /// # Safety
    /// `node` came from [`Node::for_task`], and the caller owns a reference.
    pub(super) unsafe fn release(node: *const Node) {
        // SAFETY: the caller's promise.
        unsafe {
            // The last owner needs no exchange: nobody else can make it more or less.
            if (*node).refs.load(Ordering::Acquire) == 1
                || (*node).refs.fetch_sub(1, Ordering::AcqRel) == 1
            {
                drop(Box::from_raw(node.cast_mut()));
            }
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
