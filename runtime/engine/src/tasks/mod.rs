//! Makes, queues and executes tasks, and waits for them. README.md has the life of a task, the
//! counters and their memory-order argument.

mod agents;
mod complete;
mod constraint;
mod create;
mod define;
mod depend;
mod dependent;
mod descent;
pub(crate) mod described;
mod detach;
mod elsewhere;
mod execute;
mod find;
mod gomp_reduction;
mod group;
mod group_end;
mod helpers;
mod hooks;
mod lost;
mod prepared;
mod presence;
mod queue;
mod ranked;
mod reach;
mod records;
mod reduction;
mod run;
mod scheduling_point;
mod shown;
mod spare;
mod split;
mod taskloop;
mod unseen;
mod wait;
mod wake;

pub use crate::records::{Task, Traits};
pub use crate::worksharing::hooks::taskloop as taskloop_event;
pub(crate) use agents::{
    after_fork_in_child as agents_after_fork_in_child, at_work as agents_at_work, next_of_pool,
    next_of_pool_or_leave, offers,
};
pub use constraint::Constraint;
pub use create::{
    begin_undeferred, call, call_rarely, defer, end_undeferred, respawn, spawn, spawn_rarely,
};
pub use define::{Spec, allocate, allocate_with, cancel_allocation, includes, is_alone, may_queue};
pub use depend::{
    Depend, DependKind, Node, is_first as is_first_dependent, node_of, successors_of,
};
pub use dependent::{spawn_after, spawn_after_as, spawn_empty, wait_for};
pub use detach::{allow_event, fulfil, note_wait};
pub(crate) use elsewhere::finish_left_to_others;
pub use elsewhere::{hidden_trait, pool_trait, spawn_hidden, spawn_in_pool};
pub(crate) use execute::for_others as execute_for_others;
pub(crate) use find::arrive;
pub use gomp_reduction::{
    begin_workshare as gomp_begin_workshare, combined as gomp_combined,
    combining as gomp_combining, enter_prepared as gomp_enter_prepared,
    prepare_region as gomp_prepare_region, register as gomp_register,
    registered as gomp_registered, remap as gomp_remap, unregister as gomp_unregister,
};
pub use group::{
    begin as begin_group, begin_unseen as begin_group_unseen, cancel as cancel_group, cut_short,
    is_cancelled as group_is_cancelled,
};
pub use group_end::{
    end as end_group, end_of_region as end_group_of_region, end_unseen as end_group_unseen,
};
pub(crate) use helpers::{
    after_fork_in_child as helpers_after_fork_in_child, end_idle as end_helpers,
    next_hidden_or_idle, settle as settle_helper,
};
pub use hooks::counts;
pub(crate) use lost::{after_fork_in_child as lose_after_fork_in_child, take_back};
pub(crate) use prepared::look_again;
pub use prepared::{drop_prepared, may_prepare, prepared, still_goes_first};
pub use presence::quiescent;
pub(crate) use presence::{NUMBER_BITS, are_left, count_finished_for};
pub use reduction::{Item as ReductionItem, copy_of as reduction_copy, register as reduce};
pub use run::{may_run, run_one};
pub use scheduling_point::wait_running_tasks;
pub use shown::{call as call_shown, call_counted, call_shares as call_shares_shown, counted};
pub use split::{
    Counted, Dealt, Kept, Part, deal as deal_shares, may_split, may_split_kept, splits_into,
};
pub use taskloop::{Deal, Grain, Shares, chunk_room, note_chunk};
pub use unseen::{
    all_go_first, call as call_unseen, call_row as call_row_unseen, goes_first, is_unseen,
};
pub use wait::{pass_taskwait, taskwait, taskyield, watched_taskwait};
pub use wake::wake_for;
