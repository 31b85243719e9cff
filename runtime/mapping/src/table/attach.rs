//! Pointers on the device that point to counterparts.

use super::Table;
use crate::fault::Fault;
use crate::memory::{Memory, POINTER};
use crate::section::Section;

impl Table {
    /// Returns the device's value of a host pointer whose section begins `bias` bytes behind the
    /// address that it points to. `None` if that section is not present.
    pub(super) fn pointer(&self, value: usize, bias: usize) -> Option<usize> {
        if value == 0 {
            return Some(0);
        }
        Some(self.translate(value.wrapping_add(bias))?.wrapping_sub(bias))
    }

    /// Attaches the pointer at this address of the host. `missing`: the pointer's value if its
    /// target is not there; `None`: that is an error. Returns whether the pointer is attached: it
    /// is mapped, and not the host's own.
    ///
    /// # Safety
    /// There is a pointer.
    pub(super) unsafe fn attach<M: Memory>(
        &mut self,
        memory: &M,
        item: usize,
        at: usize,
        bias: usize,
        missing: Option<usize>,
    ) -> Result<bool, Fault> {
        let Some((start, entry)) = self.overlapping(Section::new(at, POINTER)) else {
            return Ok(false);
        };
        let device = entry.device.wrapping_add(at.wrapping_sub(start));
        if device == at {
            // The host's own pointer: its target is mapped as itself.
            return Ok(false);
        }
        if entry.attached.get(at).is_none() {
            // SAFETY: the caller's promise.
            let value = unsafe { memory.host_pointer(at) };
            if value == 0 && missing.is_none() {
                return Err(Fault::Null { item, pointer: at });
            }
            let Some(value) = self.pointer(value, bias).or(missing) else {
                let target = value.wrapping_add(bias);
                return Err(Fault::Dangling { item, pointer: at, target });
            };
            // SAFETY: it is in the entry.
            unsafe { memory.set_pointer(device, value) };
        }
        if let Some(entry) = self.entries.get_mut(start) {
            let count = entry.attached.get(at).unwrap_or(0);
            entry.attached.insert(at, count + 1);
        }
        Ok(true)
    }

    /// Takes back one attachment of the pointer at this address of the host; with `always`, all.
    /// After the last one, the counterpart has the host's value again.
    ///
    /// # Safety
    /// There is a pointer.
    pub(super) unsafe fn detach<M: Memory>(&mut self, memory: &M, at: usize, always: bool) {
        let Some((start, _)) = self.overlapping(Section::new(at, POINTER)) else { return };
        let Some(entry) = self.entries.get_mut(start) else { return };
        let Some(count) = entry.attached.get(at) else { return };
        if count > 1 && !always {
            entry.attached.insert(at, count - 1);
        } else {
            entry.attached.remove(at);
            let device = entry.device.wrapping_add(at.wrapping_sub(start));
            // SAFETY: the caller's promise; it is in the entry.
            unsafe { memory.set_pointer(device, memory.host_pointer(at)) };
        }
    }
}
