//! Handing out a loop's iterations.
//!
//! Floor of a dynamic chunk: one atomic fetch-and-add on the line that all members share.

use super::{Chunk, LoopSpec, Schedule, WorkShare, hooks, ordered};
use crate::team::Team;
use crate::thread::Thread;
use core::sync::atomic::Ordering;
use omphalos_events::Endpoint;
use omphalos_sys::entry::Caller;

/// Begins a loop. A region's first loop that the primary prepared keeps the prepared description;
/// `spec` is not looked at then.
#[inline]
pub fn begin_loop(thread: &'static Thread, spec: &LoopSpec, caller: Caller) {
    begin_with_memory(thread, spec, 0, caller);
}

/// As [`begin_loop`], for a construct that also wants `memory` bytes of zeroed memory which all
/// members share until its end. Returns their address.
#[inline]
pub fn begin_with_memory(
    thread: &'static Thread,
    spec: &LoopSpec,
    memory: usize,
    caller: Caller,
) -> *mut u8 {
    let team = thread.team();
    let share = &thread.slot().share;
    share.round.set(0);
    share.current.set((0, 0));
    let mut address = core::ptr::null_mut();
    if spec.schedule == Schedule::Static && !spec.ordered && memory == 0 {
        share.entry.set(core::ptr::null());
        share.spec.set(*spec);
    } else {
        let number = share.take_number();
        let entry = team.ring.join(thread, team, number, spec, memory);
        open(thread, entry);
        address = entry.memory();
    }
    hooks::work(thread, share.spec(), Endpoint::Begin, caller);
    address
}

/// The description of the loop that the primary prepared, begun here if it was not.
#[inline(always)]
fn begin_prepared(thread: &'static Thread) {
    let share = &thread.slot().share;
    share.prepared.set(false);
    let number = share.take_number();
    let entry = thread.team().ring.prepared(number);
    share.round.set(0);
    share.current.set((0, 0));
    open(thread, entry);
    hooks::work(thread, entry.spec(), Endpoint::Begin, hooks::of_region(thread));
}

/// The next chunk for the calling thread, `None` when the loop has none left for it. The loop's
/// description, to convert iteration numbers, comes with it.
///
/// The common case, a dynamic loop, is inlined: one fetch-and-add, everything else that it reads
/// lies in one line of the calling member.
#[inline(always)]
pub fn next_chunk(thread: &'static Thread) -> Option<(Chunk, &'static LoopSpec)> {
    let share = &thread.slot().share;
    // SAFETY: set by `open`; entries are never freed.
    let Some(entry) = (unsafe { share.quick.get().as_ref() }) else {
        return next_of_any(thread);
    };
    let spec = share.spec();
    let first = entry.next.fetch_add(spec.chunk, Ordering::Relaxed);
    let chunk = cut(spec, first)?;
    hooks::dispatch_chunk(thread, spec, &chunk);
    Some((chunk, spec))
}

/// The chunk of a dynamic loop that begins with iteration `first`.
#[inline(always)]
fn cut(spec: &LoopSpec, first: u64) -> Option<Chunk> {
    if first >= spec.trip {
        return None;
    }
    let left = spec.trip - first;
    Some(Chunk { first, count: spec.chunk.min(left), last: left <= spec.chunk })
}

/// Remembers the construct that the calling member works on.
fn open(thread: &Thread, entry: &'static WorkShare) {
    let share = &thread.slot().share;
    let spec = entry.spec();
    share.entry.set(entry);
    share.spec.set(*spec);
    // Each of at most 2^24 members overshoots the end once: no wrap-around below these bounds.
    let small = spec.trip <= u64::MAX / 2 && spec.chunk <= u64::MAX / 2 / (1 << 24);
    let shared = thread.team().size.get() > 1;
    if spec.schedule == Schedule::Dynamic && !spec.ordered && small && shared {
        share.quick.set(entry);
    }
}

#[cold]
#[inline(never)]
fn next_of_any(thread: &'static Thread) -> Option<(Chunk, &'static LoopSpec)> {
    let team = thread.team();
    let share = &thread.slot().share;
    if share.prepared.get() {
        begin_prepared(thread);
        return next_chunk(thread);
    }
    let spec = share.spec();
    let entry = share.entry.get();
    if spec.ordered {
        ordered::pass_on(thread);
    }
    let found = match spec.schedule {
        Schedule::Static => {
            let round = share.round.get();
            share.round.set(round + 1);
            static_share(spec, team.size.get(), thread.num.get(), round)
        }
        // SAFETY: set by `open`; entries are never freed.
        Schedule::Dynamic => dynamic(unsafe { &*entry }, spec, team),
        // SAFETY: as above.
        Schedule::Guided => guided(unsafe { &*entry }, spec, team),
    };
    let chunk = found?;
    if spec.ordered {
        share.current.set((chunk.first, chunk.first + chunk.count));
    }
    hooks::dispatch_chunk(thread, spec, &chunk);
    Some((chunk, spec))
}

/// The calling thread is done with the loop.
#[inline]
pub fn end_loop(thread: &'static Thread, caller: Caller) {
    let slot = thread.slot();
    if slot.share.prepared.get() {
        begin_prepared(thread);
    }
    let spec = slot.share.spec();
    if spec.ordered {
        ordered::pass_on(thread);
    }
    hooks::work(thread, spec, Endpoint::End, caller);
    if !slot.share.entry.get().is_null() {
        slot.share.entry.set(core::ptr::null());
        slot.share.quick.set(core::ptr::null());
        slot.published.shares_done.store(slot.share.next(), Ordering::Release);
        thread.team().ring.passed(thread.team(), slot.share.next());
    }
}

/// The `round`-th chunk of member `num` of `size` in a static loop.
#[inline]
pub fn static_share(spec: &LoopSpec, size: u32, num: u32, round: u64) -> Option<Chunk> {
    let (size, num) = (u64::from(size), u64::from(num));
    if spec.chunk == 0 {
        if round != 0 || spec.trip == 0 {
            return None;
        }
        let (share, rest) = (spec.trip / size, spec.trip % size);
        let first = num * share + num.min(rest);
        let count = share + u64::from(num < rest);
        let last = first + count == spec.trip;
        return (count != 0).then_some(Chunk { first, count, last });
    }
    let index = round.checked_mul(size)?.checked_add(num)?;
    let first = index.checked_mul(spec.chunk)?;
    if first >= spec.trip {
        return None;
    }
    let count = spec.chunk.min(spec.trip - first);
    Some(Chunk { first, count, last: count == spec.trip - first })
}

/// The rarer dynamic loops: one member, ordered, or so long that adding could wrap around.
fn dynamic(entry: &WorkShare, spec: &LoopSpec, team: &Team) -> Option<Chunk> {
    let chunk = spec.chunk;
    if team.size.get() == 1 {
        let first = entry.next.load(Ordering::Relaxed);
        entry.next.store(first.saturating_add(chunk), Ordering::Relaxed);
        return cut(spec, first);
    }
    let first = entry
        .next
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
            (next < spec.trip).then(|| next.saturating_add(chunk))
        })
        .ok()?;
    cut(spec, first)
}

fn guided(entry: &WorkShare, spec: &LoopSpec, team: &Team) -> Option<Chunk> {
    let least = spec.chunk.max(1);
    let mut first = entry.next.load(Ordering::Relaxed);
    loop {
        if first >= spec.trip {
            return None;
        }
        let left = spec.trip - first;
        let share = left.div_ceil(u64::from(team.size.get()));
        let count = share.max(least).min(left);
        match entry.next.compare_exchange_weak(
            first,
            first + count,
            Ordering::Relaxed,
            Ordering::Relaxed,
        ) {
            Ok(_) => return Some(Chunk { first, count, last: count == left }),
            Err(now) => first = now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(trip: u64, chunk: u64, size: u32) -> Vec<u64> {
        let spec = LoopSpec { trip, chunk, ..LoopSpec::NONE };
        let mut seen = Vec::new();
        for num in 0..size {
            let mut round = 0;
            while let Some(part) = static_share(&spec, size, num, round) {
                seen.extend(part.first..part.first + part.count);
                assert_eq!(part.last, part.first + part.count == trip);
                round += 1;
            }
        }
        seen.sort_unstable();
        seen
    }

    #[test]
    fn static_shares_cover_each_iteration_once() {
        for trip in [0, 1, 2, 5, 7, 64, 1000] {
            for chunk in [0, 1, 3, 64, 5000] {
                for size in [1, 2, 3, 7, 16] {
                    let wanted: Vec<u64> = (0..trip).collect();
                    assert_eq!(covered(trip, chunk, size), wanted, "{trip} {chunk} {size}");
                }
            }
        }
    }

    #[test]
    fn an_extreme_trip_count_does_not_overflow() {
        let spec = LoopSpec { trip: u64::MAX, chunk: u64::MAX / 2, ..LoopSpec::NONE };
        let part = static_share(&spec, 2, 1, 0).unwrap();
        assert_eq!(part.first, u64::MAX / 2);
        assert_eq!(static_share(&spec, 2, 1, u64::MAX / 2), None);
    }
}
