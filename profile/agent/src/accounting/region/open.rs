//! The construct that an implicit task has begun in its region and not ended, or the barrier that
//! it waits at. It serves the code that adds up a region that is still open: where a program hangs,
//! or ends inside a region.
//!
//! What must hold: only the task's thread writes, through its `Constructs`. No reader sees a
//! mixture of two writes: what a reader adds to a construct's record stays in the file.

use super::Region;
use crate::accounting::Class;
use crate::accounting::construct::{ConstructTable, is_single, kind_at_level, site};
use core::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

/// The construct or barrier that a task has open. It has a cache line of its own, which only its
/// thread touches while the region runs.
#[derive(Default)]
#[repr(C, align(64))]
pub struct Open {
    /// The id of the instance. The words below belong to this instance only.
    region: AtomicU64,
    /// The construct's `codeptr_ra`.
    codeptr: AtomicU64,
    /// The construct's kind, and above it a constant of this module that says how it is open.
    kind: AtomicU64,
    /// For a construct: since when, ticks. For a wait: the thread's time in barriers until then.
    from: AtomicU64,
    /// For a loop: its iterations. For a wait behind a single: the barrier's `codeptr_ra`.
    more: AtomicU64,
}

/// The constant that says how a thing is open stands above the 32 bits of the kind.
const SHIFT: u32 = 32;
/// The thread has begun the construct and executes it, or takes part in it.
pub const EXECUTED: u64 = 1;
/// The thread has begun the construct, and does not execute it; see [`EXECUTED`].
pub const ENTERED: u64 = 2;
/// A single whose end is not reported.
pub const SINGLE: u64 = 3;
/// The thread waits at the barrier that is the construct's.
pub const WAITS: u64 = 4;
/// The thread waits at a barrier that may be that of the single before it.
pub const WAITS_BEHIND: u64 = 5;
/// The thread waits at a barrier that is a construct of its own.
pub const BARRIER: u64 = 6;

impl Open {
    /// Says that this is open in the instance `region` from here on. `more`: see the field.
    #[inline]
    pub fn set(&self, region: u64, how: u64, kind: u32, codeptr: u64, from: u64, more: u64) {
        // If the thread loses its processor in between, readers find nothing open.
        self.region.store(0, Relaxed);
        self.kind.store(u64::from(kind) | how << SHIFT, Release);
        self.codeptr.store(codeptr, Relaxed);
        self.from.store(from, Relaxed);
        self.more.store(more, Relaxed);
        self.region.store(region, Release);
    }

    /// Says that nothing is open.
    #[inline]
    pub fn clear(&self) {
        self.region.store(0, Relaxed);
    }
}

impl Open {
    /// Returns how something is open in that instance, its kind, `codeptr_ra`, since when, and
    /// `more`. `None` where nothing is open, or where it changes meanwhile.
    pub fn read(&self, region: u64) -> Option<(u64, u32, u64, u64, u64)> {
        let words = || {
            let is_open = region != 0 && self.region.load(Acquire) == region;
            let words = [&self.kind, &self.codeptr, &self.from, &self.more];
            is_open.then(|| words.map(|word| word.load(Acquire)))
        };
        let first = words()?;
        let [kind, codeptr, from, more] = words().filter(|second| *second == first)?;
        Some((kind >> SHIFT, kind as u32, codeptr, from, more))
    }
}

impl Region {
    /// Adds the constructs that the instance's threads have begun and not ended at `now`, if the
    /// instance is open; see [`Region::add_open`]. Async-signal-safe.
    pub fn add_open_constructs(&self, table: &ConstructTable, now: u64) {
        let id = self.id.load(Relaxed);
        if id == 0
            || self.stands_in.load(Relaxed)
            || self.is_league_part()
            || self.begin.load(Relaxed) >= now
        {
            return;
        }
        for (number, slot) in self.slots.iter().enumerate().filter(|(_, slot)| slot.is_of(id)) {
            let Some((how, kind, codeptr, from, more)) = slot.open().read(id) else { continue };
            let level = kind_at_level(kind, self.level.load(Relaxed));
            let key = [self.codeptr.load(Relaxed), codeptr, level];
            let Some(entry) = table.find_or_add(key) else { continue };
            let is_first = u64::from(number == 0);
            let inside = now.saturating_sub(from);
            let waited = || {
                let thread = slot.thread();
                let in_barriers = thread.map(|thread| thread.account.counters_at(now));
                in_barriers.map_or(0, |time| time.class(Class::Barrier).saturating_sub(from))
            };
            match how {
                EXECUTED | ENTERED => {
                    let counts = how == EXECUTED || (number == 0 && !is_single(kind));
                    entry.add(site::ENTERED, 1);
                    entry.add(site::INSTANCES, u64::from(counts));
                    // Its chunks are not known yet.
                    entry.add(site::ITERATIONS, if counts { more } else { 0 });
                    entry.add(site::TIME, inside);
                }
                SINGLE => entry.add(site::OPEN, inside),
                WAITS => entry.add(site::BARRIER, waited()),
                WAITS_BEHIND => {
                    entry.add(site::OPEN_BARRIER, waited());
                    entry.add(site::OPEN_INSTANCES, is_first);
                    entry.raise(site::AFTER, more);
                }
                BARRIER => {
                    entry.add(site::ENTERED, 1);
                    entry.add(site::INSTANCES, is_first);
                    entry.add(site::BARRIER, waited());
                }
                _ => {}
            }
        }
    }
}
