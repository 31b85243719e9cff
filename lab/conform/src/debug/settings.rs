//! The environment in which the programs run. OMPD is asked for the values that it sets.

/// `OMP_STACKSIZE`, in bytes.
pub const STACK_SIZE: i64 = 3 << 20;

/// The variables, by OpenMP's names.
pub const ENVIRONMENT: &[(&str, &str)] = &[
    ("OMP_DEBUG", "enabled"),
    ("OMP_NUM_THREADS", "3,2"),
    ("OMP_MAX_ACTIVE_LEVELS", "3"),
    ("OMP_CANCELLATION", "true"),
    ("OMP_MAX_TASK_PRIORITY", "5"),
    ("OMP_STACKSIZE", "3M"),
    ("OMP_SCHEDULE", "dynamic,7"),
    ("OMP_WAIT_POLICY", "passive"),
    ("OMP_AFFINITY_FORMAT", "of %n in %L"),
    ("OMP_DISPLAY_AFFINITY", "false"),
];
