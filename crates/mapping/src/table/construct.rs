//! What `target`, `target data` and `target enter data` map, item by item, and how it ends.

use super::walk::Walk;
use super::{Mapping, Table};
use crate::fault::Fault;
use crate::item::Item;
use crate::memory::Memory;
use crate::section::Section;

/// What a construct holds of the table until its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub group: usize,
    /// Where the entry starts.
    pub start: usize,
    pub section: Section,
    /// Copied back if it goes.
    pub from: bool,
    /// Copied back in any case.
    pub always: bool,
    /// Counted apart.
    pub hold: bool,
    /// Where the pointer stands that the construct attached, if this is about one.
    pub attached: Option<usize>,
}

impl Table {
    /// Maps the list.
    ///
    /// # Safety
    /// What the items name is valid host memory.
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
    /// then storage that nobody refers to any more is freed.
    ///
    /// # Safety
    /// What was mapped is still valid on the host; the construct's region is over.
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
            mapping.private.into_iter().for_each(|block| memory.free(block));
        }
    }

    /// Whether what a construct holds is there: `delete` may have removed it.
    fn still(&self, held: &Held) -> bool {
        self.entries.get(held.start).is_some_and(|entry| entry.group == held.group)
    }
}
