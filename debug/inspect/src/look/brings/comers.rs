//! Finds threads that would end another thread's wait if they went on: a way through the code leads
//! from their stack to a place that ends the wait.

use omphalos_ompd_view::snapshot::{Bringing, Comer, Snapshot, Thread};
use omphalos_program::Owner;

use super::super::Stack;
use super::place_of;
use crate::names::Named;

/// Frames of one thread that are looked at.
const MOST_FRAMES: usize = 32;

/// Returns the waiting threads other than `of` that may come to a place that would end the wait of
/// `of`, each with the place.
pub fn find(snapshot: &Snapshot, stacks: &[Stack], named: &Named<'_>, of: &Thread) -> Vec<Comer> {
    let Some(brings) = &of.brings else { return Vec::new() };
    // An end or a destroyed lock is an event of the past, not one to come.
    if matches!(brings.what, Bringing::End | Bringing::Destroy) {
        return Vec::new();
    }
    let names = named.names();
    let ways = names.approaches_to(&brings.after);
    let others = stacks.iter().filter(|stack| stack.lwp != of.lwp);
    let comer = |stack: &Stack| {
        let waits = snapshot.threads.iter().find(|thread| thread.lwp == stack.lwp)?.waits.is_some();
        let own = stack.raw.iter().filter(|raw| names.owner(raw.lookup) == Owner::User);
        let to = own.take(MOST_FRAMES).find_map(|raw| names.reached_from(raw.address, &ways));
        let place = place_of(named, to.filter(|_| waits)?)?;
        Some(Comer { lwp: stack.lwp, place })
    };
    others.filter_map(comer).collect()
}
