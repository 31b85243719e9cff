//! The encoding of single fields in a record's body: LEB128 integers, length-prefixed bytes, lists.
//!
//! [`Sink`] writes and [`Source`] reads; both only ever move forward within their slice, and both
//! report that something does not fit instead of panicking. Everything on the `Sink` side is
//! async-signal-safe.

/// Returns a difference as a number that is small where the difference is.
pub(crate) fn zigzag(difference: u64) -> u64 {
    (difference << 1) ^ ((difference as i64 >> 63) as u64)
}

/// Returns the difference for a number of [`zigzag`].
pub(crate) fn from_zigzag(number: u64) -> u64 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// Writes fields into a slice; once a field did not fit, `full` stays true.
pub(crate) struct Sink<'a> {
    bytes: &'a mut [u8],
    at: usize,
    full: bool,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(bytes: &'a mut [u8]) -> Self {
        Sink { bytes, at: 0, full: false }
    }

    /// Returns the number of bytes written, or `None` if something did not fit.
    pub(crate) fn finish(self) -> Option<usize> {
        (!self.full).then_some(self.at)
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        match self.bytes.get_mut(self.at) {
            Some(place) => {
                *place = byte;
                self.at += 1;
            }
            None => self.full = true,
        }
    }

    pub(crate) fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.byte(value as u8 | 0x80);
            value >>= 7;
        }
        self.byte(value as u8);
    }

    /// Writes a difference, zigzag.
    pub(crate) fn signed(&mut self, difference: u64) {
        self.varint(zigzag(difference));
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.varint(bytes.len() as u64);
        let end = self.at.saturating_add(bytes.len());
        match self.bytes.get_mut(self.at..end) {
            Some(place) => {
                place.copy_from_slice(bytes);
                self.at = end;
            }
            None => self.full = true,
        }
    }
}

/// Reads fields from a slice.
#[derive(Clone, Debug)]
pub(crate) struct Source<'a> {
    rest: &'a [u8],
}

impl<'a> Source<'a> {
    pub(crate) fn new(rest: &'a [u8]) -> Self {
        Source { rest }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// Reads at most ten bytes; a longer or too large number is malformed.
    pub(crate) fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            let byte = self.byte()?;
            let low = u64::from(byte & 0x7f);
            if shift == 63 && low > 1 {
                return None;
            }
            value |= low << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// Reads the difference that [`Sink::signed`] wrote.
    pub(crate) fn signed(&mut self) -> Option<u64> {
        self.varint().map(from_zigzag)
    }

    pub(crate) fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let length = usize::try_from(length).ok()?;
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }
}

/// One field of a record, both ways.
pub(crate) trait Field<'a>: Sized {
    fn put(&self, sink: &mut Sink<'_>);
    fn get(source: &mut Source<'a>) -> Option<Self>;
}

impl Field<'_> for u64 {
    fn put(&self, sink: &mut Sink<'_>) {
        sink.varint(*self);
    }
    fn get(source: &mut Source<'_>) -> Option<Self> {
        source.varint()
    }
}

impl Field<'_> for u32 {
    fn put(&self, sink: &mut Sink<'_>) {
        sink.varint(u64::from(*self));
    }
    fn get(source: &mut Source<'_>) -> Option<Self> {
        u32::try_from(source.varint()?).ok()
    }
}

impl<'a> Field<'a> for &'a [u8] {
    fn put(&self, sink: &mut Sink<'_>) {
        sink.bytes(self);
    }
    fn get(source: &mut Source<'a>) -> Option<Self> {
        let length = source.varint()?;
        source.take(length)
    }
}

/// A list of byte strings, in the forms of writers and readers.
#[derive(Clone, Copy, Debug)]
pub enum ByteStrings<'a> {
    /// Slices in memory.
    Slices(&'a [&'a [u8]]),
    /// Strings each closed by a NUL, as `/proc/self/cmdline` and `/proc/self/environ` have them.
    NulSeparated(&'a [u8]),
    /// The list in the form of a record.
    Encoded {
        /// Strings in `bytes`.
        count: u64,
        /// The strings, each with its length in bytes before it, a varint.
        bytes: &'a [u8],
    },
}

impl<'a> ByteStrings<'a> {
    /// The strings in order. Async-signal-safe.
    pub fn iter(&self) -> ByteStringsIter<'a> {
        ByteStringsIter(match *self {
            ByteStrings::NulSeparated(bytes) => {
                ByteStrings::NulSeparated(bytes.strip_suffix(&[0]).unwrap_or(bytes))
            }
            other => other,
        })
    }
}

impl Default for ByteStrings<'_> {
    fn default() -> Self {
        ByteStrings::Slices(&[])
    }
}

/// Iterator of [`ByteStrings::iter`].
#[derive(Clone, Debug)]
pub struct ByteStringsIter<'a>(ByteStrings<'a>);

impl<'a> Iterator for ByteStringsIter<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        match &mut self.0 {
            ByteStrings::Slices(slices) => {
                let (first, rest) = slices.split_first()?;
                *slices = rest;
                Some(first)
            }
            ByteStrings::NulSeparated(bytes) => {
                if bytes.is_empty() {
                    return None;
                }
                let end = bytes.iter().position(|b| *b == 0);
                let (first, rest) = bytes.split_at_checked(end.unwrap_or(bytes.len()))?;
                *bytes = rest.get(1..).unwrap_or(&[]);
                Some(first)
            }
            ByteStrings::Encoded { count, bytes } => {
                *count = count.checked_sub(1)?;
                let mut source = Source::new(bytes);
                let string = <&[u8]>::get(&mut source)?;
                *bytes = source.rest();
                Some(string)
            }
        }
    }
}

impl<'a> Field<'a> for ByteStrings<'a> {
    fn put(&self, sink: &mut Sink<'_>) {
        sink.varint(self.iter().count() as u64);
        for string in self.iter() {
            sink.bytes(string);
        }
    }
    fn get(source: &mut Source<'a>) -> Option<Self> {
        let count = source.varint()?;
        let start = source.rest();
        for _ in 0..count {
            <&[u8]>::get(source)?;
        }
        let used = start.len() - source.rest().len();
        Some(ByteStrings::Encoded { count, bytes: &start[..used] })
    }
}

impl PartialEq for ByteStrings<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}
