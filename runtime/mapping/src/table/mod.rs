//! The present table: sections of the host's memory with their counterparts and counts.

mod attach;
mod construct;
mod copy;
mod exit;
mod fixed;
mod late;
mod lookup;
mod pointers;
mod update;
mod walk;

use crate::item::{Item, Kind, Release};
use crate::memory::{Memory, Note};
use crate::section::Section;
use construct::Held;
pub use construct::Part;
use omphalos_index::{Index, Numbers};

/// One device's table. See the crate's README for what must hold.
#[derive(Debug, Default)]
pub struct Table {
    /// By the address where they start; they do not overlap.
    entries: Index<Entry>,
    groups: Index<Group>,
    /// The next group's number. No number comes twice.
    next: usize,
}

/// A section with a counterpart.
#[derive(Debug)]
struct Entry {
    end: usize,
    /// The distance from the begin of the whole variable to the section.
    ahead: usize,
    /// The counterpart's address.
    device: usize,
    group: usize,
    /// How often pointers in it are attached, by their addresses on the host.
    attached: Numbers,
    /// A descriptor with a null pointer: when that points somewhere, it is mapped after all.
    has_null: bool,
}

/// Entries that come and go together: the members of a structure, or a single entry.
#[derive(Debug)]
struct Group {
    count: Count,
    /// The number of references with `hold` (LLVM's `ompx_hold`), which are counted apart.
    holds: u64,
    /// The block that their counterparts are in, if it is the table's to free.
    block: Option<usize>,
    /// The starts of the entries.
    members: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Of(u64),
    /// A `declare target` variable: there to the end.
    Declared,
    /// `omp_target_associate_ptr`: there until the program takes the association back.
    Associated,
}

/// The entries that a construct has mapped, for [`Table::unmap`].
#[derive(Debug, Default)]
#[must_use]
pub struct Mapping {
    held: Vec<Held>,
    /// Blocks with copies of the construct's own, and the addresses that these come from.
    private: Vec<(usize, usize)>,
    /// For each item, the argument that the region gets in its place.
    pub arguments: Vec<usize>,
}

impl Table {
    /// Makes a table without entries.
    pub const fn new() -> Table {
        Table { entries: Index::new(), groups: Index::new(), next: 0 }
    }

    /// Returns how many sections are there.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the table has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Tells that an item takes effect, and the section that it finds.
    fn note<M: Memory>(&self, memory: &M, number: usize, item: &Item) {
        let by_address = match item.kind {
            Kind::NoLength { .. } => true,
            Kind::Release(Release { no_length, .. }) => no_length,
            _ => false,
        };
        let found =
            if by_address { self.meant(item.address) } else { self.overlapping(item.section()) };
        let present = found.map(|(start, entry)| Section { start, end: entry.end });
        memory.note(Note::Item { number, item, present });
    }

    fn add_group(&mut self, count: Count, block: Option<usize>) -> usize {
        let number = self.next;
        self.next += 1;
        self.groups.insert(number, Group { count, holds: 0, block, members: Vec::new() });
        number
    }

    fn add_entry(&mut self, section: Section, device: usize, group: usize) {
        let (end, attached, has_null) = (section.end, Numbers::new(), false);
        let entry = Entry { end, ahead: 0, device, group, attached, has_null };
        self.entries.insert(section.start, entry);
        if let Some(group) = self.groups.get_mut(group) {
            group.members.push(section.start);
        }
    }

    /// Notes that a construct refers to the group: once, however often it names the group.
    fn refer(&mut self, group: usize, hold: bool, seen: &mut Vec<(usize, bool)>) {
        if seen.contains(&(group, hold)) {
            return;
        }
        seen.push((group, hold));
        let Some(group) = self.groups.get_mut(group) else { return };
        if hold {
            group.holds += 1;
        } else if let Count::Of(count) = &mut group.count {
            *count += 1;
        }
    }

    /// Takes back one reference to a group. With `delete`, every reference goes but those that hold
    /// it.
    fn forget(&mut self, group: usize, hold: bool, delete: bool, seen: &mut Vec<(usize, bool)>) {
        if seen.contains(&(group, hold)) {
            return;
        }
        seen.push((group, hold));
        let Some(group) = self.groups.get_mut(group) else { return };
        if hold {
            group.holds = group.holds.saturating_sub(1);
        } else if let Count::Of(count) = &mut group.count {
            *count = if delete { 0 } else { count.saturating_sub(1) };
        }
    }

    /// Whether no item refers to the group any more: it goes at the end of the construct.
    fn goes(&self, group: usize) -> bool {
        let gone = |group: &Group| group.count == Count::Of(0) && group.holds == 0;
        self.groups.get(group).is_some_and(gone)
    }

    /// Removes those of these groups that no item refers to.
    ///
    /// # Safety
    /// No region uses them any more.
    unsafe fn remove<M: Memory>(&mut self, memory: &M, groups: &[(usize, bool)]) {
        for (number, _) in groups {
            if !self.goes(*number) {
                continue;
            }
            let Some(group) = self.groups.remove(*number) else { continue };
            let host = group.members.iter().copied().min().unwrap_or(0);
            for start in group.members {
                if let Some(entry) = self.entries.remove(start) {
                    memory.note(Note::Goes(Section { start, end: entry.end }));
                }
            }
            if let Some(block) = group.block {
                // SAFETY: the table's own block, whose last entries are gone.
                unsafe { memory.free(block, host) };
            }
        }
    }
}
