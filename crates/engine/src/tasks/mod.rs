//! Tasks. README.md has the life of a task, the counters and their memory-order argument.

mod agents;
mod complete;
mod constraint;
mod create;
mod depend;
pub(crate) mod described;
mod detach;
mod execute;
mod find;
mod gomp_reduction;
mod group;
mod helpers;
mod hooks;
mod presence;
mod queue;
mod ranked;
mod reach;
mod records;
mod reduction;
mod scheduling_point;
mod shown;
mod spare;
mod split;
mod taskloop;
mod unseen;
mod wait;

pub use crate::records::{TRAITS_AT, Task, Traits};
pub use crate::worksharing::hooks::taskloop as taskloop_event;
pub(crate) use agents::{
    after_fork_in_child as agents_after_fork_in_child, at_work as agents_at_work,
    finish_left_to_others,
};
pub(crate) use agents::{next_of_pool, next_of_pool_or_leave, offers};
pub use agents::{pool_trait, spawn as spawn_in_pool};
pub use constraint::Constraint;
pub use create::{
    Spec, allocate, begin_undeferred, call, cancel_allocation, defer, end_undeferred, includes,
    is_alone, is_crowded, may_defer, respawn, spawn,
};
pub use depend::{
    Depend, DependKind, Node, is_first as is_first_dependent, node_of, spawn_after, spawn_empty,
    successors_of, wait_for,
};
pub use detach::{allow_event, fulfil, make_detachable};
pub(crate) use execute::for_others as execute_for_others;
pub use find::{may_run, run_one};
pub use gomp_reduction::{
    begin_workshare as gomp_begin_workshare, combined as gomp_combined,
    combining as gomp_combining, enter_prepared as gomp_enter_prepared,
    prepare_region as gomp_prepare_region, register as gomp_register,
    registered as gomp_registered, remap as gomp_remap, unregister as gomp_unregister,
};
pub use group::{
    begin as begin_group, begin_unseen as begin_group_unseen, cancel as cancel_group, cut_short,
    end as end_group, end_of_region as end_group_of_region, end_unseen as end_group_unseen,
    is_cancelled as group_is_cancelled,
};
pub(crate) use helpers::next_hidden_or_idle;
pub(crate) use helpers::{
    after_fork_in_child as helpers_after_fork_in_child, end_idle as end_helpers,
    settle as settle_helper,
};
pub use helpers::{hidden_trait, spawn as spawn_hidden};
pub(crate) use presence::NUMBER_BITS;
pub(crate) use presence::count_finished_for;
pub use presence::quiescent;
pub use reduction::{Item as ReductionItem, copy_of as reduction_copy, register as reduce};
pub use scheduling_point::{wait_running_tasks, wake_for};
pub use shown::{call as call_shown, call_shares as call_shares_shown};
pub use split::{Part, deal as deal_shares, may_split, splits_into};
pub use taskloop::{Deal, Grain, Shares, chunk_room, note_chunk};
pub(crate) use unseen::look_again;
pub use unseen::{
    call as call_unseen, call_row as call_row_unseen, drop_prepared, goes_first, is_unseen,
    may_prepare, prepared, still_goes_first,
};
pub use wait::{pass_taskwait, taskwait, taskyield};
