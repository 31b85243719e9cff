//! The mutexes that a thread holds or held last, for readers on other threads: they ask which
//! mutexes are still held when totals are written, and whether another thread had the mutex that a
//! thread got late.
//!
//! What must hold: the owner takes and gives. A thread that releases the owner's mutex only ends
//! the use of a slot. `since` tells the uses of a slot apart, and is 0 while a use is being
//! written.

use core::sync::atomic::{
    AtomicBool, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};

/// The most mutexes that are followed, held ones and those held last together.
const SLOTS: usize = 4;

/// The mutexes that one thread holds or held last.
#[derive(Default)]
pub struct Holding {
    slots: [Slot; SLOTS],
    /// True once more mutexes were held at once than there are slots.
    is_short: AtomicBool,
}

/// One use of a slot: a hold of a mutex.
#[derive(Default)]
struct Slot {
    wait_id: AtomicU64,
    /// Its site.
    key: [AtomicU64; 3],
    /// When the hold began, ticks; 0 = never, or it is being written.
    since: AtomicU64,
    /// When the hold ended, ticks; 0 = it lasts.
    until: AtomicU64,
}

impl Slot {
    /// Returns the mutex, its site, since when and until when; `None` where these are not of one
    /// use.
    fn read(&self) -> Option<(u64, [u64; 3], u64, u64)> {
        let since = self.since.load(Acquire);
        let read = (
            self.wait_id.load(Relaxed),
            [0, 1, 2].map(|at: usize| self.key[at].load(Relaxed)),
            since,
            self.until.load(Relaxed),
        );
        fence(Acquire);
        (since != 0 && self.since.load(Relaxed) == since).then_some(read)
    }

    /// Whether this ended the use that began at `since`.
    fn end(&self, since: u64, now: u64) -> bool {
        self.since.load(Relaxed) == since
            && self.until.compare_exchange(0, now.max(1), Release, Relaxed).is_ok()
    }
}

impl Holding {
    /// Notes that the owner has the mutex from `now` on, in the slot whose hold ended first.
    /// Async-signal-safe, as all functions here.
    pub fn take(&self, wait_id: u64, key: [u64; 3], now: u64) {
        let ended = |slot: &&Slot| slot.since.load(Relaxed) == 0 || slot.until.load(Relaxed) != 0;
        let free = self.slots.iter().filter(ended).min_by_key(|slot| slot.until.load(Relaxed));
        let Some(slot) = free else { return self.is_short.store(true, Relaxed) };
        slot.since.store(0, Relaxed);
        fence(Release);
        slot.wait_id.store(wait_id, Relaxed);
        key.iter().zip(&slot.key).for_each(|(part, into)| into.store(*part, Relaxed));
        slot.until.store(0, Relaxed);
        slot.since.store(now.max(1), Release);
    }

    /// Ends the latest hold of this mutex; returns its site and its length.
    pub fn give(&self, wait_id: u64, now: u64) -> Option<([u64; 3], u64)> {
        let held = self.slots.iter().filter_map(|slot| Some((slot, slot.read()?)));
        let held = held.filter(|(_, (of, _, _, until))| *of == wait_id && *until == 0);
        let (slot, (_, key, since, _)) = held.max_by_key(|(_, (_, _, since, _))| *since)?;
        slot.end(since, now).then(|| (key, now.saturating_sub(since)))
    }

    /// Ends all holds, because it is no longer known what the owner holds.
    pub fn forget(&self, now: u64) {
        for slot in &self.slots {
            slot.end(slot.since.load(Relaxed), now);
        }
    }

    /// Forgets all holds.
    pub fn clear(&self) {
        self.slots.iter().for_each(|slot| slot.since.store(0, Relaxed));
    }

    /// Returns the mutexes held at `now`: their sites, and for how long.
    pub fn open(&self, now: u64) -> impl Iterator<Item = ([u64; 3], u64)> {
        let held = self.slots.iter().filter_map(Slot::read).filter(|(_, _, _, until)| *until == 0);
        held.map(move |(_, key, since, _)| (key, now.saturating_sub(since)))
    }

    /// Whether the owner may have had this mutex at some time from `since` on.
    pub fn may_have_had(&self, wait_id: u64, since: u64) -> bool {
        let had =
            |(of, _, _, until): (u64, _, _, u64)| of == wait_id && (until == 0 || until > since);
        // A slot that is being written belongs to this moment, so it does not count.
        self.is_short.load(Relaxed) || self.slots.iter().filter_map(Slot::read).any(had)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_are_open_until_they_end() {
        let holding = Holding::default();
        holding.take(7, [7, 1, 100], 10);
        holding.take(8, [8, 1, 200], 20);
        assert_eq!(holding.open(50).collect::<Vec<_>>(), [([7, 1, 100], 40), ([8, 1, 200], 30)]);
        assert_eq!(holding.give(8, 60), Some(([8, 1, 200], 40)));
        assert_eq!(holding.give(8, 70), None);
        assert_eq!(holding.open(80).count(), 1);
        holding.forget(90);
        assert_eq!(holding.open(100).count(), 0);
    }

    #[test]
    fn who_had_a_mutex_is_remembered() {
        let holding = Holding::default();
        holding.take(7, [7, 1, 100], 10);
        assert!(holding.may_have_had(7, 50) && !holding.may_have_had(8, 0));
        holding.give(7, 60);
        assert!(holding.may_have_had(7, 50) && !holding.may_have_had(7, 60));
        for other in 0..SLOTS as u64 {
            holding.take(100 + other, [1, 1, 1], 100 + other);
        }
        assert!(!holding.may_have_had(7, 50) && holding.may_have_had(103, 200));
        holding.take(200, [1, 1, 1], 300);
        assert!(holding.may_have_had(7, 50), "more are held than there is room for");
    }
}
