//! Programs that only test what a debugger reads: threads that wait, ICVs that the program has
//! changed, and nested regions and tasks. A program calls `omp_control_tool` where the debugger is
//! to look: the witness's callback holds the thread there.

use crate::rows::Row;

const fn row(name: &'static str, says: &'static str, program: &'static str) -> Row {
    Row { name, section: "41", says, events: &[], inlined: &[], program, check: |_| Ok(()) }
}

/// Puts the function `stop()` in front of a program. `stop()` finds `omp_control_tool` at run time,
/// because some compilers' headers and libraries lack it.
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
