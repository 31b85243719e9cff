//! Internal control variables.
//!
//! [`Icvs`] are those of a data environment: small, copied into a team when it forks, changed by a
//! task in a copy of its own. [`Settings`] hold for the process: read from the environment once,
//! before the first team is made.

mod ahead;
mod allocator;
mod binding;
mod data;
pub mod display;
mod environment;
mod helpers;
mod levels;
mod loops;
mod own;
mod processors;
mod settings;
mod shown;
mod stack;
mod values;
mod variables;

pub use allocator::ENVIRONMENT_ALLOCATOR;
pub use data::{Icvs, change, initial_task_icvs, max_threads, set_threads, teams};
pub use levels::{Level, levels};
pub(crate) use processors::Processors;
pub(crate) use settings::CURRENT;
pub use settings::{Library, Settings, are_read, ensure, prepare, settings};
pub(crate) use shown::Shown;
pub use values::{
    OMP_SCHED_MONOTONIC, OMP_SCHED_TRAPEZOIDAL, TargetOffload,
    target_offload as parse_target_offload,
};
