//! Works out the chunks that a member gets in a static loop: arithmetic only.

use super::Chunk;
use crate::records::LoopSpec;

/// Returns the chunk of member `num` of `size` in this round (from 0) of a static loop; `None` if
/// it has none.
#[inline]
pub fn static_share(spec: &LoopSpec, size: u32, num: u32, round: u64) -> Option<Chunk> {
    let wide = u64::from(num);
    if spec.chunk == 0 {
        if round != 0 || spec.trip == 0 {
            return None;
        }
        let (share, rest) = divide(spec.trip, u64::from(size));
        let first = wide * share + wide.min(rest);
        let count = share + u64::from(wide < rest);
        let last = first + count == spec.trip;
        return (count != 0).then_some(Chunk { first, count, last });
    }
    let index = round.checked_mul(u64::from(size))?.checked_add(wide)?;
    let first = index.checked_mul(spec.chunk)?;
    if first >= spec.trip {
        return None;
    }
    let count = spec.chunk.min(spec.trip - first);
    Some(Chunk { first, count, last: count == spec.trip - first })
}

/// Returns the iterations of each member's one share if shares are multiples of `width` (static,
/// simd).
pub fn rounded_share(trip: u64, size: u32, width: u64) -> u64 {
    let width = width.max(1);
    trip.div_ceil(u64::from(size)).div_ceil(width).saturating_mul(width).max(width)
}

/// Returns quotient and remainder. To divide short numbers takes half the time or less.
#[inline(always)]
fn divide(a: u64, b: u64) -> (u64, u64) {
    match (u32::try_from(a), u32::try_from(b)) {
        (Ok(a), Ok(b)) => (u64::from(a / b), u64::from(a % b)),
        _ => (a / b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(trip: u64, chunk: u64, size: u32) -> Vec<u64> {
        let spec = LoopSpec { trip, chunk, ..LoopSpec::NONE };
        let mut seen = Vec::new();
        for num in 0..size {
            let mut round = 0;
            while let Some(part) = static_share(&spec, size, num, round) {
                seen.extend(part.first..part.first + part.count);
                assert_eq!(part.last, part.first + part.count == trip);
                round += 1;
            }
        }
        seen.sort_unstable();
        seen
    }

    #[test]
    fn static_shares_cover_each_iteration_once() {
        for trip in [0, 1, 2, 5, 7, 64, 1000] {
            for chunk in [0, 1, 3, 64, 5000] {
                for size in [1, 2, 3, 7, 16] {
                    let wanted: Vec<u64> = (0..trip).collect();
                    assert_eq!(covered(trip, chunk, size), wanted, "{trip} {chunk} {size}");
                }
            }
        }
    }

    #[test]
    fn an_extreme_trip_count_does_not_overflow() {
        let spec = LoopSpec { trip: u64::MAX, chunk: u64::MAX / 2, ..LoopSpec::NONE };
        let part = static_share(&spec, 2, 1, 0).unwrap();
        assert_eq!(part.first, u64::MAX / 2);
        assert_eq!(static_share(&spec, 2, 1, u64::MAX / 2), None);
    }

    #[test]
    fn rounded_shares_are_multiples_that_cover_everything() {
        for trip in [0, 1, 4, 27, 100, u64::MAX - 64] {
            for size in [1, 2, 3, 16] {
                for width in [1, 4, 8] {
                    let share = rounded_share(trip, size, width);
                    assert_eq!(share % width, 0);
                    assert!(u128::from(share) * u128::from(size) >= u128::from(trip));
                }
            }
        }
    }
}
