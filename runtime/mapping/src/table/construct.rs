//! The mapping of `target`, `target data` and `target enter data`, item by item, and its end.

use super::walk::Walk;
use super::{Mapping, Table};
use crate::fault::Fault;
use crate::item::Item;
use crate::memory::Memory;
use crate::section::Section;

/// One entry that a construct holds in the table until the construct ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub group: usize,
    /// The start of the entry.
    pub start: usize,
    pub section: Section,
    /// Copied back if the entry goes.
    pub from: bool,
    /// Copied back in any case.
    pub always: bool,
    /// Counted apart.
    pub hold: bool,
    /// The address of the pointer that the construct attached, if this is about one.
    pub attached: Option<usize>,
}

/// An item that a construct holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The address on the host.
    pub host: usize,
    /// The address of the counterpart.
    pub device: usize,
    /// The size in bytes.
    pub bytes: usize,
    /// Whether it is copied back when it goes.
    pub from: bool,
}

impl Table {
    /// Maps the list.
    ///
    /// # Safety
    /// The items name valid host memory.
    pub unsafe fn map<M: Memory>(&mut self, memory: &M, items: &[Item]) -> Result<Mapping, Fault> {
        let mut walk = Walk::new(self, memory, items);
        walk.all()?;
        Ok(walk.mapping)
    }

    /// Maps the list for good: `target enter data`.
    ///
    /// # Safety
    /// As [`Table::map`].
    pub unsafe fn enter<M: Memory>(&mut self, memory: &M, items: &[Item]) -> Result<(), Fault> {
        // SAFETY: the caller's promise.
        unsafe { self.map(memory, items) }.map(drop)
    }

    /// Ends a construct: pointers are detached first, then counts fall, then data is copied back,
    /// then storage that no item refers to any more is freed.
    ///
    /// # Safety
    /// The mapped host memory is still valid, and the construct's region is over.
    pub unsafe fn unmap<M: Memory>(&mut self, memory: &M, mapping: Mapping) {
        for held in &mapping.held {
            if let Some(at) = held.attached
                && self.still(held)
            {
                // SAFETY: the caller's promise.
                unsafe { self.detach(memory, at, false) };
            }
        }
        let mut seen = Vec::new();
        let whole = |held: &&Held| held.attached.is_none();
        for held in mapping.held.iter().filter(whole) {
            self.forget(held.group, held.hold, false, &mut seen);
        }
        for held in mapping.held.iter().filter(whole) {
            if (held.always || held.from && self.goes(held.group))
                && self.still(held)
                && let Some(entry) = self.entries.get(held.start)
            {
                // SAFETY: the caller's promise; it is in the entry.
                unsafe { entry.copy_from(held.start, held.section, memory) };
            }
        }
        // SAFETY: the caller's promise; the private blocks were the construct's alone.
        unsafe {
            self.remove(memory, &seen);
            mapping.private.into_iter().for_each(|(block, host)| memory.free(block, host));
        }
    }

    /// Returns the items that a construct holds until it ends, without the pointers that it
    /// attached.
    pub fn held(&self, mapping: &Mapping) -> Vec<Part> {
        let whole = mapping.held.iter().filter(|held| held.attached.is_none());
        let part = |held: &Held| {
            let Section { start, end } = held.section;
            let (from, device) = (held.from || held.always, self.translate(start).unwrap_or(0));
            Part { host: start, device, bytes: end - start, from }
        };
        whole.filter(|held| self.still(held)).map(part).collect()
    }

    /// Whether an entry that a construct holds is still there: `delete` may have removed it.
    fn still(&self, held: &Held) -> bool {
        self.entries.get(held.start).is_some_and(|entry| entry.group == held.group)
    }
}
