//! Places and binding.

use crate::team::{Slot, Team};
use crate::thread::Thread;

/// Decides the places of a region's members. `bind`: the clause, -1 = none.
pub fn place_team(_thread: &Thread, _team: &Team, _bind: i32) {}

/// Binds the calling thread to its slot's place if it is bound elsewhere.
#[inline(always)]
pub fn settle(thread: &Thread, slot: &Slot) {
    if slot.place.get() != thread.place.get() {
        thread.place.set(slot.place.get());
    }
}
