//! Bounds the memory that a file of program code may cost. The sizes in a file are what its writer
//! wants: a compressed section may claim any size, sections may overlap, and a million symbols may
//! share one long name. So everything that is made of a file comes out of one room, whose size
//! follows from the file's own size.

use std::borrow::Cow;
use std::cell::Cell;

use object::ObjectSection;

/// Bytes of room for each byte of the file. Compilers' debug information shrinks to a quarter at
/// best when it is compressed.
const ROOM_A_BYTE: u64 = 4;
/// Further bytes of room for each file, since a small one may be denser.
const ROOM_A_FILE: u64 = 32 << 20;

/// The rest of a file's room.
#[derive(Debug)]
pub struct Room(Cell<u64>);

impl Room {
    /// The room of a file of this many bytes.
    pub fn of(file: usize) -> Room {
        Room(Cell::new(ROOM_A_FILE.saturating_add((file as u64).saturating_mul(ROOM_A_BYTE))))
    }

    /// Adds the room of another file.
    pub(super) fn grow(&self, file: usize) {
        self.0.set(self.0.get().saturating_add((file as u64).saturating_mul(ROOM_A_BYTE)));
    }

    /// Takes this many bytes, if they are left.
    pub(super) fn take(&self, bytes: u64) -> Option<()> {
        self.0.set(self.0.get().checked_sub(bytes)?);
        Some(())
    }

    /// A section's data, decompressed; `None` if there is no room for its claimed size.
    pub fn data<'data>(&self, section: &object::Section<'data, '_>) -> Option<Cow<'data, [u8]>> {
        let data = section.compressed_data().ok()?;
        self.take(data.uncompressed_size)?;
        data.decompress().ok()
    }
}
