//! How the next chunk of a loop is found, by its schedule: a file for each that needs one. Who
//! calls: `chunks.rs`, for every loop that has no quicker way.

mod guided;

use super::shares::static_share;
use super::{Chunk, room};
use crate::records::{LoopSpec, Owner, Schedule, Slot, Team, Thread, WorkShare};
use core::sync::atomic::Ordering;
use guided::guided;

/// Returns the next chunk of the loop that the thread is in. `entry`: the state that the loop's
/// members share. Where they share nothing, the loop is dealt as a static one.
#[inline(always)]
pub(super) fn next_by_schedule(
    thread: &Thread,
    team: &Team,
    slot: Owner<'_, Slot>,
    entry: Option<&WorkShare>,
) -> Option<Chunk> {
    let share = &slot.record().share;
    let spec = share.spec();
    match (spec.schedule, entry) {
        (Schedule::Dynamic, Some(entry)) => {
            if share.asks_for_room.get() {
                room::wait_for_room(thread, team, entry);
            }
            let found = dynamic(entry, spec);
            if spec.ordered && team.crowded.get() && found.is_some_and(|chunk| chunk.last) {
                room::none_left(team);
            }
            found
        }
        (Schedule::Guided, Some(entry)) => guided(entry, slot, team),
        // A guard in place of the `match` below might be evaluated twice, once for each pattern.
        (Schedule::Static, _) | (_, None) => match share.served.replace(slot, true) {
            true => None,
            false => static_share(spec, team.size.get(), thread.num.get(), 0),
        },
    }
}

/// Takes the next chunk of a rare dynamic loop: an ordered one, or one so long that a plain
/// addition could wrap around.
fn dynamic(entry: &WorkShare, spec: &LoopSpec) -> Option<Chunk> {
    let chunk = spec.chunk;
    let first = entry
        .next
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
            (next < spec.trip).then(|| next.saturating_add(chunk))
        })
        .ok()?;
    let left = spec.trip - first;
    Some(Chunk { first, count: chunk.min(left), last: left <= chunk })
}
