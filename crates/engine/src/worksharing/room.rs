//! How many chunks of an ordered loop a crowded team works on at once.
//!
//! Where every member holds a chunk, the turn goes round all of them, and members that share a
//! processor have to be switched to for each chunk. With no more chunks under way than processors
//! the others sleep, and the turn goes to and fro between threads that run. That pays where a
//! switch takes longer than a chunk, so a member asks for room only as long as it sees the turn
//! move fast: a loop whose chunks take long (or block, and want more threads than processors) is
//! handed out to everybody.
//!
//! What must hold: who waits here has no chunk, so nobody waits for it; it waits again only after
//! others got on as fast as [`FAST_CHUNK_NANOSECONDS`] says; and it is woken when the loop has no
//! chunk left.

use crate::records::{Member, Team, Thread, WorkShare};
use crate::waiting::{Reason, wait_asleep, wake};
use core::sync::atomic::Ordering;
use core::time::Duration;
use omphalos_events::State;
use omphalos_settings::settings;
use omphalos_sys::clock;

/// How long a member waits before it looks how far the others have got: the first time, and later.
const FIRST_WAIT_FOR_ROOM: Duration = Duration::from_micros(100);
const LATER_WAIT_FOR_ROOM: Duration = Duration::from_millis(1);
/// Nanoseconds from chunk to chunk below which they go by fast, a switch being 1 to 2 microseconds.
const FAST_CHUNK_NANOSECONDS: u64 = 12_000;

/// The calling member is about to take a chunk of an ordered dynamic loop of a crowded team.
#[cold]
#[inline(never)]
pub(super) fn wait_for_room(thread: &Thread, team: &Team, entry: &WorkShare) {
    let share: &Member = &thread.slot().share;
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
        share.asks_for_room.set(done.saturating_mul(FAST_CHUNK_NANOSECONDS) >= rested);
        time = LATER_WAIT_FOR_ROOM;
    }
}

/// The calling member took the loop's last chunk.
pub(super) fn none_left(team: &Team) {
    wake(team, Reason::chunks(team));
}
