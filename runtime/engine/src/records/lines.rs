//! Which words share cache lines in the records of teams, members and threads. Nothing here runs:
//! the compiler checks it, and refuses a record whose fields lie otherwise. `src/team/README.md`
//! says who writes what and why it lies where it does.
//!
//! What must hold: if one thread writes a word again and again, others do not read its line for
//! something else. A line here is what processors fetch together: two of 64 bytes.

use super::{Line, Order, Slot, Team, Thread};
use core::mem::{offset_of, size_of};

/// The line of this file, in bytes.
const LINE: usize = 128;

/// Asserts that each of these fields begins on a later line than the field before it.
macro_rules! apart {
    ($record:ty: $first:ident $(, $field:ident)*) => {
        const _: () = {
            let mut _line = offset_of!($record, $first) / LINE;
            $(
                assert!(offset_of!($record, $field) / LINE > _line, stringify!($field));
                _line = offset_of!($record, $field) / LINE;
            )*
        };
    };
}

// What members read of the team (up to `stands_for`), what changes with each region, and then a
// line for each word that members write.
apart!(Team: stands_for, region, sleepers, tasks_region, done_barrier, done_join, released,
    all_joined, all_left, single, cancelled, cancelled_share, copyprivate, constructs);
// What others steal, what others watch, the member's own counters and constructs, what the primary
// reads to give orders, the implicit task, its tasks, and what the partner of a reduction writes.
apart!(Slot: range, published, region, share, thread, task, tasks, partial);
apart!(Slot: singles, share);
apart!(Slot: own_icvs, task);
// What only the thread itself writes, and what others write.
apart!(Thread: idle_frame, line);
// A worker gets its gate and its order with one processor's line, which has 64 bytes.
const _: () = assert!(offset_of!(Line, order) + size_of::<Order>() <= 64);
