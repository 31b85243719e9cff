//! Updates the model when sections are mapped, unmapped or copied.

use super::device::state::{OUTSIDE, STALE, UNWRITTEN, VALID, WRITTEN};
use super::host::state::{FINE, LOST, OLDER, OVERWRITTEN, UNWRITTEN as HOST_UNWRITTEN};
use super::{Block, Entry, Model, SiteId, Stale};
use crate::names::Named;
use crate::trace::tracee::Memory;

impl Model {
    /// Records a new block of memory. `pages`: the bounds of the pages that have no other data.
    pub fn block_came(
        &mut self,
        device: i32,
        pages: (u64, u64),
        (base, bytes): (u64, u64),
        made: SiteId,
        given: bool,
    ) {
        let state = if given { UNWRITTEN } else { OUTSIDE };
        let states = vec![state; bytes as usize];
        let (live, released, named, host) = (true, None, None, base);
        let (faults, spent, open) = (0, 0, false);
        let block = Block {
            device,
            pages,
            base,
            bytes,
            states,
            live,
            given,
            made,
            released,
            named,
            host,
            before: Vec::new(),
            faults,
            spent,
            open,
        };
        self.blocks.insert(base, block);
    }

    pub fn block_goes(&mut self, base: u64, at: SiteId) {
        if let Some(block) = self.blocks.get_mut(&base) {
            (block.live, block.released, block.open) = (false, Some(at), false);
        }
    }

    /// Records that a section is mapped.
    pub fn section_came(
        &mut self,
        device: i32,
        (start, end): (u64, u64),
        there: u64,
        named: Option<Named>,
        came: SiteId,
        is_helper: bool,
    ) {
        let Some(block) = self.block_mut(there) else { return };
        block.set(there, end - start, UNWRITTEN);
        if block.named.is_none() {
            block.named = named.clone();
            block.host = start.wrapping_sub(there.wrapping_sub(block.base));
        }
        let base = block.base;
        let (snapshot, before) = (vec![0; (end - start) as usize], Vec::new());
        let entry = Entry {
            end,
            device: there,
            block: base,
            named: named.clone(),
            snapshot,
            before,
            came,
            copied: came,
            is_helper,
            stack: None,
            is_orphan: false,
        };
        self.entries.insert((device, start), entry);
        let length = (end - start) as usize;
        let known = self.stale.iter_mut().find(|stale| {
            stale.start == start && stale.states.len() == length && stale.device == device
        });
        match known {
            Some(known) => known.lost = None,
            None => self.stale.push(Stale {
                start,
                states: vec![FINE; length],
                values: vec![0; length],
                named,
                device,
                region: came,
                lost: None,
                faults: 0,
                owner: None,
            }),
        }
    }

    /// Records that a construct gets private storage.
    pub fn private_came(&mut self, there: u64, bytes: u64, host: u64, named: Option<Named>) {
        let Some(block) = self.block_mut(there) else { return };
        block.set(there, bytes, VALID);
        block.named = named;
        block.host = host.wrapping_sub(there.wrapping_sub(block.base));
    }

    /// Records that a section is unmapped. Bytes that regions wrote there and that were not copied
    /// are lost.
    pub fn section_goes(&mut self, device: i32, start: u64, at: SiteId) {
        if self.entries.remove(&(device, start)).is_none() {
            return;
        }
        self.gone.insert((device, start), at);
        for stale in self.stale.iter_mut().filter(|it| it.device == device && it.start == start) {
            if stale.lost.is_none() {
                stale.lost = Some(at);
            }
        }
        self.forget_fine();
    }

    /// Records that these bytes are allocated, and that nothing is written there.
    pub fn fresh(&mut self, there: u64, bytes: u64) {
        let Some(block) = self.block_mut(there) else { return };
        for state in block.part(there, bytes).iter_mut().filter(|state| **state != OUTSIDE) {
            *state = UNWRITTEN;
        }
    }

    /// Records that the runtime wrote these bytes.
    pub fn wrote(&mut self, there: u64, bytes: u64) {
        if let Some(block) = self.block_mut(there) {
            block.set(there, bytes, WRITTEN);
        }
    }

    /// Records that the runtime wrote somewhere in this block.
    pub fn wrote_all(&mut self, there: u64) {
        if let Some(block) = self.block_mut(there) {
            block.states.fill(WRITTEN);
        }
    }

    /// Records that the program sets the counterpart of a section (`omp_target_associate_ptr`).
    pub fn associated(
        &mut self,
        device: i32,
        section: (u64, u64),
        there: u64,
        named: Option<Named>,
        at: SiteId,
    ) {
        let Some(block) = self.block_mut(there) else { return };
        let states = block.states.clone();
        self.section_came(device, section, there, named, at, false);
        // The host's bytes need not be the same either.
        self.stale.retain(|it| it.device != device || it.start != section.0);
        if let Some(block) = self.block_mut(there) {
            // Bytes that were copied there are not copies of the section's bytes.
            let unwritten = |state: u8| if state == UNWRITTEN { UNWRITTEN } else { WRITTEN };
            block.states = states.into_iter().map(unwritten).collect();
        }
    }

    /// Records that bytes were copied to a device.
    pub fn copied_to_device(
        &mut self,
        there: u64,
        host: u64,
        bytes: u64,
        at: SiteId,
        memory: &Memory,
    ) {
        let Some(device) = self.block(there).map(|block| block.device) else { return };
        // Bytes from elsewhere are not copies of the section's bytes on the host.
        let own = self.entry(device, host).map(|(start, entry)| entry.device + (host - start));
        let state = if own == Some(there) { VALID } else { WRITTEN };
        if let Some(block) = self.block_mut(there) {
            block.set(there, bytes, state);
        }
        if state == WRITTEN {
            return;
        }
        let now = memory.bytes(host, bytes).unwrap_or_default();
        let Some((start, _)) = self.entry(device, host) else { return };
        let Some(entry) = self.entries.get_mut(&(device, start)) else { return };
        let from = (host - start) as usize;
        let unchanged: Vec<bool> = match entry.snapshot.get(from..from + now.len()) {
            Some(old) => old.iter().zip(&now).map(|(old, now)| old == now).collect(),
            None => return,
        };
        entry.snapshot[from..from + now.len()].copy_from_slice(&now);
        entry.copied = at;
        for stale in self.stale_mut(host, host + bytes).filter(|it| it.device == device) {
            let mut any = false;
            let states = stale.part(host, host + bytes);
            for (state, unchanged) in states.iter_mut().zip(&unchanged) {
                if *state == OLDER {
                    *state = if *unchanged { LOST } else { FINE };
                    any = true;
                }
            }
            if any {
                stale.lost = Some(at);
            }
        }
    }

    /// Finds the host's bytes that are newer than the bytes that are about to be copied from a
    /// device.
    pub fn about_to_copy(&mut self, there: u64, host: u64, bytes: u64, memory: &Memory) {
        self.newer = Vec::new();
        let is_linked = self.linked.around(host).is_some();
        let Some(block) = self.block_mut(there).filter(|_| !is_linked) else { return };
        let device = block.device;
        let states = block.part(there, bytes).to_vec();
        let Some((start, entry)) = self.entry(device, host) else { return };
        let from = (host - start) as usize;
        let (Some(old), Some(now)) =
            (entry.snapshot.get(from..from + bytes as usize), memory.bytes(host, bytes))
        else {
            return;
        };
        let changed = old.iter().zip(&now).map(|(old, now)| old != now);
        let is_copy = states.iter().map(|state| matches!(*state, VALID | STALE));
        let newer = changed.zip(is_copy).map(|(changed, is_copy)| changed && is_copy);
        let newer = newer.zip(&now).map(|(newer, now)| newer.then_some(*now)).collect();
        self.newer = newer;
    }

    /// Records that bytes were copied from a device.
    pub fn copied_from_device(
        &mut self,
        there: u64,
        host: u64,
        bytes: u64,
        at: SiteId,
        memory: &Memory,
    ) {
        let Some(block) = self.block_mut(there) else { return };
        let device = block.device;
        let states = block.part(there, bytes).to_vec();
        for state in block.part(there, bytes) {
            if matches!(*state, WRITTEN | STALE) {
                *state = VALID;
            }
        }
        let now = memory.bytes(host, bytes).unwrap_or_default();
        if let Some((start, _)) = self.entry(device, host)
            && let Some(entry) = self.entries.get_mut(&(device, start))
        {
            let from = (host - start) as usize;
            if let Some(part) = entry.snapshot.get_mut(from..from + now.len()) {
                part.copy_from_slice(&now);
            }
            entry.copied = at;
        }
        let mut newer = std::mem::take(&mut self.newer);
        newer.resize(states.len(), None);
        let is_newer = newer.iter().zip(&now).map(|(was, now)| was.is_some_and(|was| was != *now));
        let is_newer: Vec<bool> = is_newer.collect();
        for stale in self.stale_mut(host, host + bytes) {
            let skip = stale.start.saturating_sub(host) as usize;
            let mut is_bad = false;
            stale.note_values(host, &now);
            let part = stale.part(host, host + bytes);
            let there = states.iter().zip(&is_newer).skip(skip);
            for (state, (there, is_newer)) in part.iter_mut().zip(there) {
                *state = match *there {
                    UNWRITTEN => HOST_UNWRITTEN,
                    _ if *is_newer => OVERWRITTEN,
                    _ => FINE,
                };
                is_bad |= *state != FINE;
            }
            if is_bad {
                stale.lost = Some(at);
            }
        }
    }
}
