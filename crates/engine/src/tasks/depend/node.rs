//! A task's place among its dependent siblings.
//!
//! | field | written by |
//! |---|---|
//! | `missing` | predecessors subtract 1 each; the maker settles it once it knows how many edges there are (`omphalos_sync::dependents::Missing`); 0: the task waits for nobody |
//! | `refs` | the maker adds its table's references before the task can run; then whoever drops one subtracts |
//! | `newest` | whoever adds an edge from this node, for itself: one edge is enough for two tasks |
//! | `at_exits` | the maker; whoever closes an exit has its own place there (`exit.rs`) |
//! | `telling` | whoever adds an edge from this node while a tool hears of edges adds 1 before it, and subtracts it once the tool was told |
//! | `links` | the maker; each is in one predecessor's list until that one is complete |
//! | `exclusive` | the maker; then whoever makes the task ready, and at the end who completes it |
//!
//! A predecessor reads what it needs of a successor before it subtracts: a wait's node stands on
//! the waiter's stack and goes as soon as the count is 0. A predecessor is not given back for
//! another task while a tool is being told of an edge from it. Tasks' nodes are used again
//! (`pool.rs`).

use super::super::hooks;
use super::exclusion::Exclusion;
use super::exit::{AtExits, Exit, Waits};
use super::table::Table;
use super::{Depend, pool};
use crate::records::{self, Task, Thread};
use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use omphalos_sync::dependents::{Dependents, Link, Missing};

/// Edges that need no memory of their own.
const EDGES_IN_PLACE: usize = 4;

/// See the module. The list of successors stands first, as in the nodes of LLVM's library.
#[repr(C)]
pub struct Node {
    /// Nodes that wait for this one.
    dependents: Dependents,
    /// The newest of them, or null: only compared.
    newest: AtomicPtr<Node>,
    missing: Missing,
    pub(super) refs: AtomicU32,
    /// How many edges from this node tools are being told of.
    telling: AtomicU32,
    /// The task; null for a wait.
    task: Cell<*const Task>,
    /// For a wait: the thread that waits, and the task that stands for the wait to tools.
    waiter: *const Thread,
    shown: *const Task,
    /// For a task: to whose pool the node belongs.
    pub(super) home: Cell<*const Thread>,
    /// In an unused node: the next one.
    pub(super) next: Cell<*const records::Node>,
    used: Cell<usize>,
    links: [Link; EDGES_IN_PLACE],
    /// Links beyond the first few.
    #[expect(clippy::vec_box, reason = "a link that joined a list must not move")]
    more: UnsafeCell<Vec<Box<Link>>>,
    /// If it waits, or waited, at exits of transparent tasks.
    at_exits: UnsafeCell<Option<Box<AtExits>>>,
    /// What the task's own children depend on. Touched by the thread that executes the task.
    table: UnsafeCell<Option<Box<Table>>>,
    /// Whose turn it must be, for a task with `mutexinoutset` dependences.
    exclusive: UnsafeCell<Exclusion>,
}

omphalos_layout::describe!(Node { dependents, missing, task, waiter, shown });

/// The node of a task, null if it has none.
#[inline(always)]
pub(super) fn of(task: &Task) -> *const Node {
    task.node.get().cast()
}

impl Node {
    fn new(waiter: *const Thread, shown: *const Task) -> Node {
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
            next: Cell::new(core::ptr::null()),
            used: Cell::new(0),
            links: core::array::from_fn(|_| Link::new()),
            more: UnsafeCell::new(Vec::new()),
            at_exits: UnsafeCell::new(None),
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

    /// The same, to be read.
    ///
    /// # Safety
    /// Nobody executes the task meanwhile.
    pub(super) unsafe fn table_seen(&self) -> &Option<Box<Table>> {
        // SAFETY: the caller's promise.
        unsafe { &*self.table.get() }
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

    /// The turns that the task has or waits for.
    ///
    /// # Safety
    /// The task does not begin meanwhile.
    pub(super) unsafe fn turns(&self) -> &Exclusion {
        // SAFETY: the caller's promise.
        unsafe { &*self.exclusive.get() }
    }

    /// Calls `each` with the nodes that wait for this one.
    ///
    /// # Safety
    /// The task is not completed meanwhile.
    pub(super) unsafe fn for_each_successor(&self, mut each: impl FnMut(&'static Node)) {
        // SAFETY: the caller's promise: whoever waits goes on waiting.
        unsafe { self.dependents.for_each(|word| each(&*(word as *const Node))) };
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

    /// Adds an edge from `before` with `join`, and tells of it; whether `join` did.
    #[inline(always)]
    fn follow(&self, before: &Node, join: impl FnOnce() -> bool) -> bool {
        if !hooks::wants_edges() {
            return join() && self.is_newest_of(before);
        }
        self.follow_told(before, join)
    }

    /// As above. The tool sees the task of `before`, which may complete as soon as the edge is
    /// there: it waits in [`Node::complete`] until the tool has been told.
    #[cold]
    #[inline(never)]
    fn follow_told(&self, before: &Node, join: impl FnOnce() -> bool) -> bool {
        // Joining publishes it: who closes the list afterwards sees it.
        before.telling.fetch_add(1, Ordering::Relaxed);
        let joined = join() && self.is_newest_of(before);
        if joined {
            let sink = if self.task().is_null() { self.shown } else { self.task() };
            hooks::edge(before.task(), sink);
        }
        before.telling.fetch_sub(1, Ordering::Release);
        joined
    }

    /// Notes that it joined `before`; true.
    #[inline(always)]
    fn is_newest_of(&self, before: &Node) -> bool {
        before.newest.store(core::ptr::from_ref(self).cast_mut(), Ordering::Relaxed);
        true
    }

    /// Whether there is nothing to wait for at `before`, or it waits already.
    #[inline(always)]
    fn need_not_wait_for(&self, before: &Node) -> bool {
        // A node that waits is not used again before what it waits for is done.
        before.is_done()
            || core::ptr::eq(before.newest.load(Ordering::Relaxed), core::ptr::from_ref(self))
    }

    /// As [`Waits::wait_for`], for whoever closes an exit at which it waits, with a link of that
    /// one's.
    pub(super) fn wait_further(&self, before: &Node, link: &Link) -> bool {
        if self.need_not_wait_for(before) {
            return false;
        }
        // SAFETY: the node, and the link with it, lives until all its predecessors have called it.
        let join = || unsafe { before.dependents.join(link, core::ptr::from_ref(self) as usize) };
        self.follow(before, || self.count_further(join))
    }

    /// Counts what it joins in `join` before that can be over. For whoever closes an exit at which
    /// it waits.
    pub(super) fn count_further(&self, join: impl FnOnce() -> bool) -> bool {
        self.missing.hold();
        let joined = join();
        if !joined {
            // Not the last: the exit is not given up yet.
            self.missing.let_go();
        }
        joined
    }

    /// The dependences with which it waits at exits.
    pub(super) fn behind(&self) -> &[Depend] {
        // SAFETY: written before it joined the first exit, and not again while it waits.
        unsafe { &*self.at_exits.get() }.as_ref().map_or(&[], |at| &at.list)
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

    /// For a waiter: whether it may go on.
    pub(super) fn is_ready(&self) -> bool {
        self.missing.left() == 0
    }

    /// Edges that are left, once settled.
    #[cfg(test)]
    pub(super) fn missing_for_test(&self) -> u32 {
        self.missing.left()
    }

    /// The task is complete: calls `ready` with each successor (node from a pool, or waiter) that
    /// waited for nothing else.
    #[inline]
    pub(super) fn complete(&self, mut ready: impl FnMut(Result<&'static Node, *const Thread>)) {
        self.dependents.close(|word| {
            // SAFETY: the successor lives until its count is 0; a task's node until the task is
            // complete.
            let next: &'static Node = unsafe { &*(word as *const Node) };
            next.let_go(&mut ready);
        });
        if self.telling.load(Ordering::Acquire) != 0 {
            self.wait_until_told();
        }
    }

    /// Tools are told of edges from this node: another thread runs their callbacks.
    #[cold]
    #[inline(never)]
    fn wait_until_told(&self) {
        while self.telling.load(Ordering::Acquire) != 0 {
            std::thread::yield_now();
        }
    }

    /// One thing less to wait for: calls `ready` with itself, or its waiter, if it was the last.
    #[inline(always)]
    pub(super) fn let_go(
        &'static self,
        ready: &mut impl FnMut(Result<&'static Node, *const Thread>),
    ) {
        // Read before: a wait's node goes as soon as the count is 0.
        let waiter = self.waiter;
        if self.missing.let_go() {
            ready(if waiter.is_null() { Ok(self) } else { Err(waiter) });
        }
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
        // SAFETY: as above.
        let at_exits = unsafe { &mut *self.at_exits.get() };
        if at_exits.is_some() {
            *at_exits = None;
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

impl Waits for Node {
    /// For the maker.
    #[inline]
    fn wait_for(&self, before: &Node) -> bool {
        if self.need_not_wait_for(before) {
            return false;
        }
        let at = self.used.get();
        let link = match self.links.get(at) {
            Some(link) => link,
            None => self.another_link(),
        };
        // SAFETY: the node lives until all its predecessors have called it.
        let join = || unsafe { before.dependents.join(link, core::ptr::from_ref(self) as usize) };
        let joined = self.follow(before, join);
        if joined {
            self.used.set(at + 1);
        }
        joined
    }

    #[cold]
    #[inline(never)]
    fn wait_at(&self, exit: &Exit, list: &[Depend]) -> bool {
        let at_exits = self.at_exits.get();
        // SAFETY: the maker's until it joins an exit; afterwards it is only read.
        unsafe {
            if (*at_exits).is_none() {
                *at_exits = Some(AtExits::new(list));
            }
            (*at_exits).as_ref().is_some_and(|at| at.join(exit, self))
        }
    }
}
