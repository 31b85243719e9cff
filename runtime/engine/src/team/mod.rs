//! Forks and joins teams, and chooses their size and shape. README.md has the protocol.

mod agent;
mod alone;
pub(crate) mod crowd;
mod fork;
mod habit;
mod hot;
mod join;
mod league;
mod left_alone;
mod orders;
pub(crate) mod serve;
mod shape;
mod size;
mod summed;

pub use crate::records::{Demands, Slot, Team};
pub(crate) use agent::{enter_agent, leave_agent};
pub(crate) use alone::{enter_alone, enter_target, finish_alone, leave_alone, leave_target};
pub use fork::{Region, begin, end, run};
pub(crate) use league::{enter_team, leave_team, run_league};
pub(crate) use left_alone::left_alone;
pub use orders::{obey, wait_for_order};
pub(crate) use serve::{serve_hidden, serve_pool};
pub use size::team_size;
pub(crate) use size::threads_asked_for;
pub(crate) use summed::current as summed;
