//! The rules that a thread has met, by program counter: direct-mapped, of a fixed size.

use super::rules::Rule;

const ENTRIES: usize = 2048;

#[derive(Clone, Copy)]
struct Entry {
    address: u64,
    generation: u32,
    rule: Rule,
}

/// Rules and the working memory of gimli, both made before the first walk.
pub struct Cache {
    entries: Box<[Entry]>,
    /// Working memory for a rule that is not cached yet.
    pub(super) context: Box<super::rules::Context>,
}

impl Default for Cache {
    fn default() -> Self {
        let empty = Entry { address: 0, generation: 0, rule: Rule::End };
        Cache {
            entries: vec![empty; ENTRIES].into_boxed_slice(),
            context: Box::new(super::rules::Context::new_in()),
        }
    }
}

fn place(address: u64) -> usize {
    (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 53) as usize % ENTRIES
}

impl Cache {
    /// The rule of `address` among the modules of `generation`.
    pub fn get(&self, address: u64, generation: u32) -> Option<Rule> {
        let entry = self.entries.get(place(address))?;
        (entry.address == address && entry.generation == generation).then_some(entry.rule)
    }

    /// Keeps a rule.
    pub fn put(&mut self, address: u64, generation: u32, rule: Rule) {
        if let Some(entry) = self.entries.get_mut(place(address)) {
            *entry = Entry { address, generation, rule };
        }
    }
}
