//! Looks addresses up in the table: the entries that have them, and the addresses of their
//! counterparts.

use super::{Count, Entry, Table};
use crate::section::Section;

impl Table {
    /// Returns the last entry that shares bytes with the section.
    pub(super) fn overlapping(&self, section: Section) -> Option<(usize, &Entry)> {
        if section.is_empty() {
            return None;
        }
        let (start, entry) = self.entries.at_or_below(section.end - 1)?;
        (entry.end > section.start).then_some((start, entry))
    }

    /// Returns the entry that an address is in; if there is none, the one that ends there.
    pub(super) fn at(&self, address: usize) -> Option<(usize, &Entry)> {
        self.overlapping(Section::new(address, 1)).or_else(|| {
            let before = Section { start: address.checked_sub(1)?, end: address };
            self.overlapping(before)
        })
    }

    /// As [`Table::at`], for a section, which may be empty.
    pub(super) fn found(&self, section: Section) -> Option<(usize, &Entry)> {
        if section.is_empty() { self.at(section.start) } else { self.overlapping(section) }
    }

    /// Returns the entry that an address without a length means: the one that it is in, or the next
    /// one, if the address is so close ahead of it that the entry counts it as its own
    /// (`Entry::ahead`).
    pub(super) fn meant(&self, address: usize) -> Option<(usize, &Entry)> {
        self.overlapping(Section::new(address, 1)).or_else(|| {
            let (start, entry) = self.entries.at_or_above(address)?;
            (start - address <= entry.ahead).then_some((start, entry))
        })
    }

    /// Returns the address of a host address's counterpart. The address right behind the end of an
    /// entry has one too.
    pub fn translate(&self, host: usize) -> Option<usize> {
        let (start, entry) = self.at(host).or_else(|| self.meant(host))?;
        Some(entry.device.wrapping_add(host.wrapping_sub(start)))
    }

    /// Whether the byte at this address has a counterpart.
    pub fn is_present(&self, host: usize) -> bool {
        self.overlapping(Section::new(host, 1)).is_some()
    }

    /// Returns the reference count of the storage at this address; `None` if it has no counterpart,
    /// or one that nothing counts.
    pub fn references(&self, host: usize) -> Option<u64> {
        let (_, entry) = self.overlapping(Section::new(host, 1))?;
        match self.groups.get(entry.group)?.count {
            Count::Of(count) => Some(count),
            Count::Declared | Count::Associated => None,
        }
    }
}
