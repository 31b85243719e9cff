//! The places of a flame graph's frames.

use crate::model::{CallNode, ratio};

/// Frames narrower than this part of the whole are left out.
const NARROWEST: f64 = 0.000_125;

/// A frame's place: `x` and `width` are parts of the whole graph.
pub(super) struct Box<'a> {
    pub(super) node: &'a CallNode,
    pub(super) depth: usize,
    pub(super) x: f64,
    pub(super) width: f64,
}

/// Returns all frames that are wide enough to be seen; the first one is the whole.
pub(super) fn of(root: &CallNode) -> Vec<Box<'_>> {
    let mut boxes = Vec::new();
    let mut todo = vec![Box { node: root, depth: 0, x: 0.0, width: 1.0 }];
    while let Some(frame) = todo.pop() {
        let mut x = frame.x;
        // Ordered by name, so that two graphs of one program can be compared by eye.
        let mut children: Vec<&CallNode> = frame.node.children.iter().collect();
        children.sort_by(|a, b| a.text.cmp(&b.text));
        for child in children {
            let width = ratio(child.total, root.total);
            if width >= NARROWEST {
                todo.push(Box { node: child, depth: frame.depth + 1, x, width });
            }
            x += width;
        }
        boxes.push(frame);
    }
    boxes
}
