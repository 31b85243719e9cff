//! OMPD's enumerations.

use super::super::earlier::numbers;

numbers! {
    ompd_scope_t {
        ompd_scope_global = 1,
        ompd_scope_address_space = 2,
        ompd_scope_thread = 3,
        ompd_scope_parallel = 4,
        ompd_scope_implicit_task = 5,
        ompd_scope_task = 6,
        ompd_scope_teams = 7,
        ompd_scope_target = 8,
    }
    ompd_rc_t {
        ompd_rc_ok = 0,
        ompd_rc_unavailable = 1,
        ompd_rc_stale_handle = 2,
        ompd_rc_bad_input = 3,
        ompd_rc_error = 4,
        ompd_rc_unsupported = 5,
        ompd_rc_needs_state_tracking = 6,
        ompd_rc_incompatible = 7,
        ompd_rc_device_read_error = 8,
        ompd_rc_device_write_error = 9,
        ompd_rc_nomem = 10,
        ompd_rc_incomplete = 11,
        ompd_rc_callback_error = 12,
        ompd_rc_incompatible_handle = 13,
    }
    ompd_team_generator_t {
        ompd_generator_program = 0,
        ompd_generator_parallel = 1,
        ompd_generator_teams = 2,
        ompd_generator_target = 3,
    }
}
