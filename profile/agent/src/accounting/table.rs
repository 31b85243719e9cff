//! A table from a site to its counters: open addressing, one writing thread, any readers.
//!
//! The callbacks and the signal handler of the owning thread write it; each thread's `Ledger` has
//! one table for each kind of site (`sites`, `construct`, `region`, `target`). `totals` reads the
//! tables of all threads and adds them up in tables of its own.
//!
//! What must hold: only the owning thread adds entries. Its signal handler adds some too, while no
//! callback is at work, and only if the table need not grow ([`Table::find_or_add`]). An entry's
//! key never changes; it is complete before the entry's `used` mark is set and before the entry is
//! counted (release). An entry never moves: a full table gets a further part, four times as large
//! as the last one, and is searched from the newest part to the oldest. So a table of any size
//! grows in the time of one mapping, and no program stands still while its entries are copied.

use crate::memory::zeroed;
use core::sync::atomic::{
    AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

/// One site: three words of key and `N` counters.
pub struct Entry<const N: usize> {
    used: AtomicU64,
    key: [AtomicU64; 3],
    /// The counters. Only the table's owner writes them.
    pub values: [AtomicU64; N],
}

impl<const N: usize> Entry<N> {
    /// Returns the site.
    #[inline]
    pub fn key(&self) -> [u64; 3] {
        core::array::from_fn(|at| self.key[at].load(Relaxed))
    }

    /// Whether the entry has this key. It compares word by word: a key that was just written lies
    /// in the store buffer, and a vector read of it would wait until all earlier stores are done.
    #[inline(always)]
    fn is_of(&self, key: [u64; 3]) -> bool {
        let [first, second, third] = &self.key;
        let differ = |place: &AtomicU64, word: u64| place.load(Relaxed) ^ word;
        differ(first, key[0]) | differ(second, key[1]) | differ(third, key[2]) == 0
    }

    /// Adds to a counter. Only the table's owner calls it.
    #[inline]
    pub fn add(&self, at: usize, much: u64) {
        if let Some(value) = self.values.get(at) {
            value.store(value.load(Relaxed).wrapping_add(much), Relaxed);
        }
    }

    /// Raises a counter to `much` if it is lower. Only the table's owner calls it.
    pub fn raise(&self, at: usize, much: u64) {
        if let Some(value) = self.values.get(at)
            && value.load(Relaxed) < much
        {
            value.store(much, Relaxed);
        }
    }

    /// Returns the counters.
    pub fn read(&self) -> [u64; N] {
        core::array::from_fn(|at| self.values[at].load(Relaxed))
    }
}

/// A part of a table.
struct Part<const N: usize> {
    entries: &'static [Entry<N>],
    /// The indices in `entries` that are used, oldest first. A reader that follows them touches no
    /// memory that was never used. There is room for half of `entries`: then the part is full.
    order: &'static [AtomicU32],
    /// The number of entries in use.
    count: AtomicUsize,
}

impl<const N: usize> Part<N> {
    /// Returns the entry of `key`, or else the number of the slot where it would be, if there is
    /// one.
    fn look(&self, key: [u64; 3]) -> Result<&Entry<N>, Option<usize>> {
        let mask = self.entries.len().wrapping_sub(1);
        let mut at = hash(key);
        for _ in 0..self.entries.len() {
            let Some(entry) = self.entries.get(at & mask) else { break };
            if entry.used.load(Acquire) == 0 {
                return Err(Some(at & mask));
            }
            if entry.is_of(key) {
                return Ok(entry);
            }
            at = at.wrapping_add(1);
        }
        Err(None)
    }

    /// Makes the entry of `key` in an unused slot.
    fn add(&self, at: usize, key: [u64; 3]) -> Option<&Entry<N>> {
        let used = self.count.load(Relaxed);
        let (entry, next) = (self.entries.get(at)?, self.order.get(used)?);
        for (place, word) in entry.key.iter().zip(key) {
            place.store(word, Relaxed);
        }
        entry.used.store(1, Release);
        next.store(at as u32, Relaxed);
        self.count.store(used + 1, Release);
        Some(entry)
    }

    fn iter(&self) -> impl Iterator<Item = &Entry<N>> {
        let places = self.order.iter().take(self.count.load(Acquire));
        places.filter_map(|place| self.entries.get(place.load(Relaxed) as usize))
    }
}

/// The table of a thread's sites.
pub struct Table<const N: usize> {
    /// The oldest part first; null behind the newest. No part is ever freed.
    parts: [AtomicPtr<Part<N>>; MOST_PARTS],
    /// Entries that [`Table::entry_of`] found lately: null, or in `parts`. Only the owner reads and
    /// writes these.
    lately: [AtomicPtr<Entry<N>>; REMEMBERED_ENTRIES],
}

/// The most parts of a table, more than any memory holds: a table of 8 slots would have 2 thousand
/// million in its last part.
const MOST_PARTS: usize = 15;

/// The number of entries that `lately` remembers: a program with 64 locks finds most of them.
const REMEMBERED_ENTRIES: usize = 128;

fn hash(key: [u64; 3]) -> usize {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for word in key {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
    (hash ^ (hash >> 32)) as usize
}

/// Returns the index at which `lately` remembers an entry.
#[inline(always)]
fn place_of(key: [u64; 3]) -> usize {
    let mixed = key[0] ^ key[1].rotate_left(20) ^ key[2].rotate_left(40);
    (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57) as usize % REMEMBERED_ENTRIES
}

impl<const N: usize> Table<N> {
    /// Makes a table of `capacity` slots, rounded up to a power of two: half of them may be used
    /// before it grows. Allocates.
    pub fn new(capacity: usize) -> Self {
        let table = Table {
            parts: Default::default(),
            lately: [const { AtomicPtr::new(core::ptr::null_mut()) }; REMEMBERED_ENTRIES],
        };
        table.add_part(capacity.next_power_of_two());
        table
    }

    fn add_part(&self, capacity: usize) {
        // SAFETY: atomics of value 0 are empty entries.
        let (entries, order) = unsafe { (zeroed(capacity), zeroed(capacity.div_ceil(2))) };
        let part = Box::new(Part { entries, order, count: AtomicUsize::new(0) });
        if let Some(place) = self.parts.iter().find(|part| part.load(Relaxed).is_null()) {
            place.store(Box::into_raw(part), Release);
        }
    }

    /// Returns the parts, the newest first.
    fn parts(&self) -> impl Iterator<Item = &Part<N>> {
        // SAFETY: null, or from `Box::into_raw` and never freed.
        self.parts.iter().rev().filter_map(|part| unsafe { part.load(Acquire).as_ref() })
    }

    /// Returns the number of entries.
    pub fn count(&self) -> usize {
        self.parts().map(|part| part.count.load(Relaxed)).sum()
    }

    /// Returns all entries. Async-signal-safe.
    pub fn iter(&self) -> impl Iterator<Item = &Entry<N>> {
        self.parts().flat_map(Part::iter)
    }

    /// Returns the entry of `key`; makes it if there is none. Allocates if the table gets too full,
    /// so a signal handler must not call it.
    pub fn entry(&self, key: [u64; 3]) -> &Entry<N> {
        loop {
            if let Some(found) = self.find_or_add(key) {
                return found;
            }
            self.add_part(4 * self.parts().next().map_or(1, |newest| newest.entries.len()));
        }
    }

    /// Does what [`Table::entry`] does, fast for the few sites that come often. Only the owner
    /// calls it, in callbacks.
    #[inline]
    pub fn entry_of(&self, key: [u64; 3]) -> &Entry<N> {
        self.known(key).unwrap_or_else(|| self.look_up(key, place_of(key)))
    }

    /// Returns the entry of `key`, if [`Table::entry_of`] found it lately. Only the owner calls it.
    #[inline(always)]
    pub fn known(&self, key: [u64; 3]) -> Option<&Entry<N>> {
        // SAFETY: null or an entry of the parts, which are never freed.
        let entry = unsafe { self.lately[place_of(key)].load(Relaxed).as_ref() };
        entry.filter(|entry| entry.is_of(key))
    }

    #[cold]
    #[inline(never)]
    fn look_up(&self, key: [u64; 3], place: usize) -> &Entry<N> {
        let entry = self.entry(key);
        self.lately[place].store(core::ptr::from_ref(entry).cast_mut(), Relaxed);
        entry
    }

    /// Returns the entry of `key`, if there is one. Async-signal-safe.
    pub fn find(&self, key: [u64; 3]) -> Option<&Entry<N>> {
        self.parts().find_map(|part| part.look(key).ok())
    }

    /// Does what [`Table::entry`] does, but returns `None` if the table would have to grow.
    /// Async-signal-safe. The owner's signal handler calls it only while no callback is at work.
    pub fn find_or_add(&self, key: [u64; 3]) -> Option<&Entry<N>> {
        let mut parts = self.parts();
        let newest = parts.next()?;
        match newest.look(key) {
            Ok(entry) => Some(entry),
            Err(free) => match parts.find_map(|part| part.look(key).ok()) {
                Some(entry) => Some(entry),
                None => newest.add(free?, key),
            },
        }
    }

    /// Forgets all entries of a table that no other thread reads. Async-signal-safe.
    pub fn clear(&self) {
        self.lately.iter().for_each(|entry| entry.store(core::ptr::null_mut(), Relaxed));
        for part in self.parts() {
            for entry in part.iter() {
                entry.used.store(0, Relaxed);
                for value in &entry.values {
                    value.store(0, Relaxed);
                }
            }
            part.count.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_growing() {
        let table = Table::<2>::new(4);
        for round in 0..3 {
            for site in 0..500u64 {
                table.entry([site, site % 7, 1]).add(0, site + round);
                table.entry([site, site % 7, 1]).raise(1, site);
            }
        }
        for site in 0..500u64 {
            let words = Table::<2>::new(4);
            for word in [site, site + 1, site, site + 99, site] {
                words.entry_of([word, 0, 0]).add(0, 1);
            }
            assert_eq!(words.entry_of([site, 0, 0]).read()[0], 3);
            assert_eq!(words.count(), 3);
        }
        assert_eq!(table.count(), 500);
        assert_eq!(table.iter().count(), 500);
        for entry in table.iter() {
            let site = entry.key()[0];
            assert_eq!(entry.read(), [3 * site + 3, site]);
        }
        // Entries are never copied: each stays where it was made.
        let place = |site: u64| core::ptr::from_ref(table.entry([site, site % 7, 1]));
        let places: Vec<_> = (0..500).map(place).collect();
        let parts = table.parts().count();
        for site in 500..20_000 {
            place(site);
        }
        assert!(table.parts().count() > parts);
        assert!((0..500).zip(places).all(|(site, before)| place(site) == before));
        table.clear();
        assert_eq!(table.iter().count(), 0);
    }
}
