//! Counts static loops, reductions and barriers in regions that the runtime adds up
//! (`tool/summed.rs`), so that the region's task needs no context. A barrier's wait is measured.
//!
//! What must hold: where a function here does something, it books what `brief`, `sync` and `work`
//! would have booked; where it does nothing, it has changed nothing. Work or a wait that is not
//! short is left to those, which know what of it had no processor.

use super::brief::{alive, close};
use crate::accounting::construct::{Constructs, Place};
use crate::accounting::passed::Counted;
use crate::accounting::region::{self, Region};
use crate::clock::ticks;
use crate::thread::cost::Kind;
use crate::thread::{Owner, Thread, stretch};
use core::sync::atomic::Ordering::Relaxed;
use omphalos_ompt::sums::omphalos_sums_t;
use omphalos_ompt::{Endpoint, SyncKind, WorkKind};
use omphalos_profile_format::construct_kind;

/// A thread at work in a region that is not reported, and the runtime's sums for it.
#[derive(Clone, Copy)]
pub struct AtWork {
    thread: &'static Thread,
    sums: &'static omphalos_sums_t,
}

/// Returns the calling thread, if it is at work in such a region, in no callback.
#[inline(always)]
pub fn in_summed() -> Option<AtWork> {
    let thread = Thread::current()?;
    let sums = thread.account.summed().unreported().filter(|_| !thread.is_in_callback())?;
    Some(AtWork { thread, sums })
}

impl AtWork {
    /// Begins a callback, unless the record's end was reported.
    #[inline(always)]
    fn enter(self) -> Option<Owner> {
        // SAFETY: no callback of the thread is at work.
        alive(unsafe { Owner::enter(self.thread) })
    }

    /// Returns when the work began.
    #[inline(always)]
    fn since(self) -> u64 {
        self.sums.since.load(Relaxed)
    }

    /// Returns the instance that stands for the region's site.
    #[inline(always)]
    fn region(self) -> &'static Region {
        // SAFETY: the agent put an instance there, which is never freed.
        unsafe { &*(self.sums.word.load(Relaxed) as *const Region) }
    }

    /// Returns the thread's number in the region.
    #[inline(always)]
    fn number(self) -> u32 {
        self.sums.number.load(Relaxed) as u32
    }

    /// Returns the place of the region's constructs.
    #[inline(always)]
    fn place(self) -> Place<'static> {
        let (table, number) = (&self.thread.constructs, self.number());
        let region = self.region().codeptr.load(Relaxed);
        Place { table, region, level: 1, number, open: None, instance: 0 }
    }
}

/// Counts the begin or end of a static loop. Returns false if something else is to be done.
#[inline(always)]
pub fn static_loop(at: AtWork, endpoint: Endpoint, what: (u64, u64), counts: bool) -> bool {
    let kind = Constructs::kind_of(WorkKind::LoopStatic);
    count(at, endpoint, kind, what, counts, |entry| {
        at.thread.account.summed().passed().note_loop(at.since(), entry);
    })
}

/// Counts the begin or end of a reduction's combining. Returns false if something else is to be
/// done.
#[inline(always)]
pub fn reduction(at: AtWork, endpoint: Endpoint, codeptr: u64) -> bool {
    count(at, endpoint, construct_kind::REDUCTION, (codeptr, 0), false, |_| ())
}

#[inline(always)]
fn count(
    at: AtWork,
    endpoint: Endpoint,
    kind: u32,
    what: (u64, u64),
    counts: bool,
    note: impl FnOnce(&Counted),
) -> bool {
    if endpoint != Endpoint::Begin {
        return endpoint == Endpoint::End;
    }
    let Some(owner) = at.enter() else { return false };
    let Some(entry) = Constructs::count_summed(at.place(), kind, what, counts) else {
        owner.give_up();
        return false;
    };
    note(entry);
    owner.cost.count_event();
    stretch::leave(owner);
    true
}

/// Books the begin or end of a barrier. Returns false if something else is to be done.
#[inline(always)]
pub fn barrier(at: AtWork, endpoint: Endpoint, which: (SyncKind, u64)) -> bool {
    let Some(owner) = at.enter() else { return false };
    let (now, work) = (ticks(), at.since());
    let is_short = now.saturating_sub(work) <= at.sums.longest.load(Relaxed);
    let is_done = is_short
        && match endpoint {
            Endpoint::Begin => begin(at, work, which, now),
            Endpoint::End => end(at, work, which, now),
            _ => false,
        };
    if is_done {
        owner.cost.book_mean(Kind::Plain);
    }
    close(owner, is_done, now)
}

#[inline(always)]
fn begin(at: AtWork, work: u64, which: (SyncKind, u64), now: u64) -> bool {
    let passed = at.thread.account.summed().passed();
    let behind = passed.construct(work).filter(|_| which.0 != SyncKind::ExplicitBarrier);
    let known = behind.or_else(|| Constructs::known_barrier(at.place(), which));
    let Some(entry) = known else { return false };
    passed.begin(work, which, entry, now);
    at.sums.known.store(1, Relaxed);
    true
}

#[inline(always)]
fn end(at: AtWork, work: u64, which: (SyncKind, u64), now: u64) -> bool {
    let passed = at.thread.account.summed().passed();
    let Some((entry, wait)) = passed.end(work, now) else { return false };
    let is_explicit = which.0 == SyncKind::ExplicitBarrier;
    let is_own = is_explicit || passed.construct(work).is_none();
    Constructs::count_wait(entry, at.number(), is_own, wait);
    if is_explicit {
        passed.forget_loop();
    }
    if which.0 == SyncKind::ImplementationBarrier {
        let entry = at.thread.regions.entry_of(at.region().key());
        entry.add(region::site::IMPLEMENTATION_BARRIERS, 1);
    }
    true
}
