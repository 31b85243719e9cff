//! Loops that a running thread never left between the looks, whatever they do.

use super::Awaits;

/// A loop around the place of a running thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StaysIn {
    /// The memory that a condition for the loop's end reads, if its place is known, and the number
    /// of looks in which the thread was in the loop. The loop's rounds may change this memory.
    pub polls: Awaits,
    /// The first value there.
    pub now: Option<i64>,
    /// For a loop that stores nothing and calls nothing, and whose end depends on the data that it
    /// reads: its first and its last line, "a.c:3 to a.c:9".
    pub silent: Option<String>,
}

impl StaysIn {
    /// Returns the outermost of a thread's loops of which it is known what decides their ends.
    pub fn outermost(all: &[StaysIn]) -> Option<&StaysIn> {
        all.iter().rfind(|stays| !stays.polls.what.is_empty())
    }

    /// Whether further looks at a thread's loops may show that it gets nowhere.
    pub fn may_tell(all: &[StaysIn]) -> bool {
        all.first().is_some_and(|inner| inner.silent.is_some())
            || StaysIn::outermost(all).is_some_and(|outermost| !outermost.polls.changes)
    }

    /// Continues the records of a further look's loops (`now`) with those of the looks before.
    /// Only loops that the thread was in at all looks stay. `ran`: as for [`Awaits::follow`].
    pub fn follow(now: &mut Vec<StaysIn>, before: &[StaysIn], ran: bool) {
        now.retain_mut(|stays| {
            let old = before.iter().find(|old| old.polls.print == stays.polls.print);
            stays.polls.follow(old.map(|old| &old.polls), ran);
            old.is_some()
        });
    }
}
