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
    /// No instruction leads out of the loop.
    pub endless: bool,
    /// The memory is that of a `std::future` whose task is deferred.
    pub deferred: bool,
    /// The rounds of the loop that store nothing and call nothing, and from which the data that
    /// they read leads out, if the thread was in them.
    pub silent: Option<SilentRounds>,
}

/// Rounds of a loop that leave no trace in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SilentRounds {
    /// Their first and their last line: "a.c:3 to a.c:9".
    pub lines: String,
    /// The lines that read the data on which the loop's end depends.
    pub compared: Vec<String>,
    /// A hash of everything that one call of the function keeps while it is in these rounds.
    pub print: u64,
    /// Whether the print was the same at all looks.
    pub same: bool,
}

impl StaysIn {
    /// Returns the outermost of a thread's loops of which it is known what decides their ends.
    pub fn outermost(all: &[StaysIn]) -> Option<&StaysIn> {
        all.iter().rfind(|stays| !stays.polls.what.is_empty())
    }

    /// Whether further looks at a thread's loops may show that it gets nowhere.
    pub fn may_tell(all: &[StaysIn]) -> bool {
        let in_one_call = |rounds: &SilentRounds| rounds.same;
        all.iter().any(|stays| stays.endless)
            || all.first().is_some_and(|inner| inner.silent.as_ref().is_some_and(in_one_call))
            || StaysIn::outermost(all).is_some_and(|outermost| !outermost.polls.changes)
    }

    /// Continues the records of a further look's loops (`now`) with those of the looks before.
    /// Only loops that the thread was in at all looks stay. `ran`: as for [`Awaits::follow`].
    pub fn follow(now: &mut Vec<StaysIn>, before: &[StaysIn], ran: bool) {
        now.retain_mut(|stays| {
            let old = before.iter().find(|old| old.polls.print == stays.polls.print);
            stays.polls.follow(old.map(|old| &old.polls), ran, false);
            let earlier = old.and_then(|old| old.silent.as_ref());
            if let Some((rounds, old)) = stays.silent.as_mut().zip(earlier) {
                rounds.same = old.same && old.print == rounds.print;
            }
            old.is_some()
        });
    }
}
