//! A tool's buffer while the runtime fills it.

use super::{Form, Record};
use core::ffi::{c_int, c_void};

/// The tool's function that gives a buffer.
pub type Request = unsafe extern "C" fn(c_int, *mut *mut c_void, *mut usize);
/// The tool's function that takes a buffer back. Arguments: device, buffer, bytes up to the last
/// record's end, the first record's offset, whether the tool owns it.
pub type Complete = unsafe extern "C" fn(c_int, *mut c_void, usize, u64, c_int);

/// Records begin at multiples of this.
const ALIGNMENT: usize = 8;

/// A buffer of the tool's.
pub struct Buffer {
    start: *mut u8,
    bytes: usize,
    /// The begin of the first record.
    begin: usize,
    /// The end of the last record.
    end: usize,
}

impl Buffer {
    /// Asks for a buffer, which should have room for a record of `least` bytes; `None` if the tool
    /// gives none.
    pub fn request_buffer(request: Request, device: i32, least: usize) -> Option<Buffer> {
        let (mut start, mut bytes) = (core::ptr::null_mut::<c_void>(), least);
        // SAFETY: the tool's function, which gets what its signature says.
        unsafe { request(device, &mut start, &mut bytes) };
        let start = start.cast::<u8>();
        let begin = start.align_offset(ALIGNMENT);
        let none = start.is_null() || bytes == 0;
        (!none).then_some(Buffer { start, bytes, begin, end: begin })
    }

    /// Whether the buffer has no record yet.
    pub fn is_empty(&self) -> bool {
        self.end == self.begin
    }

    /// Returns how many more bytes the buffer has room for.
    pub fn room(&self) -> usize {
        self.bytes.saturating_sub(self.end)
    }

    /// Writes a record, for which there is room.
    pub fn put(&mut self, form: &Form, record: &Record) {
        let size = (form.size)(record);
        if size <= self.room() {
            // SAFETY: the tool gave so many bytes; records begin at multiples of their alignment.
            unsafe { (form.write)(record, self.start.add(self.end)) };
            self.end += size;
        }
    }

    /// Gives the buffer back. The tool owns it from then on.
    pub fn complete(self, complete: Complete, device: i32) {
        let (bytes, begin) = if self.is_empty() { (0, 0) } else { (self.end, self.begin) };
        // SAFETY: the tool's function, which gets what its signature says.
        unsafe { complete(device, self.start.cast(), bytes, begin as u64, 1) };
    }
}
