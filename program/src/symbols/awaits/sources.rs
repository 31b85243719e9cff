//! Finds the instructions that a value comes from, for `pure.rs` and `value.rs`. A value is in a
//! register, in memory or in the flags. On each way through the loop to the instruction that reads
//! the value, it comes from the last instruction that writes there.

use super::pure::{Cell, Pure};

/// The instructions that a value may come from.
pub(super) struct Sources {
    pub(super) from: Vec<usize>,
    /// Whether ways through a round differ: the value comes from different instructions, or on some
    /// ways from one and on others from none.
    pub(super) merge: bool,
    /// Whether the value may be the one that was there at the head of the loop.
    pub(super) crosses: bool,
}

impl Pure<'_> {
    /// The last instructions in front of `at` that write a register, on each way within the loop.
    pub(super) fn written(&self, at: usize, register: usize) -> Sources {
        self.behind(at, &|from| self.all[from].writes.contains(&register))
    }

    /// The last instructions in front of `at` that write a cell of memory. `None` if one of them
    /// writes only a part of the cell. Exchanges are left out: see
    /// [`is_exchange`](Pure::is_exchange).
    pub(super) fn stored(&self, at: usize, cell: Cell) -> Option<Sources> {
        let place = |from: usize| {
            let store = self.stores.iter().find(|(at, _)| *at == from && !self.is_exchange(from));
            store?.1
        };
        let found = self.behind(at, &|from| place(from).is_some_and(|to| overlap(to, cell)));
        found.from.iter().all(|from| place(*from) == Some(cell)).then_some(found)
    }

    /// The last instructions in front of `at` for which `holds` is true, on each way within the
    /// loop.
    pub(super) fn behind(&self, at: usize, holds: &dyn Fn(usize) -> bool) -> Sources {
        let mut from = Vec::new();
        let crosses = self.reaches_head(at, holds, &mut from) || at == self.of.head;
        // Whether some way through a whole round has no such instruction.
        let skips = crosses
            && (self.is_function || self.reaches_head(self.of.head, holds, &mut Vec::new()));
        let merge = from.len() > 1 || skips && !from.is_empty();
        Sources { from, merge, crosses }
    }

    /// Adds the last instructions in front of `begin` for which `holds` is true. Returns whether a
    /// way from the loop's head passes none of them.
    fn reaches_head(
        &self,
        begin: usize,
        holds: &dyn Fn(usize) -> bool,
        found: &mut Vec<usize>,
    ) -> bool {
        let mut seen = vec![false; self.all.len()];
        let mut todo = self.before(begin);
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match holds(at) {
                true => found.push(at),
                false => todo.extend(self.before(at)),
            }
        }
        let head = self.of.head;
        seen[head] && !holds(head)
    }

    pub(super) fn before(&self, at: usize) -> Vec<usize> {
        let before = self.of.back[at].iter().copied();
        before.filter(|from| self.is_inside(*from)).collect()
    }
}

/// Whether two cells share a byte.
pub(super) fn overlap(one: Cell, other: Cell) -> bool {
    let end = |cell: Cell| cell.0.saturating_add(cell.1 as u64);
    one.0 < end(other) && other.0 < end(one)
}
