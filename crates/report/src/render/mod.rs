//! Ways to show an [`Analysis`](crate::Analysis). Each is a pure function of it.

pub mod firefox;
pub mod flamegraph;
pub mod folded;
pub mod json;
mod short;
pub mod text;
