//! A task's place among its dependent siblings.
//!
//! | field | written by |
//! |---|---|
//! | `missing` | predecessors subtract 1 each; the maker settles it once it knows how many edges there are (`omphalos_sync::dependents::Missing`); 0: the task waits for nobody |
//! | `refs` | the maker adds its table's references before the task can run; then each thread that drops one subtracts |
//! | `newest` | a thread that adds an edge from this node: two tasks need only one edge |
//! | `at_exits` | the maker; a thread that closes an exit has its own place there (`places.rs`) |
//! | `telling` | a thread that adds an edge from this node while a tool wants edges adds 1 first, and subtracts it once the tool was told |
//! | `links` | the maker; each link is in one predecessor's list until this predecessor is complete |
//! | `exclusive` | the maker; then the thread that makes the task ready, and at the end the thread that completes it |
//!
//! The thread that completes a predecessor reads the words that it needs of a successor before it
//! subtracts: a wait's node stands on the waiter's stack, and goes as soon as the count is 0. A
//! predecessor's node stays out of the pool (`pool.rs`) while a tool is being told of an edge from
//! it.

mod edges;
mod places;
mod turns;

pub(super) use edges::Waits;
pub(super) use places::Behind;

use super::exclusion::Exclusion;
use crate::records::{self, Task, Thread};
use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use omphalos_sync::dependents::{Dependents, Link, Missing};
use places::AtExits;

/// The number of edges for which a node has room in itself.
const EDGES_IN_PLACE: usize = 4;

/// A task's place among its dependent siblings. The list of successors stands first, as in the
/// nodes of LLVM's library.
#[repr(C)]
pub struct Node {
    /// The nodes that wait for this one.
    dependents: Dependents,
    /// The newest of these, or null. It is only compared.
    newest: AtomicPtr<Node>,
    missing: Missing,
    pub(super) refs: AtomicU32,
    /// The number of edges from this node of which tools are being told.
    telling: AtomicU32,
    /// The task; null for a wait.
    task: Cell<*const Task>,
    /// For a wait: the thread that waits, and the task that tools see instead of the wait.
    waiter: *const Thread,
    shown: *const Task,
    /// For a task: the thread to whose pool the node belongs.
    home: Cell<*const Thread>,
    /// In an unused node: the next one.
    pub(super) next: AtomicPtr<records::Node>,
    used: Cell<usize>,
    links: [Link; EDGES_IN_PLACE],
    /// Links beyond the first few.
    #[expect(clippy::vec_box, reason = "a link that joined a list must not move")]
    more: UnsafeCell<Vec<Box<Link>>>,
    /// The node's places behind exits of transparent tasks, if the node waits or waited at exits.
    at_exits: UnsafeCell<Option<Box<AtExits>>>,
    /// The dependences of the task's own children, null if they never had any: a box of
    /// `children.rs`. Touched by the thread that executes the task.
    children: Cell<*mut Children>,
    /// The turns that a task with `mutexinoutset` dependences needs.
    exclusive: UnsafeCell<Exclusion>,
}

omphalos_layout::describe!(Node { dependents, missing, task, waiter, shown });

/// The table of `children.rs`, of which this module knows nothing more.
pub(super) enum Children {}

/// Returns the node of a task, null if it has none.
#[inline(always)]
pub(super) fn of(task: &Task) -> *const Node {
    task.node.get().cast()
}

impl Node {
    /// Makes the node of a task (both pointers are null), or of a wait: the thread that waits, and
    /// the task that tools see instead of the wait.
    pub(super) fn new(waiter: *const Thread, shown: *const Task) -> Node {
        Node {
            dependents: Dependents::new(),
            newest: AtomicPtr::new(core::ptr::null_mut()),
            missing: Missing::new(),
            refs: AtomicU32::new(1),
            telling: AtomicU32::new(0),
            task: Cell::new(core::ptr::null()),
            waiter,
            shown,
            home: Cell::new(core::ptr::null()),
            next: AtomicPtr::new(core::ptr::null_mut()),
            used: Cell::new(0),
            links: core::array::from_fn(|_| Link::new()),
            more: UnsafeCell::new(Vec::new()),
            at_exits: UnsafeCell::new(None),
            children: Cell::new(core::ptr::null_mut()),
            exclusive: UnsafeCell::new(Exclusion::none()),
        }
    }

    /// Gives the node a home: the thread to whose pool it belongs.
    pub(super) fn settle_at(&self, home: &Thread) {
        self.home.set(home);
    }

    /// Makes this the node of the task.
    pub(super) fn stand_for(&self, task: *const Task) {
        self.task.set(task);
    }

    /// Makes the node of a wait, which tools see as the task `shown`. It must not move until it is
    /// ready.
    pub(super) fn for_wait(waiter: *const Thread, shown: Option<&Task>) -> Node {
        Node::new(waiter, shown.map_or(core::ptr::null(), core::ptr::from_ref))
    }

    /// Returns the task; null for a wait.
    pub(super) fn task(&self) -> *const Task {
        self.task.get()
    }

    /// Returns, for a task, the thread to whose pool the node belongs.
    pub(super) fn home(&self) -> *const Thread {
        self.home.get()
    }

    /// Returns the word in which `children.rs` keeps the dependences of the task's children.
    ///
    /// # Safety
    /// The calling thread executes the task or completes it; or it only reads, while no thread
    /// executes the task.
    #[inline(always)]
    pub(super) unsafe fn children(&self) -> &Cell<*mut Children> {
        &self.children
    }

    /// Returns the turns that the task needs before it begins.
    ///
    /// # Safety
    /// The calling thread is the maker, or later the one that makes the task ready or completes it,
    /// one at a time.
    #[allow(clippy::mut_from_ref)]
    #[inline(always)]
    pub(super) unsafe fn exclusive(&self) -> &mut Exclusion {
        // SAFETY: the caller's promise.
        unsafe { &mut *self.exclusive.get() }
    }

    /// Calls `each` with the nodes that wait for this one.
    ///
    /// # Safety
    /// The task is not completed meanwhile.
    pub(super) unsafe fn for_each_successor(&self, mut each: impl FnMut(&'static Node)) {
        // SAFETY: the task is not completed (the caller's promise), so every node that waits for
        // it stays in the list.
        unsafe { self.dependents.for_each(|word| each(&*(word as *const Node))) };
    }

    /// Returns the links of the nodes that wait for this one, newest first.
    pub(super) fn successors(&self) -> *const Link {
        self.dependents.newest()
    }

    /// Whether the task is complete.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.dependents.is_closed()
    }

    /// Makes the node as new, for the next task. No other thread knows the node.
    pub(super) fn reset(&self) {
        self.missing.reset();
        self.refs.store(1, Ordering::Relaxed);
        self.dependents.reset();
        self.newest.store(core::ptr::null_mut(), Ordering::Relaxed);
        self.used.set(0);
        // SAFETY: no other thread knows the node.
        let more = unsafe { &mut *self.more.get() };
        if !more.is_empty() {
            more.clear();
        }
        // SAFETY: as above.
        let at_exits = unsafe { &mut *self.at_exits.get() };
        if at_exits.is_some() {
            *at_exits = None;
        }
    }
}
