//! Updates the model when regions begin and end.

use std::collections::BTreeSet;

use super::device::state::{OUTSIDE, STALE, UNWRITTEN, VALID, WRITTEN};
use super::host::state::{FINE, OLDER};
use super::values::{value_bytes, whole_values};
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
    /// The name of the memory, or of the pointer that leads there.
    pub name: Option<String>,
    /// The memory has a counterpart: then the region uses a pointer that is still the host's.
    pub mapped: Option<SiteId>,
    /// A pointer on the device points there.
    pub pointer: bool,
    /// The region has the address itself, and not a variable with it.
    pub by_value: bool,
    pub open: bool,
}

/// The number of bytes of a block in which pointers are searched.
const SEARCHED: usize = 4 << 20;
/// The number of pointers that are followed.
const FOLLOWED: usize = 4096;

impl Model {
    /// Handles a region's begin: finds the host's changes, and the memory that the region must not
    /// use. `usable`: the host's memory to which pointers may point.
    pub fn region_begins(&mut self, device: i32, site: SiteId, memory: &Memory, usable: &Ranges) {
        // Account for the bytes that another running region has written so far.
        self.regions += 1;
        if self.regions > 1 {
            self.account(site, memory);
        }
        let keys: Vec<(i32, u64)> = self.entries.keys().copied().collect();
        for block in self.blocks.values_mut() {
            block.spent = 0;
            if block.given && block.live {
                block.before = memory.bytes(block.base, block.bytes).unwrap_or_default();
            }
        }
        self.host.retain(|range| range.pointer);
        for (of, start) in keys {
            self.compare_host(of, start, memory);
            self.note_before((of, start), memory);
            let Some(entry) = self.entries.get_mut(&(of, start)) else { continue };
            let is_apart = entry.device != start && !self.memory_is_shared;
            if is_apart && self.linked.around(start).is_none() {
                let name = entry.named.as_ref().map(|named| named.name.clone());
                let (end, mapped) = (entry.end, Some(entry.came));
                let (pointer, by_value, open) = (false, false, false);
                self.host.push(HostRange { start, end, name, mapped, pointer, by_value, open });
            }
        }
        self.follow(device, memory, usable);
    }

    fn note_before(&mut self, key: (i32, u64), memory: &Memory) {
        if let Some(entry) = self.entries.get_mut(&key) {
            entry.before = memory.bytes(entry.device, entry.end - key.1).unwrap_or_default();
        }
    }

    /// Finds the host's changes of a section since it was copied.
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

    /// Finds pointers on the device that have addresses of the host.
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
                if usable.around(value).is_none() || self.is_own(value) || found.len() > FOLLOWED {
                    continue;
                }
                let name = self.name_on_device(block, block.base + at as u64);
                found.push((value, name));
            }
        }
        for (value, name) in found {
            self.must_not_use(value, name, false, memory, usable);
        }
    }

    /// Records that a region must not use the memory behind a pointer of the host's.
    pub fn must_not_use(
        &mut self,
        value: u64,
        name: Option<String>,
        by_value: bool,
        memory: &Memory,
        usable: &Ranges,
    ) {
        if self.memory_is_shared || self.heap_is_unknown || self.is_own(value) {
            return;
        }
        let Some((from, to)) = usable.around(value) else { return };
        let to = self.own.range(value..to).next().map_or(to, |(next, _)| *next);
        // The pointer points to the end of a block that another pointer points into: it is the end
        // of a sequence. The memory there belongs to something else.
        let known = |range: &HostRange| {
            range.start <= value && value < range.end || range.pointer && value == range.end
        };
        if self.block(value).is_some() || self.host.iter().any(known) {
            return;
        }
        let (start, end) = (value, (value + length(value, memory)).min(to));
        let start = start.max(from);
        let (mapped, pointer, open) = (None, true, false);
        self.host.push(HostRange { start, end, name, mapped, pointer, by_value, open });
    }

    /// Adds the host's pages that no region may use.
    pub fn protect_host(&self, into: &mut Ranges) {
        for range in self.host.iter().filter(|range| !range.open) {
            into.add_pages(range.start, range.end);
        }
    }

    /// Handles a region's use of the host's memory: returns the error, if there is one.
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
        let whole = |name: &String| match name.split_once('[') {
            Some((whole, _)) if name.ends_with(']') => whole.to_owned(),
            _ => name.clone(),
        };
        let variable = range.name.as_ref().map(whole);
        let verb = if access.writes { "writes" } else { "reads" };
        let name = quoted(range.name.as_deref(), "memory");
        let (kind, what, advice) = match range.mapped {
            Some(_) => (
                Kind::PointerNotAttached,
                format!(
                    "host address: the region {verb} {name} on the host; the pointer that leads \
                     there is not attached, though {name} is on the device"
                ),
                "map the pointer and what it points to in one construct, so that it is attached",
            ),
            None if range.by_value => (
                Kind::HostAddressOnDevice,
                format!(
                    "host address: the region {verb} what {name} points to; it has the host's \
                     address (`is_device_ptr`, `has_device_addr` or `firstprivate`)"
                ),
                "give it a device's address (`omp_target_alloc`, `use_device_ptr`), or map it",
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

    /// Handles a region's end: finds the bytes that it wrote.
    pub fn region_ends(&mut self, site: SiteId, memory: &Memory) {
        self.account(site, memory);
        self.regions = self.regions.saturating_sub(1);
        if self.regions > 0 {
            let keys: Vec<(i32, u64)> = self.entries.keys().copied().collect();
            keys.into_iter().for_each(|key| self.note_before(key, memory));
            return;
        }
        // Not all writes to these blocks were seen.
        for block in self.blocks.values_mut().filter(|block| block.is_given_up()) {
            for state in block.states.iter_mut().filter(|it| matches!(**it, STALE | UNWRITTEN)) {
                *state = WRITTEN;
            }
        }
        self.host.clear();
    }

    /// Finds the bytes that regions have written since the last call.
    fn account(&mut self, site: SiteId, memory: &Memory) {
        for block in self.blocks.values_mut().filter(|it| it.given && it.live) {
            let before = std::mem::take(&mut block.before);
            let after = memory.bytes(block.base, block.bytes).unwrap_or_default();
            let pairs = before.iter().zip(&after).map(|(before, after)| before != after);
            for (state, is_changed) in block.states.iter_mut().zip(pairs) {
                if is_changed && *state != OUTSIDE {
                    *state = WRITTEN;
                }
            }
            block.before = after;
        }
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
                for at in whole_values(&changed, value_bytes(&entry.named), start) {
                    if let Some(state) = states.get_mut(at) {
                        *state = WRITTEN;
                    }
                }
            }
            // The device's pointer is not newer if it points to the counterpart of the host
            // pointer's target.
            let lead = (start % 8) as usize;
            let aligned = |at: usize| ((at + lead) & !7).wrapping_sub(lead);
            let words: Vec<usize> = changed.iter().map(|at| aligned(*at)).collect();
            let word = |bytes: &[u8], at: usize| {
                Some(u64::from_le_bytes(bytes.get(at..at.wrapping_add(8))?.try_into().ok()?))
            };
            let leads = |at: usize| {
                let (there, here) = (word(&after, at)?, word(&host, at)?);
                let (from, entry) = self.entry(device, here)?;
                (there == entry.device + (here - from)).then_some(at)
            };
            let mut pointers: Vec<usize> = words.into_iter().filter_map(leads).collect();
            pointers.dedup();
            let is_pointer = |at: usize| pointers.binary_search(&aligned(at)).is_ok();
            for stale in self.stale.iter_mut().filter(|it| (it.device, it.start) == (device, start))
            {
                for &at in &changed {
                    let Some(state) = stale.states.get_mut(at) else { continue };
                    stale.values[at] = host[at];
                    let is_same = after[at] == host[at] || is_pointer(at);
                    *state = if is_same { FINE } else { OLDER };
                    stale.region = site;
                }
            }
        }
    }
}

/// Returns the length of the memory that a pointer points to, as far as it is known.
fn length(value: u64, memory: &Memory) -> u64 {
    const LEAST: u64 = 16;
    memory.block_bytes(value).unwrap_or(LEAST)
}
