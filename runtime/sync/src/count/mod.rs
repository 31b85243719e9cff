//! Counts the tasks of a kind (children of a task, members of a group) that are not complete.
//!
//! Who uses it: the engine, in the records of tasks and taskgroups. Most tasks are made and
//! completed by the thread that will wait for them. That thread, the owner, counts in a plain word;
//! the others count in an atomic one:
//!
//! outstanding = `local` + `net` - `BIAS`
//!
//! While the count is biased (has an owner), `net` never falls to 0, whatever the others do. An
//! owner that really has to wait moves `local` into `net` and gives the ownership up. From then on
//! every thread counts in `net`, and the thread that brings it to 0 wakes the waiter. A task that
//! ends before its children does the same and adds `ENDED`; the thread that brings `net` to `ENDED`
//! frees the record. If another thread may end the task (a detached one), the owner gives the
//! ownership up before that: no other thread can read `local`.
//!
//! | state | owner | net (without holds) | the last one to finish |
//! |---|---|---|---|
//! | fresh | null | BIAS | - |
//! | biased | the executing thread | BIAS - finished by others (+ made by others) | is seen by the owner |
//! | waiting | null | outstanding | gets 0: wakes |
//! | given up | null | outstanding | gets 0: wakes no thread |
//! | ended | null | ENDED + outstanding | gets ENDED: frees |
//!
//! Holds: a child that has ended but still has children is complete. Yet its record must stay, and
//! so must its parent's, which tools and thieves reach through it. So it adds one `HOLD`.
//!
//! A thread reads its own address in `owner` only if it wrote it there, so the question "am I the
//! owner" needs no memory order. After its decrement a finisher touches the count only to read
//! `waiter`. The record may be in its next life by then, which costs at most a needless wake-up
//! (the memory of records, of tasks and of threads, is never freed).

use crate::shim::{AtomicI64, AtomicPtr, Cell, Ordering, const_but_for_loom};

/// The value of `net` while the count is biased.
// There is room for 2^32 outstanding tasks and 2^29 held records: at 256 bytes or more for each, 1
// TiB and 128 GiB. `balance` bounds the tasks that others finish for a count that never waits.
pub const BIAS: i64 = 1 << 32;
/// The number that a task adds when it ends itself.
pub const ENDED: i64 = 1 << 34;
/// The number that each held record adds.
pub const HOLD: i64 = 1 << 35;
/// The part of `net` that counts tasks.
const COUNT: i64 = ENDED - 1;
/// The distance of `net` from the bias at which the owner brings it back.
const MOST_DRIFT_TASKS: i64 = BIAS / 4;

/// The next step of the finishing thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last<T> {
    /// There is none.
    No,
    /// The thread that waits for the last one must be woken, and this was the last one.
    Wake(*const T),
    /// The record to which this count belongs is not needed any more.
    Free,
}

/// The count of a kind of tasks. A `T` is a thread, known by its address alone.
#[repr(C)]
pub struct Count<T> {
    /// The tasks that the owner made minus those that it finished. Only the owner uses it.
    local: Cell<i64>,
    /// The atomic part of the count (see the module). Written by all (SeqCst: with the sleeper's
    /// announcement).
    net: AtomicI64,
    /// The owner (see the module). Written by the owner.
    owner: AtomicPtr<T>,
    /// The thread that waits for 0. Written by the waiter before it gives the bias up.
    waiter: AtomicPtr<T>,
}

#[cfg(not(loom))]
omphalos_layout::describe!(<T> Count<T> as ("Count") { local, net, owner, waiter });

impl<T> Count<T> {
    const_but_for_loom! {
        /// Makes a count without outstanding tasks and without an owner.
        pub fn new() -> Count<T> {
            Count {
                local: Cell::new(0),
                net: AtomicI64::new(BIAS),
                owner: AtomicPtr::new(core::ptr::null_mut()),
                waiter: AtomicPtr::new(core::ptr::null_mut()),
            }
        }
    }

    #[inline(always)]
    fn owner(&self) -> *mut T {
        self.owner.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn set_owner(&self, owner: *const T) {
        self.owner.store(owner.cast_mut(), Ordering::Relaxed);
    }

    #[inline(always)]
    fn set_waiter(&self, waiter: *const T) {
        self.waiter.store(waiter.cast_mut(), Ordering::Relaxed);
    }

    /// Begins a count for which `owner` will wait; null: any thread may wait.
    #[inline(always)]
    pub fn begin(&self, owner: *const T) {
        self.local.set(0);
        self.net.store(if owner.is_null() { 0 } else { BIAS }, Ordering::Relaxed);
        self.set_owner(owner);
    }

    /// Makes a count with nothing outstanding fresh again. For the owner, when no other thread uses
    /// it.
    #[inline(always)]
    pub fn renew(&self) {
        self.local.set(0);
        self.net.store(BIAS, Ordering::Relaxed);
        self.set_owner(core::ptr::null());
    }

    /// Whether `me` is the owner of the count.
    #[inline(always)]
    pub fn is_mine(&self, me: &T) -> bool {
        core::ptr::eq(self.owner(), me)
    }

    /// Counts a task that the owner made.
    #[inline(always)]
    pub fn add_own(&self) {
        self.local.set(self.local.get() + 1);
    }

    /// Counts a child. The calling thread executes the parent and is not yet the owner. `moves`:
    /// the parent may change threads, so it gets no owner.
    pub fn first_child(&self, me: &T, moves: bool) {
        if !self.owner().is_null() {
            // This is the count of an implicit task, from an earlier region under another thread,
            // and all its tasks are over.
            self.begin(core::ptr::null());
            self.net.store(BIAS, Ordering::Relaxed);
        }
        if self.net.load(Ordering::Relaxed) & COUNT != BIAS {
            self.net.fetch_add(1, Ordering::SeqCst);
        } else if moves {
            self.net.fetch_add(1 - BIAS, Ordering::SeqCst);
        } else {
            self.local.set(1);
            self.set_owner(me);
        }
    }

    /// Counts a task that any thread made.
    #[inline(always)]
    pub fn add(&self, me: &T) {
        if self.is_mine(me) {
            self.add_own();
        } else {
            self.net.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Subtracts a task that is complete. Returns the next step of the calling thread.
    #[inline(always)]
    pub fn finish(&self, me: &T) -> Last<T> {
        if self.is_mine(me) {
            self.local.set(self.local.get() - 1);
            return Last::No;
        }
        let net = self.net.fetch_sub(1, Ordering::SeqCst) - 1;
        if net & COUNT != 0 {
            Last::No
        } else if net & ENDED == 0 {
            Last::Wake(self.waiter.load(Ordering::Relaxed))
        } else if net == ENDED {
            self.net.store(BIAS, Ordering::Relaxed);
            Last::Free
        } else {
            Last::No
        }
    }

    /// Brings `net` back to the bias if others finished (or made) very many, so that the count
    /// holds even if its owner never waits. The owner calls it at least once in `MOST_DRIFT_TASKS`
    /// tasks that others finish.
    pub fn balance(&self, me: &T) {
        if !self.is_mine(me) {
            return;
        }
        let away = (self.net.load(Ordering::Relaxed) & COUNT) - BIAS;
        if away.abs() > MOST_DRIFT_TASKS {
            // The sum stays the same for the owner, and no other thread sees the sum.
            self.net.fetch_sub(away, Ordering::SeqCst);
            self.local.set(self.local.get() + away);
        }
    }

    /// Keeps the record of a child that has ended, for the child's own children.
    pub fn hold(&self) {
        self.net.fetch_add(HOLD, Ordering::SeqCst);
    }

    /// Gives such a child's record up. Returns true if this record, whose task ended long ago, goes
    /// with it.
    pub fn release_hold(&self) -> bool {
        let last = self.net.fetch_sub(HOLD, Ordering::SeqCst) - HOLD == ENDED;
        if last {
            self.net.store(BIAS, Ordering::Relaxed);
        }
        last
    }

    /// Whether nothing is outstanding, for the owner. Returns false if that is not certain at once.
    #[inline(always)]
    pub fn is_at_rest(&self, me: &T) -> bool {
        self.is_mine(me) && self.local.get() + self.net.load(Ordering::Acquire) == BIAS
    }

    /// Whether nothing is outstanding and no other thread completed a task that was made since the
    /// last wait. Then there is no wait to tell of, however fast the others were. Without an owner
    /// it is not known which thread completed which task: then only outstanding tasks matter. For
    /// the thread that executes the task.
    #[inline(always)]
    pub fn is_untouched(&self, me: &T) -> bool {
        let untouched = !self.is_mine(me) || self.local.get() == 0;
        untouched && self.outstanding(me) == 0
    }

    /// Forgets the tasks that others completed. Nothing is outstanding, and the wait for them is
    /// over.
    pub fn settle(&self, me: &T) {
        self.begin_wait(me);
        self.end_wait();
    }

    /// Whether nothing is outstanding and the owner itself completed all tasks, for the owner.
    /// Returns false if that is not certain at once.
    #[inline(always)]
    pub fn is_empty(&self, me: &T) -> bool {
        self.is_mine(me) && self.local.get() == 0 && self.net.load(Ordering::Acquire) == BIAS
    }

    /// Returns how many tasks are outstanding, for the thread that executes the task.
    #[inline(always)]
    pub fn outstanding(&self, me: &T) -> i64 {
        let owner = self.owner();
        let net = self.net.load(Ordering::Acquire) & COUNT;
        if core::ptr::eq(owner, me) {
            return self.local.get() + net - BIAS;
        }
        // The count has another owner: see `first_child`.
        if owner.is_null() && net != BIAS { net } else { 0 }
    }

    /// Gives the bias up: the thread that executes the task is going to wait.
    pub fn begin_wait(&self, me: &T) {
        self.set_waiter(me);
        let mut delta = 0;
        if self.is_mine(me) {
            delta = self.local.replace(0) - BIAS;
            self.set_owner(core::ptr::null());
        }
        self.net.fetch_add(delta, Ordering::SeqCst);
    }

    /// Whether the waiter may go on.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.net.load(Ordering::SeqCst) & COUNT == 0
    }

    /// Gives the ownership up: the thread that executes the task leaves it, and from then on any
    /// thread may end it.
    pub fn give_up(&self, me: &T) {
        if self.is_mine(me) {
            let delta = self.local.replace(0) - BIAS;
            self.set_owner(core::ptr::null());
            self.net.fetch_add(delta, Ordering::SeqCst);
        }
    }

    /// Ends the wait: the count gets its bias back.
    pub fn end_wait(&self) {
        self.set_waiter(core::ptr::null());
        self.net.fetch_add(BIAS, Ordering::SeqCst);
    }

    /// Ends the task itself, on its owner, or on any thread once the owner gave the count up.
    /// Returns true if the record is not needed any more: then the count is fresh again. Otherwise
    /// [`Count::finish`] returns `Free` to a later thread.
    #[inline(never)]
    pub fn end(&self, me: &T) -> bool {
        let net = self.net.load(Ordering::Acquire);
        let delta = if self.is_mine(me) {
            self.set_owner(core::ptr::null());
            ENDED - BIAS + self.local.replace(0)
        } else if net & COUNT == BIAS {
            ENDED - BIAS
        } else {
            ENDED
        };
        // If nothing is outstanding, no other thread changes the word any more.
        if net + delta == ENDED || self.net.fetch_add(delta, Ordering::SeqCst) + delta == ENDED {
            self.net.store(BIAS, Ordering::Relaxed);
            return true;
        }
        false
    }
}

#[cfg(not(loom))]
impl<T> Default for Count<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, loom))]
mod model;
#[cfg(all(test, not(loom)))]
mod tests;
