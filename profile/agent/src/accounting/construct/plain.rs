//! Books plain barriers: those of which little is to be booked. `tool::brief` calls it.

use super::{Behind, Constructs, Place, SINGLE, is_explicit, kind, open, site};
use omphalos_ompt::SyncKind;

impl Constructs {
    /// Whether the task is in no construct, and the last one that ended was neither a single nor a
    /// reduction. Then a barrier leaves little to book.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        // A construct whose end was not reported has no counters here.
        let is_known = self.last.kind == 0 || !self.last.entry.0.is_null();
        let is_single = self.is_open || self.last.kind == SINGLE;
        self.depth == 0 && !is_single && is_known
    }

    /// Whether [`Constructs::begin_plain_barrier`] knows the counters for this barrier. They are
    /// those of the construct that ended last, to which a barrier that is not explicit belongs; or
    /// those of the barrier before, if this is the same barrier of the program again.
    #[inline(always)]
    pub fn is_known(&self, sync: SyncKind, codeptr: u64) -> bool {
        let kind = kind::BARRIER | sync.number() as u32;
        (self.last.kind != 0 && !is_explicit(sync))
            || (self.barrier.kind == kind && self.barrier.codeptr == codeptr)
    }

    /// Whether the barrier that the thread waits at is a plain one.
    #[inline(always)]
    pub fn was_plain(&self) -> bool {
        self.behind == Behind::Plain
    }

    /// Does what [`Constructs::begin_barrier`] does, for a plain barrier that [is
    /// known](Constructs::is_known) and that ends no region.
    #[inline(always)]
    pub fn begin_plain_barrier(&mut self, place: Place<'_>, sync: SyncKind, waited: u64) {
        self.waited = waited;
        self.behind = Behind::Plain;
        self.was_inner = sync == SyncKind::ImplementationBarrier;
        match self.last.kind != 0 && !is_explicit(sync) {
            true => place.show(open::WAITS, &self.last, waited, 0),
            false => place.show(open::BARRIER, &self.barrier, waited, 0),
        }
    }

    /// Does what [`Constructs::end_barrier`] does, for a barrier that
    /// [`Constructs::begin_plain_barrier`] began.
    #[inline(always)]
    pub fn end_plain_barrier(&mut self, place: Place<'_>, sync: SyncKind, waited: u64) {
        place.show_nothing();
        let waited = waited.saturating_sub(self.waited);
        if self.last.kind != 0 && !is_explicit(sync) {
            if let Some(entry) = self.last.entry.get() {
                entry.add(site::BARRIER, waited);
            }
        } else if let Some(entry) = self.barrier.entry.get() {
            entry.add(site::ENTERED, 1);
            entry.add(site::INSTANCES, u64::from(place.number == 0));
            entry.add(site::BARRIER, waited);
        }
        if is_explicit(sync) {
            self.last.kind = 0;
        }
    }
}
