//! The records: thread, team, slot, task and what they are made of, as plain data.
//!
//! Every record stands here once, beside what debuggers are told of it (`describe!`). A record knows
//! how it is made and what its words say together; what is done with it stands in the rooms above.
//! `lines.rs` checks which words share cache lines. What must hold: records are never freed while the
//! process lives, only reused, so a late reader sees an old value, never freed memory.

mod count;
pub(crate) mod demands;
mod lines;
mod member;
mod seats;
mod slot;
mod task;
mod team;
mod thread;
pub(crate) mod words;
mod work;

pub(crate) use count::{Count, Last};
pub use demands::Demands;
pub use member::Member;
pub(crate) use member::Mode;
pub use slot::{Published, Slot};
pub use task::{TRAITS_AT, Task, Traits};
pub use team::Team;
pub use thread::{Line, Order, Thread, summons};
pub use work::Work;

/// Region numbers are the high bits of barrier, worksharing and single counters: so none of them
/// needs a reset, and what is left over from an earlier region never looks current. A region with more
/// of them takes several numbers (`team::fork::next_region`). 2^52 regions of 50 nanoseconds take seven years.
pub const REGION_SHIFT: u32 = 12;
