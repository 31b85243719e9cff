//! Posts iterations of a loop nest, and waits for them (`ordered` with `doacross` or `depend`).
//!
//! An iteration's name is its number in the whole nest, in the order of the sequential loops. The
//! team shares a ledger that says which iterations are done. It lies in the memory of the
//! construct's entry and has one of two forms:
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
//! | ledger | a thread that posts (release; SeqCst where waiters sleep soon) | a thread that waits (acquire or stronger) |

mod counters;
mod ledger;
mod wait;

pub use ledger::Dimension;
pub(crate) use ledger::{BITS, PER_LOOP};

use super::{begin_loop, begin_with_memory, static_share};
use crate::records::{LoopSpec, Schedule, Thread};
use crate::waiting::{Reason, wake_after};
use core::sync::atomic::{AtomicU64, Ordering};
use counters::{counter_of, counters};
use ledger::{Nest, header};
use omphalos_events::{Dependence, Kind, WorkKind, tell_tools, wants};
use omphalos_sys::entry::Caller;
use wait::{Wanted, wait};

/// Whether the construct needs no ledger: a thread alone waits for nothing. But if a tool wants
/// dependences, it needs the ledger's header for them.
fn needs_no_ledger(size: u32) -> bool {
    size == 1 && !wants(Kind::Dependences)
}

/// Begins a loop over the outermost dimension together with its ledger. Returns the address of
/// `extra` bytes of zeroed memory for the caller.
pub fn begin_doacross(
    thread: &'static Thread,
    spec: &LoopSpec,
    dimensions: &[Dimension],
    extra: usize,
    caller: Caller,
) -> *mut u8 {
    let slot = thread.as_owner().slot();
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
    let nest = Nest::at(memory);
    nest.write_header(dimensions, 0);
    share.nest.set(slot, if without { core::ptr::null() } else { nest.words() });
    let own_share = || static_share(spec, size, thread.num.get(), 0).map_or(u64::MAX, |c| c.first);
    share.nest_from.set(slot, if has_one_share(spec) { own_share() } else { u64::MAX });
    // SAFETY: the memory has `own + extra` bytes.
    unsafe { memory.add(own) }
}

/// Begins a ledger before the loop itself begins. The loop's schedule is not known yet.
pub fn begin_doacross_alone(thread: &'static Thread, dimensions: &[Dimension]) {
    let (team, slot) = (thread.team(), thread.as_owner().slot());
    let share = &slot.share;
    if needs_no_ledger(team.size.get()) {
        share.nest.set(slot, core::ptr::null());
        return;
    }
    let iterations = dimensions.iter().fold(1u64, |all, d| all.saturating_mul(d.count()));
    let words = header(dimensions.len()) + iterations.div_ceil(64) as usize;
    let spec = LoopSpec { kind: WorkKind::LoopOther, ..LoopSpec::NONE };
    let (_, entry) = team.constructs.join(thread, team, &spec, words * 8);
    let nest = Nest::at(entry.memory());
    nest.write_header(dimensions, BITS);
    share.nest.set(slot, nest.words());
    share.nest_alone.set(slot, true);
}

/// Ends the construct of [`begin_doacross_alone`]; the loop itself has ended.
pub fn end_doacross_alone(thread: &'static Thread) {
    let slot = thread.as_owner().slot();
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
    Nest::of(thread.slot().share.nest.get())
}

/// Posts the iteration with these values: it is done as far as others depend on it. `values` gets a
/// loop's index and its number of iterations, and returns the loop variable's value.
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

/// Whether one look shows that the iteration with these values is done. It answers true only in the
/// most common nest, without a tool. `values`: as for [`doacross_post`].
#[inline(always)]
pub fn doacross_is_done(thread: &Thread, values: impl Fn(usize, u64) -> i64) -> bool {
    let Some(nest) = current(thread) else { return true };
    let Some(number) = nest.usual_number(&values).filter(|_| !wants(Kind::Dependences)) else {
        return false;
    };
    if nest.has_bits() {
        let word = nest.word(header(1) + (number / 64) as usize);
        return word.load(Ordering::Acquire) >> (number % 64) & 1 != 0;
    }
    thread.slot().share.nest_from.get() <= number
}

/// Waits until the iteration with these values is done. An iteration outside the nest counts as
/// done. `values`: as for [`doacross_post`]; `codeptr` gives the call's return address.
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
        return wait(thread, team, word, Wanted::Bit(number), codeptr);
    }
    if share.nest_from.get() <= outer {
        // An earlier iteration of the member's own share: the member has done it.
        return;
    }
    let counter = ledger(counter_of(share.spec(), team.size.get(), outer));
    wait(thread, team, counter, Wanted::Counter(number), codeptr);
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
        tell_tools::dependences(&thread.task().tool, &dependences);
    }
}
