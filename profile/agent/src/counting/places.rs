//! A thread's counts by place, until they are written. A program moves to and fro between few
//! places, so the counts of each add up, and each place is written once with the thread's chunk.

use omphalos_profile_format::CounterDifference;

/// The number of figures that a place has.
pub const FIGURES: usize = CounterDifference::FIGURES;
/// The number of places that are distinguished. A place that takes another's slot causes the other
/// to be written.
const SLOTS: usize = 64;

/// The place that a thread is in: its state, its region and its code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// `ompt_state_t`.
    pub state: u32,
    /// `codeptr_ra` of the innermost region, 0 = none.
    pub region_codeptr: u64,
    /// The number of the stack, 0 = unknown.
    pub stack: u64,
}

impl Place {
    fn slot(&self) -> usize {
        let mixed = self.region_codeptr.rotate_left(20) ^ self.stack ^ u64::from(self.state) << 40;
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.trailing_zeros())) as usize
    }
}

type Slot = Option<(Place, [u64; FIGURES])>;

/// The counts of a thread by place.
pub struct Places([Slot; SLOTS]);

impl Default for Places {
    fn default() -> Places {
        Places([None; SLOTS])
    }
}

impl Places {
    /// Adds to a place; returns the other place that had its slot. Async-signal-safe.
    pub fn add(&mut self, place: Place, figures: &[u64; FIGURES]) -> Slot {
        if figures.iter().all(|figure| *figure == 0) {
            return None;
        }
        let slot = self.0.get_mut(place.slot())?;
        match slot {
            Some((known, sums)) if *known == place => {
                let both = sums.iter_mut().zip(figures);
                both.for_each(|(sum, figure)| *sum = sum.saturating_add(*figure));
                None
            }
            _ => slot.replace((place, *figures)),
        }
    }

    /// Gives each place to `put` and forgets it, until `put` does not take one. Returns true if all
    /// were taken. Async-signal-safe.
    pub fn drain(&mut self, mut put: impl FnMut(Place, &[u64; FIGURES]) -> bool) -> bool {
        self.0.iter_mut().all(|slot| {
            let is_taken = slot.as_ref().is_none_or(|(place, figures)| put(*place, figures));
            if is_taken {
                *slot = None;
            }
            is_taken
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whichever places share a slot, and whenever there is no room, no count is lost and none is
    /// doubled.
    #[test]
    fn all_that_was_counted_comes_out() {
        let mut places = Places::default();
        let (mut given, mut came) = (0, 0);
        for turn in 0..10_000u64 {
            let place = Place { state: 1, region_codeptr: turn % 7, stack: turn % 40 };
            given += turn;
            if let Some((_, figures)) = places.add(place, &[turn; FIGURES]) {
                came += figures[FIGURES - 1];
            }
            let mut room = turn / 1000;
            let mut put = |_, figures: &[u64; FIGURES]| {
                let has_room = room > 0;
                room = room.saturating_sub(1);
                came += if has_room { figures[0] } else { 0 };
                has_room
            };
            if turn % 1000 == 999 {
                assert!(!places.drain(&mut put), "there are more places");
            }
        }
        let is_all = places.drain(|_, figures| {
            came += figures[0];
            true
        });
        assert!(is_all && places.0.iter().all(Option::is_none));
        assert_eq!(came, given);
    }
}
