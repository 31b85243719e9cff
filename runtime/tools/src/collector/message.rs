//! Reads the list of requests that a client passes, and writes the answer into each entry.
//!
//! The client is not trusted. What must hold: nothing outside an entry's `sz` bytes is written;
//! every access is unaligned (clients pack `mem`). If `sz` leads out of the page that was read
//! last, the kernel is asked first whether the memory exists.

use core::ffi::c_int;
use omphalos_abi::collector::*;
use omphalos_sys::memory;

/// The runtime's answer to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// An error code and no data.
    Code(ErrorCode),
    /// The answer would need this many bytes.
    TooSmall(usize),
    /// The answer would need this many bytes, as in `TooSmall`, but its first word is written.
    FirstWord([u8; 4], usize),
    /// Data of this length.
    Data([u8; 16], usize),
}

/// One entry of the list.
#[derive(Clone, Copy)]
pub struct Entry {
    at: *mut u8,
    size: usize,
}

impl Entry {
    /// Returns the request's number, which may be any.
    pub fn request(&self) -> Request {
        self.word(4)
    }

    /// Returns the bytes of `mem`.
    pub fn room(&self) -> usize {
        self.size - HEADER
    }

    /// Returns `N` bytes of `mem` at `offset`; `None` if it has fewer.
    pub fn input<const N: usize>(&self, offset: usize) -> Option<[u8; N]> {
        if offset + N > self.room() || !self.reachable(offset + N, false) {
            return None;
        }
        // SAFETY: inside the entry, which the client owns and lent for this call; any alignment.
        Some(unsafe { self.at.add(HEADER + offset).cast::<[u8; N]>().read_unaligned() })
    }

    /// Writes the answer.
    pub fn answer(&self, answer: Answer) {
        match answer {
            Answer::Code(code) => self.finish(code, 0),
            Answer::TooSmall(needed) => self.finish(OMP_ERRCODE_MEM_TOO_SMALL, needed),
            Answer::FirstWord(word, needed) => {
                if self.room() >= word.len() && self.reachable(word.len(), true) {
                    // SAFETY: inside the entry, as checked.
                    unsafe { self.at.add(HEADER).cast::<[u8; 4]>().write_unaligned(word) };
                }
                self.finish(OMP_ERRCODE_MEM_TOO_SMALL, needed);
            }
            Answer::Data(_, length) if length > self.room() => {
                self.finish(OMP_ERRCODE_MEM_TOO_SMALL, length);
            }
            Answer::Data(_, length) if !self.reachable(length, true) => {
                self.finish(OMP_ERRCODE_ERROR, 0);
            }
            Answer::Data(bytes, length) => {
                // SAFETY: inside the entry, as checked above.
                unsafe {
                    core::ptr::copy_nonoverlapping(
                        bytes.as_ptr(),
                        self.at.add(HEADER),
                        length.min(bytes.len()),
                    );
                }
                self.finish(OMP_ERRCODE_OK, length);
            }
        }
    }

    /// Whether the first `length` bytes of `mem` exist. The header exists, and so does its page.
    fn reachable(&self, length: usize, write: bool) -> bool {
        let last = (self.at as usize).saturating_add(HEADER + length.max(1) - 1);
        memory::same_page(self.at as usize, last) || memory::usable(last, 1, write)
    }

    fn finish(&self, code: ErrorCode, bytes: usize) {
        // SAFETY: the header was checked when the entry was found.
        unsafe {
            self.at.add(8).cast::<c_int>().write_unaligned(code);
            self.at.add(12).cast::<c_int>().write_unaligned(bytes as c_int);
        }
    }

    fn word(&self, offset: usize) -> c_int {
        // SAFETY: inside the header, which was checked when the entry was found.
        unsafe { self.at.add(offset).cast::<c_int>().read_unaligned() }
    }
}

/// Calls `handle` for every entry in turn, and writes its answer. Returns 0 if the list was read to
/// its end. Returns -1 if an entry could not be understood: this entry and all that follow stay as
/// they are.
pub fn process(message: *mut u8, mut handle: impl FnMut(&Entry) -> Answer) -> c_int {
    let mut at = message;
    // The client's pointer is used unchecked, unless it cannot be an address.
    if (at as usize) < 4096 {
        return -1;
    }
    let mut known = at as usize;
    loop {
        let address = at as usize;
        if !address.is_multiple_of(4) {
            return -1;
        }
        let near = memory::same_page(known, address);
        if !near && !memory::usable(address, 4, false) {
            return -1;
        }
        // SAFETY: four aligned bytes of a page that is there.
        let size = unsafe { at.cast::<c_int>().read() };
        if size == 0 {
            return 0;
        }
        if size < HEADER as c_int || size % 4 != 0 {
            return -1;
        }
        let whole = near && memory::same_page(known, address + HEADER - 1);
        if !whole && !memory::usable(address, HEADER, true) {
            return -1;
        }
        let entry = Entry { at, size: size as usize };
        entry.answer(handle(&entry));
        known = address;
        at = at.wrapping_add(size as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: &[c_int]) -> Vec<c_int> {
        words.to_vec()
    }

    fn run(words: &mut [c_int]) -> c_int {
        process(words.as_mut_ptr().cast(), |entry| match entry.request() {
            1 => Answer::Data([7; 16], 8),
            2 => Answer::TooSmall(12),
            _ => Answer::Code(OMP_ERRCODE_UNKNOWN),
        })
    }

    #[test]
    fn an_empty_list_is_fine() {
        assert_eq!(run(&mut list(&[0])), 0);
    }

    #[test]
    fn entries_are_answered_in_place() {
        let mut words = list(&[24, 1, -1, -1, 0, 0, 20, 1, -1, -1, 5, 16, 9, -1, -1, 0]);
        assert_eq!(run(&mut words), 0);
        assert_eq!(words[..6], [24, 1, OMP_ERRCODE_OK, 8, 0x0707_0707, 0x0707_0707]);
        assert_eq!(words[6..11], [20, 1, OMP_ERRCODE_MEM_TOO_SMALL, 8, 5]);
        assert_eq!(words[11..15], [16, 9, OMP_ERRCODE_UNKNOWN, 0]);
    }

    #[test]
    fn what_cannot_be_an_entry_ends_the_list() {
        for size in [-4, 4, 12, 17, 18, 15, c_int::MIN, c_int::MAX] {
            let mut words = list(&[16, 9, -1, -1, size, 9, -1, -1, 0, 0, 0, 0]);
            assert_eq!(run(&mut words), -1, "{size}");
            assert_eq!(words[2], OMP_ERRCODE_UNKNOWN);
            assert_eq!(words[6], -1, "left alone");
        }
    }

    #[test]
    fn pointers_that_lead_nowhere() {
        assert_eq!(process(core::ptr::null_mut(), |_| Answer::Code(0)), -1);
        let mut words = list(&[16, 9, 0, 0, 0, 0]);
        let odd = words.as_mut_ptr().cast::<u8>().wrapping_add(1);
        assert_eq!(process(odd, |_| Answer::Code(0)), -1);
        // The first entry claims more than the process has mapped behind it.
        let mut words = list(&[0x7fff_fff0, 9, -1, -1]);
        let code = run(&mut words);
        assert!(code == -1 || code == 0);
        assert_eq!(words[2], OMP_ERRCODE_UNKNOWN);
    }
}
