//! How much memory a file of program code may ask for. What a file says of its own sizes is what
//! its writer wants: a compressed section names any size it likes, sections overlap, and a million
//! symbols share one long name. So all that is made of a file comes out of one room, which the
//! file's own size gives.

use std::borrow::Cow;
use std::cell::Cell;

use object::ObjectSection;

/// Bytes of room for each byte of the file: compilers' debug information takes a quarter when it is
/// compressed, at the least.
const ROOM_A_BYTE: u64 = 4;
/// And so many for each file, as a small one may be denser.
const ROOM_A_FILE: u64 = 32 << 20;

/// What is left of a file's room.
#[derive(Debug)]
pub struct Room(Cell<u64>);

impl Room {
    /// That of a file of so many bytes.
    pub fn of(file: usize) -> Room {
        Room(Cell::new(ROOM_A_FILE.saturating_add((file as u64).saturating_mul(ROOM_A_BYTE))))
    }

    /// Another file comes to it.
    pub(super) fn grow(&self, file: usize) {
        self.0.set(self.0.get().saturating_add((file as u64).saturating_mul(ROOM_A_BYTE)));
    }

    /// Takes so many bytes, if there are as many left.
    pub(super) fn take(&self, bytes: u64) -> Option<()> {
        self.0.set(self.0.get().checked_sub(bytes)?);
        Some(())
    }

    /// A section's data, decompressed; none where there is no room for what it says it has.
    pub fn data<'data>(&self, section: &object::Section<'data, '_>) -> Option<Cow<'data, [u8]>> {
        let data = section.compressed_data().ok()?;
        self.take(data.uncompressed_size)?;
        data.decompress().ok()
    }
}
