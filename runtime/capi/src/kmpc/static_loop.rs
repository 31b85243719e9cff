//! `__kmpc_for_static_init_*`: static loops. Each thread computes its bounds in place.

use super::integer::{Integer, shared_trip_count};
use super::schedule::{
    DISTRIBUTE_STATIC, DISTRIBUTE_STATIC_CHUNKED, STATIC, STATIC_BALANCED_CHUNKED, STATIC_CHUNKED,
    even_chunk, without_modifiers,
};
use crate::shared::location::{self, Ident};
use omphalos_engine::worksharing::{LoopSpec, Schedule, hooks, static_share};
use omphalos_engine::{Call, Entered, Thread, Unwatched, WORK, caller};
use omphalos_events::{Endpoint, Kind, WorkKind};

/// The addresses that LLVM's code passes.
pub(super) struct Bounds<T: Integer> {
    pub last: *mut i32,
    pub lower: *mut T,
    pub upper: *mut T,
    pub stride: *mut T::Signed,
}

/// # Safety
/// `location` is null or valid, and `bounds` holds valid addresses (`last` may be null).
pub(super) unsafe fn init<T: Integer>(
    location: *const Ident,
    number: i32,
    bounds: &Bounds<T>,
    step: T::Signed,
    chunk: T::Signed,
    call: impl Call,
) {
    let thread = call.thread();
    let number = without_modifiers(number);
    let distribute = matches!(number, DISTRIBUTE_STATIC | DISTRIBUTE_STATIC_CHUNKED);
    let (size, num) = if distribute {
        thread.team().league.get()
    } else {
        (thread.team().size.get(), thread.num.get())
    };
    let (step, chunk) = (T::step(step), T::step(chunk).max(1));
    let chunked =
        matches!(number, STATIC_CHUNKED | DISTRIBUTE_STATIC_CHUNKED | STATIC_BALANCED_CHUNKED);
    // SAFETY: the caller's promise.
    let (lower, upper) = unsafe { (*bounds.lower, *bounds.upper) };
    let trip = shared_trip_count(lower, upper, step);
    let spec = LoopSpec {
        trip,
        chunk: if chunked { chunk as u64 } else { even_chunk(trip, size) },
        schedule: Schedule::Static,
        // SAFETY: the caller's promise.
        kind: match unsafe { location::flags(location) } {
            _ if distribute => WorkKind::Distribute,
            flags if flags & location::WORK_SECTIONS != 0 => WorkKind::Sections,
            _ => WorkKind::LoopStatic,
        },
        start: lower.widen(),
        step: step as u64,
        ..LoopSpec::NONE
    };
    if call.may_be_watched() {
        hooks::work(thread, &spec, Endpoint::Begin, call.caller());
    }
    thread.note_static(spec.kind, trip);
    let share = static_share(&spec, size, num, 0);
    let is_last = if chunked && trip != 0 {
        (trip - 1) / spec.chunk % u64::from(size) == u64::from(num)
    } else {
        share.is_some_and(|chunk| chunk.last)
    };
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(last) = bounds.last.as_mut() {
            *last = i32::from(is_last);
        }
        if trip == 0 {
            // The bounds stay: the program's loop does not execute.
            *bounds.stride = T::narrow_step(step);
            return;
        }
        let span = if chunked { spec.chunk.wrapping_mul(u64::from(size)) } else { trip };
        *bounds.stride = T::narrow_step((span as i64).wrapping_mul(step));
        match share {
            Some(share) => {
                hooks::dispatch_static(thread, &spec, (size, num), &share);
                *bounds.lower = T::narrow(spec.value(share.first));
                // A chunk's upper bound may be beyond the loop's: the program takes the smaller
                // one.
                let count = if chunked { spec.chunk } else { share.count };
                let behind = share.first.saturating_add(count - 1).min(trip - 1);
                *bounds.upper = T::narrow(spec.value(behind));
            }
            None => {
                // Nothing for this thread: a lower bound just beyond the upper one, within the
                // type.
                let (low, high) = empty(upper, lower, step);
                *bounds.lower = low;
                *bounds.upper = high;
            }
        }
    }
}

/// The common case: one even share of a loop in steps of 1, with fewer than 2^32 iterations and at
/// least one for each thread. In any other case it does nothing and returns false.
///
/// # Safety
/// As [`init`].
#[inline(always)]
unsafe fn plain<T: Integer>(thread: &Thread, bounds: &Bounds<T>, step: T::Signed) -> bool {
    let (size, num) = (thread.team().size.get(), thread.num.get());
    // SAFETY: the caller's promise.
    let (lower, upper) = unsafe { (*bounds.lower, *bounds.upper) };
    let span = upper.distance(lower);
    if T::step(step) != 1 || lower.after(upper) || span >= u64::from(u32::MAX) {
        return false;
    }
    let trip = span as u32 + 1;
    // A division takes longer than all the rest.
    let (share, rest) = match size.is_power_of_two() {
        true => (trip >> size.trailing_zeros(), trip & (size - 1)),
        false => (trip / size, trip % size),
    };
    if share == 0 {
        return false;
    }
    let first = num * share + num.min(rest);
    let count = share + u32::from(num < rest);
    let value = |number: u32| T::narrow(lower.widen().wrapping_add(u64::from(number)));
    // SAFETY: the caller's promise.
    unsafe {
        *bounds.lower = value(first);
        *bounds.upper = value(first + (count - 1));
        *bounds.stride = T::narrow_step(i64::from(trip));
        if let Some(last) = bounds.last.as_mut() {
            *last = i32::from(num + 1 == size);
        }
    }
    true
}

/// Bounds of a loop without iterations: the lower one just beyond the upper one. Flang counts the
/// iterations as upper - lower + 1, and goes wrong if that is below zero.
pub(super) fn empty<T: Integer>(upper: T, lower: T, step: i64) -> (T, T) {
    let beyond = T::narrow(upper.widen().wrapping_add(step as u64));
    let up = step > 0;
    if (up && beyond.after(upper)) || (!up && upper.after(beyond)) {
        return (beyond, upper);
    }
    // At the end of the type: behind the lower value, or one step back.
    if lower.widen() != upper.widen() {
        (upper, lower)
    } else {
        (upper, T::narrow(upper.widen().wrapping_sub(step as u64)))
    }
}

macro_rules! inits {
    ($($name:ident, $quick:ident, $slow:ident, $type:ty, $signed:ty;)*) => { $(
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $name(
            location: *const Ident, _gtid: i32, number: i32, last: *mut i32,
            lower: *mut $type, upper: *mut $type, stride: *mut $signed,
            step: $signed, chunk: $signed,
        ) {
            let caller = caller();
            let bounds = Bounds { last, lower, upper, stride };
            // SAFETY: LLVM's code passes valid addresses.
            unsafe { init(location, number, &bounds, step, chunk, caller) }
        }

        /// For threads that have their record, while no tool wants events of worksharing.
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $quick(
            location: *const Ident, gtid: i32, number: i32, last: *mut i32,
            lower: *mut $type, upper: *mut $type, stride: *mut $signed,
            step: $signed, chunk: $signed,
        ) {
            let bounds = Bounds { last, lower, upper, stride };
            // SAFETY: LLVM's code passes valid addresses.
            unsafe {
                if without_modifiers(number) == STATIC
                    && let Some(thread) = Thread::known()
                    && plain(thread, &bounds, step)
                {
                    return;
                }
                $slow(location, gtid, number, last, lower, upper, stride, step, chunk);
            }
        }

        #[allow(clippy::too_many_arguments)]
        #[cold]
        #[inline(never)]
        unsafe extern "C" fn $slow(
            location: *const Ident, _gtid: i32, number: i32, last: *mut i32,
            lower: *mut $type, upper: *mut $type, stride: *mut $signed,
            step: $signed, chunk: $signed,
        ) {
            let bounds = Bounds { last, lower, upper, stride };
            // SAFETY: LLVM's code passes valid addresses.
            unsafe { init(location, number, &bounds, step, chunk, Unwatched::here()) }
        }
    )* };
}

inits! {
    init_4, quick_4, slow_4, i32, i32;
    init_4u, quick_4u, slow_4u, u32, i32;
    init_8, quick_8, slow_8, i64, i64;
    init_8u, quick_8u, slow_8u, u64, i64;
}

pub(super) unsafe extern "C" fn fini<C: Call>(_location: *const Ident, _gtid: i32, call: C) {
    if call.wants(Kind::Work) {
        let thread = call.thread();
        let (kind, trip) = thread.noted_static();
        hooks::tell_work(thread, kind, Endpoint::End, trip, call.caller());
    }
}

/// Ends a static loop while no tool wants its event.
unsafe extern "C" fn quick_fini(_location: *const Ident, _gtid: i32, _call: Unwatched) {}

omphalos_sys::class_entries! {
    WORK;
    /// The end of a static loop.
    __kmpc_for_static_fini(location, gtid) => quick_fini, fini::<Entered>;
}

omphalos_sys::quick_noted_entries! {
    WORK;
    /// The calling thread's share of a static loop over `int`.
    __kmpc_for_static_init_4 => quick_4, init_4;
    /// The calling thread's share of a static loop over `unsigned`.
    __kmpc_for_static_init_4u => quick_4u, init_4u;
    /// The calling thread's share of a static loop over `long`.
    __kmpc_for_static_init_8 => quick_8, init_8;
    /// The calling thread's share of a static loop over `unsigned long`.
    __kmpc_for_static_init_8u => quick_8u, init_8u;
}
