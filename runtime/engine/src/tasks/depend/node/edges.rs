//! Makes and removes the edges between nodes: a task waits for siblings, and its completion lets
//! go of the siblings that wait for it.

use super::super::super::hooks;
use super::Node;
use super::places::AtExits;
use crate::records::Depend;
use crate::records::Thread;
use core::sync::atomic::Ordering;
use omphalos_sync::dependents::{Dependents, Link};

/// A thing that can wait: a node (its maker calls), or a place at an exit (the thread that closes
/// the exit calls).
pub(in super::super) trait Waits {
    /// Waits for `before`. Returns false if `before` is complete, or if this waits for it already.
    fn wait_for(&self, before: &Node) -> bool;
    /// Waits at an exit, with the dependences `list`. Returns false if the exit is closed.
    fn wait_at(&self, exit: &Dependents, list: &[Depend]) -> bool;
}

impl Node {
    /// Adds an edge from `before` with `join`, and tells tools of it. Returns the answer of `join`.
    #[inline(always)]
    fn follow(&self, before: &Node, join: impl FnOnce() -> bool) -> bool {
        if !hooks::wants_edges() {
            return join() && self.is_newest_of(before);
        }
        self.follow_told(before, join)
    }

    /// Adds the edge and tells tools of it. The tool sees the task of `before`, which may complete
    /// as soon as the edge exists; so [`Node::complete`] waits until the tool has been told.
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

    /// Notes that this node was the latest to join `before`. Returns true.
    #[inline(always)]
    fn is_newest_of(&self, before: &Node) -> bool {
        before.newest.store(core::ptr::from_ref(self).cast_mut(), Ordering::Relaxed);
        true
    }

    /// Whether `before` is complete, or this node waits for it already.
    #[inline(always)]
    fn need_not_wait_for(&self, before: &Node) -> bool {
        // A waiting node is not reused before the tasks that it waits for are complete.
        before.is_done()
            || core::ptr::eq(before.newest.load(Ordering::Relaxed), core::ptr::from_ref(self))
    }

    /// Does what [`Waits::wait_for`] does, for a thread that closes an exit at which this node
    /// waits. `link` belongs to the node's place at that exit.
    pub(in super::super) fn wait_further(&self, before: &Node, link: &Link) -> bool {
        if self.need_not_wait_for(before) {
            return false;
        }
        // SAFETY: the node, and the link with it, lives until all its predecessors have let it go.
        let join = || unsafe { before.dependents.join(link, core::ptr::from_ref(self) as usize) };
        self.follow(before, || self.count_further(join))
    }

    /// Counts the edge that `join` adds, before this edge can be removed. For a thread that closes
    /// an exit at which this node waits.
    pub(in super::super) fn count_further(&self, join: impl FnOnce() -> bool) -> bool {
        self.missing.hold();
        let joined = join();
        if !joined {
            // This does not release the task: the exit's own edge is still counted.
            self.missing.let_go();
        }
        joined
    }

    /// Returns the dependences with which the node waits at exits.
    pub(in super::super) fn behind(&self) -> &[Depend] {
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

    /// Called when all edges exist. Returns true if the node is ready already; otherwise a
    /// predecessor makes it ready.
    #[inline]
    pub(in super::super) fn settle(&self, edges: u32) -> bool {
        self.missing.settle(edges)
    }

    /// Whether the waiter may go on. For a node of a wait.
    pub(in super::super) fn is_ready(&self) -> bool {
        self.missing.left() == 0
    }

    /// Returns the number of edges that are left, once settled.
    #[cfg(test)]
    pub(in super::super) fn missing_for_test(&self) -> u32 {
        self.missing.left()
    }

    /// Removes all edges from this node, because the task is complete. Calls `ready` with each
    /// successor (a node from a pool, or a waiter) that waited for nothing else.
    #[inline]
    pub(in super::super) fn complete(
        &self,
        mut ready: impl FnMut(Result<&'static Node, *const Thread>),
    ) {
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

    /// Waits until tools were told of all edges from this node: other threads run the tools'
    /// callbacks.
    #[cold]
    #[inline(never)]
    fn wait_until_told(&self) {
        while self.telling.load(Ordering::Acquire) != 0 {
            std::thread::yield_now();
        }
    }

    /// Subtracts one predecessor. If it was the last, calls `ready` with the node, or with its
    /// waiter.
    #[inline(always)]
    pub(in super::super) fn let_go(
        &'static self,
        ready: &mut impl FnMut(Result<&'static Node, *const Thread>),
    ) {
        // This is read first: a wait's node goes as soon as the count is 0.
        let waiter = self.waiter;
        if self.missing.let_go() {
            ready(if waiter.is_null() { Ok(self) } else { Err(waiter) });
        }
    }
}

impl Waits for Node {
    /// Only the maker calls this.
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
        // SAFETY: the node lives until all its predecessors have let it go.
        let join = || unsafe { before.dependents.join(link, core::ptr::from_ref(self) as usize) };
        let joined = self.follow(before, join);
        if joined {
            self.used.set(at + 1);
        }
        joined
    }

    #[cold]
    #[inline(never)]
    fn wait_at(&self, exit: &Dependents, list: &[Depend]) -> bool {
        let at_exits = self.at_exits.get();
        // SAFETY: only the maker uses it until the node joins an exit; afterwards it is only read.
        unsafe {
            if (*at_exits).is_none() {
                *at_exits = Some(AtExits::new(list));
            }
            (*at_exits).as_ref().is_some_and(|at| at.join(exit, self))
        }
    }
}
