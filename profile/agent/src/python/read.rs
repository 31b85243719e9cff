//! Memory of the process that may not exist: the system copies it, page by page.

use crate::unwind::StackMemory;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use omphalos_python::Memory;

const PAGE: usize = 4096;
/// The number of pages that are kept while one stack is looked at.
const PAGES: usize = 16;

static NOTHING: AtomicBool = AtomicBool::new(false);

/// Stops all reads: the program forbids itself the call.
pub fn stop() {
    NOTHING.store(true, Relaxed);
}

/// A reader of memory that may not exist.
pub struct Reader {
    memory: &'static mut [u8],
    /// The address of each kept page, 0 = none.
    kept: [u64; PAGES],
    /// The place of the page that was used last, and the place for the next one.
    latest: usize,
    next: usize,
    /// The number of a thread of this process.
    thread: i32,
    /// The part of the stack that is read without a copy.
    stack: StackMemory,
}

impl Reader {
    /// Allocates.
    pub fn new() -> Reader {
        // SAFETY: bytes.
        let memory = unsafe { crate::memory::zeroed(PAGES * PAGE) };
        let stack = StackMemory { low: 0, high: 0, shift: 0 };
        Reader { memory, kept: [0; PAGES], latest: 0, next: 0, thread: 0, stack }
    }

    /// Forgets all pages; `thread` is the kernel's number of a thread of this process.
    /// Async-signal-safe.
    pub fn begin(&mut self, thread: i32, stack: StackMemory) {
        (self.kept, self.thread, self.stack) = ([0; PAGES], thread, stack);
    }

    /// Returns the kernel's number of a thread of this process.
    pub fn thread(&self) -> i32 {
        self.thread
    }

    fn bytes(&mut self, at: u64, size: usize) -> Option<&[u8]> {
        let page = at & !(PAGE as u64 - 1);
        let offset = (at - page) as usize;
        if page == 0 || !at.is_multiple_of(size as u64) {
            return None;
        }
        if self.kept.get(self.latest) != Some(&page) {
            self.latest = match self.kept.iter().position(|kept| *kept == page) {
                Some(known) => known,
                None => self.fetch(page)?,
            };
        }
        let from = self.latest * PAGE + offset;
        self.memory.get(from..from + size)
    }

    fn fetch(&mut self, page: u64) -> Option<usize> {
        let place = self.next;
        let into = self.memory.get_mut(place * PAGE..(place + 1) * PAGE)?;
        *self.kept.get_mut(place)? = 0;
        if copy(self.thread, page, into) != PAGE {
            return None;
        }
        *self.kept.get_mut(place)? = page;
        self.next = (place + 1) % PAGES;
        Some(place)
    }
}

/// Async-signal-safe.
impl Memory for Reader {
    fn word(&mut self, at: u64) -> Option<u64> {
        if let Some(word) = self.stack.read(at) {
            return Some(word);
        }
        let bytes = self.bytes(at, 8)?;
        Some(u64::from_le_bytes(bytes.try_into().ok()?))
    }

    fn half(&mut self, at: u64) -> Option<u32> {
        let bytes = self.bytes(at, 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }
}

/// Copies the memory at `from`, as much as can be read; returns the number of bytes. `thread` is
/// one of this process. Async-signal-safe.
pub fn copy(thread: i32, from: u64, into: &mut [u8]) -> usize {
    let source = [libc::iovec { iov_base: from as *mut libc::c_void, iov_len: into.len() }];
    copy_all(thread, &source, into)
}

/// Does what [`copy`] does, for several places, one after the other, up to the first that cannot be
/// read.
pub fn copy_all(thread: i32, sources: &[libc::iovec], into: &mut [u8]) -> usize {
    if NOTHING.load(Relaxed) {
        return 0;
    }
    let room = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    // SAFETY: the room belongs to the caller, and no more is copied; the kernel checks the other
    // addresses.
    let done = unsafe {
        libc::process_vm_readv(thread, &room, 1, sources.as_ptr(), sources.len() as u64, 0)
    };
    usize::try_from(done).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_memory_cannot_be_read() {
        let mut reader = Reader::new();
        let none = StackMemory { low: 0, high: 0, shift: 0 };
        reader.begin(omphalos_sys::thread::id(), none);
        let words = [7u64, 8, 9];
        let at = words.as_ptr().addr() as u64;
        assert_eq!([reader.word(at), reader.word(at + 16)], [Some(7), Some(9)]);
        assert_eq!(reader.half(at + 8), Some(8));
        assert_eq!([reader.word(8), reader.word(at + 1), reader.word(u64::MAX - 7)], [None; 3]);
        // The kept page belongs to one look.
        let mut word = Box::new(1u64);
        let at = core::ptr::from_ref(&*word).addr() as u64;
        assert_eq!(reader.word(at), Some(1));
        *word = 2;
        reader.begin(omphalos_sys::thread::id(), none);
        assert_eq!(reader.word(at), Some(2));
        let mut byte = [0];
        assert_eq!((copy(omphalos_sys::thread::id(), at, &mut byte), byte), (1, [2]));
    }
}
