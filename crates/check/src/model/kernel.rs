//! What regions find when they begin, and what they leave.

use std::collections::BTreeSet;

use super::device::state::{OUTSIDE, STALE, UNWRITTEN, VALID, WRITTEN};
use super::host::state::{FINE, OLDER};
use super::{Model, Problem, SiteId, quoted};
use crate::access::Access;
use crate::finding::Kind;
use crate::names::Named;
use crate::ranges::Ranges;
use crate::trace::tracee::Memory;

/// Memory of the host's that a region must not use.
#[derive(Clone, Debug)]
pub struct HostRange {
    pub start: u64,
    pub end: u64,
    /// What is or leads there.
    pub name: Option<String>,
    /// It has a counterpart: then the pointer to it is the host's still.
    pub mapped: Option<SiteId>,
    /// On which device the region runs for which it counts; `None`: for all.
    pub pointer: bool,
    pub open: bool,
}

/// Bytes of a block in which pointers are looked for.
const SEARCHED: usize = 4 << 20;
/// Pointers that are followed.
const FOLLOWED: usize = 4096;

impl Model {
    /// A region begins: what has the host changed, what must it not use? `usable`: the host's
    /// memory in which pointers may lead.
    pub fn region_begins(&mut self, device: i32, memory: &Memory, usable: &Ranges) {
        let keys: Vec<(i32, u64)> = self.entries.keys().copied().collect();
        self.blocks.values_mut().for_each(|block| block.spent = 0);
        self.host.retain(|range| range.pointer);
        for (of, start) in keys {
            self.compare_host(of, start, memory);
            let Some(entry) = self.entries.get_mut(&(of, start)) else { continue };
            let bytes = entry.end - start;
            entry.before = memory.bytes(entry.device, bytes).unwrap_or_default();
            if entry.device != start && self.linked.around(start).is_none() {
                let name = entry.named.as_ref().map(|named| named.name.clone());
                let (end, mapped) = (entry.end, Some(entry.came));
                let (pointer, open) = (false, false);
                self.host.push(HostRange { start, end, name, mapped, pointer, open });
            }
        }
        self.follow(device, memory, usable);
    }

    /// What has the host changed of a section since it was copied?
    fn compare_host(&mut self, device: i32, start: u64, memory: &Memory) {
        let Some(entry) = self.entries.get(&(device, start)) else { return };
        let bytes = entry.end - start;
        let Some(now) = memory.bytes(start, bytes) else { return };
        let changed: Vec<usize> =
            (0..now.len()).filter(|&at| now[at] != entry.snapshot[at]).collect();
        let there = entry.device;
        if let Some(block) = self.blocks.get_mut(&entry.block) {
            let states = block.part(there, bytes);
            for state in states.iter_mut().filter(|state| **state == STALE) {
                *state = VALID;
            }
            for &at in &changed {
                if states.get(at) == Some(&VALID) {
                    states[at] = STALE;
                }
            }
        }
        for stale in self.stale.iter_mut().filter(|it| (it.device, it.start) == (device, start)) {
            for &at in &changed {
                if let Some(state) = stale.states.get_mut(at).filter(|state| **state == OLDER) {
                    *state = FINE;
                }
            }
        }
    }

    /// Finds pointers on the device that are the host's.
    fn follow(&mut self, device: i32, memory: &Memory, usable: &Ranges) {
        let mut found = Vec::new();
        let has_pointers =
            |named: &Option<Named>| named.as_ref().is_some_and(|it| !it.pointers.is_empty());
        let of_entries: BTreeSet<u64> = self
            .entries
            .values()
            .filter(|entry| has_pointers(&entry.named))
            .map(|entry| entry.block)
            .collect();
        for block in self.blocks.values().filter(|it| it.live && it.device == device) {
            if !has_pointers(&block.named) && !of_entries.contains(&block.base) {
                continue;
            }
            let content = memory.some(block.base, block.states.len().min(SEARCHED));
            let first = (block.base.next_multiple_of(8) - block.base) as usize;
            for at in (first..content.len().saturating_sub(7)).step_by(8) {
                let states = &block.states[at..at + 8];
                if states.iter().any(|state| matches!(*state, OUTSIDE | UNWRITTEN)) {
                    continue;
                }
                if !self.is_pointer(block, block.base + at as u64) {
                    continue;
                }
                let Ok(bytes) = content[at..at + 8].try_into() else { continue };
                let value = u64::from_le_bytes(bytes);
                if usable.around(value).is_none() || found.len() > FOLLOWED {
                    continue;
                }
                let name = self.name_on_device(block, block.base + at as u64);
                found.push((value, name));
            }
        }
        for (value, name) in found {
            self.must_not_use(value, name, memory, usable);
        }
    }

    /// A region must not use what is behind a pointer of the host's.
    pub fn must_not_use(
        &mut self,
        value: u64,
        name: Option<String>,
        memory: &Memory,
        usable: &Ranges,
    ) {
        let Some((from, to)) = usable.around(value) else { return };
        // One behind a block that another pointer leads to: the end of a sequence. What is there
        // is somebody else's.
        let known = |range: &HostRange| {
            range.start <= value && value < range.end || range.pointer && value == range.end
        };
        if self.block(value).is_some() || self.host.iter().any(known) {
            return;
        }
        let (start, end) = (value, (value + length(value, memory)).min(to));
        let start = start.max(from);
        let range = HostRange { start, end, name, mapped: None, pointer: true, open: false };
        self.host.push(range);
    }

    /// The host's pages that no region may use.
    pub fn protect_host(&self, into: &mut Ranges) {
        for range in self.host.iter().filter(|range| !range.open) {
            into.add_pages(range.start, range.end);
        }
    }

    /// A region uses the host's memory.
    pub fn region_uses_host(
        &mut self,
        device: i32,
        site: SiteId,
        access: &Access,
    ) -> Option<Problem> {
        let range = self
            .host
            .iter_mut()
            .find(|range| access.start < range.end && range.start < access.end() && !range.open)?;
        range.open = true;
        let variable = range.name.clone();
        let verb = if access.writes { "writes" } else { "reads" };
        let name = quoted(variable.as_deref(), "memory");
        let (kind, what, advice) = match range.mapped {
            Some(_) => (
                Kind::PointerNotAttached,
                format!(
                    "host address: the region {verb} {name} on the host; the pointer that leads \
                     there is not attached, though {name} is on the device"
                ),
                "map the pointer and what it points to in one construct, so that it is attached",
            ),
            None => (
                Kind::MissingMap,
                format!(
                    "missing map: the region {verb} what {name} points to, which is on the host \
                     alone"
                ),
                "map what the pointer points to, too",
            ),
        };
        let others = range.mapped.map(|at| ("mapped:".to_owned(), at)).into_iter().collect();
        let (construct, advice) = (Some(site), Some(advice.to_owned()));
        Some(Problem { kind, variable, device: Some(device), what, construct, others, advice })
    }

    /// A region ends: what did it write?
    pub fn region_ends(&mut self, site: SiteId, memory: &Memory) {
        let keys: Vec<(i32, u64)> = self.entries.keys().copied().collect();
        for (device, start) in keys {
            let Some(entry) = self.entries.get_mut(&(device, start)) else { continue };
            let bytes = entry.end - start;
            let before = std::mem::take(&mut entry.before);
            let (there, base) = (entry.device, entry.block);
            let (Some(after), Some(host)) =
                (memory.bytes(there, bytes), memory.bytes(start, bytes))
            else {
                continue;
            };
            if before.len() != after.len() {
                continue;
            }
            let changed: Vec<usize> =
                (0..after.len()).filter(|&at| before[at] != after[at]).collect();
            if let Some(block) = self.blocks.get_mut(&base) {
                let states = block.part(there, bytes);
                for &at in &changed {
                    if let Some(state) = states.get_mut(at) {
                        *state = WRITTEN;
                    }
                }
            }
            for stale in self.stale.iter_mut().filter(|it| (it.device, it.start) == (device, start))
            {
                for &at in &changed {
                    let Some(state) = stale.states.get_mut(at) else { continue };
                    *state = if after[at] == host[at] { FINE } else { OLDER };
                    stale.region = site;
                }
            }
        }
        self.host.clear();
    }
}

/// How far what a pointer leads to goes, if it begins a block of the C library's allocator: those
/// have their size ahead of them.
fn length(value: u64, memory: &Memory) -> u64 {
    const LEAST: u64 = 16;
    let header = memory.word(value.wrapping_sub(8)).unwrap_or(0) & !7;
    let is_block = value.is_multiple_of(16) && (32..1 << 32).contains(&header);
    let next = || memory.word(value.wrapping_add(header).wrapping_sub(8)).unwrap_or(0);
    // The next one says that this one is in use.
    if is_block && header.is_multiple_of(16) && next() & 1 == 1 { header - 8 } else { LEAST }
}
