//! What of the host's memory is on which device, and which bytes of either are good: what the
//! runtime says, and what reads and writes make of it.

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

/// A construct or routine, by its number in the order in which they were met.
pub type SiteId = usize;

/// Where something of the program happens.
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
    /// Its counterpart's address, and the block that is in.
    pub device: u64,
    pub block: u64,
    pub named: Option<Named>,
    /// What the host's bytes were when they were last the same as the device's.
    snapshot: Vec<u8>,
    /// What the device's bytes were when a region began.
    before: Vec<u8>,
    pub came: SiteId,
    /// Where it was copied last.
    pub copied: SiteId,
    /// The compiler maps it for something else.
    pub is_helper: bool,
    /// It lies on a thread's stack: the thread, and the stack's bounds.
    pub stack: Option<(pid_t, (u64, u64))>,
    /// What it is the counterpart of is no more.
    pub is_orphan: bool,
}

/// What is wrong with an access or a construct.
#[derive(Debug)]
pub struct Problem {
    pub kind: Kind,
    pub variable: Option<String>,
    pub device: Option<i32>,
    pub what: String,
    /// The construct that it happens in, if it does in one.
    pub construct: Option<SiteId>,
    pub others: Vec<(String, SiteId)>,
    pub advice: Option<String>,
}

/// See the module.
#[derive(Default)]
pub struct Model {
    pub blocks: BTreeMap<u64, Block>,
    pub entries: BTreeMap<(i32, u64), Entry>,
    pub stale: Vec<Stale>,
    /// The host's memory that regions must not use.
    pub host: Vec<HostRange>,
    pub sites: Vec<Site>,
    /// By construct and item.
    pub names: HashMap<(u64, u64), Option<Named>>,
    /// Where sections went, by where they began.
    pub gone: HashMap<(i32, u64), SiteId>,
    pub races: Races,
    /// Regions that are executed.
    regions: u32,
    /// Of what is about to be copied from a device: the host's bytes that are newer.
    newer: Vec<Option<u8>>,
    /// Sections that `delete` took away.
    pub deleted: HashSet<(i32, u64)>,
    /// Variables that functions know by the host's address, though they are mapped as any other.
    pub linked: Ranges,
    /// What threads of devices have allocated themselves, and their stacks, to where each ends.
    own: BTreeMap<u64, u64>,
    /// More was allocated than is kept account of.
    heap_is_unknown: bool,
    /// Devices use the host's memory, and the host theirs: the program requires that.
    pub memory_is_shared: bool,
}

impl Model {
    /// The entry that holds a byte of the host's, on a device.
    pub fn entry(&self, device: i32, host: u64) -> Option<(u64, &Entry)> {
        let (&(of, start), entry) = self.entries.range(..=(device, host)).next_back()?;
        (of == device && host < entry.end).then_some((start, entry))
    }

    /// The block in whose pages an address is.
    pub fn block(&self, address: u64) -> Option<&Block> {
        let before = self.blocks.range(..=address).next_back();
        if let Some((_, block)) = before.filter(|(_, block)| address < block.pages.1) {
            return Some(block);
        }
        let (_, next) = self.blocks.range(address..).next()?;
        (next.pages.0 <= address).then_some(next)
    }

    /// The same, to be changed.
    fn block_mut(&mut self, address: u64) -> Option<&mut Block> {
        let base = self.block(address)?.base;
        self.blocks.get_mut(&base)
    }

    /// The entry of a block's byte, with where it starts on the host.
    fn entry_of(&self, block: &Block, address: u64) -> Option<(u64, &Entry)> {
        let of_device = self.entries.range((block.device, 0)..=(block.device, u64::MAX));
        of_device
            .filter(|(_, entry)| entry.block == block.base)
            .find(|((_, start), entry)| {
                address >= entry.device && address - entry.device < entry.end - start
            })
            .map(|((_, start), entry)| (*start, entry))
    }

    /// What a byte of a device is called.
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

    /// Whether a pointer of the program's stands there, by the types of its variables.
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

    /// The variable that a byte of a device belongs to.
    pub fn variable_on_device(&self, block: &Block, address: u64) -> Option<String> {
        let entry = self.entry_of(block, address).map(|(_, entry)| entry);
        let named = entry.and_then(|entry| entry.named.as_ref()).or(block.named.as_ref());
        named.map(|named| named.name.clone())
    }

    /// The sections here that have no name yet.
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

    /// A block that the program asked for is known by this variable.
    pub fn name_block(&mut self, address: u64, named: impl FnOnce() -> Option<Named>) {
        if let Some(block) = self.block_mut(address).filter(|it| it.given && it.named.is_none()) {
            (block.named, block.host) = (named(), block.base);
        }
    }

    /// Whether there is a reason to keep a page from the process.
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

    /// The number of a construct that is met.
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

/// In words, between quotes; where nothing names it, what it is otherwise.
pub fn quoted(name: Option<&str>, otherwise: &str) -> String {
    match name {
        Some(name) => format!("`{name}`"),
        None => otherwise.to_owned(),
    }
}
