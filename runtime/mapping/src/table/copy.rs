//! Copies sections to the device and back. Attached pointers stay as they are on either side.

use super::Entry;
use crate::memory::{Memory, POINTER};
use crate::section::Section;

impl Entry {
    fn counterpart(&self, start: usize, host: usize) -> usize {
        self.device.wrapping_add(host.wrapping_sub(start))
    }

    /// Returns the parts of a section in it without the pointers that are attached.
    fn plain(&self, section: Section) -> Vec<Section> {
        let mut parts = Vec::new();
        let mut from = section.start;
        // The first attached pointer that ends behind the section's start.
        let mut next = self.attached.at_or_above((from + 1).saturating_sub(POINTER));
        while let Some((at, _)) = next.filter(|(at, _)| *at < section.end) {
            parts.push(Section { start: from, end: at.max(from) });
            from = at + POINTER;
            next = self.attached.at_or_above(at + 1);
        }
        parts.push(Section { start: from, end: section.end.max(from) });
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// Copies a section of this entry, which starts at `start`, to the device.
    ///
    /// # Safety
    /// The section is in the entry and valid on the host.
    pub(super) unsafe fn copy_to<M: Memory>(&self, start: usize, section: Section, memory: &M) {
        // SAFETY: the caller's promise.
        self.each(section, |part| unsafe {
            memory.to_device(self.counterpart(start, part.start), part.start, part.bytes());
        });
    }

    /// Copies such a section back.
    ///
    /// # Safety
    /// As [`Entry::copy_to`].
    pub(super) unsafe fn copy_from<M: Memory>(&self, start: usize, section: Section, memory: &M) {
        // SAFETY: the caller's promise.
        self.each(section, |part| unsafe {
            memory.to_host(part.start, self.counterpart(start, part.start), part.bytes());
        });
    }

    fn each(&self, section: Section, mut copy: impl FnMut(Section)) {
        if section.is_empty() {
        } else if self.attached.is_empty() {
            copy(section);
        } else {
            self.plain(section).into_iter().for_each(copy);
        }
    }
}
