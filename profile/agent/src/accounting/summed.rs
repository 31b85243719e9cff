//! The figures of a thread's short regions that Omphalos' runtime adds up (`omphalos_sums_t`) and
//! does not report to the agent: the thread's times, and the sites of the regions that it began.
//!
//! The thread takes the times over into its account at its next event; until then readers add them.
//! Sites stay where they are, and readers add them to the thread's table. The thread itself and its
//! signal handler write here; others read.

use super::passed::Passed;
use super::place::state_of;
use super::region::{Region, RegionTable, site};
use super::table::Entry;
use super::{
    Account, COUNTERS, CREATED, Class, Counters, EXECUTED, IMPLEMENTATION_BARRIERS, QUEUED,
    TASK_WORK,
};
use core::sync::atomic::{
    AtomicPtr, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use omphalos_ompt::State;
use omphalos_ompt::sums::{
    OMPHALOS_SUM_SITES, omphalos_sum_site_t, omphalos_sums_t, omphalos_times_t,
};

/// The classes that the runtime distinguishes, in the order of [`times`].
const KINDS: [Class; 3] = [Class::Work, Class::Barrier, Class::Overhead];

/// The agent's record of the runtime's sums for a thread.
#[derive(Default)]
pub struct Summed {
    /// Null where the runtime adds up nothing.
    sums: AtomicPtr<omphalos_sums_t>,
    /// The runtime's `turns` when everything was booked last; odd while the thread is at work.
    seen: AtomicU64,
    /// In the order of [`KINDS`]: the times that were booked, or that an earlier thread left.
    booked: [AtomicU64; 3],
    /// The room for the sites of the regions that the thread begins; null until it is made.
    room: AtomicPtr<omphalos_sum_site_t>,
    /// The instance that stands for the region that the thread is in by its events.
    inside: AtomicPtr<Region>,
    /// The thread's counters when it entered that region.
    base: [AtomicU64; COUNTERS],
    /// The barriers and the loop that the thread passed in a region that is not reported.
    passed: Passed,
}

/// Reads the times in the order of [`KINDS`].
fn times(of: &omphalos_times_t) -> [u64; 3] {
    [&of.work, &of.wait, &of.overhead].map(|time| time.load(Relaxed))
}

impl Summed {
    /// Begins the record anew.
    pub fn begin(&self) {
        // In a forked child the sums are those of the parent's thread.
        if let Some(sums) = self.sums() {
            sums.on.store(0, Relaxed);
            sums.known.store(0, Relaxed);
            sums.sites.store(core::ptr::null_mut(), Relaxed);
        }
        self.leave();
        self.passed.forget();
        self.sums.store(core::ptr::null_mut(), Relaxed);
    }

    /// The barriers and the loop that the thread passed in a region that is not reported.
    #[inline(always)]
    pub fn passed(&self) -> &Passed {
        &self.passed
    }

    /// Makes room for the sites of the thread's regions, and lets the runtime add up there. Room
    /// that an earlier thread left serves again, with the instances that its sites name.
    #[cold]
    pub fn make_sites(&self, sums: &omphalos_sums_t) {
        let room = self.room.load(Relaxed);
        let room = if room.is_null() {
            let new = (0..OMPHALOS_SUM_SITES).map(|_| omphalos_sum_site_t::default());
            let new: &'static [omphalos_sum_site_t] = Box::leak(new.collect());
            new.as_ptr().cast_mut()
        } else {
            room
        };
        self.room.store(room, Relaxed);
        // SAFETY: an array of that length, which is never freed.
        for site in unsafe { core::slice::from_raw_parts(room, OMPHALOS_SUM_SITES) } {
            let times = [&site.times.work, &site.times.wait, &site.times.overhead];
            let sums = [&site.instances, &site.elapsed, &site.team, &site.imbalance, &site.gain];
            let others = [&site.function, &site.codeptr_ra, &site.left];
            let all = times.into_iter().chain(sums).chain(others);
            all.for_each(|word| word.store(0, Relaxed));
        }
        sums.sites.store(room, Release);
        sums.on.store(1, Relaxed);
    }

    /// Returns the record where the runtime adds up.
    #[inline(always)]
    pub fn sums(&self) -> Option<&'static omphalos_sums_t> {
        // SAFETY: null, or in a record of the runtime's, which it never frees.
        unsafe { self.sums.load(Acquire).as_ref() }
    }

    /// Lets the agent follow these sums from here on.
    pub fn follow(&self, sums: &'static omphalos_sums_t) {
        if self.sums().is_none() {
            let so_far = so_far(sums);
            self.booked.iter().zip(so_far).for_each(|(booked, time)| booked.store(time, Relaxed));
            self.seen.store(sums.turns.load(Relaxed), Relaxed);
            // A region that was under way when the last tool stopped asking for sums was never
            // closed.
            sums.over.fetch_max(sums.begun.load(Relaxed), Relaxed);
            self.sums.store(core::ptr::from_ref(sums).cast_mut(), Release);
        }
    }

    /// Whether the runtime added something since everything was booked.
    #[inline(always)]
    pub fn is_new(&self) -> bool {
        self.sums().is_some_and(|sums| sums.turns.load(Relaxed) != self.seen.load(Relaxed))
    }

    /// Returns the sums, if the thread is at work in a region of which the agent knows nothing.
    #[inline(always)]
    pub fn unreported(&self) -> Option<&'static omphalos_sums_t> {
        self.sums().filter(|sums| {
            let turns = sums.turns.load(Relaxed);
            !turns.is_multiple_of(2) && turns != self.seen.load(Relaxed)
        })
    }

    /// Whether the thread is at work in a region of which the agent knows nothing.
    #[inline(always)]
    pub fn is_at_work(&self) -> bool {
        self.unreported().is_some()
    }

    /// Returns the instance that stands for the site of the region in which the thread is at work,
    /// and the thread's number there. `None` where the agent knows of that work already.
    #[inline(always)]
    pub fn at_work(&self) -> Option<(&'static Region, u32)> {
        let sums = self.unreported()?;
        // SAFETY: the agent put an instance there, which is never freed.
        let region = unsafe { &*(sums.word.load(Relaxed) as *const Region) };
        Some((region, sums.number.load(Relaxed) as u32))
    }

    /// Whether the thread is in a region that is not reported, and not at work: it forks or waits
    /// for the others in a region that it began, or waits at a barrier inside. Any thread may call
    /// it.
    pub fn waits(&self) -> bool {
        self.waits_inside().is_some()
            || self.sums().is_some_and(|sums| {
                let is_at_work = !sums.turns.load(Relaxed).is_multiple_of(2);
                !is_at_work && sums.begun.load(Relaxed) > sums.over.load(Relaxed)
            })
    }

    /// Returns the work of the region in which the thread waits at a barrier and has no context:
    /// when the thread came to the barrier, how long it worked before, and how long it waited at
    /// other barriers there, ticks. Any thread may call it.
    fn waits_inside(&self) -> Option<[u64; 3]> {
        let sums = self.unreported()?;
        let work = sums.since.load(Relaxed);
        let (since, waited) = self.passed.waits(work)?;
        Some([since, since.saturating_sub(work).saturating_sub(waited), waited])
    }

    /// Returns the times up to `now` of the work that [`Summed::waits_inside`] is about, which are
    /// in no sum, by class; at most `most` ticks in all. Any thread may call it.
    pub fn open(&self, now: u64, most: u64) -> [(Class, u64); 2] {
        let [work, waited] = self
            .waits_inside()
            .map_or([0; 2], |[since, work, waited]| [work, waited + now.saturating_sub(since)]);
        let waited = waited.min(most);
        [(Class::Barrier, waited), (Class::Work, work.min(most - waited))]
    }

    /// Returns when the wait began that [`Summed::seen`] tells of, ticks, and the thread's state in
    /// it.
    pub fn wait(&self) -> (u64, State) {
        match self.waits_inside() {
            Some([since, ..]) => (since, state_of(self.passed.kind())),
            None => {
                let begun = self.sums().map_or(0, |sums| sums.begun.load(Relaxed));
                (begun, State::WaitBarrierImplicitParallel)
            }
        }
    }

    /// Returns the region in which the thread works, or waits as [`Summed::waits`] says, and its
    /// number there, where no event reported it. Any thread may call it.
    pub fn seen(&self) -> Option<(Class, &'static Region, u32)> {
        if let Some((region, number)) = self.at_work() {
            let waits = self.waits_inside().is_some();
            let class = if waits { Class::Barrier } else { Class::Work };
            return Some((class, region, number));
        }
        let sums = self.sums().filter(|_| self.waits())?;
        if sums.since.load(Relaxed) < sums.begun.load(Relaxed) {
            return None;
        }
        // SAFETY: as above.
        let region = unsafe { &*(sums.word.load(Relaxed) as *const Region) };
        Some((Class::Barrier, region, sums.number.load(Relaxed) as u32))
    }

    /// Notes that everything is booked up to here.
    pub fn saw(&self) {
        if let Some(sums) = self.sums() {
            self.seen.store(sums.turns.load(Relaxed), Relaxed);
        }
    }

    /// Returns the times that were not booked, by class, at most `most` ticks in all.
    pub fn unbooked(&self, most: u64) -> [(Class, u64); 3] {
        let so_far = self.sums().map_or([0; 3], so_far);
        let mut left = most;
        core::array::from_fn(|at| {
            let time = match self.sums() {
                Some(_) => so_far[at].wrapping_sub(self.booked[at].load(Relaxed)).min(left),
                None => 0,
            };
            left -= time;
            (KINDS[at], time)
        })
    }

    /// Notes that these times are booked.
    pub(super) fn book(&self, times: &[(Class, u64); 3]) {
        for (booked, (_, time)) in self.booked.iter().zip(times) {
            booked.store(booked.load(Relaxed).wrapping_add(*time), Relaxed);
        }
    }

    /// Returns the number of times that the thread worked in such regions.
    pub fn turns(&self) -> u64 {
        self.sums().map_or(0, |sums| sums.turns.load(Relaxed) / 2)
    }

    /// Adds the figures of the thread's sites. Any thread may call it; async-signal-safe.
    pub fn add_sites(&self, table: &RegionTable) {
        for place in self.sums().into_iter().flat_map(sites) {
            let instances = place.instances.load(Relaxed);
            // SAFETY: null or an instance, which is never freed.
            let region = unsafe { (place.word.load(Acquire) as *const Region).as_ref() };
            let Some(region) = region.filter(|_| instances > 0) else { continue };
            let Some(entry) = table.find_or_add(region.key()) else { continue };
            let [work, wait, overhead] = times(&place.times);
            entry.add(site::INSTANCES, instances);
            entry.add(site::WORK, work);
            entry.add(site::BARRIER, wait);
            entry.add(site::OVERHEAD, overhead);
            let others = [
                (site::ELAPSED, &place.elapsed),
                (site::TEAM, &place.team),
                (site::IMBALANCE, &place.imbalance),
                (site::GAIN, &place.gain),
            ];
            others.into_iter().for_each(|(at, value)| entry.add(at, value.load(Relaxed)));
        }
    }

    /// Notes that from here on the account books the thread's time in a region of this site.
    pub fn enter(&self, region: &Region, counters: &Counters) {
        self.base.iter().zip(counters.0).for_each(|(base, counter)| base.store(counter, Relaxed));
        self.inside.store(core::ptr::from_ref(region).cast_mut(), Release);
    }

    /// Notes that the thread is in no such region by its events.
    pub fn leave(&self) {
        self.inside.store(core::ptr::null_mut(), Relaxed);
    }

    /// Adds to the site the thread's time up to `now` in the region that it is in by its events,
    /// which only the thread's account has so far. Any thread may call it; async-signal-safe.
    pub fn add_open(&self, table: &RegionTable, account: &Account, now: u64) {
        // SAFETY: null or an instance, which is never freed.
        let inside = unsafe { self.inside.load(Acquire).as_ref() };
        let waits = self.waits_inside().and_then(|_| self.at_work());
        let region = inside.or(waits.map(|(region, _)| region));
        let Some(entry) = region.and_then(|region| table.find_or_add(region.key())) else { return };
        let mut share = Counters::default();
        if inside.is_some() {
            let base = Counters(core::array::from_fn(|at| self.base[at].load(Relaxed)));
            share = account.counters_at(now).since(&base);
            share.0[QUEUED] += account.pending.load(Relaxed);
        } else {
            let open = self.open(now, u64::MAX);
            open.into_iter().for_each(|(class, time)| share.0[class as usize] = time);
        }
        add_share(entry, &share, 0);
        entry.add(site::TEAM, 1);
        if let Some(sums) =
            self.sums().filter(|sums| sums.begun.load(Relaxed) > sums.over.load(Relaxed))
        {
            entry.add(site::INSTANCES, 1);
            entry.add(site::OPEN, 1);
            entry.add(site::ELAPSED, now.saturating_sub(sums.begun.load(Relaxed)));
        }
    }

    /// Ends the thread: adds its sites to `table`, and lets the runtime add up no more.
    pub fn end(&self, table: &RegionTable) {
        self.add_sites(table);
        self.begin();
    }
}

/// Adds a thread's share of a region, with `inner` ticks of nested ones, to the site's entry;
/// returns the part that was work.
pub fn add_share(entry: &Entry<{ site::COUNT }>, share: &Counters, inner: u64) -> u64 {
    let work = share.class(Class::Work) + share.class(Class::Serial) + inner;
    entry.add(site::WORK, work);
    entry.add(site::BARRIER, share.class(Class::Barrier));
    entry.add(site::MUTEX, share.class(Class::Mutex));
    entry.add(site::TASK_WAIT, share.class(Class::TaskWait));
    entry.add(site::OVERHEAD, share.class(Class::Overhead) + share.class(Class::Idle));
    let others = [
        (site::CREATED, CREATED),
        (site::EXECUTED, EXECUTED),
        (site::TASK_WORK, TASK_WORK),
        (site::IMPLEMENTATION_BARRIERS, IMPLEMENTATION_BARRIERS),
        (site::QUEUED, QUEUED),
    ];
    others.into_iter().for_each(|(at, counter)| entry.add(at, share.0[counter]));
    work
}

/// Returns the thread's times so far.
fn so_far(sums: &omphalos_sums_t) -> [u64; 3] {
    // SAFETY: null, or in a record of the runtime's, which it never frees.
    let as_worker = unsafe { sums.as_worker.load(Relaxed).as_ref() };
    let (own, other) = (times(&sums.own), as_worker.map_or([0; 3], times));
    core::array::from_fn(|at| own[at].wrapping_add(other[at]))
}

/// Returns the sites that the agent made.
pub fn sites(sums: &omphalos_sums_t) -> &'static [omphalos_sum_site_t] {
    match sums.sites.load(Acquire) {
        sites if sites.is_null() => &[],
        // SAFETY: the agent put an array of that length there, which is never freed.
        sites => unsafe { core::slice::from_raw_parts(sites, OMPHALOS_SUM_SITES) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::Books;

    /// The time that the runtime added up is subtracted from the thread's class.
    #[test]
    fn every_tick_is_in_one_class() {
        let sums: &'static omphalos_sums_t = Box::leak(Box::default());
        // Times that are there already belong to another thread.
        sums.own.work.store(1000, Relaxed);
        let account = Books::default();
        account.begin(Class::Serial, 100);
        account.summed().follow(sums);
        assert!(!account.summed().is_new());
        sums.own.work.store(1030, Relaxed);
        sums.own.wait.store(20, Relaxed);
        sums.turns.store(2, Relaxed);
        assert!(account.summed().is_new());
        let read = account.counters_at(200);
        account.book_summed();
        account.summed().saw();
        account.settle(200);
        let counters = account.counters();
        for of in [&read, &counters] {
            let times = [Class::Serial, Class::Work, Class::Barrier].map(|class| of.class(class));
            assert_eq!((times, of.time()), ([50, 30, 20], 100));
        }
        assert!(!account.summed().is_new());
        assert_eq!(account.counters_at(250).time(), 150);
    }

    /// Readers add a region's sites until the thread ends.
    #[test]
    fn sites_are_added_once() {
        let sums: &'static omphalos_sums_t = Box::leak(Box::default());
        let made = (0..OMPHALOS_SUM_SITES).map(|_| omphalos_sum_site_t::default());
        let made: &'static [omphalos_sum_site_t] = Box::leak(made.collect());
        let region = Region::with_room(1);
        made[3].word.store(core::ptr::from_ref(region) as u64, Relaxed);
        made[3].instances.store(5, Relaxed);
        made[3].times.work.store(70, Relaxed);
        let summed = Summed::default();
        summed.follow(sums);
        sums.sites.store(made.as_ptr().cast_mut(), Relaxed);
        let of = |table: &RegionTable| {
            let entry = table.entry_of(region.key());
            [site::INSTANCES, site::WORK].map(|at| entry.values[at].load(Relaxed))
        };
        let (own, read) = (RegionTable::new(64), RegionTable::new(64));
        summed.add_sites(&read);
        assert_eq!(of(&read), [5, 70]);
        summed.end(&own);
        summed.add_sites(&read);
        assert_eq!((of(&own), of(&read)), ([5, 70], [5, 70]));
        assert_eq!(sums.on.load(Relaxed), 0);
    }
}
