//! Blocks of devices' memory: the state of each byte, the pages whose accesses the tracer must see,
//! and the errors in accesses that it has seen (`trace/accesses.rs`).

use super::{Model, Problem, SiteId, quoted};
use crate::access::Access;
use crate::finding::Kind;
use crate::names::Named;
use crate::ranges::{PAGE, Ranges};

/// The known states of a byte of a device.
pub mod state {
    /// No section has the byte.
    pub const OUTSIDE: u8 = 0;
    /// Nothing has written the byte.
    pub const UNWRITTEN: u8 = 1;
    /// The byte was equal to the host's when it was copied.
    pub const VALID: u8 = 2;
    /// The host has written another value since the copy.
    pub const STALE: u8 = 3;
    /// A region wrote the byte.
    pub const WRITTEN: u8 = 4;
}
use state::{OUTSIDE, STALE, UNWRITTEN, VALID, WRITTEN};

/// The number of accesses to a block that the tracer sees one by one; after these, regions use its
/// pages freely.
const ACCESSES_OF_BLOCK: u32 = 60_000;
/// The number of them in one region after which the region uses the pages freely.
const ACCESSES_OF_REGION: u32 = 10_000;
/// The same for a page without a bad byte that also has other data than the block's.
const ACCESSES_OF_SHARED_PAGES: u32 = 8000;
/// The number of bytes beyond a text's end that functions of the C library may read, many at once.
const AHEAD_BYTES: u64 = 256;

/// A block of a device's memory.
pub struct Block {
    pub device: i32,
    /// The pages that have no other data, including those around the block.
    pub pages: (u64, u64),
    pub base: u64,
    pub bytes: u64,
    pub states: Vec<u8>,
    pub live: bool,
    /// Whether the program asked for it (`omp_target_alloc`).
    pub given: bool,
    pub made: SiteId,
    pub released: Option<SiteId>,
    /// The variable whose counterpart it is. `host`: the address where that variable begins.
    pub named: Option<Named>,
    pub host: u64,
    /// Its bytes when a region began, if the program asked for the block.
    pub before: Vec<u8>,
    /// The number of accesses that the tracer saw. `spent`: those in the current region.
    pub faults: u32,
    pub spent: u32,
    /// Whether an error was found in the block that each further access would show again.
    pub open: bool,
}

impl Block {
    /// Returns the pages that contain the block.
    pub fn inner(&self) -> (u64, u64) {
        let first = self.base & !(PAGE - 1);
        (first, (self.base + self.bytes.max(1)).next_multiple_of(PAGE))
    }

    pub fn state(&self, address: u64) -> u8 {
        let at = address.wrapping_sub(self.base);
        usize::try_from(at).ok().and_then(|at| self.states.get(at).copied()).unwrap_or(OUTSIDE)
    }

    /// Sets the state of those of the bytes that are in the block.
    pub fn set(&mut self, address: u64, bytes: u64, to: u8) {
        for state in self.part(address, bytes) {
            *state = to;
        }
    }

    /// Returns the states of those of the bytes that are in the block.
    pub fn part(&mut self, address: u64, bytes: u64) -> &mut [u8] {
        let count = self.states.len() as u64;
        let from = address.saturating_sub(self.base).min(count);
        let to = address.saturating_add(bytes).saturating_sub(self.base).min(count);
        &mut self.states[from as usize..to.max(from) as usize]
    }

    /// Adds the pages whose accesses matter. `in_region`: a region runs on a device.
    pub fn protect(&self, in_region: bool, into: &mut Ranges) {
        let (first, end) = self.inner();
        if self.open {
            return;
        }
        into.add(self.pages.0, first);
        into.add(end, self.pages.1);
        if !self.live || !in_region {
            into.add(first, end);
            return;
        }
        for page in (first..end).step_by(PAGE as usize).filter(|page| self.is_looked_at(*page)) {
            into.add(page, page + PAGE);
        }
    }

    /// Whether the tracer has seen enough accesses to the block, in all or in this region.
    pub fn is_given_up(&self) -> bool {
        self.faults > ACCESSES_OF_BLOCK || self.spent > ACCESSES_OF_REGION
    }

    /// Whether the tracer must see accesses to a page while a region runs.
    fn is_looked_at(&self, page: u64) -> bool {
        if self.is_given_up() {
            return false;
        }
        let last = self.base + self.states.len() as u64;
        let (from, to) = (page.max(self.base), (page + PAGE).min(last));
        let own = self.states.get((from - self.base) as usize..(to.max(from) - self.base) as usize);
        let has_bad = own.is_some_and(|own| own.iter().any(|it| !matches!(*it, VALID | WRITTEN)));
        let is_part = page < self.base || page + PAGE > last;
        has_bad || is_part && self.spent < ACCESSES_OF_SHARED_PAGES
    }

    /// Whether the tracer must see accesses to one page.
    pub fn is_kept(&self, page: u64, in_region: bool) -> bool {
        let (first, end) = self.inner();
        let is_around = page < first || end <= page;
        !self.open && (is_around || !self.live || !in_region || self.is_looked_at(page))
    }
}

/// Whether any of the bytes is out of date; for an access by a library, whether all of them are: it
/// may read many bytes at once, and so neighbours of those that its caller means.
pub fn are_old(access: &Access, is_old: impl Fn(u64) -> bool) -> bool {
    let mut bytes = access.start..access.end();
    if access.by_library { bytes.all(is_old) } else { bytes.any(is_old) }
}

/// Whether all bytes are bad, or, for a wide access, a whole word. Bytes between the members of a
/// structure are copied with them, and are no error.
pub fn are_bad(access: &Access, is_bad: impl Fn(u64) -> bool) -> bool {
    let all = |from: u64, to: u64| (from..to).all(&is_bad);
    if access.bytes <= 8 {
        return all(access.start, access.end());
    }
    let first = access.start.next_multiple_of(8);
    let first = if first + 8 > access.end() { access.start } else { first };
    (first..).step_by(8).take_while(|at| at + 8 <= access.end()).any(|at| all(at, at + 8))
}

impl Model {
    /// Handles a region's use of a device's memory: returns the error, if there is one, and records
    /// writes.
    pub fn used_by_region(
        &mut self,
        device: i32,
        site: SiteId,
        access: &Access,
    ) -> Option<Problem> {
        let block = self.block(access.start).or_else(|| self.block(access.end() - 1))?;
        let base = block.base;
        let problem = if !block.live {
            Some(self.after_its_end(block, site, access))
        } else if block.device != device {
            Some(self.on_other_device(block, device, site, access))
        } else {
            self.bad_bytes(block, site, access)
        };
        let block = self.blocks.get_mut(&base)?;
        block.faults += 1;
        block.spent += 1;
        if access.writes || problem.is_some() {
            for state in block.part(access.start, access.bytes) {
                if *state != OUTSIDE {
                    *state = WRITTEN;
                }
            }
        }
        block.open |= problem.as_ref().is_some_and(|problem| {
            matches!(problem.kind, Kind::BeyondSection | Kind::UseAfterUnmap | Kind::OtherDevice)
        });
        problem
    }

    fn bad_bytes(&self, block: &Block, site: SiteId, access: &Access) -> Option<Problem> {
        let is = |wanted: u8| move |at: u64| block.state(at) == wanted;
        // A library that searches for an end also reads bytes after it.
        let around = access.start.saturating_sub(AHEAD_BYTES)..access.end() + AHEAD_BYTES;
        let looks_ahead = access.by_library && access.bytes > 8 && !access.writes;
        let is_near = |wanted: u8| {
            let is_good = |at| block.state(at) != OUTSIDE && block.state(at) != wanted;
            looks_ahead && around.clone().any(is_good)
        };
        if are_bad(access, is(OUTSIDE)) {
            if is_near(OUTSIDE) {
                return None;
            }
            return Some(self.beyond(block, site, access));
        }
        if !access.reads {
            return None;
        }
        if are_bad(access, is(UNWRITTEN)) && !is_near(UNWRITTEN) {
            return Some(self.unwritten(block, site, access));
        }
        let is_stale = are_old(access, is(STALE));
        is_stale.then(|| self.stale_there(block, site, access))
    }

    fn beyond(&self, block: &Block, site: SiteId, access: &Access) -> Problem {
        let (start, end) = self.nearest(block, access.start);
        let variable = self.variable_on_device(block, start);
        let verb = if access.writes { "writes" } else { "reads" };
        let (far, side) = if access.start >= end {
            (access.start - end, "behind")
        } else {
            (start.saturating_sub(access.start), "ahead of")
        };
        let name = quoted(variable.as_deref(), "memory of the device");
        let what = format!(
            "wrong section: the region {verb} {} bytes of {name} that are not mapped, {far} bytes \
             {side} the {} bytes that are",
            access.bytes,
            end - start
        );
        let advice = Some("map all that the region uses: the section is too short".to_owned())
            .filter(|_| !block.given);
        self.problem(Kind::BeyondSection, block, variable, what, site, advice)
    }

    /// Returns the section of a block that is nearest to an address.
    fn nearest(&self, block: &Block, address: u64) -> (u64, u64) {
        let of_device = self.entries.range((block.device, 0)..=(block.device, u64::MAX));
        let sections = of_device
            .filter(|(_, entry)| entry.block == block.base)
            .map(|((_, start), entry)| (entry.device, entry.device + (entry.end - start)));
        let far = |&(start, end): &(u64, u64)| start.abs_diff(address).min(end.abs_diff(address));
        sections.min_by_key(far).unwrap_or((block.base, block.base + block.bytes))
    }

    fn unwritten(&self, block: &Block, site: SiteId, access: &Access) -> Problem {
        let variable = self.variable_on_device(block, access.start);
        let element = self.name_on_device(block, access.start);
        let name = quoted(element.as_deref(), "memory of the device");
        let what = format!("never written: the region reads {name}, which nobody wrote there");
        let advice = "map it with `to` or `tofrom`, or write it first".to_owned();
        self.problem(Kind::NeverWritten, block, variable, what, site, Some(advice))
    }

    fn stale_there(&self, block: &Block, site: SiteId, access: &Access) -> Problem {
        let variable = self.variable_on_device(block, access.start);
        let element = self.name_on_device(block, access.start);
        let name = quoted(element.as_deref(), "memory of the device");
        let what = format!(
            "stale copy: the region reads {name}, which the host has changed since it was copied"
        );
        let advice = "copy it before the region: `target update to`, or `map(always, to:)`";
        let entry = self.entry_of(block, access.start).map(|(_, entry)| entry.copied);
        let mut problem =
            self.problem(Kind::StaleOnDevice, block, variable, what, site, Some(advice.to_owned()));
        problem.others.retain(|(_, at)| Some(*at) != entry);
        problem.others.extend(entry.map(|at| ("copied to the device:".to_owned(), at)));
        problem
    }

    fn after_its_end(&self, block: &Block, site: SiteId, access: &Access) -> Problem {
        let variable = block.named.as_ref().map(|named| named.name.clone());
        let name = quoted(variable.as_deref(), "memory of the device");
        let verb = if access.writes { "writes" } else { "reads" };
        let what = match block.given {
            true => format!("use after free: the region {verb} {name}, which was freed"),
            false => format!("use after unmap: the region {verb} {name}, which is mapped no more"),
        };
        let mut problem = self.problem(Kind::UseAfterUnmap, block, variable, what, site, None);
        let released = block.released.map(|at| ("released:".to_owned(), at));
        problem.others.extend(released);
        problem
    }

    fn on_other_device(
        &self,
        block: &Block,
        device: i32,
        site: SiteId,
        access: &Access,
    ) -> Problem {
        let variable = self.variable_on_device(block, access.start);
        let name = quoted(variable.as_deref(), "memory");
        let of = block.device;
        let what =
            format!("wrong device: the region on device {device} uses {name} of device {of}");
        self.problem(Kind::OtherDevice, block, variable, what, site, None)
    }

    /// Handles the host's use of a device's memory: returns the error, if there is one.
    pub fn used_by_host(&mut self, access: &Access) -> Option<Problem> {
        if self.memory_is_shared {
            if access.writes {
                self.wrote(access.start, access.bytes);
            }
            return None;
        }
        let block = self.block(access.start).or_else(|| self.block(access.end() - 1))?;
        let base = block.base;
        let variable = self.variable_on_device(block, access.start);
        let name = quoted(variable.as_deref(), "memory");
        let verb = if access.writes { "writes" } else { "reads" };
        let what =
            format!("device address: the host {verb} {name} of device {} directly", block.device);
        let advice = "outside of regions copy it: `target update`, or `omp_target_memcpy`";
        let (kind, made) = (Kind::DeviceAddressOnHost, block.made);
        let mut problem = self.problem(kind, block, variable, what, made, Some(advice.to_owned()));
        problem.construct = None;
        if let Some(block) = self.blocks.get_mut(&base) {
            block.open = true;
        }
        Some(problem)
    }

    fn problem(
        &self,
        kind: Kind,
        block: &Block,
        variable: Option<String>,
        what: String,
        site: SiteId,
        advice: Option<String>,
    ) -> Problem {
        let made = if block.given { "allocated:" } else { "mapped:" };
        let others = vec![(made.to_owned(), block.made)];
        let device = Some(block.device);
        Problem { kind, variable, device, what, construct: Some(site), others, advice }
    }
}
