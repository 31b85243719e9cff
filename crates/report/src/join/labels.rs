//! What user-model stacks are made of: labels, and a tree whose nodes are stacks that share prefixes.

use std::collections::HashMap;
use std::rc::Rc;

/// What a frame of a user-model stack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelKind {
    Function,
    /// A function that the C library provides.
    System,
    Region,
    Task,
    /// `<omp …>`: what the runtime was doing.
    Runtime,
    /// `<blocked in …>`: asleep in a call of the C library, or of the system.
    Blocked,
}

/// One frame of a user-model stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    pub kind: LabelKind,
    pub text: Rc<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LabelId(u32);

/// A stack: its innermost frame, linked to its callers. The root is the empty stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) u32);

/// Recursion over the tree is bounded by this.
const DEEPEST: u32 = 1000;

impl NodeId {
    pub(crate) const ROOT: NodeId = NodeId(0);
}

/// All stacks of a profile.
#[derive(Debug)]
pub(crate) struct StackTree {
    labels: Vec<Label>,
    label_ids: HashMap<Label, LabelId>,
    /// Parent, label and depth of each node; parents come before their children.
    nodes: Vec<(NodeId, LabelId, u32)>,
    children: HashMap<(NodeId, LabelId), NodeId>,
}

impl StackTree {
    pub(crate) fn new() -> StackTree {
        let mut tree = StackTree {
            labels: Vec::new(),
            label_ids: HashMap::new(),
            nodes: Vec::new(),
            children: HashMap::new(),
        };
        let root = tree.label(LabelKind::Function, "");
        tree.nodes.push((NodeId::ROOT, root, 0));
        tree
    }

    pub(crate) fn label(&mut self, kind: LabelKind, text: &str) -> LabelId {
        let label = Label { kind, text: text.into() };
        if let Some(id) = self.label_ids.get(&label) {
            return *id;
        }
        let id = LabelId(self.labels.len() as u32);
        self.labels.push(label.clone());
        self.label_ids.insert(label, id);
        id
    }

    /// The stack `parent` with one more frame; a stack of [`DEEPEST`] frames gets no deeper.
    pub(crate) fn child(&mut self, parent: NodeId, label: LabelId) -> NodeId {
        let depth = self.nodes[parent.0 as usize].2;
        if depth >= DEEPEST {
            return parent;
        }
        let next = NodeId(self.nodes.len() as u32);
        let node = *self.children.entry((parent, label)).or_insert(next);
        if node == next {
            self.nodes.push((parent, label, depth + 1));
        }
        node
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn parent(&self, node: NodeId) -> NodeId {
        self.nodes[node.0 as usize].0
    }

    pub(crate) fn label_of(&self, node: NodeId) -> &Label {
        &self.labels[self.nodes[node.0 as usize].1.0 as usize]
    }

    /// The labels of a stack, outermost first.
    pub(crate) fn path(&self, mut node: NodeId) -> Vec<&Label> {
        let mut path = Vec::new();
        while node != NodeId::ROOT {
            path.push(self.label_of(node));
            node = self.parent(node);
        }
        path.reverse();
        path
    }
}
