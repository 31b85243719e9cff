//! The items of a list that are about pointers.

use super::construct::Held;
use super::walk::Walk;
use crate::fault::Fault;
use crate::item::{Item, Kind, Map};
use crate::memory::{Memory, POINTER};
use crate::section::Section;

impl<M: Memory> Walk<'_, M> {
    /// Maps a descriptor and the pointers in it. Returns the number of the item behind these.
    pub(super) fn descriptor(&mut self, at: usize) -> Result<usize, Fault> {
        let section = self.items[at].section();
        let had_null = self.table.overlapping(section).is_some_and(|(_, entry)| entry.has_null);
        // If a pointer that was null points somewhere now, the bounds beside it are new, too.
        let again = self
            .pointer_inside(at + 1, section)
            .is_some_and(|(always, null)| always || had_null && !null);
        let new = self.map(at, if again { Map::TO.always() } else { Map::TO })?;
        let (mut next, mut has_null) = (at + 1, false);
        while let Some((always, null)) = self.pointer_inside(next, section)
            && (new || always || had_null && !null)
        {
            has_null |= null;
            self.point(next, false)?;
            next += 1;
        }
        if (new || next > at + 1)
            && let Some((start, _)) = self.table.overlapping(section)
            && let Some(entry) = self.table.entries.get_mut(start)
        {
            entry.has_null = has_null;
        }
        Ok(next)
    }

    /// Returns whether a pointer inside a descriptor is to be written in any case, and whether it
    /// is null; `None` if the item is no such pointer.
    fn pointer_inside(&self, at: usize, descriptor: Section) -> Option<(bool, bool)> {
        let item = self.items.get(at)?;
        let always = item.kind == Kind::AlwaysPointer;
        let is_pointer = always || matches!(item.kind, Kind::Pointer { .. });
        if !is_pointer || !descriptor.contains(Section::new(item.address, POINTER)) {
            return None;
        }
        // SAFETY: the caller's promise: a pointer stands there.
        Some((always, unsafe { self.memory.host_pointer(item.address) } == 0))
    }

    /// Writes an item's pointer, which is mapped, on the device: there it points to a counterpart.
    pub(super) fn point(&mut self, at: usize, may_miss: bool) -> Result<(), Fault> {
        let item = self.items[at];
        let Some(device) = self.table.translate(item.address) else { return Ok(()) };
        self.mapping.arguments[at] = device;
        if device == item.address {
            return Ok(());
        }
        // SAFETY: the caller's promise: a pointer stands there.
        let value = unsafe { self.memory.host_pointer(item.address) };
        let missing = self.missing(value.wrapping_add(item.size), value, may_miss);
        let Some(there) = self.table.pointer(value, item.size).or(missing) else {
            let target = value.wrapping_add(item.size);
            return Err(Fault::Dangling { item: at, pointer: item.address, target });
        };
        // SAFETY: in an entry, as it has a counterpart.
        unsafe { self.memory.set_pointer(device, there) };
        Ok(())
    }

    /// Returns the device's value of a pointer whose target has no counterpart. A pointer to no
    /// storage at all keeps its value.
    fn missing(&self, target: usize, value: usize, may_miss: bool) -> Option<usize> {
        if may_miss { Some(0) } else { self.is_nothing(target).then_some(value) }
    }

    /// Whether the construct maps an empty section there: such a section has no counterpart.
    pub(super) fn is_nothing(&self, address: usize) -> bool {
        let nothing = |item: &Item| {
            matches!(item.kind, Kind::Map(_)) && item.size == 0 && item.address == address
        };
        self.items.iter().any(nothing)
    }

    pub(super) fn always_pointer(&mut self, at: usize) -> Result<(), Fault> {
        let item = self.items[at];
        let section = item.section();
        let found = self.table.overlapping(section);
        let found = found
            .filter(|(start, entry)| Section { start: *start, end: entry.end }.contains(section));
        let Some((start, entry)) = found else {
            return Err(Fault::Absent { item: at, section });
        };
        let device = entry.device.wrapping_add(item.address.wrapping_sub(start));
        let before = at.checked_sub(1).map_or(0, |before| self.mapping.arguments[before]);
        self.mapping.arguments[at] = device;
        if device != item.address {
            let value = if before == 0 { 0 } else { before.wrapping_sub(item.size) };
            // SAFETY: it is in the entry.
            unsafe { self.memory.set_pointer(device, value) };
        }
        Ok(())
    }

    pub(super) fn attach(&mut self, at: usize, may_miss: bool) -> Result<(), Fault> {
        let item = self.items[at];
        // SAFETY: the caller's promise: a pointer stands there, if it is mapped.
        let attached = unsafe {
            let value = match self.table.translate(item.address) {
                Some(_) => self.memory.host_pointer(item.address),
                None => return Ok(()),
            };
            let missing = self.missing(value.wrapping_add(item.size), value, may_miss);
            self.table.attach(self.memory, at, item.address, item.size, missing)?
        };
        let found = self.table.overlapping(item.section());
        if let Some((start, entry)) = found.filter(|_| attached) {
            let (group, section) = (entry.group, Section::new(item.address, 0));
            let attached = Some(item.address);
            let (from, always, hold) = (false, false, false);
            let held = Held { group, start, section, from, always, hold, attached };
            self.mapping.held.push(held);
        }
        if let Some(device) = self.table.translate(item.address) {
            self.mapping.arguments[at] = device;
        }
        Ok(())
    }
}
