//! A list of the nodes in one place of a table: mostly one.

use super::node::Waits;
use super::reference::NodeRef;

/// A list of nodes. The first one stands in it, the others are on the heap.
#[derive(Clone, Default)]
pub(super) struct FewNodes {
    first: Option<NodeRef>,
    rest: Vec<NodeRef>,
}

impl FewNodes {
    /// Returns all nodes.
    pub(super) fn iter(&self) -> impl Iterator<Item = &NodeRef> {
        self.first.iter().chain(&self.rest)
    }

    /// Returns the node that came last.
    #[inline(always)]
    pub(super) fn last(&self) -> Option<&NodeRef> {
        if self.rest.is_empty() { self.first.as_ref() } else { self.rest.last() }
    }

    /// Makes this node the only one.
    #[inline(always)]
    pub(super) fn become_only(&mut self, node: NodeRef) {
        self.first = Some(node);
        if !self.rest.is_empty() {
            self.rest.clear();
        }
    }

    /// Removes all nodes.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.first = None;
        if !self.rest.is_empty() {
            self.rest.clear();
        }
    }

    /// Adds a node. Returns true if the list had one already.
    pub(super) fn push(&mut self, node: NodeRef) -> bool {
        if self.first.is_none() && self.rest.is_empty() {
            self.first = Some(node);
            return false;
        }
        self.rest.push(node);
        // A complete node orders nothing any more: such nodes are removed from a long row of
        // readers now and then.
        let many = self.rest.len();
        if many >= 8 && many.is_power_of_two() {
            self.rest.retain(|node| !node.is_done());
        }
        true
    }

    /// Makes `who` wait for all nodes. Returns the number of edges that this makes.
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

    /// Whether all nodes are complete.
    pub(super) fn is_done(&self) -> bool {
        self.iter().all(|task| task.is_done())
    }

    /// Removes the nodes that are complete.
    pub(super) fn forget_done(&mut self) {
        self.first.take_if(|node| node.is_done());
        self.rest.retain(|node| !node.is_done());
    }
}
