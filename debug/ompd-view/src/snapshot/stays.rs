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
    /// For a loop that stores nothing and calls nothing: its first and its last line, "a.c:3 to
    /// a.c:9".
    pub silent: Option<String>,
}

impl StaysIn {
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
