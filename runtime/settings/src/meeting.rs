//! How the members of a team meet. The engine chooses it for each region (`team/shape.rs`), unless
//! `OMPHALOS_MEETING` chooses for all.

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shape {
    /// Each member watches all others: two transfers at the same time, nothing in between.
    Flat,
    /// A tree up, a tree down: log(n) steps, for members that all run.
    Tree,
    /// A tree up, one word for all down. For members that take turns on a processor: a way through
    /// other members, which have to run first, would cost switches.
    Central,
}
