//! Finds the start of a condition variable from the word that a thread sleeps at.
//!
//! The words of its two groups stand behind the number of waiters (`__wrefs`). Up to glibc 2.40
//! each group has a count of its waiters in front of its word; later versions, and earlier ones
//! with the fix, have none. So the version decides nothing, and the words that stand there must
//! tell.

use crate::Target;
use crate::target::{half, word};

/// The distance in bytes from a variable's start to its groups' words, with these counts and
/// without.
const WITH_COUNTS: u64 = 40;
const WITHOUT_COUNTS: u64 = 32;
/// More waits than any program has: a larger number is an address.
const WAITS: u64 = 1 << 40;

/// Returns the address of the condition variable whose word at `at` a thread sleeps at.
pub(super) fn of_word(target: &dyn Target, at: u64) -> u64 {
    let words = at & !7;
    let before = if has_counts(target, at) { WITH_COUNTS } else { WITHOUT_COUNTS };
    words.wrapping_sub(before)
}

/// Whether the variable has the counts. The words are plausible as counts if the two words in front
/// of them are plausible too. Those are the number of waits that have begun, and the first wait
/// that the first group does not have: each is twice the number, and a bit that says which group is
/// newer.
fn has_counts(target: &dyn Target, at: u64) -> bool {
    let words = at & !7;
    let read = |before: u64| word(target, words.wrapping_sub(before)).ok();
    let all = || Some((read(40)?, read(32)?, read(24)?, half(target, words.wrapping_sub(4)).ok()?));
    let Some((begun, first, counts, waiters)) = all() else { return false };
    // The counts are doubled too, beside a flag; the waiters are times eight, beside flags.
    let [count, other] = match at & 4 {
        0 => [counts & 0xffff_ffff, counts >> 32],
        _ => [counts >> 32, counts & 0xffff_ffff],
    };
    let is_counted = count >= 2 && (count >> 1) + (other >> 1) <= u64::from(waiters >> 3);
    let is_same_group = (begun ^ first) & 1 == 0;
    is_counted && is_same_group && begun.checked_sub(first).is_some_and(|waits| waits < WAITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fault, Registers};

    /// The words from 40 bytes in front of the groups' words on.
    struct Words([u64; 6]);

    impl Target for Words {
        fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
            let bytes: Vec<u8> = self.0.iter().flat_map(|word| word.to_le_bytes()).collect();
            let from = address as usize - 1000;
            into.copy_from_slice(&bytes[from..from + into.len()]);
            Ok(())
        }

        fn symbol(&self, name: &str, _: Option<&str>) -> Result<u64, Fault> {
            Err(Fault::Unknown(name.into()))
        }

        fn threads(&self) -> Result<Vec<u32>, Fault> {
            Ok(Vec::new())
        }

        fn registers(&self, _: u32) -> Result<Registers, Fault> {
            Err(Fault::Unknown("registers".into()))
        }
    }

    #[test]
    fn a_variable_begins_before_its_counts_if_it_has_some() {
        // Three wait in the first group, before anybody was signalled, and in the second.
        let with = Words([7, 1, 6, 0, 24 << 32, 0]);
        assert_eq!(of_word(&with, 1040), 1000);
        let with = Words([6, 0, 6 << 32, 0, 24 << 32, 0]);
        assert_eq!(of_word(&with, 1044), 1000);
        // The same without counts, behind a number and behind an address.
        for before in [5000, 0x7f00_0000_1000, 0] {
            for (begun, first, at) in [(7, 1, 1044), (6, 0, 1040), (406, 400, 1040)] {
                let without = Words([before, begun, first, 0, 24 << 32, 0]);
                assert_eq!(of_word(&without, at), 1008, "{before} {begun}");
            }
        }
    }
}
