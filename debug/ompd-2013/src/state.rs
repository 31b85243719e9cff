//! States, by the numbers of OMPT of 2013.

use omphalos_abi::earlier::ompt2013::*;
use omphalos_abi::ompt;

/// Converts a state of OpenMP 5.0 and later to this generation's number.
pub fn of(state: u32) -> ompt_state_t {
    match state as i32 {
        ompt::ompt_state_work_serial => ompt_state_work_serial,
        ompt::ompt_state_work_parallel
        | ompt::ompt_state_work_free_agent
        | ompt::ompt_state_work_induction => ompt_state_work_parallel,
        ompt::ompt_state_work_reduction => ompt_state_work_reduction,
        0x010..=0x016 => ompt_state_wait_barrier,
        ompt::ompt_state_wait_taskwait => ompt_state_wait_taskwait,
        ompt::ompt_state_wait_taskgroup => ompt_state_wait_taskgroup,
        ompt::ompt_state_wait_mutex | ompt::ompt_state_wait_lock => ompt_state_wait_lock,
        ompt::ompt_state_wait_critical => ompt_state_wait_critical,
        ompt::ompt_state_wait_atomic => ompt_state_wait_atomic,
        ompt::ompt_state_wait_ordered => ompt_state_wait_ordered,
        ompt::ompt_state_idle => ompt_state_idle,
        ompt::ompt_state_undefined => ompt_state_undefined,
        _ => ompt_state_overhead,
    }
}
