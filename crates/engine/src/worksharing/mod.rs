//! Worksharing: loops, sections, single, ordered.
//!
//! Loops are counted in iteration numbers from 0; the C interfaces convert. A construct that needs
//! shared state takes one of the team's entries (`constructs.rs`); a static loop needs none, and a team
//! of one never does. README.md says how a loop is handed out and what that costs at least.

mod chunks;
pub(crate) mod constructs;
mod doacross;
mod guided;
mod nest;
mod ordered;
mod room;
mod shares;
mod single;
pub(crate) mod steal;

pub mod hooks;

pub(crate) use chunks::abandon;
pub use chunks::{begin_loop, begin_with_memory, end_loop, next_chunk, next_slowly, quick_chunk};
pub use constructs::{Constructs, WorkShare};
pub(crate) use doacross::{BITS as NEST_BITS, PER_LOOP as NEST_PER_LOOP};
pub use doacross::{
    Dimension, begin_doacross, begin_doacross_alone, doacross_post, doacross_wait,
    end_doacross_alone,
};
pub use nest::{Level, Nest, Number};
pub use ordered::{
    TURNS_AT, ordered_end_unwatched, ordered_end_watched, ordered_start_unwatched,
    ordered_start_watched,
};
pub use shares::{rounded_share, static_share};
pub use single::{copyprivate_get, copyprivate_put, single};

use omphalos_events::WorkKind;

/// How a loop hands out its iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Chunks dealt round robin; chunk 0: one even share for each thread.
    Static,
    /// Chunks in order, first come first served.
    Dynamic,
    /// As dynamic, with chunks that shrink to the given size.
    Guided,
}

/// A loop as a construct describes it: all threads of the team give the same.
#[derive(Clone, Copy, Debug)]
pub struct LoopSpec {
    /// Iterations.
    pub trip: u64,
    /// Chunk size, 0 = default.
    pub chunk: u64,
    /// How they are handed out.
    pub schedule: Schedule,
    /// What tools are told it is.
    pub kind: WorkKind,
    /// There is an `ordered` region in it.
    pub ordered: bool,
    /// A dynamic loop whose chunks a member need not get in ascending order: stealing is allowed.
    pub nonmonotonic: bool,
    /// A guided loop whose chunks, but for the last, are multiples of `chunk` (the simd width).
    pub rounded: bool,
    /// The first value of the program's loop variable, for the C interfaces to convert back.
    pub start: u64,
    /// Its step, two's complement.
    pub step: u64,
}

omphalos_layout::describe!(LoopSpec { trip, chunk, start, step });

impl LoopSpec {
    /// No loop.
    pub const NONE: LoopSpec = LoopSpec {
        trip: 0,
        chunk: 0,
        schedule: Schedule::Static,
        kind: WorkKind::LoopStatic,
        ordered: false,
        nonmonotonic: false,
        rounded: false,
        start: 0,
        step: 1,
    };

    /// The program's value of iteration `number`.
    #[inline(always)]
    pub fn value(&self, number: u64) -> u64 {
        self.start.wrapping_add(number.wrapping_mul(self.step))
    }
}

/// Some consecutive iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Number of the first one.
    pub first: u64,
    /// How many, at least 1.
    pub count: u64,
    /// The loop's last iteration is among them.
    pub last: bool,
}
