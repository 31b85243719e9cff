//! A counted reference to a node, as a table holds it.

use super::node::Node;
use super::pool;
use core::sync::atomic::Ordering;

/// A table's reference to a node.
pub(super) struct NodeRef(*const Node);

impl NodeRef {
    /// Makes a reference for the maker's table, while the task cannot run yet.
    pub(super) fn recorded(node: &Node) -> NodeRef {
        node.refs.store(node.refs.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        NodeRef(node)
    }

    /// Whether the reference is to this node.
    pub(super) fn is(&self, node: &Node) -> bool {
        core::ptr::eq(self.0, node)
    }
}

impl Clone for NodeRef {
    fn clone(&self) -> NodeRef {
        self.refs.fetch_add(1, Ordering::Relaxed);
        NodeRef(self.0)
    }
}

impl core::ops::Deref for NodeRef {
    type Target = Node;

    fn deref(&self) -> &Node {
        // SAFETY: the reference keeps the node.
        unsafe { &*self.0 }
    }
}

impl Drop for NodeRef {
    fn drop(&mut self) {
        // SAFETY: this gives the reference up.
        unsafe { pool::release(self.0) };
    }
}
