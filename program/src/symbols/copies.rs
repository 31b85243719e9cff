//! Recognises calls that a compiler made several of: where ways meet, it may end each of them with
//! a call of its own. The copies have the lines of the code in front of them.

use std::collections::BTreeSet;

use iced_x86::FlowControl;

use super::Symbols;
use super::rounds::Rounds;
use crate::entries::{self, Part};

impl Symbols {
    /// Whether the calls that return to `one` and to `other` may be one call of the source. They
    /// call the same function, and the same calls may come next behind them; or they are the first
    /// calls behind one call that assigns a block.
    pub fn may_be_copies(&self, one: u64, other: u64) -> bool {
        let Some((image, bias)) = self.image(one) else { return false };
        let callee = self.callee(one);
        if callee.is_none() || callee != self.callee(other) {
            return false;
        }
        let [one, other] = [one, other].map(|after| after.wrapping_sub(bias));
        let Some(rounds) = one.checked_sub(1).and_then(|one| Rounds::with(image, one)) else {
            return false;
        };
        let call = |after| rounds.instructions.iter().position(|at| at.next_ip() == after);
        let (Some(one), Some(other)) = (call(one), call(other)) else { return false };
        let next = |from| rounds.next_ends(from, |_| true);
        // If the code does not show the next calls, they may be the same.
        let (Some(behind), Some(behind_other)) = (next(one), next(other)) else { return true };
        if behind == behind_other {
            return true;
        }
        let name = |at: usize| image.imported(rounds.instructions[at].next_ip());
        let is_alike = |at: usize| name(at).as_deref() == callee.as_deref();
        // A call of gcc's that decides which thread executes a block. The barrier behind it is
        // where the ways of the threads with and without the block meet.
        let is_single = |name: std::rc::Rc<str>| entries::part(&name) == Some(Part::Single);
        let mut shares =
            (0..rounds.instructions.len()).filter(|at| name(*at).is_some_and(is_single));
        shares.any(|from| {
            let first = rounds.next_ends(from, is_alike);
            first.is_none_or(|first| first.contains(&one) && first.contains(&other))
        })
    }
}

impl Rounds {
    /// The calls that may come next behind `from`, of those for which `is_end` is true. All ends of
    /// the function count as one. `None` if the code does not show them.
    fn next_ends(&self, from: usize, is_end: impl Fn(usize) -> bool) -> Option<BTreeSet<usize>> {
        let is_call = |at: &usize| {
            let flow = self.instructions[*at].flow_control();
            matches!(flow, FlowControl::Call | FlowControl::IndirectCall)
        };
        let all = 0..self.instructions.len();
        let stops: Vec<usize> = all.clone().filter(is_call).filter(|at| is_end(*at)).collect();
        let reached = self.reach(from, &stops)?;
        let returns = |at: usize| self.instructions[at].flow_control() == FlowControl::Return;
        let mut ends: BTreeSet<usize> = stops.into_iter().filter(|at| reached[*at]).collect();
        ends.extend(all.clone().any(|at| reached[at] && returns(at)).then_some(all.end));
        Some(ends)
    }
}
