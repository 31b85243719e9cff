//! The calls of MPI that a thread makes: how many, how long, where.
//!
//! What must hold: the thread alone writes, outside of its handler; others read.

use super::Class;
use super::table::Table;
use crate::clock::{in_ticks, in_ticks_fast, ticks, used_here};
use core::sync::atomic::{
    AtomicU16, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

/// Counters of a function of MPI at one place.
pub mod site {
    #![allow(missing_docs)]
    pub const COUNT: usize = 0;
    pub const ELAPSED: usize = 1;
    pub const LONGEST: usize = 2;
    pub const COUNTERS: usize = 3;
}

/// Sites of calls: (number of the function, where it returns to, the region's `codeptr_ra`).
pub type MpiTable = Table<{ site::COUNTERS }>;

/// The least time between two reads of the thread's clock of processor time, ns: each takes about
/// 0.2 us. For shorter calls the time without a processor is not looked at.
const EVERY: u64 = 200_000;
/// A time without a processor below this counts as none, ns.
const SHORTEST: u64 = 20_000;

/// The most requests of one call that are noted.
const MOST_WAITED: usize = 256;

/// The MPI call that a thread is in, and the sums of all its calls.
pub struct Calls {
    /// The number of functions of MPI that are at work, one inside the other: only the outermost
    /// counts.
    depth: AtomicU32,
    /// The outermost function's number, and its place as a site's key has it.
    number: AtomicU32,
    place: AtomicU64,
    /// When the outermost function began, ticks.
    since: AtomicU64,
    /// How long the thread had been blocked at that time, ticks.
    blocked: AtomicU64,
    /// The last read of the clock: when, ticks, and how long the thread had run, ns.
    looked: AtomicU64,
    ran: AtomicU64,
    /// The numbers of the requests that the call is about, in order, and their count.
    waited: [AtomicU16; MOST_WAITED],
    waits: AtomicU32,
    /// The number of calls that have ended.
    pub count: AtomicU64,
    /// Ticks in calls: in regions, and outside.
    elapsed: [AtomicU64; 2],
    /// The part of that time asleep, ticks.
    asleep: [AtomicU64; 2],
    /// The part of that time without a processor, ticks.
    queued: [AtomicU64; 2],
}

impl Default for Calls {
    fn default() -> Calls {
        Calls {
            depth: AtomicU32::new(0),
            number: AtomicU32::new(0),
            place: AtomicU64::new(0),
            since: AtomicU64::new(0),
            blocked: AtomicU64::new(0),
            looked: AtomicU64::new(0),
            ran: AtomicU64::new(0),
            waited: [const { AtomicU16::new(0) }; MOST_WAITED],
            waits: AtomicU32::new(0),
            count: AtomicU64::new(0),
            elapsed: Default::default(),
            asleep: Default::default(),
            queued: Default::default(),
        }
    }
}

/// An outermost call that has ended.
pub struct Ended {
    /// When it began, ticks.
    pub begin: u64,
    /// How long it took, ticks.
    pub elapsed: u64,
}

/// An outermost call that has not ended.
pub struct Open {
    /// The function's number.
    pub number: u32,
    /// Its place, as a site's key has it.
    pub place: u64,
    /// When it began, ticks.
    pub since: u64,
}

fn add(to: &AtomicU64, more: u64) {
    to.store(to.load(Relaxed).wrapping_add(more), Relaxed);
}

impl Calls {
    /// Begins an outermost function at `now`, by its number and place; `blocked` is the thread's
    /// blocked time so far. With `None` begins a function inside of another one.
    #[inline]
    pub fn begin(&self, outermost: Option<(u32, u64)>, now: u64, blocked: u64) {
        if let Some((number, place)) = outermost {
            self.number.store(number, Relaxed);
            self.place.store(place, Relaxed);
            self.waits.store(0, Relaxed);
            self.since.store(now, Relaxed);
            self.blocked.store(blocked, Relaxed);
            if now.saturating_sub(self.looked.load(Relaxed)) >= in_ticks_fast(EVERY) {
                self.looked.store(now, Relaxed);
                self.ran.store(used_here(), Relaxed);
            }
        }
        self.depth.store(self.depth.load(Relaxed) + 1, Release);
    }

    /// Ends a function. Returns the call if it was the outermost and its begin is known. It counts
    /// where it `is_measured`; `blocked` is the thread's blocked time so far.
    #[inline]
    pub fn end(
        &self,
        in_region: bool,
        is_measured: bool,
        blocked: impl Fn(u64) -> u64,
    ) -> Option<Ended> {
        let depth = self.depth.load(Relaxed).checked_sub(1)?;
        self.depth.store(depth, Release);
        if depth > 0 {
            return None;
        }
        let begin = self.since.load(Relaxed);
        let mut now = ticks();
        let is_long = is_measured && now.saturating_sub(begin) >= in_ticks_fast(EVERY);
        // The system may give the processor to another thread during this read. That time belongs
        // to the call, as the program's own clock shows it.
        let ran = is_long.then(used_here);
        if is_long {
            now = ticks();
        }
        let elapsed = now.saturating_sub(begin);
        if is_measured {
            let asleep = blocked(now).saturating_sub(self.blocked.load(Relaxed)).min(elapsed);
            let at = usize::from(!in_region);
            add(&self.count, 1);
            add(&self.elapsed[at], elapsed);
            add(&self.asleep[at], asleep);
            if let Some(ran) = ran {
                add(&self.queued[at], self.look(begin, now, asleep, ran));
            }
        }
        Some(Ended { begin, elapsed })
    }

    /// Returns how long a call that began at `begin` had no processor up to `now`, ticks; at `now`
    /// the thread had run for `ran`, ns. The thread is taken to have run from the last read to
    /// `begin`.
    #[cold]
    fn look(&self, begin: u64, now: u64, asleep: u64, ran: u64) -> u64 {
        let looked = self.looked.swap(now, Relaxed);
        let since = in_ticks(ran.saturating_sub(self.ran.swap(ran, Relaxed)));
        let here = since.saturating_sub(begin.saturating_sub(looked));
        let off = now.saturating_sub(begin).saturating_sub(asleep).saturating_sub(here);
        if off < in_ticks_fast(SHORTEST) { 0 } else { off }
    }

    /// Returns the place of the outermost call that began last.
    #[inline]
    pub fn place(&self) -> u64 {
        self.place.load(Relaxed)
    }

    /// Notes the number of the next request that the call is about.
    pub fn waits_for(&self, number: u16) {
        let at = self.waits.load(Relaxed);
        if let Some(place) = self.waited.get(at as usize) {
            place.store(number, Relaxed);
            self.waits.store(at + 1, Relaxed);
        }
    }

    /// Returns the number of the `at`th of these requests.
    pub fn waited(&self, at: usize) -> Option<u16> {
        let is_known = at < self.waits.load(Relaxed) as usize;
        self.waited.get(at).filter(|_| is_known).map(|place| place.load(Relaxed))
    }

    /// Returns the number of noted requests.
    pub fn waited_count(&self) -> usize {
        self.waits.load(Relaxed) as usize
    }

    /// Whether the thread is in a call.
    pub fn is_open(&self) -> bool {
        self.depth.load(Relaxed) > 0
    }

    /// Returns the call that the thread is in. Any thread may call it.
    pub fn open(&self) -> Option<Open> {
        let since = self.since.load(Acquire);
        let (number, place) = (self.number.load(Acquire), self.place.load(Acquire));
        // The thread may have gone on to its next call in between.
        let is_one = self.depth.load(Acquire) > 0 && self.since.load(Relaxed) == since;
        is_one.then_some(Open { number, place, since })
    }

    /// Returns the time in calls up to `now`, and the parts of it asleep and without a processor,
    /// each in regions and outside, ticks. Any thread may call it. `class` is the thread's class,
    /// and `blocked` its blocked time so far.
    pub fn until(&self, now: u64, class: Class, blocked: u64) -> [[u64; 2]; 3] {
        let mut sums = [&self.elapsed, &self.asleep, &self.queued]
            .map(|pair| [0, 1].map(|at: usize| pair[at].load(Relaxed)));
        let at = match class {
            Class::Work => 0,
            Class::Serial => 1,
            _ => return sums,
        };
        if self.depth.load(Relaxed) > 0 {
            let open = now.saturating_sub(self.since.load(Relaxed));
            sums[0][at] += open;
            sums[1][at] += blocked.saturating_sub(self.blocked.load(Relaxed)).min(open);
        }
        sums
    }

    /// Forgets all calls: those of the record's earlier thread, or of a forked child's parent.
    pub fn clear(&self) {
        let counters = self.elapsed.iter().chain(&self.asleep).chain(&self.queued);
        counters.chain([&self.count, &self.looked]).for_each(|counter| counter.store(0, Relaxed));
        self.depth.store(0, Relaxed);
        self.waits.store(0, Relaxed);
    }
}
