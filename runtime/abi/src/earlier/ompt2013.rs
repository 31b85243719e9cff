//! OMPT of April 2013 ("OMPT and OMPD", version 1): the numbers of its events and of its states.
//!
//! `ompt2014.rs` has the same events, many under other names, and four more in the middle, so the
//! numbers behind these differ. `omphalos-tools` knows an event by 2014's number and looks 2013's
//! up (`earlier/event_numbers.rs`).
//!
//! Who uses it: `omphalos-tools` and `omphalos-ompd-2013` take the states from here. A test
//! compares all numbers with `include/ompt-2013.h` (`tests/headers.rs`), and they must agree.
#![allow(non_camel_case_types, non_upper_case_globals)]

use super::numbers;

numbers! {
    ompt_event_t {
        ompt_event_parallel_create = 1,
        ompt_event_parallel_exit = 2,
        ompt_event_task_create = 3,
        ompt_event_task_exit = 4,
        ompt_event_thread_create = 5,
        ompt_event_thread_exit = 6,
        ompt_event_control = 7,
        ompt_event_runtime_shutdown = 8,
        ompt_event_idle_begin = 9,
        ompt_event_idle_end = 10,
        ompt_event_wait_barrier_begin = 11,
        ompt_event_wait_barrier_end = 12,
        ompt_event_wait_taskwait_begin = 13,
        ompt_event_wait_taskwait_end = 14,
        ompt_event_wait_taskgroup_begin = 15,
        ompt_event_wait_taskgroup_end = 0x10,
        ompt_event_release_lock = 0x11,
        ompt_event_release_nest_lock_last = 0x12,
        ompt_event_release_critical = 0x13,
        ompt_event_release_atomic = 0x14,
        ompt_event_release_ordered = 0x15,
        ompt_event_implicit_task_create = 0x16,
        ompt_event_implicit_task_exit = 0x17,
        ompt_event_task_switch = 0x18,
        ompt_event_loop_begin = 0x19,
        ompt_event_loop_end = 0x1a,
        ompt_event_section_begin = 0x1b,
        ompt_event_section_end = 0x1c,
        ompt_event_single_in_block_begin = 0x1d,
        ompt_event_single_in_block_end = 0x1e,
        ompt_event_single_others_begin = 0x1f,
        ompt_event_single_others_end = 0x20,
        ompt_event_master_begin = 0x21,
        ompt_event_master_end = 0x22,
        ompt_event_barrier_begin = 0x23,
        ompt_event_barrier_end = 0x24,
        ompt_event_taskwait_begin = 0x25,
        ompt_event_taskwait_end = 0x26,
        ompt_event_taskgroup_begin = 0x27,
        ompt_event_taskgroup_end = 0x28,
        ompt_event_release_nest_lock_prev = 0x29,
        ompt_event_wait_lock = 0x2a,
        ompt_event_wait_nest_lock = 0x2b,
        ompt_event_wait_critical = 0x2c,
        ompt_event_wait_atomic = 0x2d,
        ompt_event_wait_ordered = 0x2e,
        ompt_event_acquired_lock = 0x2f,
        ompt_event_acquired_nest_lock_first = 0x30,
        ompt_event_acquired_nest_lock_next = 0x31,
        ompt_event_acquired_critical = 0x32,
        ompt_event_acquired_atomic = 0x33,
        ompt_event_acquired_ordered = 0x34,
        ompt_event_init_lock = 0x35,
        ompt_event_init_nest_lock = 0x36,
        ompt_event_destroy_lock = 0x37,
        ompt_event_destroy_nest_lock = 0x38,
        ompt_event_flush = 0x39,
    }
    ompt_state_t {
        ompt_state_work_serial = 0,
        ompt_state_work_parallel = 1,
        ompt_state_work_reduction = 2,
        ompt_state_idle = 0x10,
        ompt_state_overhead = 0x20,
        ompt_state_wait_barrier = 0x40,
        ompt_state_wait_taskwait = 0x41,
        ompt_state_wait_taskgroup = 0x42,
        ompt_state_wait_lock = 0x50,
        ompt_state_wait_nest_lock = 0x51,
        ompt_state_wait_critical = 0x52,
        ompt_state_wait_atomic = 0x53,
        ompt_state_wait_ordered = 0x54,
        ompt_state_undefined = 0x60,
        ompt_state_first = 0x61,
        ompt_state_last = 0x62,
    }
}
