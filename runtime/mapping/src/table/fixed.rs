//! Storage that is present without a `map` clause: `declare target` variables and associated
//! memory.

use super::{Count, Group, Table};
use crate::section::Section;

impl Table {
    /// Enters a `declare target` variable, which stays present to the end. Returns false if the
    /// section overlaps an entry of another kind.
    pub fn declare(&mut self, section: Section, device: usize) -> bool {
        self.fix(section, device, Count::Declared)
    }

    /// Removes the variables in this section of the host's memory: their library was unloaded.
    pub fn withdraw(&mut self, section: Section) {
        while let Some((start, entry)) = self.overlapping(section) {
            let group = entry.group;
            self.entries.remove(start);
            self.groups.remove(group);
        }
    }

    /// Enters device memory that the program names as the section's counterpart. Returns false if
    /// the section has another counterpart; the program may name the same one twice.
    pub fn associate(&mut self, section: Section, device: usize) -> bool {
        self.fix(section, device, Count::Associated)
    }

    fn fix(&mut self, section: Section, device: usize, count: Count) -> bool {
        if section.is_empty() {
            return false;
        }
        if let Some((start, entry)) = self.overlapping(section) {
            let same = (start, entry.end, entry.device) == (section.start, section.end, device);
            let kind = self.groups.get(entry.group).map(|group| group.count);
            return same && kind == Some(count);
        }
        let group = self.add_group(count, None);
        self.add_entry(section, device, group);
        true
    }

    /// Removes the association of the section that begins at this address. Returns false if there
    /// is none, or if a construct holds it.
    pub fn disassociate(&mut self, host: usize) -> bool {
        let Some(entry) = self.entries.get(host) else { return false };
        let group = entry.group;
        let may_go = |group: &Group| group.count == Count::Associated && group.holds == 0;
        if !self.groups.get(group).is_some_and(may_go) {
            return false;
        }
        self.entries.remove(host);
        self.groups.remove(group);
        true
    }

    /// Whether a construct holds the entry at this address of the host.
    pub fn is_held(&self, host: usize) -> bool {
        let found = self.overlapping(Section::new(host, 1));
        let group = found.and_then(|(_, entry)| self.groups.get(entry.group));
        group.is_some_and(|group| group.holds != 0)
    }

    /// Whether the address is that of a `declare target` variable.
    pub(super) fn is_declared(&self, host: usize) -> bool {
        let found = self.overlapping(Section::new(host, 1));
        let group = found.and_then(|(_, entry)| self.groups.get(entry.group));
        group.is_some_and(|group| group.count == Count::Declared)
    }
}
