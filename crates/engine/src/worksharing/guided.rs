//! Guided loops: of n members each takes the 2n-th part of the iterations that are left, but at
//! least the given chunk size. Of the last iterations of a long loop it takes the n-th part.
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

/// With less than this part of the loop left, chunks are twice as large: a third of them would be
/// for so little otherwise. Where these iterations are uneven, one member has at most half of a
/// member's 32nd more than it would have.
const LAST_PART: u64 = 32;

/// Iterations of the next guided chunk when `left` are left.
fn guided_count(spec: &LoopSpec, left: u64, size: u32) -> u64 {
    let least = spec.chunk.max(1);
    let parts = if left <= spec.trip / LAST_PART { 1 } else { 2 };
    let mut count = left.div_ceil(parts * u64::from(size));
    if spec.rounded {
        count = count.div_ceil(least).saturating_mul(least);
    }
    count.max(least).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;

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
