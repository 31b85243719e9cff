//! The exits of transparent tasks.
//!
//! The children of a transparent task may name any storage until its body has ended. So a later
//! sibling with dependences first waits at the task's exit. So does a child of such a sibling, if
//! the sibling is transparent itself. When the body has ended, the waiting task waits only for
//! those children that its own dependences name, as it would for siblings.
//!
//! | field | written by |
//! |---|---|
//! | `waiting` | a maker joins it for a task that waits here; the thread that ends the body closes it |
//! | `exported` | the thread that ends the body, before it closes; afterwards nobody |
//!
//! Each task that waits has a [`Behind`] in the exit's list (`node/places.rs`).
//!
//! An exit knows the children's dependences only as an [`Inside`], because they contain exits
//! themselves.

use super::node::{Behind, Node, Waits};
use crate::records::Depend;
use crate::records::Thread;
use core::cell::UnsafeCell;
use omphalos_sync::dependents::Dependents;

/// The exit of a transparent task.
pub(super) struct Exit<T> {
    waiting: Dependents,
    exported: UnsafeCell<T>,
}

// SAFETY: `exported` is written once, before the list is closed, and read only by threads that saw
// the list closed. Its target may be used and dropped on any thread.
unsafe impl<T: Inside> Send for Exit<T> {}
// SAFETY: as above.
unsafe impl<T: Inside> Sync for Exit<T> {}

/// The dependences of a transparent task's children, which other tasks meet after its exit.
pub(super) trait Inside: Default {
    /// Makes `who` wait for those of the children that these dependences name. Returns the number
    /// of edges that this makes.
    fn before(&self, who: &impl Waits, list: &[Depend]) -> u32;
    /// Whether all of the children are complete.
    fn is_done(&self) -> bool;
}

impl<T: Inside> Exit<T> {
    /// Makes the exit of a task whose body has not ended.
    pub(super) fn new() -> Exit<T> {
        Exit { waiting: Dependents::new(), exported: UnsafeCell::new(T::default()) }
    }

    /// Returns the dependences of the task's children, if its body has ended.
    fn exported(&self) -> Option<&T> {
        // SAFETY: closed, so no thread writes it any more.
        self.waiting.is_closed().then(|| unsafe { &*self.exported.get() })
    }

    /// Whether the body has ended and all children are complete.
    pub(super) fn is_done(&self) -> bool {
        self.exported().is_some_and(T::is_done)
    }

    /// Makes `who` wait for the children that these dependences name, or for the exit, if the body
    /// has not ended. Returns the number of edges that this makes.
    pub(super) fn before(&self, who: &impl Waits, list: &[Depend]) -> u32 {
        loop {
            match self.exported() {
                Some(inside) => return inside.before(who, list),
                None if who.wait_at(&self.waiting, list) => return 1,
                None => {}
            }
        }
    }

    /// Closes the exit, because the body has ended; `inside` holds the dependences of its children.
    /// Calls `ready` with each node (from a pool, or a waiter's) that waited here and has nothing
    /// else to wait for. Returns whether some nodes still wait.
    pub(super) fn close(
        &self,
        inside: T,
        mut ready: impl FnMut(Result<&'static Node, *const Thread>),
    ) -> bool {
        // SAFETY: no thread reads it before the list is closed.
        unsafe { *self.exported.get() = inside };
        // SAFETY: from here on no thread writes it.
        let exported = unsafe { &*self.exported.get() };
        let mut further = 0;
        self.waiting.close(|word| {
            // SAFETY: the node that owns the place waits for this call.
            let place: &Behind = unsafe { &*(word as *const Behind) };
            // SAFETY: as above.
            let node: &'static Node = unsafe { &*place.node() };
            further += exported.before(place, node.behind());
            node.let_go(&mut ready);
        });
        further != 0
    }

    /// Calls `each` with the nodes that wait here.
    ///
    /// # Safety
    /// The body does not end meanwhile.
    pub(super) unsafe fn for_each_waiting(&self, mut each: impl FnMut(&'static Node)) {
        // SAFETY: the body does not end (the caller's promise), so the exit stays open, and every
        // node that waits here stays in the list.
        unsafe {
            self.waiting.for_each(|word| each(&*(*(word as *const Behind)).node()));
        }
    }
}
