//! A table from a site to its counters: open addressing, one writing thread, any readers.
//!
//! Who calls: the callbacks and the signal handler of the owning thread write; each thread's
//! `Ledger` has one table for each kind of site (`sites`, `construct`, `region`, `target`).
//! `totals` reads the tables of all threads and adds them up in tables of its own.
//!
//! What must hold: only the owning thread adds entries. Its signal handler adds some too, while no
//! callback is at work, and only if the table need not grow ([`Table::find_or_add`]). An entry's
//! key never changes; it is complete before the entry's `used` mark is set and before the entry is
//! counted (release). A larger table replaces a full one. The old one is never freed, since a
//! reader may still walk it: together the old ones take at most as much memory as the one in use.

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
    /// The site.
    #[inline]
    pub fn key(&self) -> [u64; 3] {
        core::array::from_fn(|at| self.key[at].load(Relaxed))
    }

    /// Whether it is the site's. Word by word: a key that was just put together lies in the store
    /// buffer, and a vector read of it would wait until all stores before it are done.
    #[inline(always)]
    fn is_of(&self, key: [u64; 3]) -> bool {
        let [first, second, third] = &self.key;
        let differ = |place: &AtomicU64, word: u64| place.load(Relaxed) ^ word;
        differ(first, key[0]) | differ(second, key[1]) | differ(third, key[2]) == 0
    }

    /// Adds to a counter. For the table's owner.
    #[inline]
    pub fn add(&self, at: usize, much: u64) {
        if let Some(value) = self.values.get(at) {
            value.store(value.load(Relaxed).wrapping_add(much), Relaxed);
        }
    }

    /// Raises a counter to `much` if it is lower. For the table's owner.
    pub fn raise(&self, at: usize, much: u64) {
        if let Some(value) = self.values.get(at)
            && value.load(Relaxed) < much
        {
            value.store(much, Relaxed);
        }
    }

    /// The counters.
    pub fn read(&self) -> [u64; N] {
        core::array::from_fn(|at| self.values[at].load(Relaxed))
    }
}

/// The slots of a table of one size.
struct Slots<const N: usize> {
    entries: &'static [Entry<N>],
    /// The indices in `entries` that are used, in the order in which they came to be. Whoever walks
    /// the table by them touches no memory that was never used. There is room for half of
    /// `entries`: a table with more than that is full.
    order: &'static [AtomicU32],
    /// How many are used.
    count: AtomicUsize,
}

/// The table.
pub struct Table<const N: usize> {
    slots: AtomicPtr<Slots<N>>,
    /// Entries found by [`Table::entry_of`] lately: null, or in `slots`. Only the owner reads and
    /// writes them.
    lately: [AtomicPtr<Entry<N>>; REMEMBERED_ENTRIES],
}

/// How many entries `lately` remembers.
const REMEMBERED_ENTRIES: usize = 8;

fn hash(key: [u64; 3]) -> usize {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for word in key {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
    (hash ^ (hash >> 32)) as usize
}

impl<const N: usize> Table<N> {
    /// A table of `capacity` slots, rounded up to a power of two: half of them may be used.
    /// Allocates.
    pub fn new(capacity: usize) -> Self {
        Table { slots: AtomicPtr::new(Self::slots(capacity)), lately: Default::default() }
    }

    fn slots(capacity: usize) -> *mut Slots<N> {
        let capacity = capacity.next_power_of_two();
        // SAFETY: atomics of value 0 are empty entries.
        let (entries, order) = unsafe { (zeroed(capacity), zeroed(capacity.div_ceil(2))) };
        Box::into_raw(Box::new(Slots { entries, order, count: AtomicUsize::new(0) }))
    }

    fn slots_now(&self) -> &Slots<N> {
        // SAFETY: the pointer comes from `Box::into_raw` and is never freed.
        unsafe { &*self.slots.load(Acquire) }
    }

    fn entries(&self) -> &[Entry<N>] {
        self.slots_now().entries
    }

    /// How many entries there are.
    pub fn count(&self) -> usize {
        self.slots_now().count.load(Relaxed)
    }

    /// How many slots there are.
    pub fn capacity(&self) -> usize {
        self.entries().len()
    }

    /// All entries. Async-signal-safe.
    pub fn iter(&self) -> impl Iterator<Item = &Entry<N>> {
        let Slots { entries, order, count } = self.slots_now();
        let places = order.iter().take(count.load(Acquire));
        places.filter_map(|place| entries.get(place.load(Relaxed) as usize))
    }

    /// The entry of `key`, made if there is none. Allocates where the table gets too full: not for
    /// signal handlers.
    pub fn entry(&self, key: [u64; 3]) -> &Entry<N> {
        if let Some(found) = self.find_or_add(key) {
            return found;
        }
        self.grow();
        self.find_or_add(key).unwrap_or_else(|| &self.entries()[0])
    }

    /// As [`Table::entry`], fast for the few sites that come often. For the owner, in callbacks
    /// only.
    #[inline]
    pub fn entry_of(&self, key: [u64; 3]) -> &Entry<N> {
        let mixed = key[0] ^ key[1].rotate_left(20) ^ key[2].rotate_left(40);
        let place = (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61) as usize % REMEMBERED_ENTRIES;
        // SAFETY: null or an entry of the present slots, which are never freed.
        let entry = unsafe { self.lately[place].load(Relaxed).as_ref() };
        match entry.filter(|entry| entry.is_of(key)) {
            Some(entry) => entry,
            None => self.look_up(key, place),
        }
    }

    #[cold]
    #[inline(never)]
    fn look_up(&self, key: [u64; 3], place: usize) -> &Entry<N> {
        let entry = self.entry(key);
        self.lately[place].store(core::ptr::from_ref(entry).cast_mut(), Relaxed);
        entry
    }

    fn forget_lately(&self) {
        self.lately.iter().for_each(|entry| entry.store(core::ptr::null_mut(), Relaxed));
    }

    /// The entry of `key`, if there is one. Async-signal-safe.
    pub fn find(&self, key: [u64; 3]) -> Option<&Entry<N>> {
        let entries = self.entries();
        let mask = entries.len().wrapping_sub(1);
        let mut at = hash(key);
        for _ in 0..entries.len() {
            let entry = entries.get(at & mask)?;
            if entry.used.load(Acquire) == 0 {
                return None;
            }
            if entry.is_of(key) {
                return Some(entry);
            }
            at = at.wrapping_add(1);
        }
        None
    }

    /// As [`Table::entry`], but `None` if the table would have to grow. Async-signal-safe. The
    /// owner's signal handler calls it only while no callback is at work.
    pub fn find_or_add(&self, key: [u64; 3]) -> Option<&Entry<N>> {
        let Slots { entries, order, count } = self.slots_now();
        let mask = entries.len().wrapping_sub(1);
        let mut at = hash(key);
        for _ in 0..entries.len() {
            let entry = entries.get(at & mask)?;
            if entry.used.load(Acquire) == 0 {
                let used = count.load(Relaxed);
                let next = order.get(used)?;
                for (place, word) in entry.key.iter().zip(key) {
                    place.store(word, Relaxed);
                }
                entry.used.store(1, Release);
                next.store((at & mask) as u32, Relaxed);
                count.store(used + 1, Release);
                return Some(entry);
            }
            if entry.is_of(key) {
                return Some(entry);
            }
            at = at.wrapping_add(1);
        }
        None
    }

    /// Doubles the table. Allocates.
    pub fn grow(&self) {
        let larger = Table::<N>::new(self.capacity() * 2);
        for old in self.iter() {
            if let Some(new) = larger.find_or_add(old.key()) {
                for (to, from) in new.values.iter().zip(old.read()) {
                    to.store(from, Relaxed);
                }
            }
        }
        self.forget_lately();
        self.slots.store(larger.slots.load(Relaxed), Release);
    }

    /// Forgets all entries. Async-signal-safe; for a table that nobody else reads.
    pub fn clear(&self) {
        self.forget_lately();
        for entry in self.iter() {
            entry.used.store(0, Relaxed);
            for value in &entry.values {
                value.store(0, Relaxed);
            }
        }
        self.slots_now().count.store(0, Relaxed);
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
        table.clear();
        assert_eq!(table.iter().count(), 0);
    }
}
