//! A task's place among its dependent siblings, as other records point to it.

/// Only `tasks/depend/node` looks into it.
pub struct Node {
    _opaque: [u8; 0],
}
