//! The records: thread, team, slot, task and their parts, as plain data.
//!
//! Every record is defined here, beside its description for debuggers (`describe!`), with the
//! functions that make it and keep its words consistent. The rooms above work on it. `lines.rs`
//! checks which words share cache lines.
//!
//! What must hold: records are never freed while the process lives, only reused. A late reader sees
//! an old value, never freed memory.

mod constructs;
mod contention;
mod count;
mod courtesy;
pub(crate) mod demands;
mod depend;
mod group;
mod habit;
mod hot;
mod ids;
mod league;
mod lines;
mod loops;
mod member;
mod node;
mod order;
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
mod traits;
pub(crate) mod words;
mod work;

pub use constructs::{Block, Constructs, WorkShare};
pub(crate) use constructs::{CONSTRUCTS_A_BLOCK, entries};
pub(crate) use count::{Count, Last};
pub use courtesy::Courtesy;
pub use demands::Demands;
pub use depend::{Depend, DependKind};
pub use group::{Group, Reductions};
pub use habit::Habit;
pub(crate) use habit::LATE_NANOSECONDS;
pub use league::{RunningLeague, Whereabouts};
pub(crate) use loops::Units;
pub use loops::{LoopSpec, Schedule};
pub use member::Member;
pub(crate) use member::Mode;
pub use node::Node;
pub use order::{Line, Order, summons};
pub use owner::{Owner, OwnerWord};
pub use queues::{SlotTasks, TeamTasks};
pub use ranked::Ranked;
pub(crate) use shape::ShapeWord;
pub use shape::{FAN, MeetingTree, Shape};
pub use slot::{Partial, Published, SITES, Slot};
pub use target::{Construct, Site};
pub use task::Task;
pub use team::{Team, Watch};
pub use thread::Thread;
pub use thread_tasks::ThreadTasks;
pub(crate) use thread_tasks::{
    Batch, CLASSES, RecordBlock, Running, SMALLEST_RECORD_BYTES, Spared, Wanted,
};
pub use traits::Traits;
pub use work::Work;

/// The published word of a thread that may begin no task (`tasks::Constraint`).
pub(crate) const NOTHING: usize = 0;

/// Region numbers are the high bits of the counters of barriers, worksharing constructs and
/// `single`s. So no counter needs a reset: a value that an earlier region left never looks current.
/// A region with more than 2^12 of these takes several numbers (`team::fork::next_region`). 2^52
/// regions of 50 nanoseconds take seven years.
pub const REGION_SHIFT: u32 = 12;
