//! Tasks that Omphalos' runtime counts for a thread and does not report to the agent.
//!
//! The runtime keeps a few places for constructs for each thread (`omphalos_quiet_t`), each with a
//! number that only grows. The agent books the growth at each tick, at the next event, and when
//! another construct takes a place. The thread itself and its signal handler do this; others only
//! read.

use super::sites::{TaskTable, task as site};
use core::sync::atomic::{
    AtomicPtr, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use omphalos_ompt::quiet::{OMPHALOS_QUIET_SITES, OMPHALOS_QUIET_WAYS, omphalos_quiet_t};

/// The part of the runtime's counts that the agent has booked.
#[derive(Default)]
pub struct Counts {
    /// Null where the runtime counts nothing.
    quiet: AtomicPtr<omphalos_quiet_t>,
    /// For each place: the number of tasks that was booked.
    seen: [AtomicU64; OMPHALOS_QUIET_SITES],
    /// For each place: how many tasks of other threads were booked.
    foreign: [AtomicU64; OMPHALOS_QUIET_SITES],
    /// The number of all booked tasks.
    booked: AtomicU64,
    /// How many of the booked tasks would have taken a much shorter way without a tool. The last
    /// task before a booking decides for all tasks of that booking.
    longer: AtomicU64,
    /// The runtime's count when the agent began to follow it, less the tasks booked by then.
    base: AtomicU64,
    /// How many constructs took another one's place.
    replaced: AtomicUsize,
}

impl Counts {
    /// Begins the record anew.
    pub fn begin(&self) {
        self.quiet.store(core::ptr::null_mut(), Relaxed);
        self.booked.store(0, Relaxed);
        self.longer.store(0, Relaxed);
    }

    fn quiet(&self) -> Option<&'static omphalos_quiet_t> {
        // SAFETY: null, or in a record of the runtime's, which it never frees.
        unsafe { self.quiet.load(Acquire).as_ref() }
    }

    /// Lets the runtime count from here on, and mark tasks as those of the thread with this index.
    pub fn follow(&self, quiet: &'static omphalos_quiet_t, index: u32) {
        if self.quiet().is_none_or(|before| !core::ptr::eq(before, quiet)) {
            for (at, place) in quiet.sites.iter().enumerate() {
                self.seen[at].store(place.count.load(Relaxed), Relaxed);
                self.foreign[at].store(place.foreign.load(Relaxed), Relaxed);
            }
            self.base.store(quiet.counted().wrapping_sub(self.booked()), Relaxed);
            self.quiet.store(core::ptr::from_ref(quiet).cast_mut(), Release);
        }
        quiet.mark.store(u64::from(index) << 48, Relaxed);
        quiet.set_quiet(true);
    }

    /// Whether the runtime ever counted for the thread: if so, it also reported when the thread
    /// acquired a mutex.
    pub fn is_followed(&self) -> bool {
        self.quiet().is_some()
    }

    /// Lets the runtime report every task from here on. Only the thread itself and its signal
    /// handler call it.
    pub fn end(&self) {
        if let Some(quiet) = self.quiet() {
            quiet.set_quiet(false);
        }
    }

    /// Gives a place to the construct at `codeptr`, of which tasks were just reported to the agent:
    /// they need not be reported next time. Returns how many tasks that place had counted since it
    /// was last booked.
    pub fn keep(&self, codeptr: u64, table: &TaskTable) -> u64 {
        let Some(quiet) = self.quiet() else { return 0 };
        let at = self.place_for(quiet, codeptr);
        let booked = self.book_place(quiet, at, table);
        quiet.sites[at].codeptr_ra.store(codeptr, Relaxed);
        booked
    }

    /// Returns the place of this construct, or a free one. If there is none, returns one place
    /// after the other in turn, since the construct there may belong to a part of the program that
    /// is over.
    fn place_for(&self, quiet: &omphalos_quiet_t, codeptr: u64) -> usize {
        let holds = |what: u64| {
            let is = move |at: &usize| quiet.sites[*at].codeptr_ra.load(Relaxed) == what;
            omphalos_quiet_t::places(codeptr).find(is)
        };
        holds(codeptr).or_else(|| holds(0)).unwrap_or_else(|| {
            let turn = self.replaced.load(Relaxed);
            self.replaced.store(turn.wrapping_add(1), Relaxed);
            let mut places = omphalos_quiet_t::places(codeptr);
            places.nth(turn % OMPHALOS_QUIET_WAYS).unwrap_or_default()
        })
    }

    /// Books the growth since the last time; returns the number of tasks. Async-signal-safe.
    pub fn book(&self, table: &TaskTable) -> u64 {
        let Some(quiet) = self.quiet() else { return 0 };
        (0..OMPHALOS_QUIET_SITES).map(|at| self.book_place(quiet, at, table)).sum()
    }

    fn book_place(&self, quiet: &omphalos_quiet_t, at: usize, table: &TaskTable) -> u64 {
        let place = &quiet.sites[at];
        let count = place.count.load(Relaxed);
        let new = count.wrapping_sub(self.seen[at].swap(count, Relaxed));
        let foreign = place.foreign.load(Relaxed);
        let stolen = foreign.wrapping_sub(self.foreign[at].swap(foreign, Relaxed));
        let codeptr = place.codeptr_ra.load(Relaxed);
        // A task without the agent's mark belongs to no site.
        if new + stolen > 0 && codeptr != 0 {
            if let Some(entry) = table.find_or_add([codeptr, 0, 0]) {
                entry.add(site::CREATED, new);
                entry.add(site::STOLEN, stolen);
            }
            self.booked.store(self.booked() + new, Relaxed);
            if quiet.is_longer.load(Relaxed) != 0 {
                self.longer.store(self.longer() + new, Relaxed);
            }
        }
        new
    }

    /// Returns the number of booked tasks.
    pub fn booked(&self) -> u64 {
        self.booked.load(Relaxed)
    }

    /// Returns how many of the booked tasks would have taken a much shorter way without a tool.
    pub fn longer(&self) -> u64 {
        self.longer.load(Relaxed)
    }

    /// Returns the number of tasks that were counted, booked or not. Any thread may call it.
    pub fn counted(&self) -> u64 {
        let all = self.quiet().map(|quiet| quiet.counted().wrapping_sub(self.base.load(Relaxed)));
        all.unwrap_or_else(|| self.booked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(quiet: &omphalos_quiet_t, codeptr: u64, tasks: u64) {
        let mut places = omphalos_quiet_t::places(codeptr).map(|at| &quiet.sites[at]);
        let place = places.find(|place| place.codeptr_ra.load(Relaxed) == codeptr);
        place.expect("it stands there").count.fetch_add(tasks, Relaxed);
    }

    /// Addresses that hash to the same places as `first`.
    fn like(first: u64) -> impl Iterator<Item = u64> {
        let place = omphalos_quiet_t::places(first).next();
        (first + 1..).filter(move |at| omphalos_quiet_t::places(*at).next() == place)
    }

    #[test]
    fn every_counted_task_is_booked_once() {
        let quiet: &'static omphalos_quiet_t = Box::leak(Box::default());
        let table = TaskTable::new(32);
        let first = 0x1000;
        let counts = Counts::default();
        // Counts that an earlier thread left do not belong to this thread.
        quiet.sites[0].count.store(77, Relaxed);
        counts.follow(quiet, 3);
        assert_eq!((quiet.mark.load(Relaxed), quiet.quiet.load(Relaxed)), (3 << 48, 1));
        assert_eq!(counts.keep(first, &table), 0);
        make(quiet, first, 10);
        assert_eq!((counts.counted(), counts.booked()), (10, 0));
        // Others fill the places, and the last one takes the first one's.
        let others: Vec<u64> = like(first).take(OMPHALOS_QUIET_WAYS).collect();
        let booked: Vec<u64> = others.iter().map(|at| counts.keep(*at, &table)).collect();
        assert_eq!(booked, [0, 0, 0, 10]);
        others.iter().for_each(|at| make(quiet, *at, 5));
        assert_eq!((counts.counted(), counts.booked()), (30, 10));
        counts.end();
        // The runtime's word about the last task holds for all tasks since the last booking.
        quiet.is_longer.store(1, Relaxed);
        assert_eq!((counts.book(&table), counts.book(&table), counts.longer()), (20, 0, 20));
        let of = |codeptr| table.entry([codeptr, 0, 0]).read()[site::CREATED];
        assert_eq!((of(first), counts.booked()), (10, 30));
        assert!(others.iter().all(|at| of(*at) == 5));
        counts.begin();
        counts.follow(quiet, 4);
        assert_eq!((counts.counted(), counts.book(&table)), (0, 0));
    }

    /// Two constructs take turns, at whatever addresses they are.
    #[test]
    fn constructs_that_take_turns_stay() {
        let quiet: &'static omphalos_quiet_t = Box::leak(Box::default());
        let table = TaskTable::new(32);
        let counts = Counts::default();
        counts.follow(quiet, 3);
        let all: Vec<u64> = like(0x1000).take(OMPHALOS_QUIET_WAYS + 2).collect();
        all.iter().for_each(|at| _ = counts.keep(*at, &table));
        for two in all.windows(2) {
            two.iter().for_each(|at| _ = counts.keep(*at, &table));
            two.iter().for_each(|at| make(quiet, *at, 1));
        }
    }
}
