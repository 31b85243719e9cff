//! Checks which words of the records of teams, members and threads share a cache line. Nothing here
//! runs: the compiler refuses a record whose fields lie otherwise. `src/team/README.md` names the
//! writers of each word and the reason for its place.
//!
//! What must hold: if one thread writes a word again and again, others do not read its line for
//! something else. A line here is what processors fetch together: two of 64 bytes.

use super::{Line, Order, Slot, Team, Thread};
use core::mem::{offset_of, size_of};

/// The bytes of a line, in the sense of this file.
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

// The words of a team that members read (up to `stands_for`), the words that change with each
// region, and then a line for each word that members write.
apart!(Team: stands_for, region, sleepers, tasks_region, done_barrier, done_join, released,
    all_joined, all_left, single, cancelled, cancelled_share, copyprivate, constructs);
// The words of a slot that others steal from, those that others watch, the member's own counters
// and constructs, the words that the primary reads to give orders, the implicit task, its tasks,
// and the words that the partner of a reduction writes.
apart!(Slot: range, published, region, share, thread, task, tasks, partial);
apart!(Slot: singles, share);
apart!(Slot: own_icvs, task);
// The words that only the thread itself writes, and those that others write.
apart!(Thread: idle_frame, line);
// A worker reads its gate and its order in one line of the processor's, which has 64 bytes.
const _: () = assert!(offset_of!(Line, order) + size_of::<Order>() <= 64);
