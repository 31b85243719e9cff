//! A task's place among its dependent siblings.
//!
//! | field | written by |
//! |---|---|
//! | `missing` | predecessors subtract 1 each; the maker settles it once it knows how many edges there are (`omphalos_sync::dependents::Missing`); 0: the task waits for nobody |
//! | `refs` | the maker adds its table's references before the task can run; then whoever drops one subtracts |
//! | `newest` | a thread that adds an edge from this node: two tasks need only one edge |
//! | `at_exits` | the maker; a thread that closes an exit has its own place there (`exit.rs`) |
//! | `telling` | a thread that adds an edge from this node while a tool wants edges adds 1 first, and subtracts it once the tool was told |
//! | `links` | the maker; each is in one predecessor's list until that one is complete |
//! | `exclusive` | the maker; then the thread that makes the task ready, and at the end the one that completes it |
//!
//! A predecessor reads what it needs of a successor before it subtracts: a wait's node stands on
//! the waiter's stack, and goes as soon as the count is 0. A predecessor's node stays out of the
//! pool (`pool.rs`) while a tool is being told of an edge from it.

use super::super::hooks;
use super::exclusion::Exclusion;
use super::exit::{AtExits, Exit, Waits};
use super::table::Table;
use super::{Depend, pool};
use crate::records::words::Pointer;
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
    /// The newest of them, or null. Only compared.
    newest: AtomicPtr<Node>,
    missing: Missing,
    pub(super) refs: AtomicU32,
    /// Edges from this node of which tools are being told.
    telling: AtomicU32,
    /// The task; null for a wait.
    task: Cell<*const Task>,
    /// For a wait: the thread that waits, and the task that tools see instead of the wait.
    waiter: *const Thread,
    shown: *const Task,
    /// For a task: the thread to whose pool the node belongs.
    home: Cell<*const Thread>,
    /// In an unused node: the next one.
    pub(super) next: Pointer<records::Node>,
    used: Cell<usize>,
    links: [Link; EDGES_IN_PLACE],
    /// Links beyond the first few.
    #[expect(clippy::vec_box, reason = "a link that joined a list must not move")]
    more: UnsafeCell<Vec<Box<Link>>>,
    /// Its places behind exits of transparent tasks, if it waits or waited at some.
    at_exits: UnsafeCell<Option<Box<AtExits>>>,
    /// What the task's own children depend on. Touched by the thread that executes the task.
    table: UnsafeCell<Option<Box<Table>>>,
    /// The turns that it needs, for a task with `mutexinoutset` dependences.
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
            next: Pointer::null(),
            used: Cell::new(0),
            links: core::array::from_fn(|_| Link::new()),
            more: UnsafeCell::new(Vec::new()),
            at_exits: UnsafeCell::new(None),
            table: UnsafeCell::new(None),
            exclusive: UnsafeCell::new(Exclusion::none()),
        }
    }

    /// A node for a task, which holds one reference. From the pool of `thread`, the calling one.
    pub(super) fn for_task(thread: &Thread, task: *const Task) -> *const Node {
        let node = pool::take(thread).unwrap_or_else(|| {
            let node = Box::leak(Box::new(Node::new(core::ptr::null(), core::ptr::null())));
            node.home.set(thread);
            node
        });
        node.task.set(task);
        node
    }

    /// The node of a wait, which tools see as the task `shown`. It must not move until it is ready.
    pub(super) fn for_wait(waiter: *const Thread, shown: Option<&Task>) -> Node {
        Node::new(waiter, shown.map_or(core::ptr::null(), core::ptr::from_ref))
    }

    /// The task; null for a wait.
    pub(super) fn task(&self) -> *const Task {
        self.task.get()
    }

    /// For a task: the thread to whose pool the node belongs.
    pub(super) fn home(&self) -> *const Thread {
        self.home.get()
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

    /// The turns that the task needs before it begins.
    ///
    /// # Safety
    /// For the maker, then for the thread that makes the task ready or completes it, one at a time.
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
        // SAFETY: the task is not completed (the caller's promise), so every node that waits for
        // it stays in the list.
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

    /// Adds an edge from `before` with `join`, and tells tools of it. Returns what `join` did.
    #[inline(always)]
    fn follow(&self, before: &Node, join: impl FnOnce() -> bool) -> bool {
        if !hooks::wants_edges() {
            return join() && self.is_newest_of(before);
        }
        self.follow_told(before, join)
    }

    /// As above. The tool sees the task of `before`, which may complete as soon as the edge exists:
    /// [`Node::complete`] waits until the tool has been told.
    #[cold]
    #[inline(never)]
    fn follow_told(&self, before: &Node, join: impl FnOnce() -> bool) -> bool {
        // Joining publishes this: a thread that closes the list afterwards sees it.
        before.telling.fetch_add(1, Ordering::Relaxed);
        let joined = join() && self.is_newest_of(before);
        if joined {
            let sink = if self.task().is_null() { self.shown } else { self.task() };
            hooks::edge(before.task(), sink);
        }
        before.telling.fetch_sub(1, Ordering::Release);
        joined
    }

    /// Notes that it joined `before`. Always true.
    #[inline(always)]
    fn is_newest_of(&self, before: &Node) -> bool {
        before.newest.store(core::ptr::from_ref(self).cast_mut(), Ordering::Relaxed);
        true
    }

    /// Whether `before` is complete, or this node waits for it already.
    #[inline(always)]
    fn need_not_wait_for(&self, before: &Node) -> bool {
        // A node that waits is not reused before what it waits for is complete.
        before.is_done()
            || core::ptr::eq(before.newest.load(Ordering::Relaxed), core::ptr::from_ref(self))
    }

    /// As [`Waits::wait_for`], for a thread that closes an exit at which this node waits; `link`
    /// belongs to that exit's place.
    pub(super) fn wait_further(&self, before: &Node, link: &Link) -> bool {
        if self.need_not_wait_for(before) {
            return false;
        }
        // SAFETY: the node, and the link with it, lives until all its predecessors have called it.
        let join = || unsafe { before.dependents.join(link, core::ptr::from_ref(self) as usize) };
        self.follow(before, || self.count_further(join))
    }

    /// Counts the edge that `join` adds before it can end. For a thread that closes an exit at
    /// which this node waits.
    pub(super) fn count_further(&self, join: impl FnOnce() -> bool) -> bool {
        self.missing.hold();
        let joined = join();
        if !joined {
            // Not the last one: the exit's own edge is still counted.
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

    /// All edges exist. True if the node is ready already; otherwise a predecessor makes it ready.
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

    /// The task is complete: calls `ready` with each successor (a node from a pool, or a waiter)
    /// that waited for nothing else.
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

    /// Waits until tools were told of all edges from this node: other threads run their callbacks.
    #[cold]
    #[inline(never)]
    fn wait_until_told(&self) {
        while self.telling.load(Ordering::Acquire) != 0 {
            std::thread::yield_now();
        }
    }

    /// One predecessor less. If it was the last, calls `ready` with the node, or with its waiter.
    #[inline(always)]
    pub(super) fn let_go(
        &'static self,
        ready: &mut impl FnMut(Result<&'static Node, *const Thread>),
    ) {
        // Read first: a wait's node goes as soon as the count is 0.
        let waiter = self.waiter;
        if self.missing.let_go() {
            ready(if waiter.is_null() { Ok(self) } else { Err(waiter) });
        }
    }

    /// Makes the node as new, for the next task. Nobody else knows it.
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
        // The last owner needs no exchange: no other thread can change the count.
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
