//! The codes that the profile's reader knows: a fixed table from a code's identity to its number.
//!
//! What must hold: threads find and add numbers without a lock; a number is given once.

use super::read::copy_all;
use core::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed},
};
use omphalos_python::Layout;

/// The most code that is recorded; frames of further code are left out.
const SLOTS: usize = 1 << 14;
/// The number of places in which a code may be.
const STEPS: usize = 32;
/// A slot's lowest bits are the number, the others belong to the hash; 0 = empty.
const NUMBER_BITS: u32 = 24;

/// The number of codes that are read at once.
pub const BATCH: usize = 64;
/// The bytes of a code that identify it.
const HEAD: usize = 160;

/// The identity of a code: where its names and its table are.
#[derive(Clone, Copy, Default)]
pub struct Head {
    pub file: u64,
    pub name: u64,
    pub lines: u64,
    pub first_line: u32,
}

/// The heads of some code.
pub struct Heads {
    bytes: &'static mut [u8],
    length: usize,
}

impl Heads {
    /// Allocates.
    pub fn new() -> Heads {
        // SAFETY: bytes.
        Heads { bytes: unsafe { crate::memory::zeroed(BATCH * HEAD) }, length: 0 }
    }

    /// Reads the heads of `codes`, at most [`BATCH`] of them. Async-signal-safe.
    pub fn read(&mut self, thread: i32, codes: impl Iterator<Item = u64>) {
        let mut sources = [libc::iovec { iov_base: core::ptr::null_mut(), iov_len: HEAD }; BATCH];
        let mut count = 0;
        for (place, code) in sources.iter_mut().zip(codes) {
            place.iov_base = code as *mut libc::c_void;
            count += 1;
        }
        self.length = copy_all(thread, sources.get(..count).unwrap_or(&[]), self.bytes);
    }

    /// Returns the head of the code at `place` of those that were read last, if it could be read
    /// and its type says that it is code. Async-signal-safe.
    pub fn get(&self, place: usize, layout: &Layout, kind: u64) -> Option<Head> {
        let bytes = self.bytes.get(..self.length)?.get(place * HEAD..(place + 1) * HEAD)?;
        let word = |offset: u64| {
            let word = bytes.get(offset as usize..)?.first_chunk()?;
            Some(u64::from_le_bytes(*word))
        };
        if word(layout.kind)? != kind {
            return None;
        }
        let (file, name, lines) = (word(layout.file)?, word(layout.name)?, word(layout.lines)?);
        Some(Head { file, name, lines, first_line: word(layout.first_line)? as u32 })
    }
}

static TABLE: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];
static NUMBERS: AtomicU32 = AtomicU32::new(0);

/// Returns the number of a code, and whether it is new: then the caller has to record it.
/// Async-signal-safe.
pub fn number(words: [u64; 5]) -> Option<(u32, bool)> {
    let hash = words.iter().fold(0u64, |hash, word| {
        let hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ hash >> 29
    });
    let tag = hash >> NUMBER_BITS << NUMBER_BITS;
    for step in 0..STEPS {
        let slot = TABLE.get((hash as usize).wrapping_add(step) % SLOTS)?;
        let mut known = slot.load(Acquire);
        if known == 0 {
            let number = NUMBERS.fetch_add(1, Relaxed) + 1;
            if number >= 1 << NUMBER_BITS {
                return None;
            }
            match slot.compare_exchange(0, tag | u64::from(number), AcqRel, Acquire) {
                Ok(_) => return Some((number, true)),
                Err(other) => known = other,
            }
        }
        if known >> NUMBER_BITS << NUMBER_BITS == tag {
            return Some((known as u32 & ((1 << NUMBER_BITS) - 1), false));
        }
    }
    None
}

/// Forgets all numbers, because records were lost or the file is another one: all code is recorded
/// anew. Async-signal-safe.
pub fn forget() {
    if NUMBERS.load(Relaxed) > 0 {
        TABLE.iter().for_each(|slot| slot.store(0, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_one_number() {
        let (one, new) = number([1, 2, 3, 4, 5]).expect("a number");
        assert!(new);
        assert_eq!(number([1, 2, 3, 4, 5]), Some((one, false)));
        let (other, new) = number([1, 2, 3, 4, 6]).expect("a number");
        assert!(new && other != one);
        forget();
        let (again, new) = number([1, 2, 3, 4, 5]).expect("a number");
        assert!(new && again > other);
        // A full table has no number for new code.
        let full = (0..4 * SLOTS as u64).filter(|code| number([*code, 7, 7, 7, 7]).is_none());
        assert!(full.count() > SLOTS);
    }
}
