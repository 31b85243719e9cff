//! One instance of a parallel region, and what it adds to its site when it ends.
//!
//! The encountering thread makes the instance, each implicit task keeps its share in its own
//! [`Slot`], the primary sums the slots at the region's end. What must hold: a slot is written by
//! its implicit task's thread only, last at its entry into the closing barrier or after a task that
//! it executed there; the runtime's barrier and join order these writes before the primary's reads.
//! Instances are reused by their maker and never freed, so a late event of a worker finds memory;
//! [`Region::id`] tells it whether the instance is still the one it worked for.

pub mod names;
pub mod open;
mod slot;
mod sum;

use super::ledger::Ledger;
use super::table::Table;
use super::{Apart, Class};
use core::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use omphalos_ompt::{ParallelFlags, State};
pub use slot::Slot;

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
    /// Forks whose stack was recorded because enough time had passed.
    pub const STACKS: usize = 14;
    /// The number on the thread of the last stack that was recorded at a fork.
    pub const STACK: usize = 15;
    /// Instances that have not ended and whose first thread has not come to their end.
    pub const OPEN: usize = 16;
    /// The part of [`WORK`] without a processor.
    pub const QUEUED: usize = 17;
    pub const COUNT: usize = 18;
}

/// Flags that no region has together, except the one that a team of a league begins with. That one
/// is a part of the league: the league's site, level and constructs are its own.
pub const LEAGUE_PART: ParallelFlags = ParallelFlags::LEAGUE.union(ParallelFlags::TEAM);

/// Region sites: (codeptr_ra, the parent site's codeptr_ra, level).
pub type RegionTable = Table<{ site::COUNT }>;

/// An instance of a parallel region. All its threads read the first cache line; the second changes
/// while they are at work.
#[derive(Default)]
#[repr(C, align(64))]
pub struct Region {
    /// Unique in the process, 0 = not in use.
    pub id: AtomicU64,
    /// Return address of the construct's call.
    pub codeptr: AtomicU64,
    /// The time of parallel-begin, ticks.
    pub begin: AtomicU64,
    slots: Box<[Slot]>,
    /// Its nesting level, 1 = outermost.
    pub level: AtomicU32,
    /// The number of threads that were asked for.
    pub requested: AtomicU32,
    /// The enclosing instance's id, 0 = none.
    pub parent: AtomicU64,
    /// The enclosing region's `codeptr`.
    pub parent_codeptr: AtomicU64,
    /// When the primary had left the closing barrier, ticks.
    pub over: Apart,
    /// `ompt_parallel_flag_t`.
    pub flags: AtomicU32,
    /// True once the encountering thread's stack was recorded.
    pub captured: AtomicBool,
    /// True once a sample was taken in it, so that its fork is worth a record. The code that takes
    /// the sample writes it.
    pub sampled: AtomicBool,
    /// Whether the record of a region inside names it.
    pub named: AtomicBool,
    /// Whether a measured part of the run ends with it.
    pub is_wanted: AtomicBool,
    /// The address of its outlined code, 0 = not known.
    pub body: AtomicU64,
    /// Whether it is no instance, but stands for those of its site that the runtime does not
    /// report.
    stands_in: AtomicBool,
    next: AtomicPtr<Region>,
}

static HEAD: AtomicPtr<Region> = AtomicPtr::new(core::ptr::null_mut());

/// Marks all instances as closed. The caller knows that nothing is being recorded.
pub fn forget_open() {
    all().for_each(|region| region.id.store(0, Relaxed));
}

/// Returns all instances, including those not in use. Async-signal-safe.
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
    /// Returns an instance for teams up to `size`, which is never freed.
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

    /// Returns the number of threads that it has room for.
    pub fn room(&self) -> usize {
        self.slots.len()
    }

    /// Returns the share of the implicit task with this number; `None` where more threads came than
    /// were asked for: the share of such a thread is lost.
    pub fn slot(&self, number: usize) -> Option<&Slot> {
        self.slots.get(number)
    }

    /// Makes the record ready for the next instance.
    #[inline]
    pub fn clear(&self) {
        self.over.store(0, Relaxed);
        self.captured.store(false, Relaxed);
        self.sampled.store(false, Relaxed);
        self.named.store(false, Relaxed);
    }

    /// Fetches the cache lines with the other threads' shares and accounts, for as many threads as
    /// it pays for: the encountering thread will soon read the shares and write the accounts.
    #[inline]
    pub fn will_close(&self) {
        const FETCHED: usize = 8;
        for slot in self.slots.iter().take(FETCHED) {
            omphalos_sys::will_read(slot);
            if let Some(thread) = slot.thread() {
                omphalos_sys::will_write(&thread.account.over);
            }
        }
    }

    /// Whether it is a part of a league ([`LEAGUE_PART`]): the league's own instance counts what
    /// the thread does in it.
    #[inline]
    pub fn is_league_part(&self) -> bool {
        self.flags.load(Relaxed) & LEAGUE_PART.bits() == LEAGUE_PART.bits()
    }

    /// Makes it stand, from `now` on, for all instances of the site of `one` that the runtime does
    /// not report.
    pub fn stand_for(&self, one: &Region, id: u64, now: u64) {
        self.stands_in.store(true, Relaxed);
        self.codeptr.store(one.codeptr.load(Relaxed), Relaxed);
        self.parent_codeptr.store(one.parent_codeptr.load(Relaxed), Relaxed);
        self.level.store(one.level.load(Relaxed), Relaxed);
        self.requested.store(one.requested.load(Relaxed), Relaxed);
        self.flags.store(one.flags.load(Relaxed), Relaxed);
        self.begin.store(now, Relaxed);
        self.id.store(id, Release);
    }

    /// Sums the slots into `table`.
    pub fn close(&self, table: &RegionTable, end: u64, primary: &Ledger) {
        if self.is_league_part() {
            return;
        }
        self.sum(table.entry_of(self.key()), end, false);
        if self.over.load(Relaxed) == 0 {
            self.tell_over(end, primary);
        }
    }

    /// Notes that the primary left the closing barrier at `over`, in the accounts of the other
    /// members too: from then on they wait for no barrier of this region.
    pub fn tell_over(&self, over: u64, primary: &Ledger) {
        self.over.store(over, Relaxed);
        if self.is_league_part() {
            return;
        }
        for slot in self.begun() {
            if let Some(thread) = slot.thread()
                && !core::ptr::eq(thread, primary)
            {
                thread.account.over.store(over, Relaxed);
            }
        }
    }

    /// Adds the figures of an instance that has not ended, up to `now`. Any thread may call it. It
    /// may see a part of what the instance's threads do meanwhile; the figures are written again
    /// later. Async-signal-safe.
    pub fn add_open(&self, table: &RegionTable, now: u64) {
        if self.id.load(Acquire) != 0
            && !self.stands_in.load(Relaxed)
            && !self.is_league_part()
            && self.begin.load(Relaxed) < now
            && let Some(entry) = table.find_or_add(self.key())
        {
            self.sum(entry, now, true);
            entry.add(site::OPEN, u64::from(!self.is_at_end()));
        }
    }

    /// Whether the first thread waits at the region's end, as far as the runtime distinguishes that
    /// barrier from others.
    fn is_at_end(&self) -> bool {
        let first = self.slots.first().filter(|slot| slot.is_of(self.id.load(Relaxed)));
        first.and_then(Slot::thread).is_some_and(|thread| {
            let waits = thread.account.class() == Class::Barrier;
            let state = thread.place.wait_state.load(Relaxed) as i32;
            let is_here = thread.place.codeptr.load(Relaxed) == self.codeptr.load(Relaxed);
            waits && is_here && state == State::WaitBarrierImplicitParallel.number()
        })
    }

    /// Returns the slots whose implicit tasks have begun.
    fn begun(&self) -> impl Iterator<Item = &Slot> {
        let id = self.id.load(Relaxed);
        self.slots.iter().filter(move |slot| slot.is_of(id))
    }

    /// Returns its site.
    #[inline]
    pub fn key(&self) -> [u64; 3] {
        [
            self.codeptr.load(Relaxed),
            self.parent_codeptr.load(Relaxed),
            u64::from(self.level.load(Relaxed)),
        ]
    }
}
