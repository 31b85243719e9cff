//! The barriers that a thread passes in a region that Omphalos' runtime adds up, and the last loop
//! there. The region's task has no context: that would cost more than the region.
//!
//! What must hold: only the thread itself and its signal handler write here. Everything is of one
//! part of work in such a region, which the time of its begin names; words of an earlier part count
//! no more. Once the task gets a context, the context has all of it ([`Passed::take`]).

use super::construct;
use super::table::Entry;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};
use omphalos_ompt::SyncKind;

/// The counters of a construct.
pub type Counted = Entry<{ construct::site::COUNT }>;

/// A barrier that a thread waits at.
#[derive(Clone, Copy)]
pub struct Wait {
    /// The time at which the thread came to it, ticks.
    pub since: u64,
    /// Its kind and its `codeptr_ra`.
    pub which: (SyncKind, u64),
}

/// Everything that a thread passed in its work.
#[derive(Clone, Copy)]
pub struct Taken {
    /// The time at barriers that it has left, ticks.
    pub waited: u64,
    /// The barrier that it waits at.
    pub wait: Option<Wait>,
    /// The loop whose barrier may follow.
    pub construct: Option<&'static Counted>,
}

/// A thread's notes.
#[derive(Default)]
pub struct Passed {
    /// The begin of the work in which the thread came to a barrier, ticks; 0 = none.
    work: AtomicU64,
    /// The time at barriers that it has left, ticks.
    waited: AtomicU64,
    /// The time at which it came to the barrier that it waits at, ticks; 0 = it waits at none.
    since: AtomicU64,
    /// The number of that barrier's kind, and its `codeptr_ra`.
    kind: AtomicU64,
    codeptr: AtomicU64,
    /// The counters that get the wait.
    counted: AtomicPtr<Counted>,
    /// The counters of the last loop, and when the work began that the loop was in.
    construct: AtomicPtr<Counted>,
    looped: AtomicU64,
}

/// Reads a pointer to counters.
#[inline(always)]
fn read(counted: &AtomicPtr<Counted>) -> Option<&'static Counted> {
    // SAFETY: null or an entry of the thread's own table, which is never freed.
    unsafe { counted.load(Relaxed).as_ref() }
}

impl Passed {
    /// Notes the loop that the thread came to in the work that began at `work`.
    #[inline(always)]
    pub fn note_loop(&self, work: u64, entry: &Counted) {
        self.construct.store(core::ptr::from_ref(entry).cast_mut(), Relaxed);
        self.looped.store(work, Relaxed);
    }

    /// Returns the counters of the last loop, in whichever work.
    #[inline(always)]
    pub fn last_loop(&self) -> Option<&'static Counted> {
        read(&self.construct)
    }

    /// Returns the counters of the last loop of this work, if no explicit barrier came since.
    #[inline(always)]
    pub fn construct(&self, work: u64) -> Option<&'static Counted> {
        read(&self.construct).filter(|_| self.looped.load(Relaxed) == work)
    }

    /// Notes that the thread comes to a barrier at `now`, whose wait `counted` gets.
    #[inline(always)]
    pub fn begin(&self, work: u64, which: (SyncKind, u64), counted: &Counted, now: u64) {
        if self.work.load(Relaxed) != work {
            self.waited.store(0, Relaxed);
            self.work.store(work, Relaxed);
        }
        self.kind.store(which.0.number() as u64, Relaxed);
        self.codeptr.store(which.1, Relaxed);
        self.counted.store(core::ptr::from_ref(counted).cast_mut(), Relaxed);
        self.since.store(now, Relaxed);
    }

    /// Notes that the thread leaves that barrier at `now`. Returns the counters that get the wait,
    /// and the wait; `None` if the thread waits at none.
    #[inline(always)]
    pub fn end(&self, work: u64, now: u64) -> Option<(&'static Counted, u64)> {
        let since = self.since.load(Relaxed);
        if since == 0 || self.work.load(Relaxed) != work {
            return None;
        }
        let wait = now.saturating_sub(since);
        self.waited.store(self.waited.load(Relaxed) + wait, Relaxed);
        self.since.store(0, Relaxed);
        Some((read(&self.counted)?, wait))
    }

    /// Notes that the barrier that ended was explicit: it belongs to no loop, and none belongs to
    /// the barriers behind it.
    #[inline(always)]
    pub fn forget_loop(&self) {
        self.looped.store(0, Relaxed);
    }

    /// Returns when the thread came to the barrier that it waits at in this work, and how long it
    /// has waited at others there. Any thread may call it.
    #[inline]
    pub fn waits(&self, work: u64) -> Option<(u64, u64)> {
        let since = self.since.load(Relaxed);
        let is_this = since != 0 && self.work.load(Relaxed) == work;
        is_this.then(|| (since, self.waited.load(Relaxed)))
    }

    /// Returns the kind of the barrier that the thread waits at. Any thread may call it.
    pub fn kind(&self) -> SyncKind {
        SyncKind::from(self.kind.load(Relaxed) as i32)
    }

    /// Ends work without a context: returns how long the thread waited in it. `None` if it passed
    /// no barrier, or waits at one.
    #[inline(always)]
    pub fn leave(&self, work: u64) -> Option<u64> {
        let is_this = self.work.load(Relaxed) == work && self.since.load(Relaxed) == 0;
        if !is_this {
            return None;
        }
        self.work.store(0, Relaxed);
        Some(self.waited.load(Relaxed))
    }

    /// Returns what the thread passed in this work, for the task's context, and forgets it.
    pub fn take(&self, work: u64) -> Taken {
        let construct = self.construct(work);
        self.looped.store(0, Relaxed);
        if self.work.swap(0, Relaxed) != work {
            return Taken { waited: 0, wait: None, construct };
        }
        let since = self.since.swap(0, Relaxed);
        let which = (self.kind(), self.codeptr.load(Relaxed));
        let wait = (since != 0).then_some(Wait { since, which });
        Taken { waited: self.waited.load(Relaxed), wait, construct }
    }

    /// Forgets everything.
    pub fn forget(&self) {
        [&self.work, &self.since, &self.looped].iter().for_each(|word| word.store(0, Relaxed));
    }
}
