//! Walks a construct's list, item by item: maps sections, and collects the region's arguments.

use super::construct::Held;
use super::{Count, Mapping, Table};
use crate::fault::Fault;
use crate::item::{Item, Kind, Map};
use crate::memory::{Memory, Note};
use crate::section::Section;

/// The members of a structure, while the walk is at them.
#[derive(Clone, Copy)]
struct Members {
    /// The number of the item behind the last.
    end: usize,
    group: usize,
    /// The difference between a counterpart's address and the host's address.
    distance: usize,
    /// Whether the construct maps them now, together.
    new: bool,
}

/// One construct's way through its list.
pub(super) struct Walk<'a, M> {
    pub(super) table: &'a mut Table,
    pub(super) memory: &'a M,
    pub(super) items: &'a [Item],
    /// Groups whose counts the construct has changed.
    seen: Vec<(usize, bool)>,
    /// Groups that the construct has made.
    pub(super) made: Vec<usize>,
    pub(super) mapping: Mapping,
    members: Option<Members>,
}

impl<'a, M: Memory> Walk<'a, M> {
    pub(super) fn new(table: &'a mut Table, memory: &'a M, items: &'a [Item]) -> Walk<'a, M> {
        let arguments = items.iter().map(|item| item.address).collect();
        let mapping = Mapping { arguments, ..Mapping::default() };
        let (seen, made) = (Vec::new(), Vec::new());
        Walk { table, memory, items, seen, made, mapping, members: None }
    }

    /// Carries out the requests of all items.
    pub(super) fn all(&mut self) -> Result<(), Fault> {
        let mut at = 0;
        while at < self.items.len() {
            at = self.step(at)?;
            self.members = self.members.filter(|members| at < members.end);
        }
        for (at, item) in self.items.iter().enumerate() {
            self.late(at, item)?;
        }
        Ok(())
    }

    /// Carries out an item's request. Returns the next item's number.
    fn step(&mut self, at: usize) -> Result<usize, Fault> {
        let item = self.items[at];
        if item.address == 0 {
            return Ok(at + 1);
        }
        self.table.note(self.memory, at, &item);
        match item.kind {
            Kind::Map(map) => drop(self.map(at, map)?),
            Kind::Members => self.begin_members(at)?,
            Kind::Descriptor => return self.descriptor(at),
            Kind::Pointer { may_miss } => {
                if self.map(at, Map { to: true, ..Map::ALLOC })? {
                    self.point(at, may_miss)?;
                }
            }
            Kind::AlwaysPointer => self.always_pointer(at)?,
            Kind::Attach { may_miss } => self.attach(at, may_miss)?,
            Kind::Firstprivate => self.private(at, true)?,
            Kind::Private => self.private(at, false)?,
            Kind::IfPresent => {
                if self.table.found(item.section()).is_some() {
                    self.map(at, Map::ALLOC)?;
                } else if matches!(self.next(at), Some(Kind::Pointer { .. })) {
                    return Ok(at + 2);
                }
            }
            Kind::NoLength { must, keep, hold } => {
                let section = Section::new(item.address, 0);
                if let Some((start, _)) = self.table.meant(item.address) {
                    self.existing(at, start, section, Map { hold, ..Map::ALLOC })?;
                } else if must {
                    return Err(Fault::Absent { item: at, section });
                } else if !keep && !self.memory.owns(item.address) {
                    self.mapping.arguments[at] = 0;
                }
            }
            Kind::PrivatePointer { .. }
            | Kind::Bind { .. }
            | Kind::Captured { .. }
            | Kind::Value
            | Kind::Translate { .. }
            | Kind::Release(_)
            | Kind::Detach { .. }
            | Kind::Nothing => {}
        }
        Ok(at + 1)
    }

    pub(super) fn next(&self, at: usize) -> Option<Kind> {
        self.items.get(at + 1).map(|item| item.kind)
    }

    /// Maps an item's section. Returns whether it is new.
    pub(super) fn map(&mut self, at: usize, map: Map) -> Result<bool, Fault> {
        let section = self.items[at].section();
        let found = self.table.found(section).map(|(start, entry)| {
            (start, entry.group, entry.device.wrapping_sub(start), entry.end)
        });
        let known = self.members.filter(|members| !members.new);
        match (found, known) {
            (None, Some(members)) if section.is_empty() => {
                self.mapping.arguments[at] = section.start.wrapping_add(members.distance);
            }
            (Some((_, group, distance, _)), Some(members))
                if (group, distance) != (members.group, members.distance) =>
            {
                return Err(Fault::Member { item: at, section });
            }
            (None, Some(_)) => return Err(Fault::Member { item: at, section }),
            (Some((start, .., end)), _) if map.fresh => {
                let present = Section { start, end };
                return Err(Fault::Overlaps { item: at, section, present });
            }
            (Some((start, ..)), _) => self.existing(at, start, section, map)?,
            (None, None) if section.is_empty() => {
                if let Some(members) = self.members {
                    self.mapping.arguments[at] = section.start.wrapping_add(members.distance);
                }
            }
            (None, None) if map.or_host => {}
            (None, None) if map.present => return Err(Fault::Absent { item: at, section }),
            (None, None) => {
                self.create(at, section, map)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Maps an item whose section is in the table, in the entry that starts at `start`.
    fn existing(
        &mut self,
        at: usize,
        start: usize,
        section: Section,
        map: Map,
    ) -> Result<(), Fault> {
        let Some(entry) = self.table.entries.get(start) else { return Ok(()) };
        let (group, device) = (entry.group, entry.device);
        let present = Section { start, end: entry.end };
        let used = if present.contains(section) || section.is_empty() {
            section
        } else if map.implicit && (map.loose || section.contains(present)) {
            section.common(present)
        } else {
            return Err(Fault::Overlaps { item: at, section, present });
        };
        if map.to && (map.always || map.loose && self.made.contains(&group)) {
            // SAFETY: the caller's promise; it is in the entry.
            unsafe { entry.copy_to(start, used, self.memory) };
        }
        self.hold(group, start, used, map);
        self.mapping.arguments[at] = device.wrapping_add(section.start.wrapping_sub(start));
        Ok(())
    }

    fn hold(&mut self, group: usize, start: usize, section: Section, map: Map) {
        self.table.refer(group, map.hold, &mut self.seen);
        let (from, always, hold) = (map.from, map.from && map.always, map.hold);
        self.mapping.held.push(Held { group, start, section, from, always, hold, attached: None });
    }

    /// Makes room for a section and fills it.
    fn create(&mut self, at: usize, section: Section, map: Map) -> Result<(), Fault> {
        let (group, device) = match self.members {
            Some(members) => (members.group, section.start.wrapping_add(members.distance)),
            None if self.is_shared(at) => (self.table.add_group(Count::Of(0), None), section.start),
            None => {
                let (block, device) = self.allocate(at, section, self.items[at].align)?;
                (self.table.add_group(Count::Of(0), Some(block)), device)
            }
        };
        self.made.push(group);
        self.table.add_entry(section, device, group);
        self.memory.note(Note::Came { number: at, section, device });
        if let Some(entry) = self.table.entries.get_mut(section.start) {
            entry.ahead = map.ahead;
        }
        // SAFETY: the room was just made; the caller's promise.
        unsafe {
            if map.to {
                self.memory.to_device(device, section.start, section.bytes());
            } else if device != section.start && self.members.is_none() {
                self.memory.fresh(device, section.bytes());
            }
        }
        self.hold(group, section.start, section, map);
        self.mapping.arguments[at] = device;
        Ok(())
    }

    /// Makes room for a section. Returns the block, and the begin of the section's counterpart in
    /// it, which is as far from an aligned address as the section is.
    pub(super) fn allocate(
        &self,
        item: usize,
        section: Section,
        align: usize,
    ) -> Result<(usize, usize), Fault> {
        let (lead, bytes) = (section.start % align.max(1), section.bytes());
        let block = self.memory.allocate(lead + bytes, align, self.items[item].address);
        let block = block.ok_or(Fault::NoMemory { item, bytes })?;
        if lead != 0 {
            // SAFETY: just made.
            unsafe { self.memory.fresh(block, lead) };
        }
        Ok((block, block + lead))
    }

    /// Whether a pointer in a `declare target` variable that is the host's own points to this
    /// section. If so, the section has to stay at the pointer's target.
    fn is_shared(&self, at: usize) -> bool {
        let address = self.items[at].address;
        let points_there = |item: &Item| {
            // SAFETY: the caller's promise: such an item is a pointer.
            let value = unsafe { self.memory.host_pointer(item.address) };
            value.wrapping_add(item.size) == address
        };
        self.items[at + 1..].iter().any(|item| {
            matches!(item.kind, Kind::Attach { .. } | Kind::Pointer { .. } | Kind::AlwaysPointer)
                && self.table.is_declared(item.address)
                && self.table.translate(item.address) == Some(item.address)
                && points_there(item)
        })
    }

    fn begin_members(&mut self, at: usize) -> Result<(), Fault> {
        let item = self.items[at];
        let end = (at + 1 + item.size).min(self.items.len());
        let (Some(first), Some(last)) = (self.items.get(at + 1), self.items[..end].last()) else {
            return Ok(());
        };
        let (first, last) = (first.section(), last.section());
        let hull = Section { start: item.address.min(first.start), end: last.end };
        let members = if let Some((start, entry)) = self.table.overlapping(hull) {
            let (group, distance) = (entry.group, entry.device.wrapping_sub(start));
            Members { end, group, distance, new: false }
        } else {
            // The first member is as far from an aligned address as on the host.
            let lead = first.start.wrapping_sub(item.address) % item.align.max(1);
            let bytes = lead + last.end.saturating_sub(first.start).max(1);
            let (block, _) = self.allocate(at, Section::new(0, bytes), item.align)?;
            // SAFETY: just made.
            unsafe { self.memory.fresh(block, bytes) };
            let group = self.table.add_group(Count::Of(0), Some(block));
            self.hold(group, first.start, Section::new(first.start, 0), Map::ALLOC);
            let distance = (block + lead).wrapping_sub(first.start);
            Members { end, group, distance, new: true }
        };
        self.mapping.arguments[at] = item.address.wrapping_add(members.distance);
        self.members = Some(members);
        Ok(())
    }
}
