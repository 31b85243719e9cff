//! The settings: the environment's values, and the internal control variables (ICVs).
//!
//! [`Icvs`] belong to a data environment: they are small, a team copies them when it forks, and a
//! task changes them in a copy of its own (the engine's `icv`). [`Settings`] hold for the process:
//! they are read from the environment once, before the first team is made. Parsers are pure
//! functions, one for each kind of value. README.md has the variables' files.
//!
//! Nothing here knows a thread, a team or a task.

pub mod affinity_format;
mod ahead;
mod allocator;
mod binding;
mod current;
mod devices;
pub mod display;
mod environment;
mod helpers;
mod icvs;
mod levels;
mod loops;
mod meeting;
mod of_devices;
mod own_variables;
pub mod places;
mod processors;
mod schedules;
mod settings;
mod shown;
mod stack;
mod take;
mod task_limits;
mod values;
mod variables;
mod waits;

pub use allocator::ENVIRONMENT_ALLOCATOR;
pub use current::{CURRENT, are_read, ensure, prepare, settings};
pub use devices::{MOST_DEVICES, UNKNOWN_DEVICES};
pub use environment::read_blocktime_again;
pub use helpers::Helpers;
pub use icvs::{Icvs, NO_LIMIT};
pub use levels::{Level, levels};
pub use meeting::Shape;
pub use of_devices::OfDevice;
pub use processors::Processors;
pub use schedules::{OMP_SCHED_MONOTONIC, RunSched};
pub use settings::Settings;
pub use shown::Shown;
pub use task_limits::TaskLimits;
pub use values::{TargetOffload, target_offload as parse_target_offload};
pub use waits::Library;
