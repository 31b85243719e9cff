//! The thread states and the kinds of mutexes, with their names.

use crate::names::{Entry, Named, names, next};
use core::ffi::c_int;
use omphalos_abi::ompt::*;

/// Every state that the engine can report, in the order of their numbers. The enumeration starts at
/// `ompt_state_undefined`, which is not part of it.
static STATES: [Entry; 21] = names![
    ompt_state_work_serial,
    ompt_state_work_parallel,
    ompt_state_work_reduction,
    ompt_state_work_free_agent,
    ompt_state_wait_barrier_implicit_parallel,
    ompt_state_wait_barrier_implicit_workshare,
    ompt_state_wait_barrier_explicit,
    ompt_state_wait_barrier_implementation,
    ompt_state_wait_barrier_teams,
    ompt_state_wait_taskwait,
    ompt_state_wait_taskgroup,
    ompt_state_wait_mutex,
    ompt_state_wait_lock,
    ompt_state_wait_critical,
    ompt_state_wait_atomic,
    ompt_state_wait_ordered,
    ompt_state_wait_target,
    ompt_state_wait_target_map,
    ompt_state_wait_target_update,
    ompt_state_idle,
    ompt_state_overhead,
];

/// The mutex implementations that `mutex_acquire` and `lock_init` name.
static MUTEXES: [Entry; 1] = [Entry::new(1, "omphalos_mutex_impl_futex")];

/// Returns the state after `current`; `None` at the end and for a number that is no state.
pub fn next_state(current: c_int) -> Option<Named> {
    next(&STATES, current, ompt_state_undefined)
}

/// Returns the mutex implementation after `current`.
pub fn next_mutex(current: c_int) -> Option<Named> {
    next(&MUTEXES, current, ompt_mutex_impl_none)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumeration_visits_every_value_once_and_ends() {
        let mut seen = vec![];
        let mut state = ompt_state_undefined;
        while let Some((value, name)) = next_state(state) {
            assert!(name.to_str().unwrap().starts_with("ompt_state_"));
            seen.push(value);
            state = value;
        }
        assert_eq!(seen.len(), STATES.len());
        assert!(seen.is_sorted());
        assert_eq!(next_state(12345), None);
        assert_eq!(next_mutex(ompt_mutex_impl_none).unwrap().0, 1);
        assert_eq!(next_mutex(1), None);
    }
}
