//! The operations on a device's memory that a table needs, and the notes it gives to a watcher.

use crate::item::Item;
use crate::section::Section;

/// One step of a table, told to the watcher of the mapping.
#[derive(Clone, Copy, Debug)]
pub enum Note<'a> {
    /// An item takes effect.
    Item {
        /// The item's number in the list.
        number: usize,
        /// The item.
        item: &'a Item,
        /// The section of the table that the item is about, if there is one.
        present: Option<Section>,
    },
    /// A section came into the table. Nothing is written in its counterpart yet.
    Came {
        /// The item's number.
        number: usize,
        /// The section.
        section: Section,
        /// The begin of its counterpart on the device.
        device: usize,
    },
    /// A section goes.
    Goes(Section),
    /// The construct got storage of its own on the device. Nothing is written there yet.
    Private {
        /// The item's number.
        number: usize,
        /// The host's section whose counterpart the storage is.
        section: Section,
        /// The address of the storage on the device.
        device: usize,
    },
}

/// The size of a pointer, on the host and on the device.
pub const POINTER: usize = size_of::<usize>();

/// A device's memory, and how data gets there and back. Addresses are numbers: the host's and the
/// device's may mean different memory even where they are equal.
pub trait Memory {
    /// Allocates `bytes` bytes (not 0) at a multiple of `align`; `None` if there is no memory.
    /// `host`: the address on the host whose counterpart the block is for, 0 if for none.
    fn allocate(&self, bytes: usize, align: usize, host: usize) -> Option<usize>;

    /// Frees a block; `host`: the address whose counterpart it was for.
    ///
    /// # Safety
    /// The block came from [`Memory::allocate`] and is not freed yet.
    unsafe fn free(&self, block: usize, host: usize);

    /// Notes that these bytes of the device hold nothing yet: a read there before a write is a
    /// fault of the program.
    ///
    /// # Safety
    /// They are in a block.
    unsafe fn fresh(&self, _device: usize, _bytes: usize) {}

    /// Receives each step of the table, for a watcher. The table does not depend on it.
    fn note(&self, _what: Note<'_>) {}

    /// Whether the address is already an address of the device.
    fn owns(&self, address: usize) -> bool;

    /// Copies from the host to the device.
    ///
    /// # Safety
    /// Both are valid for that many bytes.
    unsafe fn to_device(&self, device: usize, host: usize, bytes: usize);

    /// Copies from the device to the host.
    ///
    /// # Safety
    /// Both are valid for that many bytes.
    unsafe fn to_host(&self, host: usize, device: usize, bytes: usize);

    /// Copies within the device; the two may overlap.
    ///
    /// # Safety
    /// Both are valid for that many bytes.
    unsafe fn within(&self, to: usize, from: usize, bytes: usize);

    /// Returns the pointer that stands at this address of the host.
    ///
    /// # Safety
    /// There is one.
    unsafe fn host_pointer(&self, at: usize) -> usize;

    /// Writes a pointer on the device.
    ///
    /// # Safety
    /// There is room for one.
    unsafe fn set_pointer(&self, device: usize, value: usize);
}
