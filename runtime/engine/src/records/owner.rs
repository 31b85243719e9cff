//! Words of records that one thread at a time may write, and the right to write them.
//!
//! To write an [`OwnerWord`] of a record, a thread needs the record's [`Owner`]. One thread at a
//! time has it:
//!
//! | record | has the right | source of the `Owner` |
//! |---|---|---|
//! | [`Thread`] | the thread; while no thread has the record, the one that prepares it for the next | [`Thread::as_owner`] |
//! | [`Slot`](super::Slot) | the member; before the member has its order, the primary | `slot` of the thread's, `member` of the team's |
//! | [`Team`](super::Team) | the primary, while no other member is in a region | [`Team::as_owner`](super::Team::as_owner) |
//! | [`Task`](super::Task) | the thread that executes it; before that its maker, at the end the thread that completes it | `task` of the thread's, or [`Task::claim`](super::Task::claim) |
//! | [`Group`](super::Group) | the thread that began it | `group` and `take_group` of the thread's |
//!
//! So a thread that has the `Owner` of its own record gets those of its slot, its current task and
//! that task's group from it. The debug build checks that the `Owner` of a thread or a team is
//! asked for by the right thread, and that the word is part of the record.
//!
//! [`words`](super::words) has atomics of the same kind, which other threads may read at any time.
//! Other threads may read an `OwnerWord` only where something orders the write and the read: a
//! region's members read words that the primary wrote before it gave their orders. A signal handler
//! may read it, because it runs on the same thread; a debugger copes with any value.

use super::Thread;
use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::Deref;

/// A word of the record `R` that only the record's owner writes.
#[repr(transparent)]
pub struct OwnerWord<T, R = Thread> {
    word: Cell<T>,
    _of: PhantomData<fn(R)>,
}

impl<T, R> OwnerWord<T, R> {
    pub(crate) const fn new(value: T) -> OwnerWord<T, R> {
        OwnerWord { word: Cell::new(value), _of: PhantomData }
    }

    /// Changes the value.
    #[inline(always)]
    pub(crate) fn set(&self, by: Owner<'_, R>, value: T) {
        self.replace(by, value);
    }

    /// Changes the value and returns the one before.
    #[inline(always)]
    pub(crate) fn replace(&self, by: Owner<'_, R>, value: T) -> T {
        by.check(self);
        self.word.replace(value)
    }
}

impl<T: Copy, R> OwnerWord<T, R> {
    /// Returns the word itself, for reading.
    pub(super) const fn cell(&self) -> &Cell<T> {
        &self.word
    }

    /// Returns the value.
    #[inline(always)]
    pub fn get(&self) -> T {
        self.word.get()
    }

    /// Changes the value, but does not write an equal one, so that the cache line stays with its
    /// readers.
    #[inline(always)]
    pub(crate) fn put(&self, by: Owner<'_, R>, value: T)
    where
        T: PartialEq,
    {
        if self.get() != value {
            self.set(by, value);
        }
    }
}

/// The right to write the words of a record. It cannot be sent to another thread.
pub struct Owner<'a, R = Thread> {
    record: &'a R,
    _stays_here: PhantomData<*const ()>,
}

impl<R> Clone for Owner<'_, R> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Owner<'_, R> {}

impl<R> Deref for Owner<'_, R> {
    type Target = R;

    #[inline(always)]
    fn deref(&self) -> &R {
        self.record
    }
}

impl<'a, R> Owner<'a, R> {
    /// Makes the right to write `record`. Only for the records' own functions: each says when the
    /// calling thread has this right.
    #[inline(always)]
    pub(super) const fn of(record: &'a R) -> Owner<'a, R> {
        Owner { record, _stays_here: PhantomData }
    }

    /// Returns the record itself.
    #[inline(always)]
    pub(crate) const fn record(self) -> &'a R {
        self.record
    }

    /// Checks in the debug build that the word is part of the record.
    #[inline(always)]
    pub(super) fn check<T>(self, word: &T) {
        let at = core::ptr::from_ref(word).addr();
        let from = core::ptr::from_ref(self.record).addr();
        debug_assert!((from..from + size_of::<R>()).contains(&at), "a word of another record");
    }
}

impl Thread {
    /// Returns the right to write the record. Only for the thread whose record this is, or while no
    /// thread has it.
    #[inline(always)]
    pub(crate) fn as_owner(&self) -> Owner<'_> {
        debug_assert!(self.is_mine_or_nobodys(), "another thread's words");
        Owner::of(self)
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;
    use omphalos_events::ThreadKind;

    fn thread(number: i32) -> Thread {
        Thread::new(number, number as u32, ThreadKind::Unknown)
    }

    #[test]
    fn an_owner_writes_its_records_words() {
        let thread = thread(0);
        thread.busy.set(thread.as_owner(), 3);
        thread.tasks.got.set(thread.as_owner(), 4);
        assert_eq!((thread.busy.get(), thread.tasks.got.get()), (3, 4));
    }

    #[test]
    #[should_panic = "a word of another record"]
    fn and_no_others() {
        let (one, other) = (thread(0), thread(1));
        one.busy.set(other.as_owner(), 3);
    }

    #[test]
    #[should_panic = "another thread's words"]
    fn a_thread_owns_its_own_record_only() {
        let thread = thread(0);
        thread.is_callers();
        std::thread::scope(|scope| {
            let other = scope.spawn(|| thread.busy.set(thread.as_owner(), 3));
            other.join().unwrap_or_else(|cause| std::panic::resume_unwind(cause));
        });
    }
}
