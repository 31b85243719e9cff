//! The rules that a thread's walks have found, by program counter: direct-mapped, of a fixed size.

use super::rules::Rule;
use core::mem::MaybeUninit;

const ENTRIES: usize = 2048;

/// A rule, written before its address. An entry of zeros is empty, because no code is at address 0.
struct Entry {
    address: u64,
    generation: u32,
    rule: MaybeUninit<Rule>,
}

/// The rules, and the working memory of gimli, both made before the first walk.
pub struct Cache {
    entries: &'static mut [Entry],
    /// Working memory for a rule that is not cached yet.
    pub(super) context: Box<super::rules::Context>,
}

impl Default for Cache {
    fn default() -> Self {
        Cache {
            // SAFETY: integers and a rule that may be uninitialised: zeros are valid.
            entries: unsafe { crate::memory::zeroed(ENTRIES) },
            context: Box::new(super::rules::Context::new_in()),
        }
    }
}

fn place(address: u64) -> usize {
    (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 53) as usize % ENTRIES
}

impl Cache {
    /// Returns the rule of `address` among the modules of `generation`.
    pub fn get(&self, address: u64, generation: u32) -> Option<Rule> {
        let entry = self.entries.get(place(address))?;
        let hit = entry.address == address && entry.generation == generation && address != 0;
        // SAFETY: an entry with an address has its rule.
        hit.then(|| unsafe { entry.rule.assume_init() })
    }

    /// Keeps a rule.
    pub fn put(&mut self, address: u64, generation: u32, rule: Rule) {
        if let Some(entry) = self.entries.get_mut(place(address)) {
            *entry = Entry { address, generation, rule: MaybeUninit::new(rule) };
        }
    }
}
