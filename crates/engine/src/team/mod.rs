//! Teams: their records, their size, fork and join. README.md has the protocol.

mod agent;
mod alone;
pub(crate) mod crowd;
mod demands;
mod fork;
mod habit;
mod hot;
mod join;
mod league;
mod lines;
mod record;
mod seats;
mod shape;
mod size;
mod slot;
mod wait;
pub(crate) mod words;
mod work;

pub(crate) use agent::{enter_agent, leave_agent};
pub(crate) use alone::{enter_alone, enter_target, finish_alone, leave_alone, leave_target};
pub use demands::Demands;
pub use fork::{Region, begin, end, obey, run, wait_for_order};
pub use habit::Habit;
pub(crate) use league::{enter_team, leave_team, run_league};
pub use record::Team;
pub use shape::{FAN, MeetingTree, Shape};
pub use size::team_size;
pub(crate) use size::{claim_agent, give_back, said};
pub(crate) use slot::Published;
pub use slot::Slot;
pub use wait::{
    Reason, rest, wait_plainly, wait_running_tasks, wake, wake_after, wake_for, wake_member,
    wake_sleepers,
};
pub use work::Work;

/// Region numbers are the high bits of barrier, worksharing and single counters: so none of them
/// needs a reset, and what is left over from an earlier region never looks current. A region with more
/// of them takes several numbers (`fork::next_region`). 2^52 regions of 50 nanoseconds take seven years.
pub const REGION_SHIFT: u32 = 12;
