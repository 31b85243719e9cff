//! The constructs of an implicit task, on the thread that has the tables where they are counted.

use super::Thread;
use crate::accounting::construct::Place;
use crate::accounting::context::Context;
use crate::accounting::region::Slot;
use omphalos_ompt::SyncKind;

impl Context {
    /// Returns the place where constructs of this task are counted; none outside any region.
    #[inline(always)]
    pub fn place<'a>(&self, thread: &'a Thread) -> Option<Place<'a>> {
        (!self.region.is_null()).then_some(Place {
            table: &thread.constructs,
            region: self.codeptr,
            level: self.level,
            number: self.number,
            // SAFETY: null or a part of an instance, which is never freed.
            open: unsafe { self.slot.as_ref() }.map(Slot::open),
            instance: self.region_id,
        })
    }

    /// Begins a barrier; the account is settled at `now`.
    #[inline]
    pub fn begin_barrier(
        &mut self,
        thread: &Thread,
        which: (SyncKind, u64),
        waited: u64,
        now: u64,
    ) {
        if let Some(place) = self.place(thread) {
            self.constructs.begin_barrier(place, which, waited, now);
        }
    }

    /// Whether this is a region's task with no construct under way, apart from a plain barrier.
    #[inline(always)]
    pub fn is_plain(&self) -> bool {
        !self.region.is_null() && self.constructs.is_plain()
    }

    /// Ends the barrier; the account is settled.
    #[inline]
    pub fn end_barrier(&mut self, thread: &Thread, kind: SyncKind, codeptr: u64, waited: u64) {
        if let Some(place) = self.place(thread) {
            self.constructs.end_barrier(place, kind, codeptr, waited);
        }
    }
}
