//! The writing side: a chunk is built in memory that the caller owns and written by one `write(2)`.
//!
//! What must hold: nothing here allocates, locks, panics or reads global state, so everything is
//! async-signal-safe. A record is in the buffer wholly or not at all. The caller sees to it that no
//! handler uses a buffer while its own thread is inside [`ChunkWriter::push`] on it.

use crate::before::Before;
use crate::records::Record;
use crate::wire::Sink;
use crate::{
    CHUNK_HEADER_BYTES, CHUNK_MARKER, FILE_HEADER_BYTES, FILE_MAGIC, FORMAT_VERSION,
    MAX_CHUNK_PAYLOAD, crc32,
};

/// The record does not fit into the remaining room; the buffer is as it was. Write the chunk out,
/// start the buffer again and push once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// The bytes that open a record file.
pub fn file_header() -> [u8; FILE_HEADER_BYTES] {
    let mut header = [0; FILE_HEADER_BYTES];
    header[..8].copy_from_slice(&FILE_MAGIC);
    header[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    header[12..].copy_from_slice(&(FILE_HEADER_BYTES as u32).to_le_bytes());
    header
}

/// One chunk under construction.
///
/// The writer is a view: the caller keeps the memory and the length between uses.
///
/// ```
/// use omphalos_profile_format::{ChunkWriter, Full, ThreadEnd};
/// let mut memory = [0u8; 4096];
/// let mut length = 0; // kept beside the memory
/// let mut writer = ChunkWriter::resume(&mut memory, length);
/// writer.push(ThreadEnd { thread: 3, time: 17 }.into())?;
/// length = writer.length();
/// // later, to write it out:
/// let chunk: &[u8] = ChunkWriter::resume(&mut memory, length).seal(3);
/// assert!(chunk.len() > 16);
/// # Ok::<(), Full>(())
/// ```
pub struct ChunkWriter<'a> {
    memory: &'a mut [u8],
    length: usize,
}

impl<'a> ChunkWriter<'a> {
    /// An empty chunk in `memory`. Less than 64 bytes hold no record.
    pub fn new(memory: &'a mut [u8]) -> Self {
        Self::resume(memory, 0)
    }

    /// Goes on where an earlier writer over the same memory stopped; `length` is its [`length`], 0
    /// for an empty chunk.
    ///
    /// [`length`]: ChunkWriter::length
    pub fn resume(memory: &'a mut [u8], length: usize) -> Self {
        let most = memory.len().min(CHUNK_HEADER_BYTES + MAX_CHUNK_PAYLOAD);
        let (memory, _) = memory.split_at_mut(most);
        let length = length.max(CHUNK_HEADER_BYTES).min(memory.len());
        ChunkWriter { memory, length }
    }

    /// The number of bytes used, with the chunk's header.
    pub fn length(&self) -> usize {
        self.length
    }

    /// True while no record is in the chunk.
    pub fn is_empty(&self) -> bool {
        self.length <= CHUNK_HEADER_BYTES
    }

    /// The number of bytes left.
    pub fn room(&self) -> usize {
        self.memory.len() - self.length
    }

    /// Appends a record.
    ///
    /// # Errors
    /// [`Full`] when it does not fit.
    pub fn push(&mut self, record: Record<'_>) -> Result<(), Full> {
        self.push_body(|sink| {
            record.encode(sink);
            record.kind()
        })
    }

    /// As [`ChunkWriter::push`], but shorter where `before` has a record like it.
    ///
    /// # Errors
    /// [`Full`] when it does not fit.
    pub fn push_after(&mut self, record: Record<'_>, before: &mut Before) -> Result<(), Full> {
        let form = before.form(&record, self.length.saturating_sub(CHUNK_HEADER_BYTES));
        self.push_body(|sink| before.encode(&record, form, sink))?;
        before.note(&record, form);
        Ok(())
    }

    /// Appends a record whose body `encode` writes; `encode` returns the record's kind.
    fn push_body(&mut self, encode: impl FnOnce(&mut Sink<'_>) -> u8) -> Result<(), Full> {
        // Nearly every body is shorter than 128 bytes, so its length takes one byte. A longer body
        // is moved up by the further bytes of its length.
        const HEAD: usize = 2;
        let free = self.memory.get_mut(self.length..).ok_or(Full)?;
        let mut sink = Sink::new(free.get_mut(HEAD..).ok_or(Full)?);
        let kind = encode(&mut sink);
        let body = sink.finish().ok_or(Full)?;
        let extra = match body {
            0..0x80 => 0,
            0x80..0x4000 => 1,
            0x4000..0x20_0000 => 2,
            _ => return Err(Full),
        };
        if extra > 0 {
            if HEAD + body + extra > free.len() {
                return Err(Full);
            }
            free.copy_within(HEAD..HEAD + body, HEAD + extra);
        }
        let mut head = Sink::new(free.get_mut(..HEAD + extra).ok_or(Full)?);
        head.byte(kind);
        head.varint(body as u64);
        head.finish().ok_or(Full)?;
        self.length += HEAD + extra + body;
        Ok(())
    }

    /// Fills in the header and returns the whole chunk, empty if there is nothing to write.
    /// `thread` is the agent's thread index or [`PROCESS_CHUNK`](crate::PROCESS_CHUNK).
    pub fn seal(self, thread: u32) -> &'a [u8] {
        let Some(chunk) = self.memory.get_mut(..self.length) else { return &[] };
        let Some((header, payload)) = chunk.split_first_chunk_mut::<CHUNK_HEADER_BYTES>() else {
            return &[];
        };
        if payload.is_empty() {
            return &[];
        }
        let words = [CHUNK_MARKER, payload.len() as u32, crc32(payload), thread];
        for (place, word) in header.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *place = word.to_le_bytes();
        }
        chunk
    }
}
