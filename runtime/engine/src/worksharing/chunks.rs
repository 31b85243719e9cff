//! Hands out a loop's iterations, chunk by chunk. README.md has the cost floors.
//!
//! Who calls: `capi`. Each member of a team calls [`begin_loop`], then [`next_chunk`] until that
//! returns `None`, then [`end_loop`]. What must hold: a member writes only its own
//! [`Member`](crate::records::Member) and the words of the shared entry that are atomics. `start`
//! chooses by the schedule how a member gets its chunks ([`Mode`]); `quick_chunk` has the common
//! modes, `next_slowly` has all.

use super::{Chunk, hooks, ordered, schedules, steal};
use crate::call::Call;
use crate::records::{LoopSpec, Mode, Owner, Schedule, Slot, Team, Thread, Units, WorkShare};
use core::sync::atomic::Ordering;
use omphalos_events::{Endpoint, Kind, WorkKind, wants};
use omphalos_sys::entry::Caller;

/// Begins a loop. If the primary prepared the region's first loop, that description stays and
/// `spec` is not used.
#[inline]
pub fn begin_loop(thread: &'static Thread, spec: &LoopSpec, caller: impl Call) {
    begin_with_memory(thread, spec, 0, caller);
}

/// Does what [`begin_loop`] does, for a construct that also needs `memory` bytes of zeroed memory,
/// which all members share until its end. Returns their address.
#[inline]
pub fn begin_with_memory(
    thread: &'static Thread,
    spec: &LoopSpec,
    memory: usize,
    caller: impl Call,
) -> *mut u8 {
    let (team, slot) = (thread.team(), thread.as_owner().slot());
    let share = &slot.share;
    share.open.set(slot, true);
    share.current.set(slot, (0, 0));
    let mut address = core::ptr::null_mut();
    let mut units = Units::of(spec, team);
    if share.nest_alone.get() {
        units = Units::NONE;
    }
    let is_static = spec.schedule == Schedule::Static && !spec.ordered;
    if memory == 0 && (is_static || units.any() || team.size.get() == 1) {
        share.entry.set(slot, core::ptr::null());
        share.take_spec(slot, spec);
        if units.any() {
            let (number, entry) = team.constructs.take(thread, team);
            share.number.set(slot, number);
            share.entry.set(slot, entry);
        }
        start(thread, team, None, units);
    } else {
        let (number, entry) = team.constructs.join(thread, team, spec, memory);
        open(thread, team, entry, number, units);
        address = entry.memory();
    }
    if caller.may_be_watched() {
        hooks::work(thread, share.spec(), Endpoint::Begin, caller.caller());
    }
    address
}

/// Begins the loop that the primary prepared, on a member that has not begun it.
#[cold]
#[inline(never)]
fn begin_prepared(thread: &'static Thread) {
    let (team, slot) = (thread.team(), thread.as_owner().slot());
    let share = &slot.share;
    share.prepared.set(slot, false);
    share.open.set(slot, true);
    share.current.set(slot, (0, 0));
    let (number, entry) = team.constructs.take(thread, team);
    open(thread, team, entry, number, Units::of(entry.spec(), team));
    hooks::work(thread, entry.spec(), Endpoint::Begin, hooks::of_region(thread));
}

/// Remembers the construct that the calling member works on.
#[inline(always)]
fn open(thread: &Thread, team: &Team, entry: &'static WorkShare, number: u64, units: Units) {
    let slot = thread.as_owner().slot();
    let share = &slot.share;
    share.entry.set(slot, entry);
    share.number.set(slot, number);
    share.copy_spec(slot, entry.spec());
    start(thread, team, Some(entry), units);
}

/// Decides how the calling member gets its chunks.
#[inline(always)]
fn start(thread: &Thread, team: &Team, entry: Option<&'static WorkShare>, units: Units) {
    let slot = thread.as_owner().slot();
    let share = &slot.share;
    let spec = share.spec();
    share.set_rest(slot, 0, 0);
    if team.size.get() == 1 {
        start_alone(slot);
    } else if units.any() {
        steal::arrive(thread, team, share.number.get(), units);
    } else if spec.schedule == Schedule::Dynamic && !spec.ordered && entry.is_some() {
        // Each of at most 2^24 members adds once past the end: below these bounds nothing wraps
        // around.
        let small = spec.trip <= u64::MAX / 2 && spec.chunk <= u64::MAX / 2 / (1 << 24);
        share.mode.set(slot, if small { Mode::Central } else { Mode::General });
    } else if spec.schedule == Schedule::Static && spec.chunk != 0 {
        let chunks = |count: u32| u64::from(count).saturating_mul(spec.chunk);
        share.rounds.set(slot, (chunks(thread.num.get()), chunks(team.size.get())));
        share.mode.set(slot, Mode::Rounds);
    } else {
        share.served.set(slot, false);
        share.asks_for_room.set(slot, spec.ordered && team.crowded.get());
        share.mode.set(slot, Mode::General);
    }
}

/// Gives all iterations to the member of a team of one, where no chunk waits for its turn. They are
/// one chunk, unless a tool or the program (sections) sees the chunks.
#[inline(always)]
fn start_alone(slot: Owner<'static, Slot>) {
    let share = &slot.share;
    let spec = share.spec();
    let seen = wants(Kind::Dispatch) || spec.kind == WorkKind::Sections;
    let chunk = match (spec.schedule, spec.chunk) {
        (Schedule::Dynamic, chunk) | (Schedule::Static, chunk @ 1..) if seen => chunk.max(1),
        _ => spec.trip.max(1),
    };
    share.set_rest(slot, 0, spec.trip);
    share.set_chunk(slot, chunk);
    share.mode.set(slot, Mode::Over);
}

/// Returns the next chunk for the calling thread; `None` when the loop has none left for it. With
/// it comes the loop's description, which converts iteration numbers.
#[inline(always)]
pub fn next_chunk(thread: &'static Thread, call: impl Call) -> Option<(Chunk, &'static LoopSpec)> {
    if !call.wants(Kind::Dispatch)
        && let Some(found) = quick_chunk(thread)
    {
        return Some(found);
    }
    next_slowly(thread)
}

/// Does what [`next_chunk`] does in the common cases, in which no tool is told of chunks. It costs
/// one locked instruction at most. Except for the word that this instruction changes, it reads only
/// lines of the calling member. If it returns `None`, there may still be a chunk: [`next_slowly`]
/// has the answer.
///
/// The function calls no other, so that an entry that begins with it keeps everything in registers.
/// For the same reason it tells no tool of a chunk: a chunk with an address is written to memory,
/// and reading `last` back as a part of a whole word costs a dozen cycles, as much as the locked
/// instruction.
#[inline(always)]
pub fn quick_chunk(thread: &'static Thread) -> Option<(Chunk, &'static LoopSpec)> {
    let slot = thread.as_owner().slot();
    let share = &slot.record().share;
    let spec: &'static LoopSpec = share.spec();
    let (mut first, mut end) = (share.rest.get(), share.rest_end.get());
    if first >= end {
        match share.mode.get() {
            Mode::Ranges => {
                let unit = slot.range.take()?;
                if share.units.get().is_last(unit) {
                    steal::put_off(slot, unit);
                    return None;
                }
                let size = share.unit.get();
                first = unit * size;
                if size == spec.chunk {
                    return Some((Chunk { first, count: size, last: false }, spec));
                }
                end = first + size;
                share.rest_end.set(slot, end);
            }
            Mode::Central => return counted_chunk(thread),
            Mode::Rounds => {
                let (from, to) = share.current.get();
                let (first, apart) = share.rounds.get();
                // The current chunk of an ordered loop may still have to pass its turn on.
                if from != to || first >= spec.trip {
                    return None;
                }
                share.rounds.set(slot, (first.saturating_add(apart), apart));
                let left = spec.trip - first;
                let count = spec.chunk.min(left);
                if spec.ordered {
                    share.current.set(slot, (first, first + count));
                }
                return Some((Chunk { first, count, last: count == left }, spec));
            }
            Mode::Over | Mode::Numbered | Mode::General => return None,
        }
    }
    let count = spec.chunk.min(end - first);
    share.rest.set(slot, first + count);
    Some((Chunk { first, count, last: first + count == spec.trip }, spec))
}

/// Does what [`quick_chunk`] does, for a loop with one counter alone.
#[inline(always)]
pub fn counted_chunk(thread: &'static Thread) -> Option<(Chunk, &'static LoopSpec)> {
    let slot = thread.as_owner().slot();
    let share = &slot.record().share;
    if share.mode.get() != Mode::Central {
        return None;
    }
    let spec: &'static LoopSpec = share.spec();
    // SAFETY: set by `open`; entries are never freed.
    let entry = unsafe { &*share.entry.get() };
    let first = entry.next.fetch_add(spec.chunk, Ordering::Relaxed);
    if first + spec.chunk < spec.trip {
        return Some((Chunk { first, count: spec.chunk, last: false }, spec));
    }
    share.mode.set(slot, Mode::Over);
    (first < spec.trip).then(|| (Chunk { first, count: spec.trip - first, last: true }, spec))
}

/// Returns the next chunk in all cases, and tells tools of it.
#[cold]
#[inline(never)]
pub fn next_slowly(thread: &'static Thread) -> Option<(Chunk, &'static LoopSpec)> {
    let slot = thread.as_owner().slot();
    let share = &slot.share;
    if share.mode.get() == Mode::Numbered {
        return next_of_any(thread);
    }
    let found = loop {
        if let Some(found) = quick_chunk(thread) {
            break found;
        }
        match share.mode.get() {
            Mode::Ranges => {}
            Mode::Over if !share.prepared.get() => return None,
            _ => return next_of_any(thread),
        }
        let unit = steal::find(thread)?;
        if share.units.get().is_last(unit) && share.mode.get() == Mode::Ranges {
            steal::put_off(slot, unit);
        } else {
            let first = unit * share.unit.get();
            let left = share.spec().trip - first;
            share.set_rest(slot, first, first + share.unit.get().min(left));
        }
    };
    let (chunk, spec) = found;
    hooks::dispatch_chunk(thread, spec, &chunk);
    Some(found)
}

#[cold]
#[inline(never)]
fn next_of_any(thread: &'static Thread) -> Option<(Chunk, &'static LoopSpec)> {
    let (team, slot) = (thread.team(), thread.as_owner().slot());
    let share = &slot.record().share;
    if share.prepared.get() {
        begin_prepared(thread);
        return next_chunk(thread, Caller::NONE);
    }
    if share.mode.get() == Mode::Over {
        return None;
    }
    let spec = share.spec();
    if spec.ordered {
        ordered::pass_on(thread);
    }
    if share.mode.get() == Mode::Rounds {
        let found = quick_chunk(thread)?;
        hooks::dispatch_chunk(thread, spec, &found.0);
        return Some(found);
    }
    // SAFETY: null or set by `open`; entries are never freed.
    let entry = unsafe { share.entry.get().as_ref() };
    let chunk = schedules::next_by_schedule(thread, team, slot, entry)?;
    if spec.ordered {
        share.current.set(slot, (chunk.first, chunk.first + chunk.count));
    }
    hooks::dispatch_chunk(thread, spec, &chunk);
    Some((chunk, spec))
}

/// Ends the loop on the calling thread, which has done its part.
#[inline]
pub fn end_loop(thread: &'static Thread, caller: impl Call) {
    let slot = thread.as_owner().slot();
    let share = &slot.share;
    if share.prepared.get() {
        begin_prepared(thread);
    }
    let spec = share.spec();
    if spec.ordered {
        ordered::pass_on(thread);
    }
    if caller.may_be_watched() {
        hooks::work(thread, spec, Endpoint::End, caller.caller());
    }
    abandon(slot);
    if !share.entry.get().is_null() {
        share.entry.set(slot, core::ptr::null());
        slot.published.shares_done.store(share.next(), Ordering::Release);
    }
}

/// Makes the member leave its loop, perhaps because the loop was cancelled. The member takes no
/// more chunks.
#[inline(always)]
pub(crate) fn abandon(slot: Owner<'_, Slot>) {
    if slot.share.mode.get() == Mode::Ranges {
        steal::abandon(&slot);
    }
    slot.share.close(slot);
}
