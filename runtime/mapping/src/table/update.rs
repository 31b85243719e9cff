//! `target update`.

use super::Table;
use crate::fault::Fault;
use crate::item::{Item, Kind};
use crate::memory::Memory;
use crate::section::Section;

impl Table {
    /// Copies the items that are in the table. It copies nothing of a loose item that is there only
    /// in part, and returns the first fault of such an item.
    ///
    /// # Safety
    /// The items name valid host memory.
    pub unsafe fn update<M: Memory>(
        &mut self,
        memory: &M,
        items: &[Item],
    ) -> Result<Option<Fault>, Fault> {
        let mut passed = None;
        for (number, item) in items.iter().enumerate() {
            let (Kind::Map(map), section) = (item.kind, item.section()) else { continue };
            self.note(memory, number, item);
            let Some((start, entry)) = self.overlapping(section) else {
                if map.present && !section.is_empty() {
                    return Err(Fault::Absent { item: number, section });
                }
                continue;
            };
            let present = Section { start, end: entry.end };
            if !present.contains(section) {
                let fault = Fault::Overlaps { item: number, section, present };
                if map.loose && !map.present {
                    passed = passed.or(Some(fault));
                    continue;
                }
                return Err(fault);
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
        Ok(passed)
    }
}
