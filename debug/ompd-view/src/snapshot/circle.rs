//! Circles in memory that a running thread walks.

use super::Awaits;

/// A circle that a thread's code walks, and from which nothing leads out while the memory stays as
/// it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circle {
    /// The memory that decides its way, with the place where it reads each element. `what` is the
    /// array or the member that it reads there, if that is known; `looks`, the looks that found the
    /// same circle; `writes`: the code writes memory that other threads may read.
    pub of: Awaits,
    /// The number of its elements.
    pub elements: usize,
    /// Each element leads to the next one, as in a list; otherwise the code computes the next one.
    pub linked: bool,
    /// Other memory decides the way, too: flags in the elements, say.
    pub reads_more: bool,
    /// The names of the first elements: `parent[3]`.
    pub names: Vec<String>,
}

impl Circle {
    /// Continues the record of a further look (`now`) with that of the looks before. A look may
    /// find the thread in a function that does not show the circle.
    pub fn follow(now: &mut Option<Circle>, before: Option<&Circle>) {
        let Some(Circle { of, .. }) = now else {
            *now = before.cloned();
            return;
        };
        let same = before.map(|before| &before.of).filter(|before| before.print == of.print);
        of.looks = same.map_or(1, |before| before.looks + 1);
        // In another function, other variables are the code's own.
        let differs = |old: &Awaits| old.reads == of.reads && old.values != of.values;
        of.changes = same.is_some_and(|old| old.changes || differs(old));
    }
}
