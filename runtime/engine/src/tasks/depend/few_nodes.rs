//! The nodes that one place of a table holds: mostly one.

use super::node::Waits;
use super::reference::NodeRef;

/// The first node in place, the others on the heap.
#[derive(Clone, Default)]
pub(super) struct FewNodes {
    first: Option<NodeRef>,
    rest: Vec<NodeRef>,
}

impl FewNodes {
    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &NodeRef> {
        self.first.iter().chain(&self.rest)
    }

    /// The one that came last.
    #[inline(always)]
    pub(super) fn last(&self) -> Option<&NodeRef> {
        if self.rest.is_empty() { self.first.as_ref() } else { self.rest.last() }
    }

    /// Holds only this one from now on.
    #[inline(always)]
    pub(super) fn become_only(&mut self, node: NodeRef) {
        self.first = Some(node);
        if !self.rest.is_empty() {
            self.rest.clear();
        }
    }

    /// Holds none from now on.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.first = None;
        if !self.rest.is_empty() {
            self.rest.clear();
        }
    }

    /// Adds one. True if it stands beside another one.
    pub(super) fn push(&mut self, node: NodeRef) -> bool {
        if self.first.is_none() && self.rest.is_empty() {
            self.first = Some(node);
            return false;
        }
        self.rest.push(node);
        // A complete node orders nothing any more: a long row of readers is thinned out now and
        // then.
        let many = self.rest.len();
        if many >= 8 && many.is_power_of_two() {
            self.rest.retain(|node| !node.is_done());
        }
        true
    }

    /// Makes `who` wait for all of them. Returns the number of edges that this makes.
    #[inline(always)]
    pub(super) fn before(&self, who: &impl Waits) -> u32 {
        let first = match &self.first {
            Some(before) => u32::from(who.wait_for(before)),
            None => 0,
        };
        if self.rest.is_empty() { first } else { first + self.before_rest(who) }
    }

    #[inline(never)]
    fn before_rest(&self, who: &impl Waits) -> u32 {
        self.rest.iter().map(|before| u32::from(who.wait_for(before))).sum()
    }

    /// Whether all of them are complete.
    pub(super) fn is_done(&self) -> bool {
        self.iter().all(|task| task.is_done())
    }

    /// Forgets those that are complete.
    pub(super) fn forget_done(&mut self) {
        self.first.take_if(|node| node.is_done());
        self.rest.retain(|node| !node.is_done());
    }
}
