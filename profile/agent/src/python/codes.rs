//! Which code the profile's reader knows: a fixed table from what a code is to its number.
//!
//! What must hold: threads find and add numbers without a lock; a number is given once.

use core::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed},
};

/// Code that is told of at most; frames of any other are left out.
const SLOTS: usize = 1 << 14;
/// Places in which a code may be.
const STEPS: usize = 32;
/// A slot's lowest bits are the number, the others are of the hash; 0 = empty.
const NUMBER_BITS: u32 = 24;

static TABLE: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];
static NUMBERS: AtomicU32 = AtomicU32::new(0);

/// The number of a code, and whether it is new: then whoever asks has to tell of it.
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

/// Records were lost, or the file is another one: all code is told of anew. Async-signal-safe.
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
        // A full table has no number for what is new.
        let full = (0..4 * SLOTS as u64).filter(|code| number([*code, 7, 7, 7, 7]).is_none());
        assert!(full.count() > SLOTS);
    }
}
