//! `distribute parallel for` in one call: the loop is cut for the league's teams, then a team's
//! part for its threads. Flang and Intel's compilers call these.

use super::integer::{Integer, shared_trip_count};
use super::schedule::{DISTRIBUTE_STATIC_CHUNKED, even_chunk};
use super::static_loop::{Bounds, empty};
use super::{dispatch_loop, static_loop};
use crate::shared::location::Ident;
use omphalos_engine::worksharing::{LoopSpec, Schedule, static_share};
use omphalos_engine::{Thread, caller};
use omphalos_events::WorkKind;

/// A team's part of a loop.
struct Part<T> {
    lower: T,
    upper: T,
    /// Whether the part has the loop's last iteration.
    last: bool,
}

/// Returns the current team's part of a loop, dealt as a static loop without a chunk size.
fn part<T: Integer>(thread: &Thread, lower: T, upper: T, step: i64) -> Part<T> {
    part_of(thread.team().league.get(), lower, upper, step)
}

fn part_of<T: Integer>((teams, num): (u32, u32), lower: T, upper: T, step: i64) -> Part<T> {
    let trip = shared_trip_count(lower, upper, step);
    let spec = LoopSpec {
        trip,
        chunk: even_chunk(trip, teams),
        schedule: Schedule::Static,
        kind: WorkKind::Distribute,
        start: lower.widen(),
        step: step as u64,
        ..LoopSpec::NONE
    };
    if spec.trip == 0 {
        return Part { lower, upper, last: false };
    }
    match static_share(&spec, teams, num, 0) {
        Some(share) => Part {
            lower: T::narrow(spec.value(share.first)),
            upper: T::narrow(spec.value(share.first + (share.count - 1))),
            last: share.last,
        },
        None => {
            let (lower, upper) = empty(upper, lower, step);
            Part { lower, upper, last: false }
        }
    }
}

macro_rules! distribute {
    ($($static:ident, $dispatch:ident, $team:ident, $type:ty, $signed:ty;)*) => { $(
        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $static(
            location: *const Ident, _gtid: i32, number: i32, last: *mut i32, lower: *mut $type,
            upper: *mut $type, team_upper: *mut $type, stride: *mut $signed, step: $signed,
            chunk: $signed,
        ) {
            let caller = caller();
            // SAFETY: the compiler's code passes valid addresses.
            unsafe {
                let part = part(Thread::current(), *lower, *upper, <$type>::step(step));
                (*lower, *upper, *team_upper) = (part.lower, part.upper, part.upper);
                let bounds = Bounds { last, lower, upper, stride };
                static_loop::init(location, number, &bounds, step, chunk, caller);
                if let Some(last) = last.as_mut() {
                    *last &= i32::from(part.last);
                }
            }
        }

        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $dispatch(
            _location: *const Ident, _gtid: i32, number: i32, last: *mut i32, lower: $type,
            upper: $type, step: $signed, chunk: $signed,
        ) {
            let caller = caller();
            let part = part(Thread::current(), lower, upper, <$type>::step(step));
            // SAFETY: the compiler's code passes a valid address or null.
            if let Some(last) = unsafe { last.as_mut() } {
                *last = i32::from(part.last);
            }
            dispatch_loop::init(number, part.lower, part.upper, step, chunk, caller);
        }

        #[allow(clippy::too_many_arguments)]
        unsafe extern "C" fn $team(
            location: *const Ident, _gtid: i32, last: *mut i32, lower: *mut $type,
            upper: *mut $type, stride: *mut $signed, step: $signed, chunk: $signed,
        ) {
            let caller = caller();
            let bounds = Bounds { last, lower, upper, stride };
            // SAFETY: the compiler's code passes valid addresses.
            unsafe {
                let end = *upper;
                let number = DISTRIBUTE_STATIC_CHUNKED;
                static_loop::init(location, number, &bounds, step, chunk, caller);
                let up = <$type>::step(step) > 0;
                if (up && (*upper).after(end)) || (!up && end.after(*upper)) {
                    *upper = end;
                }
            }
        }
    )* };
}

distribute! {
    static_4, dispatch_4, team_4, i32, i32;
    static_4u, dispatch_4u, team_4u, u32, i32;
    static_8, dispatch_8, team_8, i64, i64;
    static_8u, dispatch_8u, team_8u, u64, i64;
}

omphalos_sys::told_entries! {
    /// The end of one of these loops.
    __kmpc_dist_for_static_fini(location, gtid) => static_loop::fini::<omphalos_engine::Caller>;
}

omphalos_sys::entries! {
    /// A thread's share of its team's part of a static loop over `int`.
    __kmpc_dist_for_static_init_4 => static_4;
    /// The same over `unsigned`.
    __kmpc_dist_for_static_init_4u => static_4u;
    /// The same over `long`.
    __kmpc_dist_for_static_init_8 => static_8;
    /// The same over `unsigned long`.
    __kmpc_dist_for_static_init_8u => static_8u;
    /// Begins a dynamic loop over a team's part of a loop over `int`.
    __kmpc_dist_dispatch_init_4 => dispatch_4;
    /// The same over `unsigned`.
    __kmpc_dist_dispatch_init_4u => dispatch_4u;
    /// The same over `long`.
    __kmpc_dist_dispatch_init_8 => dispatch_8;
    /// The same over `unsigned long`.
    __kmpc_dist_dispatch_init_8u => dispatch_8u;
    /// The chunks of the current team of a `distribute` over `int`.
    __kmpc_team_static_init_4 => team_4;
    /// The same over `unsigned`.
    __kmpc_team_static_init_4u => team_4u;
    /// The same over `long`.
    __kmpc_team_static_init_8 => team_8;
    /// The same over `unsigned long`.
    __kmpc_team_static_init_8u => team_8u;
}

#[cfg(test)]
mod tests {
    use super::super::schedule::STATIC_CHUNKED;
    use super::*;

    #[test]
    fn one_team_has_all() {
        let thread = Thread::current();
        let whole = part(thread, 3i32, 12, 2);
        assert_eq!((whole.lower, whole.upper, whole.last), (3, 11, true));
        let none = part(thread, 5u64, 4, 1);
        assert!(!none.last && none.lower > none.upper);
    }

    #[test]
    fn teams_share_everything_once() {
        for teams in 1..9 {
            let mut next = 0i64;
            for num in 0..teams {
                let part = part_of((teams, num), 0i64, 6, 1);
                assert_eq!(part.last, part.lower <= part.upper && part.upper == 6);
                if part.lower <= part.upper {
                    assert_eq!(part.lower, next);
                    next = part.upper + 1;
                }
            }
            assert_eq!(next, 7);
        }
    }

    #[test]
    fn shares_of_a_team_of_one() {
        let (mut last, mut lower, mut upper, mut end, mut stride) = (9, 0, 99, 0, 0);
        // SAFETY: the addresses are valid.
        unsafe {
            static_4(
                core::ptr::null(),
                0,
                STATIC_CHUNKED,
                &mut last,
                &mut lower,
                &mut upper,
                &mut end,
                &mut stride,
                1,
                10,
            );
        }
        assert_eq!((last, lower, upper, end, stride), (1, 0, 9, 99, 10));
    }
}
