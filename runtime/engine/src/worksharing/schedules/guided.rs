//! Hands out guided loops: each of n members takes the 2n-th part of the iterations that are left,
//! but at least the given chunk size.
//!
//! The bounds of each chunk depend only on the loop and the team's size, not on the member that
//! takes it. So a member takes the *number* of a chunk, by a fetch-and-add, and works out the
//! bounds by itself: it goes on from its own last chunk ([`by_number`]). Floor of a chunk: one
//! fetch-and-add, and mostly the counter's line. If the counter counted iterations, a member would
//! have to read it, divide and exchange it; meanwhile the line goes to another member, and the
//! exchange fails.
//!
//! Most members of a crowded team come when others have long done the loop. They would work out the
//! bounds of all chunks only to find none left. So in such a team the counter counts iterations
//! ([`by_iteration`]).

use super::super::Chunk;
use crate::records::{LoopSpec, Mode, Owner, Slot, Team, WorkShare};
use core::sync::atomic::Ordering;

/// Takes the next chunk of a guided loop.
#[inline(always)]
pub(super) fn guided(entry: &WorkShare, slot: Owner<'_, Slot>, team: &Team) -> Option<Chunk> {
    let share = &slot.share;
    let parts = 2 * u64::from(team.size.get());
    if !share.served.replace(slot, true) && !team.crowded.get() {
        share.rounds.set(slot, (0, parts));
        share.mode.set(slot, Mode::Numbered);
    }
    match share.mode.get() {
        Mode::Numbered => by_number(entry, slot),
        _ => by_iteration(entry, share.spec(), parts),
    }
}

/// Takes the next chunk of a loop whose counter counts chunks.
///
/// The member keeps in `rounds` the number of the chunk after its last one, and the divisor: a
/// forked child goes on with the same divisor, although it is alone. In `rest` it keeps that
/// chunk's first iteration, where debuggers find it.
#[inline(always)]
fn by_number(entry: &WorkShare, slot: Owner<'_, Slot>) -> Option<Chunk> {
    let share = &slot.share;
    let spec = share.spec();
    let wanted = entry.next.fetch_add(1, Ordering::Relaxed);
    let (mut number, parts) = share.rounds.get();
    let mut first = share.rest.get();
    loop {
        let left = spec.trip - first;
        let count = guided_count(spec, left, parts);
        if number != wanted && left != 0 {
            first += count;
            number += 1;
            continue;
        }
        // The last chunk of an ordered loop must still pass its turn on.
        if left == count && !spec.ordered {
            share.mode.set(slot, Mode::Over);
        }
        share.rounds.set(slot, (number + 1, parts));
        share.set_rest(slot, first + count, first + count);
        return (left != 0).then_some(Chunk { first, count, last: count == left });
    }
}

/// Takes the next chunk of a loop whose counter counts iterations.
#[inline(always)]
fn by_iteration(entry: &WorkShare, spec: &LoopSpec, parts: u64) -> Option<Chunk> {
    let mut first = entry.next.load(Ordering::Relaxed);
    loop {
        if first >= spec.trip {
            return None;
        }
        let left = spec.trip - first;
        let count = guided_count(spec, left, parts);
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

/// Returns the number of iterations of the next guided chunk when `left` are left; 0 if none are.
/// `parts`: twice the team's size.
#[inline(never)]
fn guided_count(spec: &LoopSpec, left: u64, parts: u64) -> u64 {
    let mut count = left.div_ceil(parts);
    let least = spec.chunk.max(1);
    if spec.rounded {
        count = count.div_ceil(least).saturating_mul(least);
    }
    count.max(least).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_chunk_is_longer_than_the_one_before() {
        for (trip, size) in [(1000, 2), (1600, 2), (1600, 8), (100_000, 64)] {
            let spec = LoopSpec { trip, chunk: 1, ..LoopSpec::NONE };
            let (mut left, mut before) = (trip, u64::MAX);
            while left > 0 {
                let count = guided_count(&spec, left, 2 * size);
                assert!(count <= before && count <= left.div_ceil(size));
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
                    let count = guided_count(&spec, left, 6);
                    assert!(count.is_multiple_of(width) || count == left && count < width);
                    left -= count;
                }
            }
        }
    }
}
