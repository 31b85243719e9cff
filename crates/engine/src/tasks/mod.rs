//! Tasks. README.md has the life of a task, the counters and their memory-order argument.

mod count;
mod create;
mod depend;
mod detach;
mod execute;
mod find;
mod gomp_reduction;
mod group;
mod hooks;
mod queue;
mod records;
mod reduction;
mod task;
mod taskloop;
mod wait;

pub use create::{
    Spec, allocate, begin_undeferred, call, call_unseen, cancel_allocation, defer, end_undeferred,
    includes, is_unseen, may_defer, may_defer_share, respawn, spawn,
};
pub use depend::{Depend, DependKind, Node, spawn_after, spawn_empty, wait_for};
pub use detach::{allow_event, fulfil, make_detachable};
pub use find::{may_run, run_one};
pub use gomp_reduction::{
    begin_workshare as gomp_begin_workshare, enter_prepared as gomp_enter_prepared,
    prepare_region as gomp_prepare_region, register as gomp_register,
    registered as gomp_registered, remap as gomp_remap, unregister as gomp_unregister,
};
pub use group::{
    Group, begin as begin_group, cancel as cancel_group, cut_short, end as end_group,
    is_cancelled as group_is_cancelled,
};
pub use hooks::taskloop as taskloop_event;
pub use queue::{SlotTasks, TeamTasks, quiescent};
pub use records::ThreadTasks;
pub use reduction::{Item as ReductionItem, copy_of as reduction_copy, register as reduce};
pub use task::{Task, Traits};
pub use taskloop::{Deal, Grain};
pub use wait::{taskwait, taskyield};
