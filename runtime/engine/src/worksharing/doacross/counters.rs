//! Finds the counter of the ledger that stands for an iteration, if the outermost loop's schedule
//! is known.

use crate::records::{LoopSpec, Schedule};

/// Returns how many counters a loop needs.
pub(super) fn counters(spec: &LoopSpec, size: u32) -> u64 {
    match spec.schedule {
        Schedule::Static if spec.chunk == 0 => u64::from(size),
        schedule if !schedule.has_even_chunks() => spec.trip,
        _ => spec.trip.div_ceil(spec.chunk.max(1)),
    }
}

/// Returns the counter of an outer iteration.
#[inline(always)]
pub(super) fn counter_of(spec: &LoopSpec, size: u32, outer: u64) -> usize {
    // This is the most common chunk size, and needs no division.
    if spec.chunk == 1 { outer as usize } else { counter_by_division(spec, size, outer) }
}

#[inline(never)]
fn counter_by_division(spec: &LoopSpec, size: u32, outer: u64) -> usize {
    let index = match spec.schedule {
        Schedule::Static if spec.chunk == 0 => {
            let (share, rest) = (spec.trip / u64::from(size), spec.trip % u64::from(size));
            let longer = rest * (share + 1);
            if outer < longer {
                outer / (share + 1)
            } else {
                rest + (outer - longer) / share.max(1)
            }
        }
        schedule if !schedule.has_even_chunks() => outer,
        _ => outer / spec.chunk.max(1),
    };
    index as usize
}

#[cfg(test)]
mod tests {
    use super::super::super::static_share;
    use super::*;

    #[test]
    fn a_static_share_has_one_counter_its_owners() {
        for trip in [1, 2, 7, 16, 100] {
            for size in [1, 2, 3, 16] {
                let spec = LoopSpec { trip, ..LoopSpec::NONE };
                for num in 0..size {
                    let Some(share) = static_share(&spec, size, num, 0) else { continue };
                    for outer in share.first..share.first + share.count {
                        assert_eq!(counter_of(&spec, size, outer), num as usize);
                    }
                }
            }
        }
    }
}
