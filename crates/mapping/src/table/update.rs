//! `target update`.

use super::Table;
use crate::fault::Fault;
use crate::item::{Item, Kind};
use crate::memory::Memory;
use crate::section::Section;

impl Table {
    /// Copies what of the list is there.
    ///
    /// # Safety
    /// What the items name is valid host memory.
    pub unsafe fn update<M: Memory>(&mut self, memory: &M, items: &[Item]) -> Result<(), Fault> {
        for (number, item) in items.iter().enumerate() {
            let (Kind::Map(map), section) = (item.kind, item.section()) else { continue };
            let Some((start, entry)) = self.overlapping(section) else {
                if map.present && !section.is_empty() {
                    return Err(Fault::Absent { item: number, section });
                }
                continue;
            };
            let present = Section { start, end: entry.end };
            if !present.contains(section) {
                if map.loose && !map.present {
                    continue;
                }
                return Err(Fault::Overlaps { item: number, section, present });
            }
            // SAFETY: the caller's promise; it is in the entry.
            unsafe {
                if map.to {
                    entry.copy_to(start, section, memory);
                }
                if map.from {
                    entry.copy_from(start, section, memory);
                }
            }
        }
        Ok(())
    }
}
