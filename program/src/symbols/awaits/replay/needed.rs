//! Finds what decided the way of replayed code: the places whose contents led to each of its jumps,
//! and to the places that it wrote.

use std::collections::HashSet;

use super::machine::{Place, Step};

/// What decided a way, if the way begins again where it ends.
pub(super) struct Needed {
    /// The registers, flags and bytes whose contents at the way's begin decided it.
    pub(super) places: HashSet<Place>,
    /// For each step, whether its results did.
    pub(super) steps: Vec<bool>,
}

/// Passes over the steps, at most: each adds what the begin of the way needs of its end.
const MOST_PASSES: usize = 16;

/// Finds what decided the way. What the begin needs must be there at the end, too: so the steps are
/// passed until no place is new. `None` if there are too many passes.
pub(super) fn needed(steps: &[Step]) -> Option<Needed> {
    let mut places: HashSet<Place> = HashSet::new();
    let mut marked = vec![false; steps.len()];
    for _ in 0..MOST_PASSES {
        let mut live = places.clone();
        for (step, marked) in steps.iter().zip(&mut marked).rev() {
            let is_live = step.writes.iter().flat_map(|it| it.parts()).any(|it| live.contains(&it));
            if is_live {
                *marked = true;
                for part in step.writes.iter().flat_map(|it| it.parts()) {
                    live.remove(&part);
                }
                live.extend(step.reads.iter().flat_map(|it| it.parts()));
            }
            *marked |= step.decides;
            live.extend(step.always.iter().flat_map(|it| it.parts()));
        }
        if live.is_subset(&places) {
            return Some(Needed { places, steps: marked });
        }
        places.extend(live);
    }
    None
}
