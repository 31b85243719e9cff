//! Says how often each event of 2016 is told.
#![allow(non_upper_case_globals)]

use crate::earlier::tool::Delivery::{self, Always, Sometimes};
use omphalos_abi::earlier::ompt2016::*;
use omphalos_events::Kind;

/// Returns how often an event is told; `None` if no event has that number.
pub fn delivery(event: usize) -> Option<Delivery> {
    Some(match i32::try_from(event).ok()? {
        ompt_event_thread_begin => Always(Kind::ThreadBegin.bit()),
        ompt_event_thread_end => Always(Kind::ThreadEnd.bit()),
        ompt_event_parallel_begin => Always(Kind::ParallelBegin.bit()),
        ompt_event_parallel_end => Always(Kind::ParallelEnd.bit()),
        ompt_event_task_create => Always(Kind::TaskCreate.bit()),
        ompt_event_task_schedule => Always(Kind::TaskSchedule.bit()),
        ompt_event_implicit_task => Always(Kind::ImplicitTask.bit()),
        // Compilers without a device call the region of a target construct in line.
        ompt_event_target => Sometimes(Kind::Target.bit()),
        ompt_event_target_data => Sometimes(Kind::TargetDataOp.bit()),
        ompt_event_target_submit => Sometimes(Kind::TargetSubmit.bit()),
        ompt_event_target_data_map => Sometimes(Kind::TargetMap.bit()),
        ompt_event_control => Always(Kind::Control.bit()),
        // No event of the engine causes it: the runtime's end calls this callback itself.
        ompt_event_runtime_shutdown => Always(0),
        ompt_event_idle => Always(Kind::Idle.bit()),
        ompt_event_sync_region_wait => Always(Kind::SyncWait.bit() | Kind::WaitBreak.bit()),
        ompt_event_sync_region => Always(Kind::SyncRegion.bit()),
        // The dependences of an undeferred task are told where the task is made.
        ompt_event_task_dependences => Always(Kind::Dependences.bit() | Kind::TaskCreate.bit()),
        ompt_event_task_dependence_pair => Always(Kind::TaskDependence.bit()),
        ompt_event_init_lock => Always(Kind::LockInit.bit()),
        ompt_event_destroy_lock => Always(Kind::LockDestroy.bit()),
        ompt_event_nested_lock => Always(Kind::NestLock.bit()),
        // Compilers emit instructions for most atomic constructs, GCC also for master, flush and
        // the bounds of static loops. A task shows that it does not own a nest lock only when it
        // waits for the lock, or has acquired it.
        ompt_event_mutex_acquire => {
            let told = Kind::MutexAcquire.bit() | Kind::MutexWait.bit() | Kind::MutexAcquired.bit();
            // These events bring the hints of locks.
            Sometimes(told | Kind::LockInit.bit() | Kind::LockDestroy.bit())
        }
        ompt_event_mutex_acquired => Sometimes(Kind::MutexAcquired.bit()),
        ompt_event_mutex_release => Sometimes(Kind::MutexReleased.bit()),
        ompt_event_worksharing => Sometimes(Kind::Work.bit()),
        ompt_event_master => Sometimes(Kind::Masked.bit()),
        ompt_event_flush => Sometimes(Kind::Flush.bit()),
        _ => return None,
    })
}
