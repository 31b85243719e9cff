//! How many tasks of a kind (children of a task, members of a group) are not complete.
//!
//! Most of them are made and completed by the thread that waits for them in the end, so that thread,
//! the owner, counts in a plain word, and the others in an atomic one:
//!
//! outstanding = `local` + `net` - `BIAS`
//!
//! While the count is biased (has an owner), `net` never falls to 0, whatever the others do. When
//! the owner really has to wait, it moves `local` into `net` and gives the ownership up; from then
//! on everybody counts in `net`, and who brings it to 0 wakes the waiter. A task that ends before
//! its children does the same, but adds `ENDED`: who brings `net` to `ENDED` frees the record.
//!
//! | state | owner | net (without holds) | the last one to finish |
//! |---|---|---|---|
//! | fresh | null | BIAS | - |
//! | biased | the executing thread | BIAS - finished by others (+ made by others) | is seen by the owner |
//! | waiting | null | outstanding | gets 0: wakes |
//! | ended | null | ENDED + outstanding | gets ENDED: frees |
//!
//! Holds: a child that has ended but still has children of its own is complete, yet its record (and
//! so its parent's, which tools and thieves reach through it) must stay: it adds one `HOLD`.
//!
//! An owner reads its own name only if it wrote it, so "am I the owner" needs no order. After its
//! decrement a finisher touches the count only to read `waiter`: the record may be in its next life
//! by then, which costs at most a needless wake-up (records and threads are never freed).

use crate::team::words::Pointer;
use crate::thread::Thread;
use core::cell::Cell;
use core::sync::atomic::{AtomicI64, Ordering};

// Room for 2^32 tasks outstanding and 2^29 records held: with 256 bytes and more for each, 1 TiB and 128 GiB.
// What others finished for a count that never waits is bounded by `balance`.
const BIAS: i64 = 1 << 32;
const ENDED: i64 = 1 << 34;
const HOLD: i64 = 1 << 35;
/// The part of `net` that counts tasks.
const COUNT: i64 = ENDED - 1;
/// How far `net` may be from the bias before the owner brings it back.
const FAR: i64 = BIAS / 4;

/// What finishing one task leads to.
pub(super) enum Last {
    /// Nothing.
    No,
    /// The thread that waits for the last one, which this was, must be woken.
    Wake(*const Thread),
    /// The record that this count belongs to is no longer needed.
    Free,
}

/// See the module.
#[repr(C)]
pub(super) struct Count {
    /// Made minus finished by the owner. The owner's alone.
    local: Cell<i64>,
    /// See the module. Written by all (SeqCst: with the sleeper's announcement).
    net: AtomicI64,
    /// See the module. Written by the owner.
    owner: Pointer<Thread>,
    /// Who waits for 0. Written by the waiter before it gives the bias up.
    waiter: Pointer<Thread>,
}

impl Count {
    /// Nothing outstanding, nobody's.
    pub(super) const fn new() -> Count {
        Count {
            local: Cell::new(0),
            net: AtomicI64::new(BIAS),
            owner: Pointer::null(),
            waiter: Pointer::null(),
        }
    }

    /// Begins a count that `owner` waits for in the end; null: whoever it may be.
    #[inline(always)]
    pub(super) fn begin(&self, owner: *const Thread) {
        self.local.set(0);
        self.net.store(if owner.is_null() { 0 } else { BIAS }, Ordering::Relaxed);
        self.owner.set(owner.cast_mut());
    }

    /// A count at rest is fresh again. For the owner: nobody else has anything to say to it.
    #[inline(always)]
    pub(super) fn renew(&self) {
        self.local.set(0);
        self.net.store(BIAS, Ordering::Relaxed);
        self.owner.set(core::ptr::null_mut());
    }

    /// Whether `me` is the owner.
    #[inline(always)]
    pub(super) fn is_mine(&self, me: &Thread) -> bool {
        core::ptr::eq(self.owner.get(), me)
    }

    /// One more, made by the owner.
    #[inline(always)]
    pub(super) fn add_own(&self) {
        self.local.set(self.local.get() + 1);
    }

    /// One more child, made by the thread that executes the task whose children these are and is
    /// not yet the owner. `moves`: the task may change threads, so it gets no owner.
    pub(super) fn first_child(&self, me: &Thread, moves: bool) {
        if !self.owner.get().is_null() {
            // An implicit task's, of an earlier region under another thread: all that is over.
            self.begin(core::ptr::null());
            self.net.store(BIAS, Ordering::Relaxed);
        }
        if self.net.load(Ordering::Relaxed) & COUNT != BIAS {
            self.net.fetch_add(1, Ordering::SeqCst);
        } else if moves {
            self.net.fetch_add(1 - BIAS, Ordering::SeqCst);
        } else {
            self.local.set(1);
            self.owner.set(core::ptr::from_ref(me).cast_mut());
        }
    }

    /// One more, made by any thread.
    #[inline(always)]
    pub(super) fn add(&self, me: &Thread) {
        if self.is_mine(me) {
            self.add_own();
        } else {
            self.net.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// One less.
    #[inline(always)]
    pub(super) fn finish(&self, me: &Thread) -> Last {
        if self.is_mine(me) {
            self.local.set(self.local.get() - 1);
            return Last::No;
        }
        let net = self.net.fetch_sub(1, Ordering::SeqCst) - 1;
        if net & COUNT != 0 {
            Last::No
        } else if net & ENDED == 0 {
            Last::Wake(self.waiter.get())
        } else if net == ENDED {
            self.net.store(BIAS, Ordering::Relaxed);
            Last::Free
        } else {
            Last::No
        }
    }

    /// Brings `net` back to the bias if others finished (or made) that many, so that the count holds however
    /// long its owner goes on without a wait. The owner calls it now and then: at least once in [`FAR`]
    /// tasks that others finish.
    pub(super) fn balance(&self, me: &Thread) {
        if !self.is_mine(me) {
            return;
        }
        let away = (self.net.load(Ordering::Relaxed) & COUNT) - BIAS;
        if away.abs() > FAR {
            // What is outstanding stays the same, to the owner's eyes, and nobody else sees the sum.
            self.net.fetch_sub(away, Ordering::SeqCst);
            self.local.set(self.local.get() + away);
        }
    }

    /// A child's record stays for its own children.
    pub(super) fn hold(&self) {
        self.net.fetch_add(HOLD, Ordering::SeqCst);
    }

    /// That child's record goes. True if this one, ended long ago, goes with it.
    pub(super) fn release_hold(&self) -> bool {
        let last = self.net.fetch_sub(HOLD, Ordering::SeqCst) - HOLD == ENDED;
        if last {
            self.net.store(BIAS, Ordering::Relaxed);
        }
        last
    }

    /// Whether nothing is outstanding, for the owner: false if it is not sure at once.
    #[inline(always)]
    pub(super) fn is_at_rest(&self, me: &Thread) -> bool {
        self.is_mine(me) && self.local.get() + self.net.load(Ordering::Acquire) == BIAS
    }

    /// Whether nothing is outstanding, and no other thread completed any that was made since the last wait, for
    /// the thread that executes the task: there is no wait to be told of, however fast the others were. Without
    /// an owner nobody knows who completed what: then only what is outstanding counts.
    #[inline(always)]
    pub(super) fn is_untouched(&self, me: &Thread) -> bool {
        let untouched = !self.is_mine(me) || self.local.get() == 0;
        untouched && self.outstanding(me) == 0
    }

    /// Nothing is outstanding, and the wait for what others completed is over: forgets that they did.
    pub(super) fn settle(&self, me: &Thread) {
        self.begin_wait(me);
        self.end_wait();
    }

    /// Whether nothing is outstanding, and all that was made was completed by the owner, who asks: false if it is
    /// not sure at once.
    #[inline(always)]
    pub(super) fn is_empty(&self, me: &Thread) -> bool {
        self.is_mine(me) && self.local.get() == 0 && self.net.load(Ordering::Acquire) == BIAS
    }

    /// How many are outstanding, for the thread that executes the task.
    #[inline(always)]
    pub(super) fn outstanding(&self, me: &Thread) -> i64 {
        let owner = self.owner.get();
        let net = self.net.load(Ordering::Acquire) & COUNT;
        if core::ptr::eq(owner, me) {
            return self.local.get() + net - BIAS;
        }
        // Another owner: see `first_child`.
        if owner.is_null() && net != BIAS { net } else { 0 }
    }

    /// The thread that executes the task is going to wait: gives the bias up.
    pub(super) fn begin_wait(&self, me: &Thread) {
        self.waiter.set(core::ptr::from_ref(me).cast_mut());
        let mut delta = 0;
        if self.is_mine(me) {
            delta = self.local.replace(0) - BIAS;
            self.owner.set(core::ptr::null_mut());
        }
        self.net.fetch_add(delta, Ordering::SeqCst);
    }

    /// Whether the waiter may go on.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.net.load(Ordering::SeqCst) & COUNT == 0
    }

    /// The waiter goes on.
    pub(super) fn end_wait(&self) {
        self.waiter.set(core::ptr::null_mut());
        self.net.fetch_add(BIAS, Ordering::SeqCst);
    }

    /// The task itself ends. True if its record is no longer needed; otherwise [`Count::finish`]
    /// says `Free` to somebody. A count that is no longer needed is fresh again.
    #[inline(never)]
    pub(super) fn end(&self, me: &Thread) -> bool {
        let net = self.net.load(Ordering::Acquire);
        let delta = if self.is_mine(me) {
            self.owner.set(core::ptr::null_mut());
            ENDED - BIAS + self.local.replace(0)
        } else if net & COUNT == BIAS {
            ENDED - BIAS
        } else {
            ENDED
        };
        // If nothing is outstanding, nobody else changes the word any more.
        if net + delta == ENDED || self.net.fetch_add(delta, Ordering::SeqCst) + delta == ENDED {
            self.net.store(BIAS, Ordering::Relaxed);
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_events::ThreadKind;

    /// An owner that never waits, while others finish what it makes, and more than the word has room for.
    #[test]
    fn an_owner_that_never_waits_stays_in_balance() {
        let (owner, other) =
            (Thread::new(0, 0, ThreadKind::Unknown), Thread::new(1, 1, ThreadKind::Unknown));
        let count = Count::new();
        count.first_child(&owner, false);
        for _ in 0..8 {
            // As after that many tasks that the owner made and others finished.
            count.local.set(count.local.get() + FAR);
            count.net.fetch_sub(FAR, Ordering::Relaxed);
            count.add_own();
            assert!(matches!(count.finish(&other), Last::No));
            count.balance(&owner);
            assert_eq!(count.outstanding(&owner), 1);
            assert_eq!(count.net.load(Ordering::Relaxed) & COUNT, BIAS);
        }
        count.hold();
        count.net.fetch_sub(FAR + 1, Ordering::Relaxed);
        count.local.set(count.local.get() + FAR + 1);
        count.balance(&owner);
        assert_eq!(count.net.load(Ordering::Relaxed), BIAS + HOLD);
        assert!(matches!(count.finish(&owner), Last::No));
        assert!(!count.end(&owner));
        assert!(count.release_hold());
    }
}
