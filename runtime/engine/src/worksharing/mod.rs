//! Carries out worksharing constructs: loops, sections, single, ordered.
//!
//! Loops count iterations from 0; the C interfaces convert. A construct that needs shared state
//! takes one of the team's entries (`constructs.rs`). A static loop needs none, and neither does a
//! team of one. README.md describes how a loop is handed out and the least cost of that.

mod chunks;
mod constructs;
mod doacross;
mod nest;
mod open_single;
mod ordered;
mod room;
mod schedules;
mod shares;
mod single;
mod steal;

pub mod hooks;

pub use crate::records::{LoopSpec, Schedule};
pub(crate) use chunks::abandon;
pub use chunks::{
    begin_loop, begin_with_memory, counted_chunk, end_loop, next_chunk, next_slowly, quick_chunk,
};
pub(crate) use doacross::{BITS as NEST_BITS, PER_LOOP as NEST_PER_LOOP};
pub use doacross::{
    Dimension, begin_doacross, begin_doacross_alone, doacross_is_done, doacross_post,
    doacross_wait, end_doacross_alone,
};
pub use nest::{Level, Nest, Number};
pub use open_single::{single_begins, single_is_over};
pub use ordered::{
    ordered_end_unwatched, ordered_end_watched, ordered_start_unwatched, ordered_start_watched,
};
pub use shares::{rounded_share, static_share};
pub use single::{copyprivate_get, copyprivate_put, single};

/// A chunk: some consecutive iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The number of the first iteration.
    pub first: u64,
    /// The number of iterations, at least 1.
    pub count: u64,
    /// Whether the loop's last iteration is among them.
    pub last: bool,
}
