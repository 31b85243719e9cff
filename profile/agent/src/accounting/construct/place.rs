//! The place of an implicit task's constructs: the table that gets their times, and the word by
//! which readers find the construct that the task has begun. `construct/mod.rs` and `plain.rs` use
//! it at each construct's begin and end. The readers add up constructs that are still open: where a
//! program hangs, or ends inside a region (`region/open.rs`).

use super::{Begun, ConstructTable, kind_at_level, site};
use crate::accounting::region::open::{self, Open};
use crate::accounting::table::Entry;

/// The place of an implicit task: its region, and its number there.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The thread's constructs, where their times are added.
    pub table: &'a ConstructTable,
    /// `codeptr_ra` of the innermost region.
    pub region: u64,
    /// The nesting level of that region: 1 = outermost.
    pub level: u32,
    /// The thread's number in its team.
    pub number: u32,
    /// The words by which readers find the construct or barrier that is open. `None`: readers do
    /// not see this task's constructs.
    pub open: Option<&'a Open>,
    /// The id of the region's instance, for `open`.
    pub instance: u64,
}

impl<'a> Place<'a> {
    /// Returns the entry of a construct in the table.
    pub(super) fn entry(&self, codeptr: u64, kind: u32) -> &Entry<{ site::COUNT }> {
        self.table.entry_of([self.region, codeptr, kind_at_level(kind, self.level)])
    }

    /// Returns the same entry, if it was found lately.
    #[inline(always)]
    pub(super) fn known(&self, codeptr: u64, kind: u32) -> Option<&'a Entry<{ site::COUNT }>> {
        self.table.known([self.region, codeptr, kind_at_level(kind, self.level)])
    }

    /// Shows to readers that this construct or wait is open. `how`: a constant of `region/open.rs`,
    /// such as `open::EXECUTED`. `from`, `more`: see the fields of [`Open`].
    #[inline]
    pub(super) fn show(&self, how: u64, begun: &Begun, from: u64, more: u64) {
        if let Some(open) = self.open {
            open.set(self.instance, how, begun.kind, begun.codeptr, from, more);
        }
    }

    /// Shows that a construct is open.
    #[inline]
    pub(super) fn show_begun(&self, begun: &Begun) {
        let how = if begun.executes { open::EXECUTED } else { open::ENTERED };
        self.show(how, begun, begun.since, begun.iterations);
    }

    /// Shows that nothing is open.
    #[inline]
    pub(super) fn show_nothing(&self) {
        if let Some(open) = self.open {
            open.clear();
        }
    }
}
