//! The records: thread, team, slot, task and what they are made of, as plain data.
//!
//! Every record stands here once, beside what debuggers are told of it (`describe!`). A record
//! knows how it is made and what its words say together; what is done with it stands in the rooms
//! above. `lines.rs` checks which words share cache lines. What must hold: records are never freed
//! while the process lives, only reused, so a late reader sees an old value, never freed memory.

mod constructs;
mod contention;
mod count;
mod courtesy;
pub(crate) mod demands;
mod group;
mod habit;
mod hot;
mod league;
mod lines;
mod loops;
mod member;
mod node;
mod owner;
pub(crate) mod plain;
mod queues;
mod ranked;
mod seats;
mod shape;
mod shown;
mod slot;
mod target;
mod task;
mod team;
mod thread;
mod thread_tasks;
pub(crate) mod words;
mod work;

pub use constructs::{Block, Constructs, WorkShare};
pub(crate) use constructs::{CONSTRUCTS_A_BLOCK, entries};
pub(crate) use count::{Count, Last};
pub use courtesy::Courtesy;
pub use demands::Demands;
pub use group::{Group, Reductions};
pub use habit::Habit;
pub(crate) use habit::LATE_NANOSECONDS;
pub use league::{RunningLeague, Whereabouts};
pub(crate) use loops::Units;
pub use loops::{LoopSpec, Schedule};
pub use member::Member;
pub(crate) use member::Mode;
pub use node::Node;
pub use owner::Own;
pub use queues::{SlotTasks, TeamTasks};
pub use ranked::Ranked;
pub(crate) use shape::ShapeWord;
pub use shape::{FAN, MeetingTree, Shape};
pub use slot::{Partial, Published, Slot};
pub use target::Construct;
pub use task::{TRAITS_AT, Task, Traits};
pub use team::Team;
pub use thread::{Line, Order, Thread, summons};
pub use thread_tasks::ThreadTasks;
pub(crate) use thread_tasks::{Batch, CLASSES, RecordBlock, Running, SMALLEST, Spared, Wanted};
pub use work::Work;

/// What a thread that may begin no task shows of that (`tasks::Constraint`).
pub(crate) const NOTHING: usize = 0;

/// Region numbers are the high bits of barrier, worksharing and single counters: so none of them
/// needs a reset, and what is left over from an earlier region never looks current. A region with
/// more of them takes several numbers (`team::fork::next_region`). 2^52 regions of 50 nanoseconds
/// take seven years.
pub const REGION_SHIFT: u32 = 12;
