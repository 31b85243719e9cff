//! How the members of a team meet: chosen for each region (the engine's `team/shape.rs`), unless
//! `OMPHALOS_MEETING` says it for all.

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shape {
    /// Everybody looks at everybody: two transfers at the same time, nothing in between.
    Flat,
    /// A tree up, a tree down: log(n) steps, for members that all run.
    Tree,
    /// A tree up, one word for all down: for members that run in turns, whom a way through others
    /// that have to run first would cost switches.
    Central,
}
