//! A memory of words, for tests.

extern crate std;

use crate::Memory;
use std::collections::BTreeMap;

#[derive(Default)]
pub(crate) struct Words(pub(crate) BTreeMap<u64, u64>);

impl Memory for Words {
    fn word(&mut self, at: u64) -> Option<u64> {
        self.0.get(&at).copied()
    }

    fn half(&mut self, at: u64) -> Option<u32> {
        let word = self.word(at & !7)?;
        Some((word >> (8 * (at & 4))) as u32)
    }
}
