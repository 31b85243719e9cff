//! Loops that the runtime deals out, in both widths: over `long` (`long.rs`) and over
//! `unsigned long long` (`ull.rs`). `general.rs` begins loops whose schedule is an argument.
//!
//! This file has the bodies, once for any [`Index`]; the other files have the exported names.

mod general;
mod long;
mod ull;

pub(super) use general::{begin_reductions, kind_of};

use super::schedule::{bounds, signed, unsigned};
use crate::shared::schedule::Kind;
use omphalos_engine::worksharing::{
    Chunk, LoopSpec, begin_loop, counted_chunk, end_loop, hooks, next_chunk, next_slowly,
    quick_chunk,
};
use omphalos_engine::{Call, Caller, Entered, Placed, Thread, Unwatched, WORK, barrier};
use omphalos_events::{Kind as Told, SyncKind};

/// The type of a loop's variable as GCC's code passes its bounds.
pub trait Index: Copy {
    /// Returns a bound of these bits.
    fn of(bits: u64) -> Self;

    /// Returns the loop over `(first, end, step)`. `up`: whether it runs up, if the type does not
    /// tell.
    fn spec(
        thread: &Thread,
        up: bool,
        range: (Self, Self, Self),
        how: (Kind, Self, bool),
    ) -> LoopSpec;
}

impl Index for i64 {
    #[inline(always)]
    fn of(bits: u64) -> i64 {
        bits as i64
    }

    #[inline(always)]
    fn spec(
        thread: &Thread,
        _up: bool,
        range: (i64, i64, i64),
        (kind, chunk, ordered): (Kind, i64, bool),
    ) -> LoopSpec {
        signed(thread, range, kind, chunk, ordered)
    }
}

impl Index for u64 {
    #[inline(always)]
    fn of(bits: u64) -> u64 {
        bits
    }

    #[inline(always)]
    fn spec(
        thread: &Thread,
        up: bool,
        range: (u64, u64, u64),
        (kind, chunk, ordered): (Kind, u64, bool),
    ) -> LoopSpec {
        unsigned(thread, up, range, kind, chunk, ordered)
    }
}

/// The two addresses at which GCC's code wants a chunk: its first value, and the bound behind its
/// last value.
type Bounds<T> = (*mut T, *mut T);

/// Passes the bounds of the chunk that was `found` to GCC's code. False if there is none.
///
/// # Safety
/// `istart` and `iend` must be valid for writes.
#[inline(always)]
unsafe fn give<T: Index>(
    found: Option<(Chunk, &'static LoopSpec)>,
    (istart, iend): Bounds<T>,
) -> bool {
    let Some((chunk, spec)) = found else { return false };
    let (first, behind) = bounds(spec, &chunk);
    // SAFETY: the caller's promise.
    unsafe {
        *istart = T::of(first);
        *iend = T::of(behind);
    }
    true
}

/// Begins a loop and hands out the calling thread's first chunk.
///
/// # Safety
/// `into` must be valid for writes.
unsafe fn start<T: Index>(
    up: bool,
    range: (T, T, T),
    how: (Kind, T, bool),
    into: Bounds<T>,
    call: impl Call,
) -> bool {
    let thread = call.thread();
    begin_loop(thread, &T::spec(thread, up, range, how), call);
    if call.wants(Told::Dispatch) {
        // SAFETY: the caller's promise.
        return unsafe { told_next(thread, into.0, into.1) };
    }
    // SAFETY: the caller's promise.
    unsafe { give(next_chunk(thread, call), into) }
}

/// Defines the functions behind the `_start` entries of a width. Arguments: `$type`; the parameters
/// that this width has in front of the others; whether the loop runs up.
macro_rules! starts {
    ($type:ty, $front:tt, $up:expr) => {
        starts! { @with_chunk $type, $front, $up;
            start_static => Kind::Static, false;
            start_dynamic => Kind::Dynamic, false;
            start_guided => Kind::Guided, false;
            start_ordered_static => Kind::Static, true;
            start_ordered_dynamic => Kind::Dynamic, true;
            start_ordered_guided => Kind::Guided, true;
        }
        starts! { @runtime $type, $front, $up;
            start_runtime => Kind::Runtime, false;
            start_ordered_runtime => Kind::Runtime, true;
        }
    };
    (@with_chunk $type:ty, $front:tt, $up:expr;
     $($name:ident => $kind:expr, $ordered:expr;)*) => { $(
        starts! { @one $type, $front, $up, (chunk: $type,), chunk, $name, $kind, $ordered }
    )* };
    (@runtime $type:ty, $front:tt, $up:expr;
     $($name:ident => $kind:expr, $ordered:expr;)*) => { $(
        starts! { @one $type, $front, $up, (), 0, $name, $kind, $ordered }
    )* };
    (@one $type:ty, ($($front:tt)*), $up:expr, ($($behind:tt)*), $chunk:expr,
     $name:ident, $kind:expr, $ordered:expr) => {
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $name<C: Call>(
            $($front)* first: $type, end: $type, incr: $type, $($behind)*
            istart: *mut $type, iend: *mut $type,
        ) -> bool {
            let call = C::here();
            let how = ($kind, $chunk, $ordered);
            // SAFETY: GCC's code passes two valid addresses.
            unsafe { start($up, (first, end, incr), how, (istart, iend), call) }
        }
    };
}
use starts;

/// The exported names of one width: for each schedule the start, and the function that gives the
/// next chunk. GCC's name for a schedule says whether the loop is nonmonotonic; the functions here
/// do not distinguish that.
macro_rules! entries {
    ($type:ty; $($schedule:literal: $begin:ident, $next:ident => $start:ident;)*) => {
        omphalos_sys::quick_noted_entries! {
            WORK;
            $(
                #[doc = concat!("Begins `for ", $schedule, "`.")]
                $begin => $start::<Unwatched>, $start::<Caller>;
            )*
        }

        omphalos_sys::class_entries! {
            CHUNKS;
            $(
                #[doc = concat!("The next chunk of `for ", $schedule, "`.")]
                $next(istart, iend) => quick::next::<$type>, next::<$type>;
            )*
        }
    };
}
use entries;

// Never inlined: the quick way has no frame, and continues here if it finds nothing.
#[cold]
#[inline(never)]
unsafe extern "C" fn slow_next<T: Index>(istart: *mut T, iend: *mut T) -> bool {
    // SAFETY: GCC's code passes two valid addresses.
    unsafe { give(next_slowly(Thread::current()), (istart, iend)) }
}

/// As [`slow_next`], for a tool that may want the event.
unsafe extern "C" fn next<T: Index>(istart: *mut T, iend: *mut T, call: Entered) -> bool {
    // SAFETY: GCC's code passes two valid addresses.
    unsafe {
        match call.known() {
            Some(thread) => told_next(thread, istart, iend),
            None => slow_next(istart, iend),
        }
    }
}

/// Writes the bounds of the next chunk, and tells its event.
///
/// # Safety
/// `istart` and `iend` must be valid for writes.
#[inline(always)]
unsafe fn told_next<T: Index>(thread: &'static Thread, istart: *mut T, iend: *mut T) -> bool {
    let Some((chunk, spec)) = quick_chunk(thread) else {
        // SAFETY: the caller's promise.
        return unsafe { slow_next(istart, iend) };
    };
    let (first, behind) = bounds(spec, &chunk);
    // SAFETY: the caller's promise.
    unsafe {
        *istart = T::of(first);
        *iend = T::of(behind);
    }
    // Last, so that nothing is kept over the tool's callback.
    hooks::dispatch_from(thread, spec, first, chunk.count);
    true
}

/// The functions for threads that have their record, while no tool wants events of chunks.
mod quick {
    use super::{Index, Thread, counted_chunk, give, quick_chunk};

    pub unsafe extern "C" fn next<T: Index>(
        istart: *mut T,
        iend: *mut T,
        thread: &'static Thread,
    ) -> bool {
        // Dynamic loops come first: they have the most chunks.
        if let found @ Some(_) = counted_chunk(thread) {
            // SAFETY: GCC's code passes two valid addresses.
            return unsafe { give(found, (istart, iend)) };
        }
        let found = quick_chunk(thread);
        if found.is_none() {
            // SAFETY: GCC's code passes two valid addresses.
            return unsafe { super::slow_next(istart, iend) };
        }
        // SAFETY: GCC's code passes two valid addresses.
        unsafe { give(found, (istart, iend)) }
    }
}

unsafe extern "C" fn loop_end<C: Call>(call: C) {
    let thread = call.thread();
    end_loop(thread, call);
    barrier::barrier(thread, SyncKind::BarrierImplicitWorkshare, call);
}

unsafe extern "C" fn loop_end_nowait<C: Call>(call: C) {
    end_loop(call.thread(), call);
}

omphalos_sys::placed_entries! {
    /// Ends a loop with its barrier (GOMP_1.0).
    GOMP_loop_end() => loop_end::<Placed>, loop_end::<Caller>;
}

omphalos_sys::class_entries! {
    WORK;
    /// Ends a loop without a barrier (GOMP_1.0).
    GOMP_loop_end_nowait() => loop_end_nowait::<Unwatched>, loop_end_nowait::<Entered>;
}
