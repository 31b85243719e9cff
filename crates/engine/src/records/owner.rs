//! Words of a thread's record that only the thread writes.
//!
//! Others may read them where that is argued (a signal handler of the thread, who looks from
//! outside); a write takes an [`Owner`], which only the thread whose record it is can have. While
//! no thread has the record (it is being made, or the thread has ended), whoever holds it for the
//! next one stands for it.

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

/// The right to write a thread's own words. It stays on the thread.
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
    /// The current task is another one.
    #[inline(always)]
    pub(crate) fn set_task(self, task: *mut Task) {
        self.thread.task.0.set(task);
    }

    /// The current team is another one.
    #[inline(always)]
    pub(crate) fn set_team(self, team: *mut Team) {
        self.thread.team.0.set(team);
    }

    /// The thread's slot is another one.
    #[inline(always)]
    pub(crate) fn set_slot(self, slot: *mut Slot) {
        self.thread.slot.0.set(slot);
    }

    /// The thread's number is another one.
    #[inline(always)]
    pub(crate) fn set_num(self, num: u32) {
        self.thread.num.0.set(num);
    }

    /// The thread is primary of so many teams.
    #[inline(always)]
    pub(crate) fn set_depth(self, depth: usize) {
        self.thread.depth.0.set(depth);
    }
}
