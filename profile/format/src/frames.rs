//! The program counters of a stack, in the forms of writers and readers.

use crate::copies;
use crate::wire::{Field, Sink, Source};

/// The program counters of a stack, innermost first.
///
/// In the file: the count, then each one's zigzag difference from the one before (from 0 for the
/// first), since neighbours are mostly in one module. A stack may also be written as copies of
/// parts of itself and of another one ([`kind::STACK_COPIED`](crate::kind::STACK_COPIED)).
#[derive(Clone, Copy, Debug)]
pub enum Frames<'a> {
    /// In memory.
    Pcs(&'a [u64]),
    /// In the form of a record.
    Encoded {
        /// Program counters in `bytes`.
        count: u64,
        /// The differences, as varints.
        bytes: &'a [u8],
    },
    /// In the form of a record of copies.
    Copied {
        /// Program counters of the whole stack.
        count: u64,
        /// The copies, and the frames that are not copied, as varints.
        bytes: &'a [u8],
        /// The stack that it copies from; without frames, it copies from itself alone.
        key: Key<'a>,
    },
}

impl Default for Frames<'_> {
    fn default() -> Self {
        Frames::Pcs(&[])
    }
}

/// A stack that others are copied from, in the form of its record.
#[derive(Clone, Copy, Debug, Default)]
pub struct Key<'a> {
    pub(crate) count: u64,
    pub(crate) bytes: &'a [u8],
    /// True where it is copied from itself.
    pub(crate) folded: bool,
}

impl<'a> Key<'a> {
    /// Returns its frames.
    pub(crate) fn frames(self) -> Frames<'a> {
        let Key { count, bytes, folded } = self;
        match folded {
            true => Frames::Copied { count, bytes, key: Key::default() },
            false => Frames::Encoded { count, bytes },
        }
    }
}

impl<'a> Frames<'a> {
    /// Returns the program counters, innermost first. Async-signal-safe except for
    /// [`Frames::Copied`].
    pub fn iter(&self) -> FramesIter<'a> {
        let copied = match *self {
            Frames::Copied { count, bytes, key } => copies::decode(count, bytes, key),
            _ => Vec::new(),
        };
        FramesIter { frames: *self, before: 0, copied: copied.into_iter() }
    }
}

/// Iterator of [`Frames::iter`].
#[derive(Clone, Debug)]
pub struct FramesIter<'a> {
    frames: Frames<'a>,
    before: u64,
    copied: std::vec::IntoIter<u64>,
}

impl Iterator for FramesIter<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        match &mut self.frames {
            Frames::Pcs(pcs) => {
                let (first, rest) = pcs.split_first()?;
                *pcs = rest;
                Some(*first)
            }
            Frames::Encoded { count, bytes } => {
                *count = count.checked_sub(1)?;
                let mut source = Source::new(bytes);
                let difference = source.signed()?;
                *bytes = source.rest();
                self.before = self.before.wrapping_add(difference);
                Some(self.before)
            }
            Frames::Copied { .. } => self.copied.next(),
        }
    }
}

impl<'a> Field<'a> for Frames<'a> {
    fn put(&self, sink: &mut Sink<'_>) {
        sink.varint(self.iter().count() as u64);
        let mut before = 0u64;
        for pc in self.iter() {
            sink.signed(pc.wrapping_sub(before));
            before = pc;
        }
    }
    fn get(source: &mut Source<'a>) -> Option<Self> {
        let count = source.varint()?;
        let start = source.rest();
        for _ in 0..count {
            source.varint()?;
        }
        let used = start.len() - source.rest().len();
        Some(Frames::Encoded { count, bytes: &start[..used] })
    }
}

impl PartialEq for Frames<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}
