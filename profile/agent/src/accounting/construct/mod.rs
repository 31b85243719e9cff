//! The constructs inside regions: loops, sections, single, masked, barriers, reductions. For each
//! it counts how often a thread came to it, how long the thread was inside, and how long it waited
//! in the barrier behind it.
//!
//! The callbacks in `tool` call it, by way of the thread's context.
//!
//! What must hold: only a thread's own callbacks write its table and its [`Constructs`]. The table
//! has one entry for each construct, not for each execution. The time of a barrier that follows a
//! construct belongs to that construct: a thread's events come in the program's order.
//!
//! GCC's code reports the begin of a `single` but not its end, and the barrier behind it looks like
//! any `barrier`. So the time up to that barrier is counted separately ([`site::OPEN`]). The report
//! sees the code and the source, and decides to which construct the time belongs.

mod place;
mod plain;
mod short;

use super::region::open;
use super::table::{Entry, Table};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::{SyncKind, WorkKind};
use omphalos_profile_format::construct_kind as kind;
pub use place::Place;
pub use short::UNTIMED;
use short::stands_for;

/// Counters of a construct. Times are ticks, summed over threads.
pub mod site {
    #![allow(missing_docs)]
    /// How often a team came to it; for single and masked, how often it was executed.
    pub const INSTANCES: usize = 0;
    /// How often a thread came to it.
    pub const ENTERED: usize = 1;
    /// The time from the construct's begin to its end.
    pub const TIME: usize = 2;
    pub const CHUNKS: usize = 3;
    pub const ITERATIONS: usize = 4;
    /// The iterations of executions whose chunks were counted.
    pub const COUNTED: usize = 5;
    /// The time of waiting in the barrier behind the construct; for a barrier, all of its time.
    pub const BARRIER: usize = 6;
    /// The `codeptr_ra` of the construct's end.
    pub const END: usize = 7;
    /// The time from a single whose end is not reported to the next barrier.
    pub const OPEN: usize = 8;
    /// That barrier: its waits, how often a team came to it, its `codeptr_ra`.
    pub const OPEN_BARRIER: usize = 9;
    pub const OPEN_INSTANCES: usize = 10;
    pub const AFTER: usize = 11;
    /// Short executions since the last timed one, of which no time was taken.
    pub const SKIPPED: usize = 12;
    pub const COUNT: usize = 13;
}

/// Constructs: (the region's `codeptr_ra`, the construct's, its kind and the region's level).
pub type ConstructTable = Table<{ site::COUNT }>;

/// Returns the third word of a construct's key.
pub fn kind_at_level(kind: u32, level: u32) -> u64 {
    u64::from(kind) | u64::from(level) << 32
}

/// A construct that a thread has begun, or ended last.
#[derive(Clone, Copy, Default)]
struct Begun {
    /// 0 = none.
    kind: u32,
    executes: bool,
    codeptr: u64,
    iterations: u64,
    chunks: u64,
    since: u64,
    /// The construct's counters, once they were looked up: null, or in the thread's table, which
    /// frees none.
    entry: Counters,
}

/// An entry of the table that need not be looked up again.
#[derive(Clone, Copy)]
struct Counters(*const Entry<{ site::COUNT }>);

impl Default for Counters {
    fn default() -> Counters {
        Counters(core::ptr::null())
    }
}

impl Counters {
    #[inline(always)]
    fn of(entry: &Entry<{ site::COUNT }>) -> Counters {
        Counters(entry)
    }

    #[inline(always)]
    fn get(self) -> Option<&'static Entry<{ site::COUNT }>> {
        // SAFETY: null, or an entry, which is never freed.
        unsafe { self.0.as_ref() }
    }
}

/// The depth to which constructs are followed inside each other: a taskloop in a single is the
/// deepest case.
const FOLLOWED_CONSTRUCTS: usize = 2;

/// The constructs that an implicit task has begun in its region.
#[derive(Default)]
pub struct Constructs {
    begun: [Begun; FOLLOWED_CONSTRUCTS],
    depth: usize,
    /// The construct that ended last, and whose barrier may follow.
    last: Begun,
    /// Whether `last` is a single whose end was not reported.
    is_open: bool,
    /// The thread's barrier time when the barrier began, ticks.
    waited: u64,
    /// The construct that stands before that barrier.
    behind: Behind,
    /// Whether a reduction has combined since a construct began.
    has_combined: bool,
    /// Whether the last barrier was one of the runtime's own.
    was_inner: bool,
    /// The last plain barrier that was a construct of its own.
    barrier: Begun,
    /// Whether the thread worked so shortly between the last two barriers that clock reads would
    /// take a good part of the time: `SKIPPED_SHORT` executions of each construct in a row are not
    /// timed.
    is_short: bool,
}

/// The sort of construct that stands before a barrier, as far as the cost of watching the barrier
/// depends on it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Behind {
    /// Anything else.
    #[default]
    Other,
    /// None of the others here, and [`Constructs::is_plain`] holds.
    Plain,
    /// A single.
    Single,
    /// A single with `copyprivate`, whose values were copied at a barrier of the runtime's own.
    Copies,
    /// A reduction's combining; and barriers of the runtime's own.
    Combining,
}

/// Returns the number that a record has for a worksharing construct.
fn work_number(work: WorkKind) -> u32 {
    let work = if work == WorkKind::SingleOther { WorkKind::SingleExecutor } else { work };
    kind::WORK | work.number() as u32
}

const SINGLE: u32 = kind::WORK | WorkKind::SingleExecutor.number() as u32;

/// Whether a record's kind is that of a single.
pub fn is_single(kind: u32) -> bool {
    kind == SINGLE
}

fn is_explicit(sync: SyncKind) -> bool {
    matches!(sync, SyncKind::ExplicitBarrier | SyncKind::Barrier)
}

impl Constructs {
    /// Begins an implicit task, which has no constructs so far.
    #[inline]
    pub fn begin_task(&mut self) {
        self.depth = 0;
        self.last.kind = 0;
        self.is_open = false;
        self.barrier.kind = 0;
        self.behind = Behind::Other;
        self.is_short = false;
    }

    /// Goes on behind a loop of the task's that was counted before the task had a context.
    pub fn follow(&mut self, counted: &Entry<{ site::COUNT }>) {
        let [_, codeptr, kind] = counted.key();
        let entry = Counters::of(counted);
        self.last = Begun { kind: kind as u32, codeptr, entry, ..Begun::default() };
    }

    /// Begins a worksharing construct at `now`.
    #[inline]
    pub fn begin_work(
        &mut self,
        place: Place<'_>,
        work: WorkKind,
        codeptr: u64,
        count: u64,
        now: u64,
    ) {
        // No worksharing construct is closely nested in another; a taskloop may be.
        if self.depth > 0 && work != WorkKind::Taskloop {
            self.leave_unended(place);
        }
        let executes = work == WorkKind::SingleExecutor;
        let kind = work_number(work);
        let entry = Counters::default();
        let begun =
            Begun { kind, executes, codeptr, iterations: count, chunks: 0, since: now, entry };
        self.begin(place, begun);
    }

    /// Begins a masked region: each thread that comes here executes it.
    #[inline]
    pub fn begin_masked(&mut self, place: Place<'_>, codeptr: u64, now: u64) {
        let begun = Begun { kind: kind::MASKED, executes: true, codeptr, ..Begun::default() };
        self.begin(place, Begun { since: now, ..begun });
    }

    #[inline]
    fn begin(&mut self, place: Place<'_>, begun: Begun) {
        if self.depth == 0 {
            place.show_begun(&begun);
        }
        if let Some(place) = self.begun.get_mut(self.depth) {
            *place = begun;
        }
        self.depth += 1;
        (self.last.kind, self.is_open) = (0, false);
        (self.has_combined, self.was_inner) = (false, false);
    }

    /// Leaves a construct that has begun and whose end was not reported: LLVM's runtime reports no
    /// end of a single in GCC's code.
    #[cold]
    fn leave_unended(&mut self, place: Place<'_>) {
        self.depth = 0;
        let begun = self.begun[0];
        if begun.kind == SINGLE && begun.executes {
            let entry = place.entry(begun.codeptr, begun.kind);
            entry.add(site::ENTERED, 1);
            entry.add(site::INSTANCES, 1);
            entry.add(site::ITERATIONS, begun.iterations);
            self.last = begun;
            self.is_open = true;
        }
    }

    /// Ends the construct that began last. `counts`: whether chunks are reported.
    #[inline]
    pub fn end(&mut self, place: Place<'_>, codeptr: u64, now: u64, counts: bool) {
        let Some(depth) = self.depth.checked_sub(1) else { return };
        self.depth = depth;
        let Some(begun) = self.begun.get(depth).copied() else { return };
        let entry = place.entry(begun.codeptr, begun.kind);
        // A construct that was not to be timed normally ends in `end_short_work`; this one did not.
        let since = if begun.since == UNTIMED { now } else { begun.since };
        let time = stands_for(entry, now.saturating_sub(since));
        entry.add(site::ENTERED, 1);
        if begun.executes || (place.number == 0 && begun.kind != SINGLE) {
            entry.add(site::INSTANCES, 1);
            entry.add(site::ITERATIONS, begun.iterations);
            entry.add(site::COUNTED, if counts { begun.iterations } else { 0 });
        }
        entry.add(site::TIME, time);
        entry.add(site::CHUNKS, if counts { begun.chunks } else { 0 });
        entry.values[site::END].store(codeptr, Relaxed);
        self.last = Begun { entry: Counters::of(entry), ..begun };
        self.is_open = begun.kind == SINGLE && codeptr == begun.codeptr;
        if self.is_open && begun.executes {
            place.show(open::SINGLE, &begun, begun.since, 0);
        } else if depth == 0 {
            place.show_nothing();
        }
    }

    /// Counts a chunk or section that was handed out. Returns true for the thread's first one of
    /// the construct.
    #[inline]
    pub fn dispatch(&mut self) -> bool {
        let begun = self.depth.checked_sub(1).and_then(|at| self.begun.get_mut(at));
        begun.is_some_and(|begun| {
            begun.chunks += 1;
            begun.chunks == 1
        })
    }

    /// Returns the sort of construct that stands before the barrier that began last.
    #[inline]
    pub fn behind(&self) -> Behind {
        self.behind
    }

    /// Counts a reduction's combining that took from `since` to `now`.
    pub fn reduced(&mut self, place: Place<'_>, codeptr: u64, since: u64, now: u64) {
        self.has_combined = true;
        let entry = place.entry(codeptr, kind::REDUCTION);
        let time = stands_for(entry, now.saturating_sub(since));
        entry.add(site::ENTERED, 1);
        entry.add(site::INSTANCES, u64::from(place.number == 0));
        entry.add(site::TIME, time);
    }

    /// Begins a barrier at `now`; `waited` is the thread's barrier time so far.
    #[inline]
    pub fn begin_barrier(
        &mut self,
        place: Place<'_>,
        (sync, codeptr): (SyncKind, u64),
        waited: u64,
        now: u64,
    ) {
        if self.depth > 0 && self.begun[0].kind == SINGLE {
            self.leave_unended(place);
        }
        if self.is_open && self.last.executes {
            let time = now.saturating_sub(self.last.since);
            place.entry(self.last.codeptr, self.last.kind).add(site::OPEN, time);
            // Only the first barrier may be inside the construct.
            self.last.executes = false;
        }
        self.waited = waited;
        self.behind = self.behind_what(sync);
        self.was_inner = sync == SyncKind::ImplementationBarrier;
        self.show_barrier(place, sync, codeptr);
    }

    #[inline]
    fn behind_what(&self, sync: SyncKind) -> Behind {
        let follows = self.last.kind == SINGLE;
        match sync {
            SyncKind::ParallelBarrier => Behind::Other,
            SyncKind::ImplementationBarrier => Behind::Combining,
            _ if self.has_combined => Behind::Combining,
            _ if follows && self.was_inner => Behind::Copies,
            _ if follows => Behind::Single,
            _ => Behind::Other,
        }
    }

    /// Shows to readers for which construct [`Constructs::end_barrier`] will count the barrier.
    /// Shows nothing for a barrier that may end the region: its construct is not known yet.
    #[inline]
    fn show_barrier(&self, place: Place<'_>, sync: SyncKind, codeptr: u64) {
        let ends_region = [SyncKind::ParallelBarrier, SyncKind::ImplicitBarrier];
        if sync == SyncKind::TeamsBarrier || ends_region.contains(&sync) {
            return place.show_nothing();
        }
        if self.last.kind != 0 && !is_explicit(sync) {
            place.show(open::WAITS, &self.last, self.waited, 0);
        } else if self.last.kind != 0 && self.is_open {
            place.show(open::WAITS_BEHIND, &self.last, self.waited, codeptr);
        } else {
            let kind = kind::BARRIER | sync.number() as u32;
            let barrier = Begun { kind, codeptr, ..Begun::default() };
            place.show(open::BARRIER, &barrier, self.waited, 0);
        }
    }

    /// Ends the barrier; `waited` is the thread's barrier time by then. It is not called for the
    /// barrier that ends a region.
    pub fn end_barrier(&mut self, place: Place<'_>, sync: SyncKind, codeptr: u64, waited: u64) {
        match self.begun.first().filter(|_| self.depth > 0) {
            Some(begun) => place.show_begun(begun),
            None => place.show_nothing(),
        }
        // The barrier ends a league. No construct gets its wait, so the wait counts as the region's
        // own.
        if sync == SyncKind::TeamsBarrier {
            return;
        }
        let waited = waited.saturating_sub(self.waited);
        let is_explicit = is_explicit(sync);
        let is_first = u64::from(place.number == 0);
        let last = self.last;
        if last.kind != 0 && !is_explicit {
            place.entry(last.codeptr, last.kind).add(site::BARRIER, waited);
        } else if last.kind != 0 && self.is_open {
            let entry = place.entry(last.codeptr, last.kind);
            entry.add(site::OPEN_BARRIER, waited);
            entry.add(site::OPEN_INSTANCES, is_first);
            entry.values[site::AFTER].store(codeptr, Relaxed);
        } else {
            let kind = kind::BARRIER | sync.number() as u32;
            let entry = place.entry(codeptr, kind);
            entry.add(site::ENTERED, 1);
            entry.add(site::INSTANCES, is_first);
            entry.add(site::BARRIER, waited);
            self.barrier = Begun { kind, codeptr, entry: Counters::of(entry), ..Begun::default() };
        }
        // A reduction, or a single's copies, may have a barrier of the runtime's own before or
        // after it.
        self.is_open &= sync == SyncKind::ImplementationBarrier;
        if is_explicit {
            self.last.kind = 0;
        }
    }
}

#[cfg(test)]
mod tests;
