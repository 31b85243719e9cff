//! A task's place among its dependent siblings, as other records point to it.

/// A dependent task's node. Only `tasks/depend/node` reads its fields.
pub struct Node {
    _opaque: [u8; 0],
}
