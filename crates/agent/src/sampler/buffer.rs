//! A chunk of the file, while it is filled.

use crate::stream;
use omphalos_profile_format::{Before, ChunkWriter, Full, Record};

/// The records that are written at once where the file is open, bytes. A write takes some 20 us.
const CHUNK: usize = 1 << 15;

/// See the module.
pub struct Buffer {
    memory: &'static mut [u8],
    length: usize,
    /// What its later records may refer to.
    before: Before,
}

impl Buffer {
    /// Of this many bytes. Allocates.
    pub fn new(size: usize) -> Buffer {
        // SAFETY: bytes.
        let memory = unsafe { crate::memory::zeroed(size) };
        Buffer { memory, length: 0, before: Before::default() }
    }

    /// Appends a record. Async-signal-safe.
    pub fn push(&mut self, record: Record<'_>) -> Result<(), Full> {
        let mut writer = ChunkWriter::resume(self.memory, self.length);
        writer.push_after(record, &mut self.before)?;
        self.length = writer.length();
        Ok(())
    }

    /// Writes it as the thread's with this index, and begins anew; false where there was something
    /// that could not be written. Async-signal-safe.
    pub fn write(&mut self, thread: u32) -> bool {
        let chunk = ChunkWriter::resume(self.memory, self.length);
        let is_written = chunk.is_empty() || stream::write(chunk.seal(thread));
        self.empty();
        is_written
    }

    /// Whether it holds as much as is written at once: more would stop the thread for too long.
    pub fn holds_chunk(&self) -> bool {
        self.length >= CHUNK
    }

    /// Begins anew.
    pub fn empty(&mut self) {
        self.length = 0;
        self.before.clear();
    }
}
