//! The thread states and the kinds of mutexes, with their names.

use core::ffi::{CStr, c_int};
use omphalos_abi::ompt::*;

/// One value and its name.
type Named = (c_int, &'static CStr);

/// Every state that the engine can report, in the order of their numbers. `ompt_state_undefined` is
/// where the enumeration starts and not part of it.
static STATES: [Named; 21] = [
    (ompt_state_work_serial, c"ompt_state_work_serial"),
    (ompt_state_work_parallel, c"ompt_state_work_parallel"),
    (ompt_state_work_reduction, c"ompt_state_work_reduction"),
    (ompt_state_work_free_agent, c"ompt_state_work_free_agent"),
    (ompt_state_wait_barrier_implicit_parallel, c"ompt_state_wait_barrier_implicit_parallel"),
    (ompt_state_wait_barrier_implicit_workshare, c"ompt_state_wait_barrier_implicit_workshare"),
    (ompt_state_wait_barrier_explicit, c"ompt_state_wait_barrier_explicit"),
    (ompt_state_wait_barrier_implementation, c"ompt_state_wait_barrier_implementation"),
    (ompt_state_wait_barrier_teams, c"ompt_state_wait_barrier_teams"),
    (ompt_state_wait_taskwait, c"ompt_state_wait_taskwait"),
    (ompt_state_wait_taskgroup, c"ompt_state_wait_taskgroup"),
    (ompt_state_wait_mutex, c"ompt_state_wait_mutex"),
    (ompt_state_wait_lock, c"ompt_state_wait_lock"),
    (ompt_state_wait_critical, c"ompt_state_wait_critical"),
    (ompt_state_wait_atomic, c"ompt_state_wait_atomic"),
    (ompt_state_wait_ordered, c"ompt_state_wait_ordered"),
    (ompt_state_wait_target, c"ompt_state_wait_target"),
    (ompt_state_wait_target_map, c"ompt_state_wait_target_map"),
    (ompt_state_wait_target_update, c"ompt_state_wait_target_update"),
    (ompt_state_idle, c"ompt_state_idle"),
    (ompt_state_overhead, c"ompt_state_overhead"),
];

/// The mutex implementations that `mutex_acquire` and `lock_init` name.
static MUTEXES: [Named; 1] = [(1, c"omphalos_mutex_impl_futex")];

/// The state after `current`; `None` at the end and for a number that is no state.
pub fn next_state(current: c_int) -> Option<Named> {
    next(&STATES, current, ompt_state_undefined)
}

/// The mutex implementation after `current`.
pub fn next_mutex(current: c_int) -> Option<Named> {
    next(&MUTEXES, current, ompt_mutex_impl_none)
}

fn next(table: &'static [Named], current: c_int, start: c_int) -> Option<Named> {
    if current == start {
        return table.first().copied();
    }
    let at = table.iter().position(|&(value, _)| value == current)?;
    table.get(at + 1).copied()
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
