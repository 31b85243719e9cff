//! The right to write a thread's ledger and its stack of tasks: one at a time has it.
//!
//! A callback has it from [`Owner::enter`] to [`Owner::leave`]. The handler, which may come at any
//! moment of the same thread, has it only where no callback is at work ([`Owner::in_handler`]);
//! else it notes that a tick waits, and the callback does at its end what the tick would have done
//! (`stretch`). Both are on one thread, so plain loads and stores in the program's order are
//! enough.

use super::Thread;
use crate::accounting::Books;
use crate::accounting::stack::Stack;
use core::marker::PhantomData;
use core::ops::Deref;
use core::sync::atomic::{
    Ordering::{Relaxed, SeqCst},
    compiler_fence,
};

/// See the module.
pub struct Owner {
    thread: &'static Thread,
    /// It stays on its thread.
    stays: PhantomData<*mut ()>,
}

impl Deref for Owner {
    type Target = Thread;

    #[inline(always)]
    fn deref(&self) -> &Thread {
        self.thread
    }
}

impl Owner {
    /// A callback of the calling thread begins, whose record `thread` is.
    ///
    /// # Safety
    /// No other callback of the thread is at work.
    #[inline]
    pub unsafe fn enter(thread: &'static Thread) -> Owner {
        thread.in_callback.store(true, Relaxed);
        compiler_fence(SeqCst);
        Owner { thread, stays: PhantomData }
    }

    /// The callback ends. Where a tick came meanwhile, the right is had again for what that left to
    /// be done.
    #[inline]
    pub fn leave(self) -> Option<Owner> {
        compiler_fence(SeqCst);
        self.in_callback.store(false, Relaxed);
        compiler_fence(SeqCst);
        // SAFETY: this was the callback at work.
        self.tick_waits.load(Relaxed).then(|| unsafe { Owner::enter(self.thread) })
    }

    /// The callback did nothing, and another one of the thread follows at once, which does at its
    /// end what a tick may have left.
    #[inline(always)]
    pub fn give_up(self) {
        compiler_fence(SeqCst);
        self.in_callback.store(false, Relaxed);
        compiler_fence(SeqCst);
    }

    /// For the handler of the thread whose record this is; none where a callback is at work, which
    /// is told that a tick waits. Async-signal-safe.
    ///
    /// # Safety
    /// The caller is the thread's handler.
    pub unsafe fn in_handler(thread: &'static Thread) -> Option<Owner> {
        if thread.in_callback.load(Relaxed) {
            thread.tick_waits.store(true, Relaxed);
            return None;
        }
        Some(Owner { thread, stays: PhantomData })
    }

    /// For the thread as its record begins or ends.
    ///
    /// # Safety
    /// The caller is the thread whose record this is, in no callback, and no handler comes: the
    /// record is not alive, or has no timer.
    pub(super) unsafe fn outside(thread: &'static Thread) -> Owner {
        Owner { thread, stays: PhantomData }
    }

    /// The record, to have beside the stack.
    #[inline(always)]
    pub fn thread(&self) -> &'static Thread {
        self.thread
    }

    /// The account, to write.
    #[inline(always)]
    pub fn books(&self) -> &'static Books {
        // SAFETY: this is the right to write it.
        unsafe { Books::of(&self.thread.account) }
    }

    /// The thread's stack of tasks.
    #[inline(always)]
    pub fn stack(&mut self) -> &mut Stack {
        // SAFETY: one at a time has the right, and it is borrowed.
        unsafe { &mut *self.thread.stack.get() }
    }
}
