//! Where an implicit task is, and where readers find what it has begun.

use super::{Begun, ConstructTable, kind_at_level, site};
use crate::accounting::region::open::{self, Open};
use crate::accounting::table::Entry;

/// Where an implicit task is.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The thread's constructs, where their times are added.
    pub table: &'a ConstructTable,
    /// `codeptr_ra` of the innermost region.
    pub region: u64,
    /// How deep that region is: 1 = outermost.
    pub level: u32,
    /// The thread's number in its team.
    pub number: u32,
    /// Where readers find what is open, if there is such a place, and the region's instance.
    pub open: Option<&'a Open>,
    /// See `open`.
    pub instance: u64,
}

impl<'a> Place<'a> {
    /// Its entry in the table.
    pub(super) fn entry(&self, codeptr: u64, kind: u32) -> &Entry<{ site::COUNT }> {
        self.table.entry_of([self.region, codeptr, kind_at_level(kind, self.level)])
    }

    /// The same, if it was found lately.
    #[inline(always)]
    pub(super) fn known(&self, codeptr: u64, kind: u32) -> Option<&'a Entry<{ site::COUNT }>> {
        self.table.known([self.region, codeptr, kind_at_level(kind, self.level)])
    }

    /// From here on this is open.
    #[inline]
    pub(super) fn show(&self, how: u64, begun: &Begun, from: u64, more: u64) {
        if let Some(open) = self.open {
            open.set(self.instance, how, begun.kind, begun.codeptr, from, more);
        }
    }

    /// A construct is.
    #[inline]
    pub(super) fn show_begun(&self, begun: &Begun) {
        let how = if begun.executes { open::EXECUTED } else { open::ENTERED };
        self.show(how, begun, begun.since, begun.iterations);
    }

    /// Nothing is.
    #[inline]
    pub(super) fn show_nothing(&self) {
        if let Some(open) = self.open {
            open.clear();
        }
    }
}
