//! The right to write a thread's ledger and its stack of tasks: only one at a time has it.
//!
//! A callback has the right from [`Owner::enter`] to [`Owner::leave`]. The handler, which may come
//! at any moment of the same thread, has it only where no callback is at work
//! ([`Owner::in_handler`]). Otherwise it notes that a tick waits, and the callback does the tick's
//! work at its end (`stretch`). Both are on one thread, so plain loads and stores in the program's
//! order are enough.

use super::Thread;
use crate::accounting::Books;
use crate::accounting::stack::Stack;
use core::marker::PhantomData;
use core::ops::Deref;
use core::sync::atomic::{
    Ordering::{Relaxed, SeqCst},
    compiler_fence,
};

/// The right to write a thread's ledger and stack.
pub struct Owner {
    thread: &'static Thread,
    /// Keeps the right on its thread.
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
    /// Begins a callback of the calling thread, whose record is `thread`.
    ///
    /// # Safety
    /// No other callback of the thread is at work.
    #[inline]
    pub unsafe fn enter(thread: &'static Thread) -> Owner {
        thread.in_callback.store(true, Relaxed);
        compiler_fence(SeqCst);
        Owner { thread, stays: PhantomData }
    }

    /// Ends the callback. Where a tick came meanwhile, returns the right again, for the tick's
    /// work.
    #[inline]
    pub fn leave(self) -> Option<Owner> {
        compiler_fence(SeqCst);
        self.in_callback.store(false, Relaxed);
        compiler_fence(SeqCst);
        // SAFETY: this was the callback at work.
        self.tick_waits.load(Relaxed).then(|| unsafe { Owner::enter(self.thread) })
    }

    /// Ends a callback that did nothing. Another one of the thread follows at once, and does at its
    /// end the work of a tick that came meanwhile.
    #[inline(always)]
    pub fn give_up(self) {
        compiler_fence(SeqCst);
        self.in_callback.store(false, Relaxed);
        compiler_fence(SeqCst);
    }

    /// Gives the right to the handler of the thread whose record this is. `None` where a callback
    /// is at work, which learns that a tick waits. Async-signal-safe.
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

    /// Gives the right to the thread as its record begins or ends.
    ///
    /// # Safety
    /// The caller is the thread whose record this is, in no callback, and no handler comes: the
    /// record is not alive, or has no timer.
    pub(super) unsafe fn outside(thread: &'static Thread) -> Owner {
        Owner { thread, stays: PhantomData }
    }

    /// Returns the record, for use beside the stack.
    #[inline(always)]
    pub fn thread(&self) -> &'static Thread {
        self.thread
    }

    /// Returns the account, for writing.
    #[inline(always)]
    pub fn books(&self) -> &'static Books {
        // SAFETY: this is the right to write it.
        unsafe { Books::of(&self.thread.account) }
    }

    /// Returns the thread's stack of tasks.
    #[inline(always)]
    pub fn stack(&mut self) -> &mut Stack {
        // SAFETY: one at a time has the right, and it is borrowed.
        unsafe { &mut *self.thread.stack.get() }
    }
}
