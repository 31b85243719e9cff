//! Words of a thread's record that only the thread itself writes.
//!
//! To write one takes an [`Owner`], which only the thread has whose record it is. Others read these
//! words only where a comment argues that they may: a signal handler on the same thread, a
//! debugger. While no thread has the record (it is being made, or its thread has ended), whoever
//! prepares it for the next thread counts as its owner.

use super::{Slot, Task, Team, Thread};
use core::cell::Cell;
use core::marker::PhantomData;

/// A word that only the record's thread writes.
#[repr(transparent)]
pub struct Own<T>(Cell<T>);

impl<T: Copy> Own<T> {
    pub(super) const fn new(value: T) -> Own<T> {
        Own(Cell::new(value))
    }

    /// The value.
    #[inline(always)]
    pub fn get(&self) -> T {
        self.0.get()
    }
}

/// The right to write a thread's own words. It cannot be sent to another thread.
#[derive(Clone, Copy)]
pub struct Owner<'a> {
    thread: &'a Thread,
    _stays_here: PhantomData<*const ()>,
}

impl Thread {
    /// For the thread whose record this is, or while no thread has it.
    #[inline(always)]
    pub(crate) fn own(&self) -> Owner<'_> {
        debug_assert!(self.is_mine_or_nobodys(), "another thread's words");
        Owner { thread: self, _stays_here: PhantomData }
    }
}

impl Owner<'_> {
    /// Changes the current task.
    #[inline(always)]
    pub(crate) fn set_task(self, task: *mut Task) {
        self.thread.task.0.set(task);
    }

    /// Changes the current team.
    #[inline(always)]
    pub(crate) fn set_team(self, team: *mut Team) {
        self.thread.team.0.set(team);
    }

    /// Changes the thread's slot.
    #[inline(always)]
    pub(crate) fn set_slot(self, slot: *mut Slot) {
        self.thread.slot.0.set(slot);
    }

    /// Changes the thread's number.
    #[inline(always)]
    pub(crate) fn set_num(self, num: u32) {
        self.thread.num.0.set(num);
    }

    /// Changes how many teams the thread is primary of.
    #[inline(always)]
    pub(crate) fn set_depth(self, depth: usize) {
        self.thread.depth.0.set(depth);
    }
}
