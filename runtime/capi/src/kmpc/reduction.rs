//! `__kmpc_reduce*`: how a team's partial results come together.
//!
//! The answer tells the compiler's code what to do. 1: combine with the original as usual, and call
//! the end function. 2: combine with atomic instructions (and, in the blocking form, call the end
//! function). 0: nothing is left to do. If the reduction's lock is taken, the end function gives it
//! back.

use crate::shared::location::{ATOMIC_REDUCTION, Ident, flags, reduction_barrier_kind};
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};
use omphalos_engine::mutex::{self, Method, Offer};
use omphalos_engine::{Caller, Thread, Unwatched, barrier, caller, teams};
use omphalos_events::{Endpoint, State, SyncKind};

/// Adds the second argument's partial results to the first's.
type Combine = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// The arguments of LLVM's code.
struct Reduction {
    variables: i32,
    data: *mut c_void,
    combine: Option<Combine>,
    name: *const AtomicU32,
}

/// Tells tools, if one may be attached.
#[inline(always)]
fn tell<const WATCHED: bool>(thread: &'static Thread, endpoint: Endpoint, caller: Caller) {
    if WATCHED {
        mutex::reduction_told(thread, endpoint, caller);
    }
}

/// Passes the barrier of the blocking form.
///
/// # Safety
/// `location` is null or valid.
#[inline(always)]
unsafe fn meet<const WATCHED: bool>(
    thread: &'static Thread,
    location: *const Ident,
    caller: Caller,
) {
    if WATCHED {
        // SAFETY: the caller's promise.
        let kind = unsafe { reduction_barrier_kind(location) };
        barrier::barrier(thread, kind, caller);
    } else {
        // No tool is told the kind, and to find out the kind took eight instructions for each
        // reduction.
        barrier::barrier(thread, SyncKind::BarrierImplementation, Unwatched(thread));
    }
}

/// Begins a reduction. Returns the answer for the compiler's code. `ENDS`: the compiler's code also
/// calls the end function where it combines with atomic instructions.
///
/// # Safety
/// `location` is null or valid; the reduction's parts are as LLVM's code passes them.
// Inlined: in a team of one, a call with the parts in memory would be a tenth of the whole cost.
#[inline(always)]
unsafe fn begin<const WATCHED: bool, const ENDS: bool>(
    thread: &'static Thread,
    location: *const Ident,
    reduction: &Reduction,
    caller: Caller,
) -> i32 {
    let offer = Offer {
        variables: reduction.variables.max(0) as u32,
        // SAFETY: the caller's promise.
        atomic: unsafe { flags(location) } & ATOMIC_REDUCTION != 0,
        pairs: reduction.combine.is_some() && !reduction.data.is_null(),
    };
    let method = mutex::method(teams::reducing(thread), offer);
    if method == Method::Atomic {
        // Both events are told before the instructions, as on LLVM's runtime, which tells nothing
        // of the instructions. A race detector takes code between the events for the runtime's own,
        // and would hide races there.
        tell::<WATCHED>(thread, Endpoint::Begin, caller);
        tell::<WATCHED>(thread, Endpoint::End, caller);
        if WATCHED && ENDS {
            thread.set_waiting(State::WORK_REDUCTION, by_instructions(reduction.name));
        }
        return 2;
    }
    thread.set_state(State::WORK_REDUCTION);
    tell::<WATCHED>(thread, Endpoint::Begin, caller);
    if method == Method::Lock {
        // SAFETY: the caller's promise.
        mutex::acquire_silently(thread, unsafe { &*reduction.name });
    }
    if method == Method::Tree
        && let Some(combine) = reduction.combine
        // SAFETY: every member calls with its own data, which stays until this returns.
        && !unsafe { mutex::by_tree(thread, reduction.data, combine) }
    {
        finish::<WATCHED>(thread, caller);
        return 0;
    }
    1
}

/// Returns the note beside the state of a thread that combines with atomic instructions. It is odd,
/// and no object that a thread may wait for has an odd address.
fn by_instructions(name: *const AtomicU32) -> u64 {
    name.addr() as u64 | 1
}

/// Called when the thread has combined its part.
fn finish<const WATCHED: bool>(thread: &'static Thread, caller: Caller) {
    tell::<WATCHED>(thread, Endpoint::End, caller);
    thread.set_state(after(thread));
}

/// Returns the state after a reduction.
fn after(thread: &Thread) -> State {
    if thread.team().level.get() == 0 { State::WORK_SERIAL } else { State::WORK_PARALLEL }
}

/// Ends a reduction for which `begin` answered 1 or 2.
///
/// # Safety
/// `name` is the reduction's.
#[inline]
unsafe fn end<const WATCHED: bool>(
    thread: &'static Thread,
    name: *const AtomicU32,
    caller: Caller,
) {
    // SAFETY: the caller's promise.
    if let Some(name) = unsafe { name.as_ref() }
        && mutex::owner_of(name.load(Ordering::Relaxed)) == Some(thread.gtid)
    {
        mutex::release_silently(thread, name);
    }
    // A thread may have been unwatched when it began to combine with atomic instructions. Then it
    // is not in the state.
    match thread.state() {
        (State::WORK_REDUCTION, note) if note == by_instructions(name) => {
            thread.set_waiting(after(thread), 0);
        }
        (State::WORK_REDUCTION, _) => finish::<WATCHED>(thread, caller),
        _ => {}
    }
}

/// Defines the two beginnings, each for entries whose events a tool may want and for entries
/// without a tool.
macro_rules! begins {
    ($($nowait:ident, $waits:ident, $watched:literal, $caller:expr;)*) => { $(
        unsafe extern "C" fn $nowait(
            location: *const Ident, _gtid: i32, variables: i32, _size: usize, data: *mut c_void,
            combine: Option<Combine>, name: *const AtomicU32,
        ) -> i32 {
            let caller = $caller;
            let reduction = Reduction { variables, data, combine, name };
            // SAFETY: LLVM's code keeps to its interface.
            unsafe { begin::<$watched, false>(Thread::current(), location, &reduction, caller) }
        }

        unsafe extern "C" fn $waits(
            location: *const Ident, _gtid: i32, variables: i32, _size: usize, data: *mut c_void,
            combine: Option<Combine>, name: *const AtomicU32,
        ) -> i32 {
            let caller = $caller;
            let thread = Thread::current();
            let reduction = Reduction { variables, data, combine, name };
            // SAFETY: LLVM's code keeps to its interface.
            let answer = unsafe { begin::<$watched, true>(thread, location, &reduction, caller) };
            if answer == 0 {
                // The compiler's code calls no end function for this answer, so the barrier is
                // here.
                // SAFETY: LLVM's code keeps to its interface.
                unsafe { meet::<$watched>(thread, location, caller) };
            }
            answer
        }
    )* };
}

begins! {
    reduce_nowait, reduce, true, caller();
    quick_reduce_nowait, quick_reduce, false, Caller::NONE;
}

unsafe extern "C" fn end_reduce_nowait(
    _location: *const Ident,
    _gtid: i32,
    name: *const AtomicU32,
    caller: Caller,
) {
    // SAFETY: LLVM's code keeps to its interface.
    unsafe { end::<true>(Thread::current(), name, caller) };
}

unsafe extern "C" fn end_reduce(
    location: *const Ident,
    _gtid: i32,
    name: *const AtomicU32,
    caller: Caller,
) {
    let thread = Thread::current();
    // SAFETY: LLVM's code keeps to its interface.
    unsafe {
        end::<true>(thread, name, caller);
        meet::<true>(thread, location, caller);
    }
}

unsafe extern "C" fn quick_end_reduce_nowait(
    _location: *const Ident,
    _gtid: i32,
    name: *const AtomicU32,
    thread: &'static Thread,
) {
    // SAFETY: LLVM's code keeps to its interface.
    unsafe { end::<false>(thread, name, Caller::NONE) };
}

unsafe extern "C" fn quick_end_reduce(
    location: *const Ident,
    _gtid: i32,
    name: *const AtomicU32,
    thread: &'static Thread,
) {
    // SAFETY: LLVM's code keeps to its interface.
    unsafe {
        end::<false>(thread, name, Caller::NONE);
        meet::<false>(thread, location, Caller::NONE);
    }
}

omphalos_sys::quick_entries! {
    /// Ends a reduction.
    __kmpc_end_reduce_nowait(location, gtid, name) => quick_end_reduce_nowait, end_reduce_nowait;
    /// Ends a reduction, with the barrier.
    __kmpc_end_reduce(location, gtid, name) => quick_end_reduce, end_reduce;
}

omphalos_sys::quick_noted_entries! {
    /// Begins to combine; no barrier follows.
    __kmpc_reduce_nowait => quick_reduce_nowait, reduce_nowait;
    /// Begins to combine; a barrier follows.
    __kmpc_reduce => quick_reduce, reduce;
}
