//! Dependences between the iterations of a loop nest (`ordered` with `doacross` or `depend`).
//!
//! An iteration is named by its number in the whole nest; the outermost loop counts most. The team
//! shares a ledger that says which iterations are done. It lies in the memory of the construct's
//! entry and has one of two forms:
//!
//! - counters, if the runtime knows the outermost loop's schedule. There is one for each run of
//!   outer iterations that one member executes in order (its static share, a chunk; guided: each
//!   iteration). It holds the latest posted number + 1. A wait ends when the counter is past the
//!   wanted number.
//! - bits, if the schedule is not known or the loops are shared out together: one for each
//!   iteration.
//!
//! | word | written by | read by |
//! |---|---|---|
//! | header | every member, the same values, before it uses the ledger | the member itself |
//! | ledger | who posts (release; SeqCst where waiters sleep soon) | who waits (acquire or stronger) |

use super::{begin_loop, begin_with_memory, static_share};
use crate::records::{LoopSpec, Schedule, Team, Thread};
use crate::waiting::{Reason, wait_plainly, wake_after};
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use omphalos_events::wishes::tells_doacross_waits;
use omphalos_events::{Dependence, Kind, MutexKind, State, WorkKind, tell, wants};
use omphalos_sys::entry::Caller;

/// Looks at the ledger before the real wait: the thread that posts is at work.
const LOOKS_BEFORE_WAIT: u32 = 100;
/// Where waiters spin first, a post has no fence. So a thread that posts may miss a waiter that
/// goes to sleep in these few nanoseconds; the waiter looks again by itself, as for the turn of an
/// `ordered` region. A fence would take as long as the line's way to the waiter, for each
/// iteration.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// A wait pauses once for this many missing iterations, and looks at least each 256 pauses.
const ITERATIONS_A_PAUSE: u64 = 16;
const MOST_PAUSES_A_LOOK: u64 = 256;

/// One loop of the nest: its first and last value and its step.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Dimension {
    pub first: i64,
    pub last: i64,
    pub step: i64,
}

impl Dimension {
    /// Iterations.
    fn count(&self) -> u64 {
        self.number(self.last).map_or(0, |last| last.saturating_add(1))
    }

    /// The number of the iteration with this value, if there is one.
    fn number(&self, value: i64) -> Option<u64> {
        let (low, high) =
            if self.step < 0 { (self.last, self.first) } else { (self.first, self.last) };
        if value < low || value > high {
            return None;
        }
        let distance = value.abs_diff(self.first);
        Some(distance / self.step.unsigned_abs().max(1))
    }
}

/// Words of the header: how many loops there are, and four for each.
pub(crate) const PER_LOOP: usize = 4;
const fn header(loops: usize) -> usize {
    1 + PER_LOOP * loops
}
/// In the first word: the ledger has bits.
pub(crate) const BITS: u64 = 1 << 32;

/// A member's view of the nest's memory.
#[derive(Clone, Copy)]
struct Nest(*const AtomicU64);

impl Nest {
    #[inline(always)]
    fn word(self, index: usize) -> &'static AtomicU64 {
        // SAFETY: the memory is as long as `begin` asked for and stays until the construct is
        // behind every member; indices come from the header.
        unsafe { &*self.0.add(index) }
    }

    fn write_header(self, dimensions: &[Dimension], form: u64) {
        self.word(0).store(dimensions.len() as u64 | form, Ordering::Relaxed);
        for (index, dimension) in dimensions.iter().enumerate() {
            let Dimension { first, last, step } = *dimension;
            let words = [dimension.count(), first as u64, last as u64, step as u64];
            for (part, value) in words.into_iter().enumerate() {
                self.word(header(index) + part).store(value, Ordering::Relaxed);
            }
        }
    }

    fn loops(self) -> usize {
        (self.word(0).load(Ordering::Relaxed) & (BITS - 1)) as usize
    }

    #[inline(always)]
    fn has_bits(self) -> bool {
        self.word(0).load(Ordering::Relaxed) & BITS != 0
    }

    /// The outermost loop's number and the number in the whole nest of an iteration; `None` if one
    /// of the values is outside its loop.
    fn number(self, values: impl Fn(usize, u64) -> i64) -> Option<(u64, u64)> {
        let mut outer = 0;
        let mut number = 0u64;
        for index in 0..self.loops() {
            let get = |part| self.word(header(index) + part).load(Ordering::Relaxed);
            let (count, first, step) = (get(0), get(1) as i64, get(3) as i64);
            let value = values(index, count);
            let here = if step == 1 {
                // Below the first value this wraps around, and is too large as well.
                let here = value.wrapping_sub(first) as u64;
                (here < count).then_some(here)?
            } else {
                Dimension { first, last: get(2) as i64, step }.number(value)?
            };
            if index == 0 {
                outer = here;
            }
            number = number.wrapping_mul(count).wrapping_add(here);
        }
        Some((outer, number))
    }

    /// The number of an iteration of the most common nest: one loop with step 1.
    #[inline(always)]
    fn usual_number(self, values: &impl Fn(usize, u64) -> i64) -> Option<u64> {
        if self.word(0).load(Ordering::Relaxed) & !BITS != 1 {
            return None;
        }
        let get = |part| self.word(header(0) + part).load(Ordering::Relaxed);
        let (count, first, step) = (get(0), get(1) as i64, get(3));
        let here = values(0, count).wrapping_sub(first) as u64;
        (step == 1 && here < count).then_some(here)
    }

    /// Iterations of the loop with this index.
    fn count(self, index: usize) -> u64 {
        self.word(header(index)).load(Ordering::Relaxed)
    }

    fn ledger(self, index: usize) -> &'static AtomicU64 {
        self.word(header(self.loops()) + index)
    }
}

/// How many counters a loop needs.
fn counters(spec: &LoopSpec, size: u32) -> u64 {
    match spec.schedule {
        Schedule::Static if spec.chunk == 0 => u64::from(size),
        Schedule::Guided => spec.trip,
        _ => spec.trip.div_ceil(spec.chunk.max(1)),
    }
}

/// The counter of an outer iteration.
#[inline(always)]
fn counter_of(spec: &LoopSpec, size: u32, outer: u64) -> usize {
    // The most common chunk, without a division.
    if spec.chunk == 1 { outer as usize } else { counter_by_division(spec, size, outer) }
}

#[inline(never)]
fn counter_by_division(spec: &LoopSpec, size: u32, outer: u64) -> usize {
    let index = match spec.schedule {
        Schedule::Static if spec.chunk == 0 => {
            let (share, rest) = (spec.trip / u64::from(size), spec.trip % u64::from(size));
            let longer = rest * (share + 1);
            if outer < longer {
                outer / (share + 1)
            } else {
                rest + (outer - longer) / share.max(1)
            }
        }
        Schedule::Guided => outer,
        _ => outer / spec.chunk.max(1),
    };
    index as usize
}

/// A thread alone waits for nothing. But tools may want to know which iteration depends on which.
fn needs_no_ledger(size: u32) -> bool {
    size == 1 && !wants(Kind::Dependences)
}

/// Begins a loop over the outermost dimension together with its ledger. `extra` more bytes of
/// zeroed memory are for the caller; returns their address.
pub fn begin_doacross(
    thread: &'static Thread,
    spec: &LoopSpec,
    dimensions: &[Dimension],
    extra: usize,
    caller: Caller,
) -> *mut u8 {
    let slot = thread.own().slot();
    let share = &slot.share;
    let size = thread.team().size.get();
    let without = needs_no_ledger(size);
    if without && extra == 0 {
        share.nest.set(slot, core::ptr::null());
        begin_loop(thread, spec, caller);
        return core::ptr::null_mut();
    }
    let words = header(dimensions.len()) + counters(spec, size) as usize;
    // The caller's part begins on a boundary of 16 bytes, as the memory does.
    let own = (words * 8).next_multiple_of(16);
    let memory = begin_with_memory(thread, spec, own + extra, caller);
    let nest = Nest(memory.cast());
    nest.write_header(dimensions, 0);
    share.nest.set(slot, if without { core::ptr::null() } else { nest.0 });
    let own_share = || static_share(spec, size, thread.num.get(), 0).map_or(u64::MAX, |c| c.first);
    share.nest_from.set(slot, if has_one_share(spec) { own_share() } else { u64::MAX });
    // SAFETY: the memory has `own + extra` bytes.
    unsafe { memory.add(own) }
}

/// Begins a ledger before the loop itself begins, whose schedule is not known here.
pub fn begin_doacross_alone(thread: &'static Thread, dimensions: &[Dimension]) {
    let (team, slot) = (thread.team(), thread.own().slot());
    let share = &slot.share;
    if needs_no_ledger(team.size.get()) {
        share.nest.set(slot, core::ptr::null());
        return;
    }
    let iterations = dimensions.iter().fold(1u64, |all, d| all.saturating_mul(d.count()));
    let words = header(dimensions.len()) + iterations.div_ceil(64) as usize;
    let spec = LoopSpec { kind: WorkKind::LoopOther, ..LoopSpec::NONE };
    let (_, entry) = team.constructs.join(thread, team, &spec, words * 8);
    let nest = Nest(entry.memory().cast());
    nest.write_header(dimensions, BITS);
    share.nest.set(slot, nest.0);
    share.nest_alone.set(slot, true);
}

/// Ends what [`begin_doacross_alone`] began; the loop itself has ended.
pub fn end_doacross_alone(thread: &'static Thread) {
    let slot = thread.own().slot();
    slot.share.nest_alone.set(slot, false);
    if !slot.share.nest.replace(slot, core::ptr::null()).is_null() {
        slot.published.shares_done.store(slot.share.next(), Ordering::Release);
    }
}

/// Whether each member executes one even share, in order.
#[inline(always)]
fn has_one_share(spec: &LoopSpec) -> bool {
    spec.schedule == Schedule::Static && spec.chunk == 0
}

#[inline(always)]
fn current(thread: &Thread) -> Option<Nest> {
    let nest = thread.slot().share.nest.get();
    (!nest.is_null()).then_some(Nest(nest))
}

/// Says that the iteration with these values is done as far as others depend on it. `values` gets a
/// loop's index and its number of iterations.
#[inline(always)]
pub fn doacross_post(thread: &'static Thread, values: impl Fn(usize, u64) -> i64) {
    let Some(nest) = current(thread) else { return };
    match nest.usual_number(&values) {
        Some(number) if !wants(Kind::Dependences) => {
            post(thread, nest, |index| nest.word(header(1) + index), number, number);
        }
        _ => post_any(thread, nest, &values),
    }
}

#[inline(never)]
fn post_any(thread: &'static Thread, nest: Nest, values: &impl Fn(usize, u64) -> i64) {
    let Some((outer, number)) = nest.number(values) else { return };
    told(thread, nest, values, SOURCE);
    post(thread, nest, |index| nest.ledger(index), outer, number);
}

#[inline(always)]
fn post(
    thread: &'static Thread,
    nest: Nest,
    ledger: impl Fn(usize) -> &'static AtomicU64,
    outer: u64,
    number: u64,
) {
    let (share, team) = (&thread.slot().share, thread.team());
    if nest.has_bits() {
        ledger((number / 64) as usize).fetch_or(1 << (number % 64), Ordering::SeqCst);
        return wake_after(team, Reason::sink(number));
    }
    let counter = ledger(if share.nest_from.get() <= outer {
        thread.num.get() as usize
    } else {
        counter_of(share.spec(), team.size.get(), outer)
    });
    if team.sleeps_soon() {
        counter.store(number + 1, Ordering::SeqCst);
    } else {
        counter.store(number + 1, Ordering::Release);
    }
    wake_after(team, Reason::sink(number));
}

/// Waits until the iteration with these values is done. An iteration outside the nest counts as
/// done. `values`: as for [`doacross_post`]; `codeptr` says the call's return address.
#[inline(always)]
pub fn doacross_wait(
    thread: &'static Thread,
    values: impl Fn(usize, u64) -> i64,
    codeptr: impl Fn() -> u64,
) {
    let Some(nest) = current(thread) else { return };
    match nest.usual_number(&values) {
        Some(number) if !wants(Kind::Dependences) => {
            let ledger = |index| nest.word(header(1) + index);
            wait_for(thread, nest, ledger, (number, number), &codeptr);
        }
        _ => wait_any(thread, nest, &values, &codeptr),
    }
}

#[inline(never)]
fn wait_any(
    thread: &'static Thread,
    nest: Nest,
    values: &impl Fn(usize, u64) -> i64,
    codeptr: &impl Fn() -> u64,
) {
    let Some(numbers) = nest.number(values) else { return };
    told(thread, nest, values, SINK);
    wait_for(thread, nest, |index| nest.ledger(index), numbers, codeptr);
}

#[inline(always)]
fn wait_for(
    thread: &'static Thread,
    nest: Nest,
    ledger: impl Fn(usize) -> &'static AtomicU64,
    (outer, number): (u64, u64),
    codeptr: &impl Fn() -> u64,
) {
    let (share, team) = (&thread.slot().share, thread.team());
    if nest.has_bits() {
        let word = ledger((number / 64) as usize);
        let left = move |now: u64| u64::from(now >> (number % 64) & 1 == 0);
        return wait(thread, team, (word, number), left, codeptr);
    }
    if share.nest_from.get() <= outer {
        // An earlier iteration of the member's own share: the member has done it.
        return;
    }
    let counter = ledger(counter_of(share.spec(), team.size.get(), outer));
    // A counter that nobody has posted yet says nothing.
    let left = move |now: u64| if now == 0 { 1 } else { (number + 1).saturating_sub(now) };
    wait(thread, team, (counter, number), left, codeptr);
}

/// Waits until `word` of the ledger says that the iteration is done. `left` computes from the word
/// how many iterations, at least, are missing; 0: none.
#[inline(always)]
fn wait(
    thread: &'static Thread,
    team: &'static Team,
    (word, number): (&AtomicU64, u64),
    left: impl Fn(u64) -> u64 + Copy,
    codeptr: &impl Fn() -> u64,
) {
    if left(word.load(Ordering::Acquire)) != 0 {
        wait_longer(thread, team, (word, number), left, codeptr());
    }
}

/// As [`wait`], after the first look.
#[inline(never)]
fn wait_longer(
    thread: &'static Thread,
    team: &'static Team,
    (word, number): (&AtomicU64, u64),
    left: impl Fn(u64) -> u64 + Copy,
    codeptr: u64,
) {
    if team.size.get() == 1 {
        return;
    }
    if tells_doacross_waits() {
        wait_told(thread, codeptr, || look_and_wait(thread, team, (word, number), left));
    } else {
        look_and_wait(thread, team, (word, number), left);
    }
}

/// Waits as `wait` does, and a tool that asked for it hears of the wait. The loop's memory names
/// it: the word would be another one for each iteration.
#[cold]
#[inline(never)]
fn wait_told(thread: &'static Thread, codeptr: u64, wait: impl FnOnce()) {
    let wait_id = thread.slot().share.nest.get() as u64;
    let state = thread.set_waiting(State::WAIT_ORDERED, wait_id);
    tell::mutex_acquire(MutexKind::Ordered, 0, 0, wait_id, codeptr);
    wait();
    tell::mutex_acquired(MutexKind::Ordered, wait_id, codeptr);
    tell::mutex_released(MutexKind::Ordered, wait_id, codeptr);
    thread.set_state(state);
}

/// Looks for a while, and then waits with those that post waking whoever sleeps.
#[inline(never)]
fn look_and_wait(
    thread: &'static Thread,
    team: &'static Team,
    (word, number): (&AtomicU64, u64),
    left: impl Fn(u64) -> u64 + Copy,
) {
    for _ in 0..LOOKS_BEFORE_WAIT {
        omphalos_sys::relax();
        let left = left(word.load(Ordering::Acquire));
        if left == 0 {
            return;
        }
        leave_alone(left);
    }
    // For debuggers.
    let slot = thread.own().slot();
    slot.share.sink.set(slot, number);
    let state = thread.set_waiting(State::WAIT_ORDERED, word.as_ptr() as u64);
    wait_plainly(thread, team, Reason::sink(number), Some(LOOK_AGAIN), || {
        let left = left(word.load(Ordering::SeqCst));
        if left != 0 && !team.sleeps_soon() {
            leave_alone(left);
        }
        left == 0 || team.is_cancelled()
    });
    thread.set_state(state);
}

/// Pauses while this many iterations are missing. Each look takes the line away from the thread
/// that posts them, and no iteration takes less than an [`ITERATIONS_A_PAUSE`]th of a pause.
#[inline(always)]
fn leave_alone(left: u64) {
    for _ in 0..(left / ITERATIONS_A_PAUSE).min(MOST_PAUSES_A_LOOK) {
        omphalos_sys::relax();
    }
}

/// `ompt_dependence_type_source` and `_sink`.
const SOURCE: i32 = 5;
const SINK: i32 = 6;

#[inline]
fn told(thread: &'static Thread, nest: Nest, values: &impl Fn(usize, u64) -> i64, kind: i32) {
    if wants(Kind::Dependences) {
        let dependences: Vec<Dependence> = (0..nest.loops())
            .map(|index| (values(index, nest.count(index)) as u64, kind))
            .map(|(variable, kind)| Dependence { variable, kind })
            .collect();
        tell::dependences(&thread.task().tool, &dependences);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_numbers_inside_their_loop_only() {
        let up = Dimension { first: 3, last: 12, step: 3 };
        assert_eq!(up.count(), 4);
        assert_eq!(up.number(9), Some(2));
        assert_eq!(up.number(0), None);
        assert_eq!(up.number(15), None);
        let down = Dimension { first: 5, last: -5, step: -1 };
        assert_eq!(down.count(), 11);
        assert_eq!(down.number(-5), Some(10));
        assert_eq!(down.number(6), None);
    }

    #[test]
    fn a_static_share_has_one_counter_its_owners() {
        for trip in [1, 2, 7, 16, 100] {
            for size in [1, 2, 3, 16] {
                let spec = LoopSpec { trip, ..LoopSpec::NONE };
                for num in 0..size {
                    let Some(share) = static_share(&spec, size, num, 0) else { continue };
                    for outer in share.first..share.first + share.count {
                        assert_eq!(counter_of(&spec, size, outer), num as usize);
                    }
                }
            }
        }
    }
}
