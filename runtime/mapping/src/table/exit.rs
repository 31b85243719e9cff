//! `target exit data`.

use super::{Entry, Table};
use crate::fault::Fault;
use crate::item::{Item, Kind, Release};
use crate::memory::Memory;
use crate::section::Section;

impl Table {
    /// Releases the items that are in the table: detaches pointers, then lowers counts, then copies
    /// data back, then frees storage that no item refers to any more. In loose lists, passes over
    /// items that are there only in part, and returns their first fault.
    ///
    /// # Safety
    /// The items name valid host memory, and no region uses the storage that they release.
    pub unsafe fn exit<M: Memory>(
        &mut self,
        memory: &M,
        items: &[Item],
    ) -> Result<Option<Fault>, Fault> {
        for item in items {
            if let Kind::Detach { always } = item.kind {
                // SAFETY: the caller's promise.
                unsafe { self.detach(memory, item.address, always) };
            }
        }
        let mut seen = Vec::new();
        // Among items that name the same storage, one that deletes it decides.
        for item in items {
            if let Kind::Release(release) = item.kind
                && release.delete
                && let Some((_, entry)) = self.named(item, &release)
            {
                let group = entry.group;
                self.forget(group, release.hold, true, &mut seen);
            }
        }
        let (mut faulty, mut passed) = (None, None);
        let mut back = Vec::new();
        for (number, item) in items.iter().enumerate() {
            let Kind::Release(release) = item.kind else { continue };
            self.note(memory, number, item);
            let section = item.section();
            let found = self.named(item, &release);
            let Some((start, entry)) = found else {
                if release.present && faulty.is_none() {
                    faulty = Some(Fault::Absent { item: number, section });
                }
                if release.loose
                    && let Some((start, entry)) = self.overlapping(section)
                {
                    let present = Section { start, end: entry.end };
                    passed = passed.or(Some(Fault::Overlaps { item: number, section, present }));
                }
                continue;
            };
            let (group, present) = (entry.group, Section { start, end: entry.end });
            self.forget(group, release.hold, release.delete, &mut seen);
            if release.from {
                if present.contains(section) {
                    back.push((start, section, release.always));
                } else if release.implicit {
                    back.push((start, section.common(present), release.always));
                } else if faulty.is_none() && (release.always || self.goes(group)) {
                    faulty = Some(Fault::Overlaps { item: number, section, present });
                }
            }
        }
        for (start, section, always) in back {
            if let Some(entry) = self.entries.get(start)
                && (always || self.goes(entry.group))
            {
                // SAFETY: the caller's promise; it is in the entry.
                unsafe { entry.copy_from(start, section, memory) };
            }
        }
        // SAFETY: the caller's promise.
        unsafe { self.remove(memory, &seen) };
        faulty.map_or(Ok(passed), Err)
    }

    /// Returns the entry that an item names. An item without a length is found by its address.
    fn named(&self, item: &Item, release: &Release) -> Option<(usize, &Entry)> {
        if release.no_length {
            return self.meant(item.address);
        }
        let section = item.section();
        let found = self.overlapping(section);
        found.filter(|(start, entry)| {
            let all = Section { start: *start, end: entry.end }.contains(section);
            all || release.implicit || !release.loose
        })
    }
}
