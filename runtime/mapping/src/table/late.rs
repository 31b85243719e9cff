//! The second walk over a construct's items: once all of them are mapped, pointers get their values
//! on the device. A pointer may point into an item that stands behind it in the list, so the first
//! walk would be too early.
//!
//! Private storage, which only one construct has, is here, too ([`Walk::private`]). The first walk
//! makes most of it.
//!
//! Who calls: `walk.rs`. It works on the table's entries, the construct's [`Mapping`], and the
//! device's memory by way of [`Memory`].
//!
//! What must hold: the addresses in the list are those of live storage of the host. The code that
//! begins the construct promises it; that is "the caller's promise" below.
//!
//! [`Mapping`]: super::Mapping

use super::walk::Walk;
use crate::fault::Fault;
use crate::item::{Item, Kind};
use crate::memory::{Memory, Note, POINTER};
use crate::section::Section;

impl<M: Memory> Walk<'_, M> {
    /// Makes private storage for an item, and passes its address. `filled`: with a copy of the
    /// host's values. An item without bytes gets none.
    pub(super) fn private(&mut self, at: usize, filled: bool) -> Result<(), Fault> {
        let item = self.items[at];
        if item.size != 0 {
            let section = Section::new(item.address, item.size);
            let (block, device) = self.allocate(at, section, item.align)?;
            self.mapping.private.push((block, item.address));
            self.memory.note(Note::Private { number: at, section, device });
            // SAFETY: the room was just made; the caller's promise.
            unsafe {
                if filled {
                    self.memory.to_device(device, item.address, item.size);
                } else {
                    self.memory.fresh(device, item.size);
                }
            }
            self.mapping.arguments[at] = device;
        }
        Ok(())
    }

    /// Carries out an item's request when all items are mapped. Kinds that the first walk has dealt
    /// with ask for nothing more.
    pub(super) fn late(&mut self, at: usize, item: &Item) -> Result<(), Fault> {
        if item.address == 0 {
            return Ok(());
        }
        match item.kind {
            Kind::Translate { must } => self.address(at, item, must),
            Kind::PrivatePointer { bias } => {
                self.private(at, true)?;
                // SAFETY: the caller's promise: a pointer stands there; its copy has room for one.
                unsafe {
                    let value = self.memory.host_pointer(item.address);
                    let there = self.pointee(value, bias).unwrap_or(value);
                    self.memory.set_pointer(self.mapping.arguments[at], there);
                }
                Ok(())
            }
            Kind::Bind { bias, always, or_null } => {
                self.bind(item, bias, always, or_null);
                Ok(())
            }
            Kind::Captured { parent, bias } => {
                self.captured(item, parent, bias);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// [`Kind::Translate`]: passes the address of an item's counterpart. It is an error if there
    /// `must` be one and is none. The null pointer and pointers to nothing stay as they are.
    fn address(&mut self, at: usize, item: &Item, must: bool) -> Result<(), Fault> {
        match self.table.translate(item.address) {
            Some(device) => self.mapping.arguments[at] = device,
            None if must && !self.is_nothing(item.address) => {
                return Err(Fault::Absent { item: at, section: Section::new(item.address, 1) });
            }
            None => {}
        }
        Ok(())
    }

    /// Returns the device's value for a pointer whose value on the host is `value`. Its target
    /// begins `bias` bytes behind. `None` if the target has no counterpart. The byte right behind
    /// the end of an entry has none.
    fn pointee(&self, value: usize, bias: usize) -> Option<usize> {
        let target = value.wrapping_add(bias);
        let (start, entry) = self.table.meant(target)?;
        // `bias` bytes ahead again, where the pointer's own target would be.
        Some(entry.device.wrapping_add(target.wrapping_sub(start)).wrapping_sub(bias))
    }

    /// [`Kind::Bind`]: points a mapped pointer to the counterpart of its target, and marks it as
    /// attached. Does nothing if the whole pointer is not mapped, if the device shares its memory,
    /// or if neither its storage nor that of its target is new and `always` is not set.
    fn bind(&mut self, item: &Item, bias: usize, always: bool, or_null: bool) {
        let section = Section::new(item.address, POINTER.max(item.size));
        let Some((start, entry)) = self.table.overlapping(section) else { return };
        let device = entry.device.wrapping_add(item.address.wrapping_sub(start));
        if !(Section { start, end: entry.end }).contains(section) || device == item.address {
            return;
        }
        let pointers_group = entry.group;
        // SAFETY: the caller's promise: a pointer stands there.
        let value = unsafe { self.memory.host_pointer(item.address) };
        let target = value.wrapping_add(bias);
        let behind = self.table.overlapping(Section::new(target, 1)).map(|(_, entry)| entry.group);
        let is_new = |group: &usize| self.made.contains(group);
        if !always && !is_new(&pointers_group) && !behind.as_ref().is_some_and(is_new) {
            return;
        }
        let there = match self.pointee(value, bias) {
            Some(there) => there,
            None if self.memory.owns(target) => value,
            None if or_null => 0,
            None => return,
        };
        // SAFETY: it is in the entry; the caller's promise.
        unsafe {
            self.memory.set_pointer(device, there);
            if item.size > POINTER {
                let (to, from) = (device + POINTER, item.address + POINTER);
                self.memory.to_device(to, from, item.size - POINTER);
            }
        }
        if let Some(entry) = self.table.entries.get_mut(start)
            && entry.attached.get(item.address).is_none()
        {
            entry.attached.insert(item.address, 1);
        }
    }

    /// [`Kind::Captured`]: points a pointer in the parent's copy to the counterpart of its target.
    /// The pointer stays as it is if there is no counterpart, or the parent has no copy.
    fn captured(&self, item: &Item, parent: usize, bias: usize) {
        let Some(from) = self.items.get(parent).map(|parent| parent.address) else { return };
        let there = self.mapping.arguments[parent];
        if there == 0 || there == from {
            return;
        }
        // SAFETY: the caller's promise: a pointer stands there, in the memory that the parent
        // copied.
        unsafe {
            let value = self.memory.host_pointer(item.address);
            if let Some(value) = self.pointee(value, bias) {
                let device = there.wrapping_add(item.address.wrapping_sub(from));
                self.memory.set_pointer(device, value);
            }
        }
    }
}
