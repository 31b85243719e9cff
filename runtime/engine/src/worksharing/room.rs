//! Limits the number of chunks of an ordered loop that a crowded team works on at once.
//!
//! If every member holds a chunk, the turn goes round all of them, and for each chunk the kernel
//! has to switch between members that share a processor. If no more chunks are under way than there
//! are processors, the other members sleep, and the turn goes to and fro between threads that run.
//! That pays where a switch takes longer than a chunk. So a member waits for room only while it
//! sees the turn move fast. A loop whose chunks take long, or block and need more threads than
//! processors, is handed out to all members.
//!
//! What must hold: a member that waits for room has no chunk, so no other member waits for it. It
//! waits again only if the others were as fast as [`FAST_CHUNK_NANOSECONDS`] says. It is woken when
//! the loop has no chunk left.

use crate::records::{Team, Thread, WorkShare};
use crate::waiting::{Reason, wait_asleep, wake};
use core::sync::atomic::Ordering;
use core::time::Duration;
use omphalos_events::State;
use omphalos_settings::settings;
use omphalos_sys::clock;

/// The times that a member waits before it checks how far the others have come: the first wait, and
/// each later one.
const FIRST_WAIT_FOR_ROOM: Duration = Duration::from_micros(100);
const LATER_WAIT_FOR_ROOM: Duration = Duration::from_millis(1);
/// Nanoseconds from chunk to chunk below which chunks count as fast; a switch takes 1000 to 2000.
const FAST_CHUNK_NANOSECONDS: u64 = 12_000;

/// Waits for room. The calling member is about to take a chunk of an ordered dynamic loop of a
/// crowded team.
#[cold]
#[inline(never)]
pub(super) fn wait_for_room(thread: &Thread, team: &Team, entry: &WorkShare) {
    let slot = thread.as_owner().slot();
    let share = &slot.share;
    let spec = share.spec();
    let processors = settings().processors.known() as u64;
    let next = || entry.next.load(Ordering::Relaxed);
    let turn = || entry.turn.load(Ordering::Relaxed);
    let spent = || next() >= spec.trip || team.is_cancelled();
    let mut time = FIRST_WAIT_FOR_ROOM;
    while share.asks_for_room.get() && !spent() {
        let before = turn();
        if next().saturating_sub(before).div_ceil(spec.chunk) < processors {
            return;
        }
        let begin = clock::nanoseconds();
        let state =
            thread.set_waiting(State::WAIT_ORDERED, core::ptr::from_ref(&*entry.turn) as u64);
        wait_asleep(thread, team, Reason::chunks(team), time, spent);
        thread.set_state(state);
        let done = turn().saturating_sub(before) / spec.chunk;
        let rested = clock::nanoseconds().saturating_sub(begin);
        share.asks_for_room.set(slot, done.saturating_mul(FAST_CHUNK_NANOSECONDS) >= rested);
        time = LATER_WAIT_FOR_ROOM;
    }
}

/// Wakes the members that wait for room: the calling member took the loop's last chunk.
pub(super) fn none_left(team: &Team) {
    wake(team, Reason::chunks(team));
}
