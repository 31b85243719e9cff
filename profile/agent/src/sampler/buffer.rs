//! A chunk of the file while it is filled, and earlier chunks, as long as there is no file.

use crate::stream;
use omphalos_profile_format::{Before, ChunkWriter, Full, Record};

/// The number of bytes that are written at once when the file is open. A write takes about 20 us.
const CHUNK: usize = 1 << 15;
/// The most bytes of a chunk: the time to close it is spent in a signal handler.
const LARGEST: usize = 1 << 16;

/// The chunks of a thread.
pub struct Buffer {
    memory: &'static mut [u8],
    /// The number of bytes at the begin that are ready chunks, which are kept because there was no
    /// file yet.
    kept: usize,
    length: usize,
    /// The state that the chunk's later records may refer to.
    before: Before,
}

impl Buffer {
    /// Makes a buffer of this many bytes. Allocates.
    pub fn new(size: usize) -> Buffer {
        // SAFETY: bytes.
        let memory = unsafe { crate::memory::zeroed(size) };
        Buffer { memory, kept: 0, length: 0, before: Before::default() }
    }

    /// Appends a record. Async-signal-safe.
    pub fn push(&mut self, record: Record<'_>) -> Result<(), Full> {
        let mut writer = writer(self.memory, self.kept, self.length);
        writer.push_after(record, &mut self.before)?;
        self.length = writer.length();
        Ok(())
    }

    /// Writes the chunk as that of the thread with this index, and begins a new one. Returns false
    /// if a part could not be written. If there is no file yet, keeps the chunk as long as there is
    /// room. Async-signal-safe.
    pub fn write(&mut self, thread: u32) -> bool {
        let chunk = writer(self.memory, self.kept, self.length);
        let ready = if chunk.is_empty() { 0 } else { chunk.seal(thread).len() };
        let end = self.kept + ready;
        let is_safe = if !stream::is_open() && end + LARGEST <= self.memory.len() {
            self.kept = end;
            true
        } else if stream::is_open() {
            let all = self.memory.get(..end).unwrap_or(&[]);
            self.kept = 0;
            end == 0 || stream::write(all)
        } else {
            ready == 0
        };
        self.begin();
        is_safe
    }

    /// Whether the buffer holds as much as is written at once: to write more would stop the thread
    /// for too long.
    pub fn holds_chunk(&self) -> bool {
        self.length >= CHUNK
    }

    /// Forgets all chunks.
    pub fn empty(&mut self) {
        self.kept = 0;
        self.begin();
    }

    fn begin(&mut self) {
        self.length = 0;
        self.before.clear();
    }
}

/// Continues with the chunk after those that are kept.
fn writer(memory: &mut [u8], kept: usize, length: usize) -> ChunkWriter<'_> {
    let free = memory.get_mut(kept..).unwrap_or_default();
    let most = free.len().min(LARGEST);
    ChunkWriter::resume(&mut free[..most], length)
}

#[cfg(test)]
mod tests {
    use super::{Buffer, LARGEST};
    use omphalos_profile_format::{Item, Reader, Record, ThreadEnd, file_header};

    /// Records before there is a file are kept from the first on, and can be read.
    #[test]
    fn chunks_are_kept_without_a_file() {
        let mut buffer = Buffer::new(4 * LARGEST);
        let (mut pushed, mut kept, mut lost) = (0u64, 0, false);
        while !lost {
            pushed += 1;
            let record = Record::from(ThreadEnd { thread: 1, time: pushed });
            if buffer.push(record).is_err() {
                let before = pushed - 1;
                lost = !buffer.write(1);
                kept = if lost { kept } else { before };
                assert_eq!(buffer.push(record), Ok(()));
            }
        }
        let file = [&file_header()[..], &buffer.memory[..buffer.kept]].concat();
        let mut reader = Reader::new(&file).expect("a file");
        let mut found = 0;
        while let Some(Item::Chunk(chunk)) = reader.next() {
            found += chunk.records().filter(|record| record.is_ok()).count() as u64;
        }
        assert!(found == kept && buffer.kept > 2 * LARGEST, "{found} of {pushed}, {kept} kept");
        buffer.empty();
        assert_eq!(buffer.kept, 0);
    }
}
