//! `ompt_state_t`: the states of a thread, with the names that OMPD and OMPT have for them.

/// All states, by rising number.
pub const ALL: &[(u32, &str)] = &[
    (0x000, "ompt_state_work_serial"),
    (0x001, "ompt_state_work_parallel"),
    (0x002, "ompt_state_work_reduction"),
    (0x003, "ompt_state_work_free_agent"),
    (0x004, "ompt_state_work_induction"),
    (0x011, "ompt_state_wait_barrier_implicit_parallel"),
    (0x012, "ompt_state_wait_barrier_implicit_workshare"),
    (0x014, "ompt_state_wait_barrier_explicit"),
    (0x015, "ompt_state_wait_barrier_implementation"),
    (0x016, "ompt_state_wait_barrier_teams"),
    (0x020, "ompt_state_wait_taskwait"),
    (0x021, "ompt_state_wait_taskgroup"),
    (0x040, "ompt_state_wait_mutex"),
    (0x041, "ompt_state_wait_lock"),
    (0x042, "ompt_state_wait_critical"),
    (0x043, "ompt_state_wait_atomic"),
    (0x044, "ompt_state_wait_ordered"),
    (0x080, "ompt_state_wait_target"),
    (0x081, "ompt_state_wait_target_map"),
    (0x082, "ompt_state_wait_target_update"),
    (0x100, "ompt_state_idle"),
    (0x101, "ompt_state_overhead"),
    (0x102, "ompt_state_undefined"),
];

/// `ompt_state_idle`.
pub const IDLE: u32 = 0x100;
/// `ompt_state_overhead`.
pub const OVERHEAD: u32 = 0x101;
/// `ompt_state_wait_barrier_implicit_parallel`: the end of a region.
pub const WAIT_BARRIER_IMPLICIT_PARALLEL: u32 = 0x011;

/// The state's name; "" for none.
pub fn name(state: u32) -> &'static str {
    ALL.iter().find(|known| known.0 == state).map_or("", |known| known.1)
}

/// The state with the next higher number; `None` for the last state and for a number that is no
/// state.
pub fn next(state: u32) -> Option<(u32, &'static str)> {
    let at = ALL.iter().position(|known| known.0 == state)?;
    ALL.get(at + 1).copied()
}

/// The first state.
pub fn first() -> (u32, &'static str) {
    ALL[0]
}

/// Whether a thread in this state waits for a mutex, which its wait id names.
pub fn waits_for_mutex(state: u32) -> bool {
    (0x040..=0x044).contains(&state)
}

/// Whether a thread in this state waits in a call of the runtime by its task's code: at a barrier,
/// for tasks.
pub fn has_entered(state: u32) -> bool {
    matches!(state, 0x012 | 0x014 | 0x020 | 0x021)
}
