//! Programs for the debugger alone: threads that wait, ICVs that the program has changed, and
//! nested regions and tasks. `omp_control_tool` makes a callback where the program wants one.

use crate::rows::Row;

const fn row(name: &'static str, says: &'static str, program: &'static str) -> Row {
    Row { name, section: "41", says, events: &[], inlined: &[], program, check: |_| Ok(()) }
}

/// Puts `stop()` before each program, also for compilers whose header and link library lack the
/// routine that it calls.
macro_rules! stopping {
    ($file:literal) => {
        concat!(include_str!("stop.h"), include_str!($file))
    };
}

/// All programs.
pub const ROWS: &[Row] = &[
    row(
        "debug-waits",
        "threads wait for locks, a critical section, a barrier, tasks",
        stopping!("debug-waits.c"),
    ),
    row(
        "debug-changed",
        "ICVs that the program has changed, in its tasks and around them",
        stopping!("debug-changed.c"),
    ),
    row(
        "debug-deep",
        "regions, serialized ones and tasks within one another",
        stopping!("debug-deep.c"),
    ),
];
