//! States, by the numbers of this generation, which no OMPT has.

use omphalos_abi::earlier::ompd2016::*;
use omphalos_abi::ompt;

/// Converts a state of OpenMP 5.0 and later to this generation's number.
pub fn of(state: u32) -> ompd_state_t {
    match state as i32 {
        ompt::ompt_state_work_serial => ompd_state_work_serial,
        ompt::ompt_state_work_parallel
        | ompt::ompt_state_work_free_agent
        | ompt::ompt_state_work_induction => ompd_state_work_parallel,
        ompt::ompt_state_work_reduction => ompd_state_work_reduction,
        ompt::ompt_state_wait_barrier | ompt::ompt_state_wait_barrier_implementation => {
            ompd_state_wait_barrier
        }
        ompt::ompt_state_wait_barrier_implicit
        | ompt::ompt_state_wait_barrier_implicit_parallel
        | ompt::ompt_state_wait_barrier_implicit_workshare
        | ompt::ompt_state_wait_barrier_teams => ompd_state_wait_barrier_implicit,
        ompt::ompt_state_wait_barrier_explicit => ompd_state_wait_barrier_explicit,
        ompt::ompt_state_wait_taskwait => ompd_state_wait_taskwait,
        ompt::ompt_state_wait_taskgroup => ompd_state_wait_taskgroup,
        ompt::ompt_state_wait_mutex => ompd_state_wait_mutex,
        ompt::ompt_state_wait_lock => ompd_state_wait_lock,
        ompt::ompt_state_wait_critical => ompd_state_wait_critical,
        ompt::ompt_state_wait_atomic => ompd_state_wait_atomic,
        ompt::ompt_state_wait_ordered => ompd_state_wait_ordered,
        ompt::ompt_state_idle => ompd_state_idle,
        ompt::ompt_state_undefined => ompd_state_undefined,
        _ => ompd_state_overhead,
    }
}
