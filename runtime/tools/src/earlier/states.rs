//! The states of each generation: the numbers and names of the engine's states, and the
//! enumerations for which tools ask.

use super::generation::Generation;
use crate::names::{Entry, names, next};
use core::ffi::c_int;
use omphalos_abi::earlier::{ompt2013 as y13, ompt2014 as y14, ompt2016 as y16};
use omphalos_events::State;

/// Returns a state's number in a generation's table: 2013, 2014 or 2016.
pub fn number(generation: Generation, state: State) -> c_int {
    let (in_2013, in_2014, in_2016) = match state {
        State::WORK_SERIAL => {
            (y13::ompt_state_work_serial, y14::ompt_state_work_serial, y16::omp_state_work_serial)
        }
        State::WORK_PARALLEL | State::WORK_FREE_AGENT => (
            y13::ompt_state_work_parallel,
            y14::ompt_state_work_parallel,
            y16::omp_state_work_parallel,
        ),
        State::WORK_REDUCTION => (
            y13::ompt_state_work_reduction,
            y14::ompt_state_work_reduction,
            y16::omp_state_work_reduction,
        ),
        State::IDLE => (y13::ompt_state_idle, y14::ompt_state_idle, y16::omp_state_idle),
        State::WAIT_BARRIER_EXPLICIT => (
            y13::ompt_state_wait_barrier,
            y14::ompt_state_wait_barrier_explicit,
            y16::omp_state_wait_barrier_explicit,
        ),
        State::WAIT_BARRIER_IMPLICIT_PARALLEL
        | State::WAIT_BARRIER_IMPLICIT_WORKSHARE
        | State::WAIT_BARRIER_TEAMS => (
            y13::ompt_state_wait_barrier,
            y14::ompt_state_wait_barrier_implicit,
            y16::omp_state_wait_barrier_implicit,
        ),
        State::WAIT_BARRIER_IMPLEMENTATION => (
            y13::ompt_state_wait_barrier,
            y14::ompt_state_wait_barrier,
            y16::omp_state_wait_barrier,
        ),
        State::WAIT_TASKWAIT => (
            y13::ompt_state_wait_taskwait,
            y14::ompt_state_wait_taskwait,
            y16::omp_state_wait_taskwait,
        ),
        State::WAIT_TASKGROUP => (
            y13::ompt_state_wait_taskgroup,
            y14::ompt_state_wait_taskgroup,
            y16::omp_state_wait_taskgroup,
        ),
        State::WAIT_MUTEX => {
            (y13::ompt_state_wait_lock, y14::ompt_state_wait_lock, y16::omp_state_wait_mutex)
        }
        State::WAIT_LOCK => {
            (y13::ompt_state_wait_lock, y14::ompt_state_wait_lock, y16::omp_state_wait_lock)
        }
        State::WAIT_NEST_LOCK => (
            y13::ompt_state_wait_nest_lock,
            y14::ompt_state_wait_nest_lock,
            y16::omp_state_wait_lock,
        ),
        State::WAIT_CRITICAL => (
            y13::ompt_state_wait_critical,
            y14::ompt_state_wait_critical,
            y16::omp_state_wait_critical,
        ),
        State::WAIT_ATOMIC => {
            (y13::ompt_state_wait_atomic, y14::ompt_state_wait_atomic, y16::omp_state_wait_atomic)
        }
        State::WAIT_ORDERED => (
            y13::ompt_state_wait_ordered,
            y14::ompt_state_wait_ordered,
            y16::omp_state_wait_ordered,
        ),
        State::WAIT_TARGET => {
            (y13::ompt_state_overhead, y14::ompt_state_overhead, y16::omp_state_wait_target)
        }
        State::UNDEFINED => {
            (y13::ompt_state_undefined, y14::ompt_state_undefined, y16::omp_state_undefined)
        }
        _ => (y13::ompt_state_overhead, y14::ompt_state_overhead, y16::omp_state_overhead),
    };
    match generation {
        Generation::Y2013 => in_2013,
        Generation::Y2014 => in_2014,
        Generation::Y2016Ids | Generation::Y2016Data => in_2016,
    }
}

/// Whether a thread of this state waits at a barrier.
pub fn is_barrier(state: State) -> bool {
    [
        State::WAIT_BARRIER_EXPLICIT,
        State::WAIT_BARRIER_IMPLICIT_PARALLEL,
        State::WAIT_BARRIER_IMPLICIT_WORKSHARE,
        State::WAIT_BARRIER_IMPLEMENTATION,
        State::WAIT_BARRIER_TEAMS,
    ]
    .contains(&state)
}

pub use crate::names::Named;

static OF_2013: [Entry; 15] = names![
    y13:
    ompt_state_work_serial,
    ompt_state_work_parallel,
    ompt_state_work_reduction,
    ompt_state_idle,
    ompt_state_overhead,
    ompt_state_wait_barrier,
    ompt_state_wait_taskwait,
    ompt_state_wait_taskgroup,
    ompt_state_wait_lock,
    ompt_state_wait_nest_lock,
    ompt_state_wait_critical,
    ompt_state_wait_atomic,
    ompt_state_wait_ordered,
    ompt_state_undefined,
    ompt_state_last,
];

static OF_2014: [Entry; 16] = names![
    y14:
    ompt_state_work_serial,
    ompt_state_work_parallel,
    ompt_state_work_reduction,
    ompt_state_idle,
    ompt_state_overhead,
    ompt_state_wait_barrier,
    ompt_state_wait_barrier_implicit,
    ompt_state_wait_barrier_explicit,
    ompt_state_wait_taskwait,
    ompt_state_wait_taskgroup,
    ompt_state_wait_lock,
    ompt_state_wait_nest_lock,
    ompt_state_wait_critical,
    ompt_state_wait_atomic,
    ompt_state_wait_ordered,
    ompt_state_undefined,
];

static OF_2016: [Entry; 16] = names![
    y16:
    omp_state_idle,
    omp_state_work_serial,
    omp_state_work_parallel,
    omp_state_work_reduction,
    omp_state_overhead,
    omp_state_wait_barrier,
    omp_state_wait_barrier_implicit,
    omp_state_wait_barrier_explicit,
    omp_state_wait_taskwait,
    omp_state_wait_taskgroup,
    omp_state_wait_mutex,
    omp_state_wait_lock,
    omp_state_wait_critical,
    omp_state_wait_atomic,
    omp_state_wait_ordered,
    omp_state_wait_target,
];

/// The mutex implementations that 2016 calls kinds.
static MUTEXES: [Entry; 1] = [Entry::new(1, "omphalos_mutex_impl_futex")];

/// Returns the state after `current`; `None` at the end, and for a number that is no state. 2013
/// ends with the marker `ompt_state_last`; there is no state after it either, because tools ask
/// until the answer is no.
pub fn next_state(generation: Generation, current: c_int) -> Option<Named> {
    match generation {
        Generation::Y2013 => next(&OF_2013, current, y13::ompt_state_first),
        Generation::Y2014 => next(&OF_2014, current, y14::ompt_state_first),
        _ => next(&OF_2016, current, y16::omp_state_undefined),
    }
}

/// Returns the mutex kind after `current`, from 0.
pub fn next_mutex(current: c_int) -> Option<Named> {
    next(&MUTEXES, current, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_that_is_reported_is_enumerated() {
        let all = [
            State::WORK_SERIAL,
            State::WORK_PARALLEL,
            State::WORK_REDUCTION,
            State::IDLE,
            State::OVERHEAD,
            State::WAIT_BARRIER_EXPLICIT,
            State::WAIT_BARRIER_IMPLEMENTATION,
            State::WAIT_BARRIER_IMPLICIT_PARALLEL,
            State::WAIT_TASKWAIT,
            State::WAIT_TASKGROUP,
            State::WAIT_MUTEX,
            State::WAIT_LOCK,
            State::WAIT_NEST_LOCK,
            State::WAIT_CRITICAL,
            State::WAIT_ATOMIC,
            State::WAIT_ORDERED,
            State::WAIT_TARGET,
        ];
        for ((_, generation), start) in Generation::NAMES.into_iter().zip([0x61, 0x71, 0x80, 0x80])
        {
            let mut seen = vec![];
            let mut state = start;
            while let Some((value, name)) = next_state(generation, state) {
                assert!(!name.is_empty());
                if generation == Generation::Y2013 && value == y13::ompt_state_last {
                    break;
                }
                seen.push(value);
                state = value;
            }
            for state in all {
                assert!(seen.contains(&number(generation, state)), "{generation:?} {state:?}");
            }
        }
    }
}
