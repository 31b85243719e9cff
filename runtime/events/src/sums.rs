//! Summed regions: the [partner](crate::partner) asks that the engine time regions of some sites
//! and sum them, and tell none of them, because they come too fast to tell each.
//!
//! What must hold:
//!
//! - A region is summed as a whole or told as a whole: the primary decides at the fork, and the
//!   team says so to its members.
//! - Only the thread itself writes its [`Sums`], the tool's code and the engine's alike. A worker's
//!   totals are written by its primary ([`WorkerSums`]). Other threads may read at any time.
//! - Events inside such a region are told as ever. So the tool may learn there that the thread
//!   works ([`Sums::known`]). It is told the end of that work ([`Sums::ended`]).

use core::sync::atomic::{
    AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Relaxed, SeqCst},
    compiler_fence,
};

/// Sites of regions that one thread adds up.
pub const PLACES: usize = 64;
/// Places where a site may stand.
const WAYS: usize = 4;

/// Adds to a word that has one writer.
#[inline(always)]
fn add(to: &AtomicU64, much: u64) {
    to.store(to.load(Relaxed).wrapping_add(much), Relaxed);
}

/// A thread's times in summed regions, time-stamp cycles.
#[repr(C)]
#[derive(Default)]
pub struct Times {
    /// In the program's code.
    pub work: AtomicU64,
    /// Behind that, until the primary was through the closing barrier.
    pub wait: AtomicU64,
    /// From the fork to the work's begin, and while the primary adds the region up.
    pub overhead: AtomicU64,
}

impl Times {
    const fn new() -> Times {
        Times { work: AtomicU64::new(0), wait: AtomicU64::new(0), overhead: AtomicU64::new(0) }
    }

    /// Adds these times.
    #[inline(always)]
    pub fn add(&self, work: u64, wait: u64, overhead: u64) {
        add(&self.work, work);
        add(&self.wait, wait);
        add(&self.overhead, overhead);
    }
}

/// A site of regions, and the totals of its summed regions, over all threads.
#[repr(C)]
#[derive(Default)]
pub struct SumPlace {
    /// The address of the outlined code, 0 = none. Written by the tool.
    pub function: AtomicU64,
    /// The address after the construct's call. Written by the tool.
    pub codeptr: AtomicU64,
    /// The tool's own. Written by the tool.
    pub word: AtomicU64,
    /// The number of regions that are summed before one is told. Written by the tool, counted down
    /// here.
    pub left: AtomicU64,
    /// Regions.
    pub instances: AtomicU64,
    /// From fork to join, and until the region is added up.
    pub elapsed: AtomicU64,
    /// Threads of their teams.
    pub team: AtomicU64,
    /// The times of all threads.
    pub times: Times,
    /// The excess of the longest-running thread over the mean of all, times the team's size.
    pub imbalance: AtomicU64,
    /// The sum of each region's excess divided by its team's size.
    pub gain: AtomicU64,
}

impl SumPlace {
    /// Adds a region of `size` threads that took so long. The threads' work took `sum`, that of the
    /// longest one `longest`.
    #[inline(always)]
    pub fn add_region(&self, size: u64, elapsed: u64, sum: u64, longest: u64) {
        let imbalance = (longest * size).saturating_sub(sum);
        add(&self.instances, 1);
        add(&self.elapsed, elapsed);
        add(&self.team, size);
        add(&self.imbalance, imbalance);
        add(&self.gain, imbalance / size.max(1));
    }
}

/// A worker's totals in summed regions. They have a cache line of their own, which its primary
/// writes.
#[repr(C, align(128))]
#[derive(Default)]
pub struct WorkerSums(pub Times);

impl WorkerSums {
    /// Totals of zero.
    pub const fn new() -> WorkerSums {
        WorkerSums(Times::new())
    }
}

/// The tool's function for the end of a thread's work in a summed region, with the begin and the
/// end of the work. Returns how long the thread ran in it, as the tool knows. With 0 for both the
/// thread leaves a region that had tasks.
pub type Ended = unsafe extern "C" fn(since: u64, until: u64) -> u64;

/// A thread's part in summed regions.
#[repr(C)]
#[derive(Default)]
pub struct Sums {
    /// Not 0: regions at `places` are summed. Written by the tool.
    pub on: AtomicU32,
    /// Not 0: the tool knows of the work that the thread is in, and is told its end. Written by the
    /// tool.
    pub known: AtomicU32,
    /// Odd while the thread is at work in a summed region.
    pub turns: AtomicU64,
    /// When that work began.
    pub since: AtomicU64,
    /// The word of its site, and the thread's number in the team.
    pub word: AtomicU64,
    /// See `word`.
    pub number: AtomicU64,
    /// The tool is told the end of work that is longer than this, and a region that comes so long
    /// after the one before is told. Written by the tool.
    pub longest: AtomicU64,
    /// An [`Ended`], as an integer. Written by the tool.
    pub ended: AtomicUsize,
    /// The thread's totals as a worker; null before its first summed region as one.
    pub as_worker: AtomicPtr<WorkerSums>,
    /// The thread's totals as a primary.
    pub own: Times,
    /// The begin of the latest region that the thread is the primary of, and its place.
    pub begun: AtomicU64,
    at: AtomicUsize,
    /// The end of the latest one. Until it is in the sums, less than `begun`.
    pub over: AtomicU64,
    /// Sites of which the thread is the primary: [`PLACES`] of them, for ever. Null: none. Written
    /// by the tool.
    pub places: AtomicPtr<SumPlace>,
}

impl Sums {
    /// Makes the sums of a thread without summed regions.
    pub const fn new() -> Sums {
        Sums {
            on: AtomicU32::new(0),
            known: AtomicU32::new(0),
            turns: AtomicU64::new(0),
            since: AtomicU64::new(0),
            word: AtomicU64::new(0),
            number: AtomicU64::new(0),
            longest: AtomicU64::new(0),
            ended: AtomicUsize::new(0),
            as_worker: AtomicPtr::new(core::ptr::null_mut()),
            own: Times::new(),
            begun: AtomicU64::new(0),
            at: AtomicUsize::new(0),
            over: AtomicU64::new(0),
            places: AtomicPtr::new(core::ptr::null_mut()),
        }
    }

    /// Whether the tool wants regions summed.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.on.load(Relaxed) != 0
    }

    /// Returns the sites.
    #[inline(always)]
    fn places(&self) -> Option<&[SumPlace; PLACES]> {
        // SAFETY: null, or an array of that length which stays.
        unsafe { self.places.load(Relaxed).cast::<[SumPlace; PLACES]>().as_ref() }
    }

    /// Decides whether the region that is about to begin at `now` is summed: it is if the tool has
    /// entered its site, and if it comes soon after the one before. Notes its begin.
    #[inline(always)]
    pub fn begin(&self, function: u64, codeptr: u64, now: u64) -> bool {
        let Some(places) = self.places() else { return false };
        let first = (function.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize;
        let is = |at: &usize| {
            let place = &places[*at];
            place.function.load(Relaxed) == function && place.codeptr.load(Relaxed) == codeptr
        };
        let Some(at) = (0..WAYS).map(|way| (first ^ way) % PLACES).find(is) else { return false };
        let left = places[at].left.load(Relaxed);
        let pause = now.wrapping_sub(self.over.load(Relaxed));
        if left == 0 || pause > self.longest.load(Relaxed) {
            // The next one may be summed, whatever the tool does with this one.
            self.over.store(now, Relaxed);
            return false;
        }
        places[at].left.store(left - 1, Relaxed);
        self.begun.store(now, Relaxed);
        self.at.store(at, Relaxed);
        true
    }

    /// Returns the place of the region that is being summed, and the region's begin.
    #[inline(always)]
    pub fn region(&self) -> Option<(&SumPlace, u64)> {
        let place = &self.places()?[self.at.load(Relaxed) % PLACES];
        Some((place, self.begun.load(Relaxed)))
    }

    /// Ends the region at `now` and adds it to the sums.
    #[inline(always)]
    pub fn over(&self, now: u64) {
        // A signal handler that finds the region over finds it in the sums.
        compiler_fence(SeqCst);
        self.over.store(now, Relaxed);
    }

    /// The thread's work in a summed region begins at `now`, as member `number`.
    #[inline(always)]
    pub fn begin_work(&self, word: u64, number: u32, now: u64) {
        self.since.store(now, Relaxed);
        self.word.store(word, Relaxed);
        self.number.store(u64::from(number), Relaxed);
        // A signal handler that finds an odd number finds the rest, too.
        compiler_fence(SeqCst);
        self.turns.store(self.turns.load(Relaxed).wrapping_add(1), Relaxed);
    }

    /// The work ends at `now`. Returns its begin, and how long the thread ran as the tool says, if
    /// the tool is told.
    #[inline(always)]
    pub fn end_work(&self, now: u64) -> (u64, Option<u64>) {
        let since = self.since.load(Relaxed);
        // From here on no signal handler lets the tool know of this work, so `known` does not
        // change any more.
        self.turns.store(self.turns.load(Relaxed).wrapping_add(1), Relaxed);
        compiler_fence(SeqCst);
        let is_told =
            self.known.load(Relaxed) != 0 || now.wrapping_sub(since) > self.longest.load(Relaxed);
        (since, if is_told { self.tell(since, now) } else { None })
    }

    /// The thread leaves a region that had tasks.
    pub fn left(&self) {
        self.tell(0, 0);
    }

    #[cold]
    #[inline(never)]
    fn tell(&self, since: u64, now: u64) -> Option<u64> {
        let ended = self.ended.load(Relaxed);
        if ended == 0 {
            return None;
        }
        // SAFETY: the tool wrote such a function there, which stays.
        let ended: Ended = unsafe { core::mem::transmute::<usize, Ended>(ended) };
        // SAFETY: the function has the type's form.
        Some(unsafe { ended(since, now) })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::boxed::Box;

    /// Sums with one site, at the place of this number.
    fn with_site(at: usize, function: u64) -> (&'static Sums, &'static [SumPlace; PLACES]) {
        let places: &'static [SumPlace; PLACES] =
            Box::leak(Box::new(core::array::from_fn(|_| SumPlace::default())));
        places[at].function.store(function, Relaxed);
        places[at].codeptr.store(7, Relaxed);
        places[at].left.store(2, Relaxed);
        let sums: &'static Sums = Box::leak(Box::default());
        sums.longest.store(100, Relaxed);
        sums.places.store(places.as_ptr().cast_mut(), Relaxed);
        (sums, places)
    }

    /// A site is found at each place where it may stand, and at no other.
    #[test]
    fn sites_are_found_where_they_may_stand() {
        let function = 0x55d0_1234_5678;
        let found = |at: &usize| with_site(*at, function).0.begin(function, 7, 50);
        let first = (0..PLACES).find(found).expect("a place");
        assert!(first.is_multiple_of(WAYS));
        assert!((0..PLACES).filter(found).eq(first..first + WAYS));
        assert!(!with_site(first, function).0.begin(function, 8, 50), "another call");
    }

    /// Regions are told where they come late, and where enough of them were summed.
    #[test]
    fn one_in_a_while_is_told() {
        let first = (0..PLACES).find(|at| with_site(*at, 1).0.begin(1, 7, 50)).expect("a place");
        let (sums, _) = with_site(first, 1);
        let begins = [1000, 1050, 1500, 1550, 1600].map(|now| sums.begin(1, 7, now));
        assert_eq!(begins, [false, true, false, true, false]);
    }

    /// The totals of one region.
    #[test]
    fn a_region_adds_up() {
        let (sums, places) = with_site(0, 1);
        sums.begin_work(9, 1, 60);
        assert_eq!(sums.turns.load(Relaxed), 1);
        assert_eq!(sums.end_work(90), (60, None));
        assert_eq!(sums.turns.load(Relaxed), 2);
        places[0].add_region(2, 50, 40, 30);
        let place = &places[0];
        let words = [&place.instances, &place.elapsed, &place.team, &place.imbalance, &place.gain];
        assert_eq!(words.map(|word| word.load(Relaxed)), [1, 50, 2, 20, 10]);
    }
}
