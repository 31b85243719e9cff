//! Guided loops: of n members each takes the 2n-th part of the iterations that are left, but at
//! least the given chunk size. The last iterations of a long loop are dealt in longer chunks.
//!
//! Floor of a chunk: one compare-exchange, and mostly the counter's line.

use super::Chunk;
use crate::records::{LoopSpec, Team, WorkShare};
use core::sync::atomic::Ordering;

/// The next chunk of a guided loop.
pub(super) fn guided(entry: &WorkShare, spec: &LoopSpec, team: &Team) -> Option<Chunk> {
    let mut first = entry.next.load(Ordering::Relaxed);
    loop {
        if first >= spec.trip {
            return None;
        }
        let left = spec.trip - first;
        let count = guided_count(spec, left, team.size.get());
        match entry.next.compare_exchange_weak(
            first,
            first + count,
            Ordering::Relaxed,
            Ordering::Relaxed,
        ) {
            Ok(_) => return Some(Chunk { first, count, last: count == left }),
            Err(now) => first = now,
        }
    }
}

/// When only this part of the loop is left, chunks stop shrinking: they keep the length that they
/// have there, until that is more than an even share of what is left. Otherwise a third of all
/// chunks would be for this small part. It costs balance: one member may execute half of such a
/// chunk more than without.
const LAST_PART: u64 = 32;

/// Iterations of the next guided chunk when `left` are left.
fn guided_count(spec: &LoopSpec, left: u64, size: u32) -> u64 {
    let (least, halves) = (spec.chunk.max(1), 2 * u64::from(size));
    let mut count = left.div_ceil(halves);
    if left <= spec.trip / LAST_PART {
        let even = left.div_ceil(u64::from(size));
        count = count.max(even.min(spec.trip / LAST_PART / halves));
    }
    if spec.rounded {
        count = count.div_ceil(least).saturating_mul(least);
    }
    count.max(least).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_has_no_longer_chunks_than_the_parts_before() {
        for (trip, size) in [(1000, 2), (1600, 2), (1600, 8), (100_000, 64)] {
            let spec = LoopSpec { trip, chunk: 1, ..LoopSpec::NONE };
            let (mut left, mut before) = (trip, u64::MAX);
            while left > 0 {
                let count = guided_count(&spec, left, size);
                assert!(count <= before && count <= left.div_ceil(u64::from(size)));
                (left, before) = (left - count, count);
            }
        }
    }

    #[test]
    fn rounded_guided_chunks_are_multiples_but_for_the_last() {
        for trip in [1, 7, 27, 100, 1000, u64::MAX] {
            for width in [1, 4, 8] {
                let spec = LoopSpec { trip, chunk: width, rounded: true, ..LoopSpec::NONE };
                let mut left = trip;
                while left > 0 {
                    let count = guided_count(&spec, left, 3);
                    assert!(count.is_multiple_of(width) || count == left && count < width);
                    left -= count;
                }
            }
        }
    }
}
