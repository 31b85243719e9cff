//! The model: it knows which of the host's memory is on which device, and which bytes of either are
//! good. The runtime's messages update it, and so do the program's reads and writes.

mod copies;
mod device;
mod host;
mod kernel;
mod lifetime;
mod races;
mod unseen;
mod values;

use std::collections::{BTreeMap, HashMap, HashSet};

use libc::pid_t;

use crate::access::Access;
use crate::finding::{Kind, Place};
use crate::names::Named;
use crate::ranges::{PAGE, Ranges};
pub use device::Block;
pub use host::state::FINE;
pub use host::{Call, Stale};
pub use kernel::HostRange;
pub use races::Races;

/// The number of a construct or routine, in the order in which the program encountered them.
pub type SiteId = usize;

/// A place where the program does something.
#[derive(Clone, Debug)]
pub struct Site {
    pub what: &'static str,
    pub place: Place,
    pub code: u64,
    pub device: i32,
}

/// A section of the host's memory with a counterpart.
pub struct Entry {
    pub end: u64,
    /// The counterpart's address. `block`: the block that contains it.
    pub device: u64,
    pub block: u64,
    pub named: Option<Named>,
    /// The host's bytes when they were last the same as the device's.
    snapshot: Vec<u8>,
    /// The device's bytes when a region began.
    before: Vec<u8>,
    pub came: SiteId,
    /// The site where it was copied last.
    pub copied: SiteId,
    /// Whether the compiler maps the section only to serve another item.
    pub is_helper: bool,
    /// For a section on a thread's stack: the thread, and the stack's bounds.
    pub stack: Option<(pid_t, (u64, u64))>,
    /// Whether the memory on the host is gone.
    pub is_orphan: bool,
}

/// An error in an access or a construct.
#[derive(Debug)]
pub struct Problem {
    pub kind: Kind,
    pub variable: Option<String>,
    pub device: Option<i32>,
    pub what: String,
    /// The construct in which it happens, if there is one.
    pub construct: Option<SiteId>,
    pub others: Vec<(String, SiteId)>,
    pub advice: Option<String>,
}

/// The model of one process.
#[derive(Default)]
pub struct Model {
    pub blocks: BTreeMap<u64, Block>,
    pub entries: BTreeMap<(i32, u64), Entry>,
    pub stale: Vec<Stale>,
    /// The host's memory that regions must not use.
    pub host: Vec<HostRange>,
    pub sites: Vec<Site>,
    /// The names of variables, keyed by construct and item.
    pub names: HashMap<(u64, u64), Option<Named>>,
    /// The sites where sections went, by their starts.
    pub gone: HashMap<(i32, u64), SiteId>,
    pub races: Races,
    /// The number of running regions.
    regions: u32,
    /// The host's bytes that are newer than those of a copy from a device that is about to begin.
    newer: Vec<Option<u8>>,
    /// Sections that `delete` removed.
    pub deleted: HashSet<(i32, u64)>,
    /// Variables that functions address by the host's address, though they are mapped like any
    /// other (`declare target link`).
    pub linked: Ranges,
    /// The memory that threads of devices have allocated for themselves, and their stacks: start
    /// and end.
    own: BTreeMap<u64, u64>,
    /// Whether more was allocated than is recorded.
    heap_is_unknown: bool,
    /// Whether devices use the host's memory, and the host theirs: the program requires it.
    pub memory_is_shared: bool,
}

impl Model {
    /// Returns the entry that contains a byte of the host's, on a device.
    pub fn entry(&self, device: i32, host: u64) -> Option<(u64, &Entry)> {
        let (&(of, start), entry) = self.entries.range(..=(device, host)).next_back()?;
        (of == device && host < entry.end).then_some((start, entry))
    }

    /// Returns the block whose pages contain an address.
    pub fn block(&self, address: u64) -> Option<&Block> {
        let before = self.blocks.range(..=address).next_back();
        if let Some((_, block)) = before.filter(|(_, block)| address < block.pages.1) {
            return Some(block);
        }
        let (_, next) = self.blocks.range(address..).next()?;
        (next.pages.0 <= address).then_some(next)
    }

    /// Returns the same block, for a change.
    fn block_mut(&mut self, address: u64) -> Option<&mut Block> {
        let base = self.block(address)?.base;
        self.blocks.get_mut(&base)
    }

    /// Returns the entry of a block's byte, with its start on the host.
    fn entry_of(&self, block: &Block, address: u64) -> Option<(u64, &Entry)> {
        let of_device = self.entries.range((block.device, 0)..=(block.device, u64::MAX));
        of_device
            .filter(|(_, entry)| entry.block == block.base)
            .find(|((_, start), entry)| {
                address >= entry.device && address - entry.device < entry.end - start
            })
            .map(|((_, start), entry)| (*start, entry))
    }

    /// Returns the name of a byte of a device.
    pub fn name_on_device(&self, block: &Block, address: u64) -> Option<String> {
        match self.entry_of(block, address) {
            Some((start, entry)) => {
                let host = start + (address - entry.device);
                Some(entry.named.as_ref()?.element(host))
            }
            None => {
                let named = block.named.as_ref()?;
                Some(named.element(block.host.wrapping_add(address.wrapping_sub(block.base))))
            }
        }
    }

    /// Whether there is a pointer of the program's at an address, by the types of its variables.
    fn is_pointer(&self, block: &Block, address: u64) -> bool {
        let (named, host) = match self.entry_of(block, address) {
            Some((start, entry)) => (entry.named.as_ref(), start + (address - entry.device)),
            None => {
                let host = block.host.wrapping_add(address.wrapping_sub(block.base));
                (block.named.as_ref(), host)
            }
        };
        named.is_some_and(|named| named.is_pointer(host))
    }

    /// Returns the variable that a byte of a device belongs to.
    pub fn variable_on_device(&self, block: &Block, address: u64) -> Option<String> {
        let entry = self.entry_of(block, address).map(|(_, entry)| entry);
        let named = entry.and_then(|entry| entry.named.as_ref()).or(block.named.as_ref());
        named.map(|named| named.name.clone())
    }

    /// Returns the sections that the access touches and that have no name yet.
    pub fn nameless(&self, access: &Access) -> Vec<(i32, u64)> {
        let here = |start: u64, entry: &Entry| access.start < entry.end && start < access.end();
        let all = self.entries.iter().filter(|((_, start), entry)| here(*start, entry));
        all.filter(|(_, entry)| entry.named.is_none()).map(|(key, _)| *key).collect()
    }

    pub fn name_section(&mut self, key: (i32, u64), named: Named) {
        if let Some(entry) = self.entries.get_mut(&key) {
            entry.named = Some(named);
        }
    }

    /// Gives this variable's name to a block that the program asked for.
    pub fn name_block(&mut self, address: u64, named: impl FnOnce() -> Option<Named>) {
        if let Some(block) = self.block_mut(address).filter(|it| it.given && it.named.is_none()) {
            (block.named, block.host) = (named(), block.base);
        }
    }

    /// Whether there is a reason to keep a page closed to the process.
    pub fn is_kept(&self, page: u64, in_region: bool) -> bool {
        if let Some(block) = self.block(page) {
            return block.is_kept(page, in_region) || self.shared().around(page).is_some();
        }
        let mut host = Ranges::default();
        for stale in &self.stale {
            if stale.start < page + PAGE && page < stale.start + stale.states.len() as u64 {
                stale.protect(&mut host);
            }
        }
        if in_region {
            self.protect_host(&mut host);
        }
        self.races.protect(&mut host);
        host.around(page).is_some()
    }

    pub fn site(&self, site: SiteId) -> &Site {
        &self.sites[site]
    }

    /// Returns the number of a construct that the program encounters now.
    pub fn meet(&mut self, site: Site) -> SiteId {
        let known = |known: &Site| known.code == site.code && known.what == site.what;
        match self.sites.iter().position(|it| known(it) && it.device == site.device) {
            Some(at) => at,
            None => {
                self.sites.push(site);
                self.sites.len() - 1
            }
        }
    }
}

/// Returns a name between quotes; `otherwise` if there is none.
pub fn quoted(name: Option<&str>, otherwise: &str) -> String {
    match name {
        Some(name) => format!("`{name}`"),
        None => otherwise.to_owned(),
    }
}
