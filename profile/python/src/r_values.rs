//! R's values in the memory of a process: types, members, attributes, entries of lists.

use crate::Memory;

/// The most entries of a list that are looked at: attributes, variables of one bucket.
const MOST_ENTRIES: usize = 16;

/// The header of every value: the type in its lowest bits, and the attributes.
pub(crate) const TYPE: u64 = 31;
pub(crate) const ATTRIBUTES: u64 = 8;
pub(crate) const SYMBOL: u64 = 1;
pub(crate) const LIST: u64 = 2;
pub(crate) const CLOSURE: u64 = 3;
pub(crate) const ENVIRONMENT: u64 = 4;
pub(crate) const CALL_OF: u64 = 6;
pub(crate) const LETTERS: u64 = 9;
pub(crate) const INTEGERS: u64 = 13;
pub(crate) const TEXTS: u64 = 16;
pub(crate) const VALUES: u64 = 19;
pub(crate) const COMPILED: u64 = 21;
/// Offsets of a value's three members. A list has its first entry, the others and the name; a
/// symbol has its name, an environment its variables and their buckets, compiled code its
/// instructions and its constants.
pub(crate) const FIRST: u64 = 32;
pub(crate) const REST: u64 = 40;
pub(crate) const TAG: u64 = 48;
/// Offsets in a vector: the number of its items, and the first of them.
pub(crate) const LENGTH: u64 = 32;
pub(crate) const BEGIN: u64 = 48;

/// The values of a process.
pub(crate) struct Values<'a, M> {
    pub(crate) memory: &'a mut M,
    /// The last file, and its name: calls of one file follow each other.
    pub(crate) known: (u64, u64),
}

impl<M: Memory> Values<'_, M> {
    /// Returns the value there, if it has this type.
    pub(crate) fn is(&mut self, at: u64, kind: u64) -> Option<u64> {
        (at != 0 && self.memory.word(at)? & TYPE == kind).then_some(at)
    }

    /// Returns the value that another one holds at `offset`, if it has this type.
    pub(crate) fn member(&mut self, at: u64, offset: u64, kind: u64) -> Option<u64> {
        let value = self.memory.word(at.checked_add(offset)?)?;
        self.is(value, kind)
    }

    /// Returns the attribute of a value that has this type.
    pub(crate) fn attribute(&mut self, of: u64, kind: u64) -> Option<u64> {
        let list = self.member(of, ATTRIBUTES, LIST)?;
        self.entry(list, |values, entry| values.member(entry, FIRST, kind))
    }

    pub(crate) fn entry(
        &mut self,
        mut list: u64,
        wanted: impl Fn(&mut Self, u64) -> Option<u64>,
    ) -> Option<u64> {
        for _ in 0..MOST_ENTRIES {
            if let Some(found) = wanted(self, list) {
                return Some(found);
            }
            list = self.member(list, REST, LIST)?;
        }
        None
    }

    pub(crate) fn element(&mut self, of: u64, at: u64, kind: u64) -> Option<u64> {
        let count = self.memory.word(of.checked_add(LENGTH)?)?;
        let offset = (at < count).then_some(at)?.checked_mul(8)?.checked_add(BEGIN)?;
        self.member(of, offset, kind)
    }

    pub(crate) fn begins(&mut self, name: u64, with: [u8; 8]) -> bool {
        let word = name.checked_add(BEGIN).and_then(|at| self.memory.word(at));
        word == Some(u64::from_le_bytes(with))
    }
}
