//! The ids that a thread gives to things that tools see, and to tools that ask for ids. All are
//! unique over the threads and over the run.
//!
//! Ids come in rows of 2^40. A thread begins in its own row and goes on in a spare one.

use super::Thread;
use core::sync::atomic::{AtomicU64, Ordering};

/// The bits of an id that count inside its row.
const ROW_BITS: u32 = 40;

/// Returns the id after this one: the next in its row, or the first of a row that no thread has.
#[inline(always)]
fn behind(id: u64) -> u64 {
    if (id + 1) & ((1 << ROW_BITS) - 1) == 0 { in_new_row(id) } else { id + 1 }
}

/// Returns the first id of a spare row, because a row is used up. Threads begin in the first rows,
/// hidden helper threads in the last ones; spare rows begin in the middle.
#[cold]
fn in_new_row(id: u64) -> u64 {
    static SPARE: AtomicU64 = AtomicU64::new(1 << 21);
    let row = SPARE.fetch_add(1, Ordering::Relaxed);
    (id >> 62 << 62) + (row << ROW_BITS) + 1
}

/// Returns the first id in `row`. The rows' first ids name threads, and some tools keep only an
/// `int` of them. So their lower halves differ too.
pub(super) const fn first(row: u32) -> u64 {
    (1 << 62) + ((row as u64 + 1) << ROW_BITS) + row as u64 + 1
}

/// Returns the first id in `row` for tools that ask for one. These ids are numbered separately from
/// the runtime's own.
pub(super) const fn first_of_tools(row: u32) -> u64 {
    ((row as u64 + 1) << ROW_BITS) + 1
}

impl Thread {
    /// Returns a new id, unique over all threads and the whole run.
    #[inline]
    pub fn unique_id(&self) -> u64 {
        let id = self.next_id.get();
        self.next_id.set(self.as_owner(), behind(id));
        id
    }

    /// Goes on with the ids of `former`, a record that had the same number.
    pub(crate) fn continue_ids(&self, former: &Thread) {
        self.next_id.set(self.as_owner(), former.next_id.get());
        self.next_tool_id.set(self.as_owner(), former.next_tool_id.get());
    }

    /// Returns a new id for a tool's own use. No other id of the run equals it.
    #[inline]
    pub fn tool_id(&self) -> u64 {
        let id = self.next_tool_id.get();
        self.next_tool_id.set(self.as_owner(), behind(id));
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_events::ThreadKind;

    #[test]
    fn ids_go_on_in_a_spare_row() {
        let (thread, next) =
            (Thread::new(0, 0, ThreadKind::Unknown), Thread::new(1, 1, ThreadKind::Unknown));
        thread.next_id.set(thread.as_owner(), (1 << 62) + (2 << ROW_BITS) - 1);
        thread.next_tool_id.set(thread.as_owner(), (2 << ROW_BITS) - 1);
        let ids = [thread.unique_id(), thread.unique_id(), thread.unique_id(), next.unique_id()];
        assert!(ids[0] < ids[3] && ids[3] < ids[1] && ids[2] == ids[1] + 1);
        let ids = [thread.tool_id(), thread.tool_id(), thread.tool_id(), next.tool_id()];
        assert!(ids[0] < ids[3] && ids[3] < ids[1] && ids[2] == ids[1] + 1);
        assert!(ids.iter().all(|id| id >> 62 == 0));
    }
}
