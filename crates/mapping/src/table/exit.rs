//! `target exit data`.

use super::Table;
use crate::fault::Fault;
use crate::item::{Item, Kind};
use crate::memory::Memory;
use crate::section::Section;

impl Table {
    /// Releases what of the list is there: pointers are detached first, then counts fall, then data
    /// is copied back, then what nobody refers to goes.
    ///
    /// # Safety
    /// What the items name is valid host memory; no region uses what goes.
    pub unsafe fn exit<M: Memory>(&mut self, memory: &M, items: &[Item]) -> Result<(), Fault> {
        for item in items {
            if let Kind::Detach { always } = item.kind {
                // SAFETY: the caller's promise.
                unsafe { self.detach(memory, item.address, always) };
            }
        }
        let mut seen = Vec::new();
        let mut faulty = None;
        let mut back = Vec::new();
        for (number, item) in items.iter().enumerate() {
            let Kind::Release(release) = item.kind else { continue };
            let section = item.section();
            let found = if release.no_length { Section::new(section.start, 1) } else { section };
            let found = self.overlapping(found);
            let Some((start, entry)) = found else { continue };
            let (group, present) = (entry.group, Section { start, end: entry.end });
            self.forget(group, release.delete, &mut seen);
            if release.from {
                if present.contains(section) {
                    back.push((start, section, release.always));
                } else if faulty.is_none() && (release.always || self.goes(group)) {
                    faulty = Some(Fault::Overlaps { item: number, section, present });
                }
            }
        }
        for (start, section, always) in back {
            if let Some(entry) = self.entries.get(&start)
                && (always || self.goes(entry.group))
            {
                // SAFETY: the caller's promise; it is in the entry.
                unsafe { entry.copy_from(start, section, memory) };
            }
        }
        // SAFETY: the caller's promise.
        unsafe { self.remove(memory, &seen) };
        faulty.map_or(Ok(()), Err)
    }
}
