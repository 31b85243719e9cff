//! `__kmpc_dispatch_*`: dynamic, guided, runtime and ordered loops.

use super::integer::{Integer, trip_count};
use super::schedule::{Decoded, decode};
use crate::shared::location::Ident;
use omphalos_engine::worksharing::{
    Chunk, LoopSpec, Schedule, begin_loop, end_loop, hooks, next_chunk, next_slowly, quick_chunk,
    rounded_share,
};
use omphalos_engine::{Call, Caller, Entered, Thread, Unwatched, WORK, caller};
use omphalos_sys::entry::Unused;

pub(super) fn init<T: Integer, C: Call>(
    number: i32,
    lower: T,
    upper: T,
    step: T::Signed,
    chunk: T::Signed,
    call: C,
) {
    let thread = call.thread();
    let (step, chunk) = (T::step(step), T::step(chunk).max(1) as u64);
    let Decoded { how, ordered, rounded, nonmonotonic } = decode(thread, number, chunk);
    let trip = trip_count(lower, upper, step);
    let one_share = rounded && how.schedule == Schedule::Static;
    let spec = LoopSpec {
        trip,
        chunk: match one_share {
            true => rounded_share(trip, thread.team().size.get(), how.chunk),
            false => how.chunk,
        },
        schedule: how.schedule,
        kind: how.kind,
        ordered,
        nonmonotonic,
        rounded,
        start: lower.widen(),
        step: step as u64,
    };
    begin_loop(thread, &spec, call);
}

/// The addresses at which LLVM's code wants a chunk.
struct To<T: Integer> {
    last: *mut i32,
    lower: *mut T,
    upper: *mut T,
    stride: *mut T::Signed,
}

impl<T: Integer> To<T> {
    /// Writes the chunk there. Returns its first value.
    ///
    /// # Safety
    /// The addresses are valid (`last` and `stride` may be null).
    #[inline(always)]
    unsafe fn put(&self, chunk: &Chunk, spec: &LoopSpec) -> u64 {
        let first = spec.value(chunk.first);
        // SAFETY: the caller's promise.
        unsafe {
            *self.lower = T::narrow(first);
            *self.upper = T::narrow(first.wrapping_add((chunk.count - 1).wrapping_mul(spec.step)));
            if let Some(stride) = self.stride.as_mut() {
                *stride = T::narrow_step(spec.step as i64);
            }
            if let Some(last) = self.last.as_mut() {
                *last = i32::from(chunk.last);
            }
        }
        first
    }
}

/// # Safety
/// The addresses are valid (`last` and `stride` may be null).
#[inline(always)]
unsafe fn next<T: Integer>(to: &To<T>, call: impl Call) -> i32 {
    let thread = call.thread();
    match next_slowly(thread) {
        // SAFETY: the caller's promise.
        Some((chunk, spec)) => unsafe { to.put(&chunk, spec) },
        None => {
            end_loop(thread, call);
            return 0;
        }
    };
    1
}

macro_rules! loops {
    ($($init:ident, $quick:ident, $slow:ident, $next:ident, $rest:ident,
       $type:ty, $signed:ty;)*) => { $(
        unsafe extern "C" fn $init<C: Call>(
            _location: *const Ident, _gtid: i32, number: i32,
            lower: $type, upper: $type, step: $signed, chunk: $signed,
        ) {
            init::<$type, C>(number, lower, upper, step, chunk, C::here());
        }

        unsafe extern "C" fn $next(
            call: Entered, last: *mut i32,
            lower: *mut $type, upper: *mut $type, stride: *mut $signed,
        ) -> i32 {
            let to = To::<$type> { last, lower, upper, stride };
            let found = call.known().and_then(|thread| Some((thread, quick_chunk(thread)?)));
            let Some((thread, (chunk, spec))) = found else {
                // SAFETY: LLVM's code passes valid addresses.
                return unsafe { $rest(call, last, lower, upper, stride) };
            };
            // SAFETY: LLVM's code passes valid addresses.
            let first = unsafe { to.put(&chunk, spec) };
            // Last, so that nothing is kept over the tool's callback.
            hooks::dispatch_from(thread, spec, first, chunk.count);
            1
        }

        /// The rest of the watched entry, for a chunk that is not found at once.
        #[inline(never)]
        unsafe extern "C" fn $rest(
            call: Entered, last: *mut i32,
            lower: *mut $type, upper: *mut $type, stride: *mut $signed,
        ) -> i32 {
            // SAFETY: LLVM's code passes valid addresses.
            unsafe { next::<$type>(&To { last, lower, upper, stride }, call) }
        }

        /// For threads that have their record, while no tool wants events of worksharing.
        unsafe extern "C" fn $quick(
            thread: &'static Thread, unused: Unused, last: *mut i32,
            lower: *mut $type, upper: *mut $type, stride: *mut $signed,
        ) -> i32 {
            // SAFETY: LLVM's code passes valid addresses.
            unsafe {
                let Some((chunk, spec)) = quick_chunk(thread) else {
                    return $slow(thread, unused, last, lower, upper, stride);
                };
                To::<$type> { last, lower, upper, stride }.put(&chunk, spec);
            }
            1
        }

        #[cold]
        #[inline(never)]
        unsafe extern "C" fn $slow(
            thread: &'static Thread, _: Unused, last: *mut i32,
            lower: *mut $type, upper: *mut $type, stride: *mut $signed,
        ) -> i32 {
            // SAFETY: LLVM's code passes valid addresses.
            unsafe { next::<$type>(&To { last, lower, upper, stride }, Unwatched(thread)) }
        }
    )* };
}

loops! {
    init_4, quick_4, slow_4, next_4, rest_4, i32, i32;
    init_4u, quick_4u, slow_4u, next_4u, rest_4u, u32, i32;
    init_8, quick_8, slow_8, next_8, rest_8, i64, i64;
    init_8u, quick_8u, slow_8u, next_8u, rest_8u, u64, i64;
}

omphalos_sys::quick_noted_entries! {
    WORK;
    /// Begins a loop over `int`.
    __kmpc_dispatch_init_4 => init_4::<Unwatched>, init_4::<Caller>;
    /// Begins a loop over `unsigned`.
    __kmpc_dispatch_init_4u => init_4u::<Unwatched>, init_4u::<Caller>;
    /// Begins a loop over `long`.
    __kmpc_dispatch_init_8 => init_8::<Unwatched>, init_8::<Caller>;
    /// Begins a loop over `unsigned long`.
    __kmpc_dispatch_init_8u => init_8u::<Unwatched>, init_8u::<Caller>;
}

omphalos_sys::located_class_entries! {
    WORK;
    /// The next chunk over `int`; 0 = none, and the loop has ended for this thread.
    __kmpc_dispatch_next_4(last, lower, upper, stride) => quick_4, next_4;
    /// The next chunk over `unsigned`.
    __kmpc_dispatch_next_4u(last, lower, upper, stride) => quick_4u, next_4u;
    /// The next chunk over `long`.
    __kmpc_dispatch_next_8(last, lower, upper, stride) => quick_8, next_8;
    /// The next chunk over `unsigned long`.
    __kmpc_dispatch_next_8u(last, lower, upper, stride) => quick_8u, next_8u;
}

omphalos_sys::exported_routines! {
    /// The end of an iteration of an ordered loop. The turn went on with the iteration's `ordered`
    /// region, or goes on with its chunk.
    __kmpc_dispatch_fini_4(_location: *const Ident, _gtid: i32) = ();
    /// As `__kmpc_dispatch_fini_4`.
    __kmpc_dispatch_fini_4u(_location: *const Ident, _gtid: i32) = ();
    /// As `__kmpc_dispatch_fini_4`.
    __kmpc_dispatch_fini_8(_location: *const Ident, _gtid: i32) = ();
    /// As `__kmpc_dispatch_fini_4`.
    __kmpc_dispatch_fini_8u(_location: *const Ident, _gtid: i32) = ();
    /// The end of a loop: it ended with its last `next` already.
    __kmpc_dispatch_deinit(_location: *const Ident, _gtid: i32) = ();
}

/// Sections, as a dynamic loop over their numbers from 0.
mod sections {
    use super::*;
    use omphalos_events::WorkKind;

    unsafe extern "C" fn init(_location: *const Ident, _gtid: i32) -> i32 {
        1
    }

    /// Returns the number of the next section, `count` if none is left. The first call begins the
    /// construct.
    unsafe extern "C" fn next(_location: *const Ident, _gtid: i32, count: i32) -> i32 {
        let caller = caller();
        let thread = Thread::current();
        let spec = LoopSpec {
            trip: i64::from(count).max(0) as u64,
            chunk: 1,
            schedule: Schedule::Dynamic,
            kind: WorkKind::Sections,
            ..LoopSpec::NONE
        };
        if !thread.slot().share.is_open() {
            begin_loop(thread, &spec, caller);
        }
        next_chunk(thread, caller).map_or(count, |(chunk, _)| chunk.first as i32)
    }

    unsafe extern "C" fn end(_location: *const Ident, _gtid: i32) {
        let caller = caller();
        end_loop(Thread::current(), caller);
    }

    omphalos_sys::entries! {
        /// Prepares `sections`.
        __kmpc_sections_init => init;
        /// The next section's number.
        __kmpc_next_section => next;
        /// Ends `sections`.
        __kmpc_end_sections => end;
    }
}
