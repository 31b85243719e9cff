//! The reading side: chunks and records out of a byte slice, whatever state the file is in.
//!
//! What must hold: no byte of the input can make a reader panic, loop or take time out of
//! proportion to the input's length. Damage is reported once for each place, and skipped.

use std::fmt;

use crate::before::Known;
use crate::records::{Record, RecordError};
use crate::wire::Source;
use crate::{
    CHUNK_HEADER_BYTES, CHUNK_MARKER, FILE_HEADER_BYTES, FILE_MAGIC, FORMAT_VERSION,
    MAX_CHUNK_PAYLOAD, crc32,
};

/// The reason why a file is no profile that this version reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// Not a single byte.
    Empty,
    /// It does not start with [`FILE_MAGIC`].
    NotAProfile,
    /// It ends within its header.
    CutInHeader,
    /// Written by a later version than [`FORMAT_VERSION`].
    TooNew {
        /// The format version that the file's header says.
        version: u32,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Empty => write!(f, "is empty: the profiled program wrote nothing into it"),
            OpenError::NotAProfile => write!(f, "is not a profile of Omphalos"),
            OpenError::CutInHeader => write!(f, "is cut off within its first 16 bytes"),
            OpenError::TooNew { version } => write!(
                f,
                "has format version {version}, this program reads up to {FORMAT_VERSION}: use the \
                 omphalos that recorded it"
            ),
        }
    }
}

impl std::error::Error for OpenError {}

/// The kind of damage at a place of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DamageKind {
    /// The last chunk is incomplete: the process was killed, or the disk was full.
    TornTail,
    /// A chunk's payload does not have the checksum in its header.
    BadChecksum,
    /// Bytes that are no chunk.
    Garbage,
}

/// A stretch of the file that was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Offset in the file.
    pub offset: usize,
    /// Bytes skipped.
    pub length: usize,
    /// The kind of damage.
    pub kind: DamageKind,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { offset, length, kind } = self;
        match kind {
            DamageKind::TornTail => {
                write!(f, "the file is cut off: its last {length} bytes are an unfinished chunk")
            }
            DamageKind::BadChecksum => {
                write!(f, "{length} bytes at offset {offset} have a wrong checksum and are skipped")
            }
            DamageKind::Garbage => {
                write!(f, "{length} bytes at offset {offset} are no records and are skipped")
            }
        }
    }
}

/// One chunk, its checksum verified.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    /// Offset of its header in the file.
    pub offset: usize,
    /// The agent's thread index or [`PROCESS_CHUNK`](crate::PROCESS_CHUNK).
    pub thread: u32,
    /// Its records, encoded.
    pub payload: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// The records in order.
    pub fn records(&self) -> Records<'a> {
        let known = Known::new(self.payload.len());
        Records { source: Source::new(self.payload), known }
    }
}

/// The parts of a file.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// A whole chunk with a right checksum.
    Chunk(Chunk<'a>),
    /// The bytes that were skipped before the next whole chunk or the end.
    Damage(Damage),
}

/// Iterator over the chunks of a file.
pub struct Reader<'a> {
    file: &'a [u8],
    at: usize,
    version: u32,
    /// How many more bytes the search for the next good chunk may checksum: this limits the work on
    /// a file made of false chunk headers.
    search_budget: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first chunk of `file`.
    ///
    /// # Errors
    /// If the file's header is not one that this reader understands.
    pub fn new(file: &'a [u8]) -> Result<Self, OpenError> {
        if file.is_empty() {
            return Err(OpenError::Empty);
        }
        let common = file.len().min(FILE_MAGIC.len());
        if file[..common] != FILE_MAGIC[..common] {
            return Err(OpenError::NotAProfile);
        }
        let (Some(version), Some(header_bytes)) = (word(file, 8), word(file, 12)) else {
            return Err(OpenError::CutInHeader);
        };
        if version > FORMAT_VERSION {
            return Err(OpenError::TooNew { version });
        }
        let at = (header_bytes as usize).clamp(FILE_HEADER_BYTES, file.len());
        Ok(Reader { file, at, version, search_budget: file.len().saturating_mul(4) })
    }

    /// The format version of the file.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Offset of the next byte to read, for a progress display.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The chunk whose header is at `offset`, if it is whole: payload length and checksum verdict.
    fn chunk_at(&self, offset: usize) -> Header<'a> {
        let (Some(marker), Some(length), Some(crc), Some(thread)) = (
            word(self.file, offset),
            word(self.file, offset + 4),
            word(self.file, offset + 8),
            word(self.file, offset + 12),
        ) else {
            let rest = self.file.get(offset..).unwrap_or(&[]);
            let expected = CHUNK_MARKER.to_le_bytes();
            let common = rest.len().min(expected.len());
            return if rest[..common] == expected[..common] { Header::Torn } else { Header::None };
        };
        let length = length as usize;
        if marker != CHUNK_MARKER || length > MAX_CHUNK_PAYLOAD {
            return Header::None;
        }
        let start = offset + CHUNK_HEADER_BYTES;
        match self.file.get(start..start + length) {
            None => Header::Torn,
            Some(payload) => Header::Whole { chunk: Chunk { offset, thread, payload }, crc },
        }
    }

    /// The next offset from `from` on at which a good chunk starts, or the file's end.
    fn next_good(&mut self, from: usize) -> usize {
        let marker = CHUNK_MARKER.to_le_bytes();
        let mut at = from;
        while let Some(found) =
            self.file.get(at..).and_then(|rest| rest.windows(4).position(|four| four == marker))
        {
            at += found;
            if let Header::Whole { chunk, crc } = self.chunk_at(at) {
                if chunk.payload.len() > self.search_budget {
                    return self.file.len();
                }
                self.search_budget -= chunk.payload.len();
                if crc32(chunk.payload) == crc {
                    return at;
                }
            }
            at += 1;
        }
        self.file.len()
    }
}

enum Header<'a> {
    None,
    Torn,
    Whole { chunk: Chunk<'a>, crc: u32 },
}

impl<'a> Iterator for Reader<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        if self.at >= self.file.len() {
            return None;
        }
        let offset = self.at;
        let kind = match self.chunk_at(offset) {
            Header::Whole { chunk, crc } if crc32(chunk.payload) == crc => {
                self.at = offset + CHUNK_HEADER_BYTES + chunk.payload.len();
                return Some(Item::Chunk(chunk));
            }
            Header::Whole { .. } => DamageKind::BadChecksum,
            Header::Torn => DamageKind::TornTail,
            Header::None => DamageKind::Garbage,
        };
        self.at = self.next_good(offset + 1);
        // A torn chunk with good ones after it was no tail: its length was damaged.
        let kind = match kind {
            DamageKind::TornTail if self.at < self.file.len() => DamageKind::Garbage,
            other => other,
        };
        Some(Item::Damage(Damage { offset, length: self.at - offset, kind }))
    }
}

/// Iterator over the records of a chunk.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    source: Source<'a>,
    known: Known<'a>,
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let kind = self.source.byte()?;
        let body = self.source.varint().and_then(|length| self.source.take(length));
        let Some(body) = body else {
            self.source = Source::new(&[]);
            return Some(Err(RecordError::Overlong { kind }));
        };
        Some(self.known.decode(kind, body))
    }
}

fn word(file: &[u8], offset: usize) -> Option<u32> {
    let bytes = file.get(offset..offset.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}
