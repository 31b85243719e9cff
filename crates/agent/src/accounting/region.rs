//! One instance of a parallel region, and what it adds to its site when it ends.
//!
//! The encountering thread makes the instance, each implicit task keeps its share in its own
//! [`Slot`], the primary sums the slots at the region's end. What must hold: a slot is written by
//! its implicit task's thread only, last at its entry into the closing barrier or after a task that
//! it executed there; the runtime's barrier and join order these writes before the primary's reads.
//! Instances are reused by their maker and never freed, so a late event of a worker finds memory;
//! [`Region::id`] tells it whether the instance is still the one it worked for.

use super::pace::SAMPLED;
use super::table::{Entry, Table};
use super::{CREATED, Class, Counters, EXECUTED, IMPLEMENTATION_BARRIERS, TASK_WORK};
use crate::thread::Thread;
use core::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

/// Counters of a region site, in the order of the format's record (times in ticks).
pub mod site {
    #![allow(missing_docs)]
    pub const INSTANCES: usize = 0;
    pub const ELAPSED: usize = 1;
    pub const TEAM: usize = 2;
    pub const WORK: usize = 3;
    pub const BARRIER: usize = 4;
    pub const MUTEX: usize = 5;
    pub const TASK_WAIT: usize = 6;
    pub const OVERHEAD: usize = 7;
    pub const IMBALANCE: usize = 8;
    pub const GAIN: usize = 9;
    pub const CREATED: usize = 10;
    pub const EXECUTED: usize = 11;
    pub const TASK_WORK: usize = 12;
    pub const IMPLEMENTATION_BARRIERS: usize = 13;
    pub const STACKS: usize = 14;
    pub const COUNT: usize = 15;
}

/// Region sites: (codeptr_ra, the parent site's codeptr_ra, level).
pub type RegionTable = Table<{ site::COUNT }>;

/// The share of one implicit task: a line of what always changes, and one of what seldom does, which is then not
/// written. Nothing is cleared between two instances: a slot of another one has another stamp.
#[derive(Default)]
#[repr(align(64))]
pub struct Slot {
    /// The instance's id.
    stamp: AtomicU64,
    /// When the implicit task began, ticks.
    begin: AtomicU64,
    /// Up to when the fields below are right, ticks; later is waiting in a barrier. 0 = never yet.
    at: AtomicU64,
    work: AtomicU64,
    barrier: AtomicU64,
    mutex: AtomicU64,
    task_wait: AtomicU64,
    overhead: AtomicU64,
    created: AtomicU64,
    /// What the runtime had counted of `created`: what it counts later comes on top.
    counted: AtomicU64,
    executed: AtomicU64,
    task_work: AtomicU64,
    implementation_barriers: AtomicU64,
    /// What parts of the time after `at` are work, tasks' work and waiting for tasks, of 2^32, where the
    /// thread does not time its events; the rest is waiting in the barrier.
    shares: [AtomicU64; 3],
    /// Whose account hears of the region's end.
    thread: AtomicPtr<Thread>,
}

/// Stores a value that is most often there already: the line stays with whoever read it last.
#[inline]
fn renew(place: &AtomicU64, value: u64) {
    if place.load(Relaxed) != value {
        place.store(value, Relaxed);
    }
}

impl Slot {
    /// The implicit task begins at `now` on `thread`, in the instance with this id.
    pub fn begin(&self, id: u64, thread: &Thread, now: u64) {
        self.begin.store(now, Relaxed);
        self.at.store(0, Relaxed);
        let thread = core::ptr::from_ref(thread).cast_mut();
        if self.thread.load(Relaxed) != thread {
            self.thread.store(thread, Relaxed);
        }
        self.stamp.store(id, Relaxed);
    }

    /// Stores what the implicit task came to up to `at`; `inner` is the time of nested regions,
    /// `counted` the tasks that the runtime counted up to there.
    pub fn publish(&self, share: &Counters, inner: u64, counted: u64, at: u64) {
        let work = share.class(Class::Work) + share.class(Class::Serial) + inner;
        self.work.store(work, Relaxed);
        self.barrier.store(share.class(Class::Barrier), Relaxed);
        self.mutex.store(share.class(Class::Mutex), Relaxed);
        self.task_wait.store(share.class(Class::TaskWait), Relaxed);
        let overhead = share.class(Class::Overhead) + share.class(Class::Idle);
        self.overhead.store(overhead, Relaxed);
        renew(&self.created, share.0[CREATED]);
        renew(&self.counted, counted);
        renew(&self.executed, share.0[EXECUTED]);
        renew(&self.task_work, share.0[TASK_WORK]);
        renew(&self.implementation_barriers, share.0[IMPLEMENTATION_BARRIERS]);
        self.shares.iter().for_each(|share| renew(share, 0));
        self.at.store(at, Relaxed);
    }

    /// Says what the time after [`Slot::publish`] is.
    pub fn estimate(&self, shares: [u64; 3]) {
        self.shares.iter().zip(shares).for_each(|(place, share)| place.store(share, Relaxed));
    }

    /// Stores what was created alone.
    pub fn publish_created(&self, share: &Counters, counted: u64) {
        self.created.store(share.0[CREATED], Relaxed);
        renew(&self.counted, counted);
    }

    /// Tasks that the implicit task's thread made, and those of them that no event told of yet.
    fn created(&self) -> u64 {
        // SAFETY: null or a record, which is never freed.
        let thread = unsafe { self.thread.load(Relaxed).as_ref() };
        let counted = thread.map_or(0, |thread| thread.account.counts.counted());
        self.created.load(Relaxed) + counted.saturating_sub(self.counted.load(Relaxed))
    }

    fn estimated(&self, time: u64) -> [u64; 3] {
        let part = |share: &AtomicU64| (u128::from(time) * u128::from(share.load(Relaxed))) >> 32;
        core::array::from_fn(|at| part(&self.shares[at]) as u64)
    }
}

/// An instance of a parallel region.
#[derive(Default)]
pub struct Region {
    /// Unique in the process, 0 = not in use.
    pub id: AtomicU64,
    /// The enclosing instance's id, 0 = none.
    pub parent: AtomicU64,
    /// Return address of the construct's call.
    pub codeptr: AtomicU64,
    /// The enclosing region's `codeptr`.
    pub parent_codeptr: AtomicU64,
    /// 1 = outermost.
    pub level: AtomicU32,
    /// parallel-begin, ticks.
    pub begin: AtomicU64,
    /// When the primary was through the closing barrier, ticks.
    pub over: AtomicU64,
    /// Threads that were asked for.
    pub requested: AtomicU32,
    /// `ompt_parallel_flag_t`.
    pub flags: AtomicU32,
    /// The encountering thread's stack was recorded.
    pub captured: AtomicBool,
    /// A thread was sampled in it: its fork is worth a record. By whoever takes the sample.
    pub sampled: AtomicBool,
    slots: Box<[Slot]>,
    next: AtomicPtr<Region>,
}

static HEAD: AtomicPtr<Region> = AtomicPtr::new(core::ptr::null_mut());

/// All instances, also those that are not in use. Async-signal-safe.
pub fn all() -> impl Iterator<Item = &'static Region> {
    // SAFETY: the list holds instances only, which are never freed.
    let mut at = unsafe { HEAD.load(Acquire).as_ref() };
    core::iter::from_fn(move || {
        let region = at?;
        // SAFETY: as above.
        at = unsafe { region.next.load(Acquire).as_ref() };
        Some(region)
    })
}

impl Region {
    /// An instance for teams up to `size`, which is never freed.
    pub fn with_room(size: usize) -> &'static Region {
        let slots = (0..size.max(1)).map(|_| Slot::default()).collect();
        let new: &'static Region = Box::leak(Box::new(Region { slots, ..Region::default() }));
        let pointer = core::ptr::from_ref(new).cast_mut();
        let mut head = HEAD.load(Relaxed);
        loop {
            new.next.store(head, Relaxed);
            match HEAD.compare_exchange_weak(head, pointer, Release, Relaxed) {
                Ok(_) => return new,
                Err(other) => head = other,
            }
        }
    }

    /// Threads that fit.
    pub fn room(&self) -> usize {
        self.slots.len()
    }

    /// The share of the implicit task with this number; none where more threads came than were
    /// asked for, whose share is lost then.
    pub fn slot(&self, number: usize) -> Option<&Slot> {
        self.slots.get(number)
    }

    /// Makes it ready for the next instance.
    pub fn clear(&self) {
        self.over.store(0, Relaxed);
        self.captured.store(false, Relaxed);
        self.sampled.store(false, Relaxed);
    }

    /// Sums the slots into `table`, and tells the team's other threads that the region is over.
    pub fn close(&self, table: &RegionTable, end: u64, primary: &Thread) {
        self.sum(table.entry(self.key()), end, false);
        let over = self.over_by(end);
        for slot in self.begun() {
            let thread = slot.thread.load(Relaxed);
            if !thread.is_null() && !core::ptr::eq(thread, primary) {
                // SAFETY: thread records are never freed.
                unsafe { (*thread).account.over.store(over, Relaxed) };
            }
        }
    }

    /// Adds what the instance came to up to `now`, if it has not ended. For any thread: what its threads do
    /// meanwhile may be seen in part, and is written again. Async-signal-safe.
    pub fn add_open(&self, table: &RegionTable, now: u64) {
        if self.id.load(Acquire) != 0
            && self.begin.load(Relaxed) < now
            && let Some(entry) = table.find_or_add(self.key())
        {
            self.sum(entry, now, true);
        }
    }

    /// The slots whose implicit tasks have begun.
    fn begun(&self) -> impl Iterator<Item = &Slot> {
        let id = self.id.load(Relaxed);
        self.slots.iter().filter(move |slot| slot.stamp.load(Relaxed) == id)
    }

    /// Its site.
    pub fn key(&self) -> [u64; 3] {
        [
            self.codeptr.load(Relaxed),
            self.parent_codeptr.load(Relaxed),
            u64::from(self.level.load(Relaxed)),
        ]
    }

    /// For how long the thread of an implicit task has waited at `now`, in this region, and which figure
    /// that belongs to.
    fn open_wait(&self, slot: &Slot, now: u64) -> Option<(usize, u64)> {
        // SAFETY: null or a record, which is never freed.
        let thread = unsafe { slot.thread.load(Relaxed).as_ref() }?;
        if thread.place.codeptr.load(Relaxed) != self.codeptr.load(Relaxed) {
            return None;
        }
        let (place, since) = match thread.account.class() {
            Class::Mutex => (site::MUTEX, thread.place.wait_since.load(Relaxed)),
            Class::TaskWait => (site::TASK_WAIT, thread.account.since()),
            Class::Barrier => (site::BARRIER, thread.account.since()),
            _ => return None,
        };
        Some((place, now.saturating_sub(since)))
    }

    fn over_by(&self, end: u64) -> u64 {
        match self.over.load(Relaxed) {
            0 => end,
            over => over,
        }
    }

    /// `open`: the instance has not ended; what its threads wait for may never come.
    fn sum(&self, entry: &Entry<{ site::COUNT }>, end: u64, open: bool) {
        let begin = self.begin.load(Relaxed);
        let over = self.over_by(end);
        let (mut longest, mut sum, mut team) = (0, 0, 0);
        let (mut created, mut executed) = (0u64, 0u64);
        for slot in self.begun() {
            let first = slot.begin.load(Relaxed);
            team += 1;
            let at = slot.at.load(Relaxed);
            if at == 0 {
                // A task that never said where it stopped worked to the end.
                let mut work = over.saturating_sub(first);
                if open && let Some((place, wait)) = self.open_wait(slot, end) {
                    let wait = wait.min(work);
                    entry.add(place, wait);
                    work -= wait;
                }
                longest = longest.max(work);
                sum += work;
                let joined = first.saturating_sub(begin) + end.saturating_sub(over);
                entry.add(site::OVERHEAD, joined);
                continue;
            }
            let work = slot.work.load(Relaxed);
            let rest = over.saturating_sub(at);
            let [more_work, more_task_work, more_task_wait] = slot.estimated(rest);
            let work = work + more_work;
            longest = longest.max(work);
            sum += work;
            let waited = rest.saturating_sub(more_work + more_task_wait);
            entry.add(site::BARRIER, slot.barrier.load(Relaxed) + waited);
            entry.add(site::MUTEX, slot.mutex.load(Relaxed));
            entry.add(site::TASK_WAIT, slot.task_wait.load(Relaxed) + more_task_wait);
            let joined = first.saturating_sub(begin) + end.saturating_sub(over);
            entry.add(site::OVERHEAD, slot.overhead.load(Relaxed) + joined);
            created += slot.created();
            executed += slot.executed.load(Relaxed);
            entry.add(site::TASK_WORK, slot.task_work.load(Relaxed) + more_task_work);
            let barriers = slot.implementation_barriers.load(Relaxed);
            entry.add(site::IMPLEMENTATION_BARRIERS, barriers);
        }
        // All tasks of a region are over when it is; not all need to have been seen.
        if SAMPLED.load(Relaxed) {
            executed = executed.max(created);
        }
        entry.add(site::CREATED, created);
        entry.add(site::EXECUTED, executed);
        entry.add(site::INSTANCES, 1);
        entry.add(site::ELAPSED, end.saturating_sub(begin));
        entry.add(site::TEAM, team);
        entry.add(site::WORK, sum);
        entry.add(site::IMBALANCE, (longest * team).saturating_sub(sum));
        entry.add(site::GAIN, longest.saturating_sub(sum.checked_div(team).unwrap_or(0)));
    }
}
