//! The slots of a team's members: an array, by thread number.
//!
//! A member that lags may read the array while the primary hires or dismisses workers. So the
//! elements are atomics, and the primary writes a new element before it writes a size that counts
//! it. An array that is too short is replaced by one of twice the length and never freed. All
//! replaced arrays together take less memory than the latest.

use super::{Slot, Team};
use core::sync::atomic::{AtomicPtr, Ordering};

/// The number of places in the first array.
const FIRST_SEATS: usize = 8;

/// The array of a team's slots.
pub(crate) struct Seats {
    places: Box<[AtomicPtr<Slot>]>,
    /// The array that this one replaced. No code reads it: through it leak checkers see that the
    /// old array is in use.
    _before: *const Seats,
}

impl Team {
    /// Adds members after those that the team has. No region is under way.
    pub(crate) fn seat(&self, more: &[&'static Slot]) {
        let have = self.capacity.get() as usize;
        let count = have + more.len();
        // SAFETY: null or an array, which is never freed; only the primary asks.
        let seats = match unsafe { self.seats.get().as_ref() } {
            Some(seats) if seats.places.len() >= count => seats,
            seats => self.lengthen(seats, count),
        };
        for (place, slot) in seats.places[have..].iter().zip(more) {
            place.store(core::ptr::from_ref(*slot).cast_mut(), Ordering::Release);
        }
        self.capacity.set(self.as_owner(), count as u32);
        self.staffed.set(self.as_owner(), count as u32);
    }

    /// Replaces the first member's slot in a forked child.
    pub(crate) fn seat_first(&self, slot: &Slot) {
        // SAFETY: an array, which is never freed, of a team with members.
        unsafe { &*self.slots.get() }
            .store(core::ptr::from_ref(slot).cast_mut(), Ordering::Relaxed);
    }

    fn lengthen(&self, old: Option<&'static Seats>, count: usize) -> &'static Seats {
        let kept = old.map_or(&[][..], |old| &old.places);
        let mut places = Vec::new();
        places.resize_with(count.next_power_of_two().max(FIRST_SEATS), AtomicPtr::default);
        for (place, slot) in places.iter().zip(kept) {
            place.store(slot.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        let before = old.map_or(core::ptr::null(), core::ptr::from_ref);
        let seats: &'static Seats =
            Box::leak(Box::new(Seats { places: places.into_boxed_slice(), _before: before }));
        self.seats.set(self.as_owner(), seats);
        self.slots.set(self.as_owner(), seats.places.as_ptr().cast_mut());
        seats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_places() {
        let team = Team::new();
        let slots: Vec<_> = (0..FIRST_SEATS * 2 + 1).map(|_| Slot::new()).collect();
        for slot in &slots {
            team.seat(&[slot]);
        }
        assert_eq!(team.capacity.get() as usize, slots.len());
        for (num, slot) in (0..).zip(&slots) {
            assert!(core::ptr::eq(team.slot(num), *slot));
        }
    }

    #[test]
    fn places_are_used_again() {
        let team = Team::new();
        let slots: Vec<_> = (0..4).map(|_| Slot::new()).collect();
        team.seat(&slots[..3]);
        let seats = team.seats.get();
        for _ in 0..100 {
            team.forget_workers();
            team.seat(&slots[2..]);
            assert_eq!(team.capacity.get(), 3);
            assert!(core::ptr::eq(team.slot(2), slots[3]));
        }
        assert!(core::ptr::eq(team.seats.get(), seats));
    }
}
