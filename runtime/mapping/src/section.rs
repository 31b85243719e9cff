//! Stretches of the host's memory.

use core::fmt;

/// The bytes from `start` to before `end`; none if they are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// The first byte's address.
    pub start: usize,
    /// The address behind the last byte.
    pub end: usize,
}

impl Section {
    /// Makes the section of so many bytes from an address on.
    pub fn new(start: usize, bytes: usize) -> Section {
        Section { start, end: start.saturating_add(bytes) }
    }

    /// Returns how many bytes the section has.
    pub fn bytes(&self) -> usize {
        self.end - self.start
    }

    /// Whether the section has no bytes.
    pub fn is_empty(&self) -> bool {
        self.start >= self.end
    }

    /// Returns the bytes that both sections have; empty if they share none.
    pub fn common(&self, other: Section) -> Section {
        let start = self.start.max(other.start);
        Section { start, end: self.end.min(other.end).max(start) }
    }

    /// Whether all of `other` is in the section.
    pub fn contains(&self, other: Section) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} bytes at {:#x}", self.bytes(), self.start)
    }
}
