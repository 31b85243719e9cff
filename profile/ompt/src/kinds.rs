//! OMPT's enumerations and bit sets as Rust types.
//!
//! What must hold: a number that is not listed here (a later runtime's) is kept, never lost and
//! never undefined behaviour: each enumeration has `Unlisted`, each set keeps unknown bits.

use core::ffi::c_int;
use omphalos_abi::ompt::*;

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident { $($variant:ident = $number:ident,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = concat!("`", stringify!($number), "`")] $variant,)*
            /// A number that this crate does not know.
            Unlisted(c_int),
        }

        impl From<c_int> for $name {
            #[inline]
            fn from(number: c_int) -> Self {
                match number {
                    $(number if number == $number => $name::$variant,)*
                    other => $name::Unlisted(other),
                }
            }
        }

        impl $name {
            /// OMPT's number for it.
            #[inline]
            pub const fn number(self) -> c_int {
                match self {
                    $($name::$variant => $number,)*
                    $name::Unlisted(number) => number,
                }
            }
        }
    )*};
}

kinds! {
    /// The type of a thread (`ompt_thread_t`).
    ThreadKind {
        Initial = ompt_thread_initial,
        Worker = ompt_thread_worker,
        Other = ompt_thread_other,
        Unknown = ompt_thread_unknown,
    }
    /// The begin or the end of something (`ompt_scope_endpoint_t`).
    Endpoint {
        Begin = ompt_scope_begin,
        End = ompt_scope_end,
        BeginEnd = ompt_scope_beginend,
    }
    /// A worksharing or similar construct (`ompt_work_t`).
    WorkKind {
        Loop = ompt_work_loop,
        Sections = ompt_work_sections,
        SingleExecutor = ompt_work_single_executor,
        SingleOther = ompt_work_single_other,
        Workshare = ompt_work_workshare,
        Distribute = ompt_work_distribute,
        Taskloop = ompt_work_taskloop,
        Scope = ompt_work_scope,
        Workdistribute = ompt_work_workdistribute,
        LoopStatic = ompt_work_loop_static,
        LoopDynamic = ompt_work_loop_dynamic,
        LoopGuided = ompt_work_loop_guided,
        LoopOther = ompt_work_loop_other,
    }
    /// The kind of work that a thread is about to begin (`ompt_dispatch_t`).
    DispatchKind {
        Iteration = ompt_dispatch_iteration,
        Section = ompt_dispatch_section,
        LoopChunk = ompt_dispatch_ws_loop_chunk,
        TaskloopChunk = ompt_dispatch_taskloop_chunk,
        DistributeChunk = ompt_dispatch_distribute_chunk,
    }
    /// The construct that a thread synchronises in (`ompt_sync_region_t`).
    SyncKind {
        Barrier = ompt_sync_region_barrier,
        ImplicitBarrier = ompt_sync_region_barrier_implicit,
        ExplicitBarrier = ompt_sync_region_barrier_explicit,
        ImplementationBarrier = ompt_sync_region_barrier_implementation,
        Taskwait = ompt_sync_region_taskwait,
        Taskgroup = ompt_sync_region_taskgroup,
        Reduction = ompt_sync_region_reduction,
        WorkshareBarrier = ompt_sync_region_barrier_implicit_workshare,
        ParallelBarrier = ompt_sync_region_barrier_implicit_parallel,
        TeamsBarrier = ompt_sync_region_barrier_teams,
    }
    /// The kind of mutual exclusion that is asked for (`ompt_mutex_t`).
    MutexKind {
        Lock = ompt_mutex_lock,
        TestLock = ompt_mutex_test_lock,
        NestLock = ompt_mutex_nest_lock,
        TestNestLock = ompt_mutex_test_nest_lock,
        Critical = ompt_mutex_critical,
        Atomic = ompt_mutex_atomic,
        Ordered = ompt_mutex_ordered,
    }
    /// The reason why the prior task of a switch left the thread (`ompt_task_status_t`).
    TaskStatus {
        Complete = ompt_task_complete,
        Yield = ompt_task_yield,
        Cancel = ompt_task_cancel,
        Detach = ompt_task_detach,
        EarlyFulfill = ompt_task_early_fulfill,
        LateFulfill = ompt_task_late_fulfill,
        Switch = ompt_task_switch,
        TaskwaitComplete = ompt_taskwait_complete,
    }
    /// The type of a dependence (`ompt_dependence_type_t`).
    DependenceKind {
        In = ompt_dependence_type_in,
        Out = ompt_dependence_type_out,
        Inout = ompt_dependence_type_inout,
        Mutexinoutset = ompt_dependence_type_mutexinoutset,
        Source = ompt_dependence_type_source,
        Sink = ompt_dependence_type_sink,
        Inoutset = ompt_dependence_type_inoutset,
        OutAllMemory = ompt_dependence_type_out_all_memory,
        InoutAllMemory = ompt_dependence_type_inout_all_memory,
    }
    /// A device construct (`ompt_target_t`).
    TargetKind {
        Target = ompt_target,
        EnterData = ompt_target_enter_data,
        ExitData = ompt_target_exit_data,
        Update = ompt_target_update,
        TargetNowait = ompt_target_nowait,
        EnterDataNowait = ompt_target_enter_data_nowait,
        ExitDataNowait = ompt_target_exit_data_nowait,
        UpdateNowait = ompt_target_update_nowait,
    }
    /// An operation on device memory (`ompt_target_data_op_t`).
    DataOpKind {
        Alloc = ompt_target_data_alloc,
        TransferToDevice = ompt_target_data_transfer_to_device,
        TransferFromDevice = ompt_target_data_transfer_from_device,
        Delete = ompt_target_data_delete,
        Associate = ompt_target_data_associate,
        Disassociate = ompt_target_data_disassociate,
        AllocAsync = ompt_target_data_alloc_async,
        TransferToDeviceAsync = ompt_target_data_transfer_to_device_async,
        TransferFromDeviceAsync = ompt_target_data_transfer_from_device_async,
        DeleteAsync = ompt_target_data_delete_async,
        Transfer = ompt_target_data_transfer,
        Memset = ompt_target_data_memset,
        TransferRect = ompt_target_data_transfer_rect,
        TransferAsync = ompt_target_data_transfer_async,
        MemsetAsync = ompt_target_data_memset_async,
        TransferRectAsync = ompt_target_data_transfer_rect_async,
    }
    /// The gravity of an error (`ompt_severity_t`).
    Severity {
        Warning = ompt_warning,
        Fatal = ompt_fatal,
    }
    /// A runtime's answer to a registration (`ompt_set_result_t`).
    Answer {
        Error = ompt_set_error,
        Never = ompt_set_never,
        Impossible = ompt_set_impossible,
        Sometimes = ompt_set_sometimes,
        SometimesPaired = ompt_set_sometimes_paired,
        Always = ompt_set_always,
    }
    /// The activity of a thread (`ompt_state_t`); an implementation's own states are `Unlisted`.
    State {
        WorkSerial = ompt_state_work_serial,
        WorkParallel = ompt_state_work_parallel,
        WorkReduction = ompt_state_work_reduction,
        WorkFreeAgent = ompt_state_work_free_agent,
        WorkInduction = ompt_state_work_induction,
        WaitBarrier = ompt_state_wait_barrier,
        WaitBarrierImplicitParallel = ompt_state_wait_barrier_implicit_parallel,
        WaitBarrierImplicitWorkshare = ompt_state_wait_barrier_implicit_workshare,
        WaitBarrierImplicit = ompt_state_wait_barrier_implicit,
        WaitBarrierExplicit = ompt_state_wait_barrier_explicit,
        WaitBarrierImplementation = ompt_state_wait_barrier_implementation,
        WaitBarrierTeams = ompt_state_wait_barrier_teams,
        WaitTaskwait = ompt_state_wait_taskwait,
        WaitTaskgroup = ompt_state_wait_taskgroup,
        WaitMutex = ompt_state_wait_mutex,
        WaitLock = ompt_state_wait_lock,
        WaitCritical = ompt_state_wait_critical,
        WaitAtomic = ompt_state_wait_atomic,
        WaitOrdered = ompt_state_wait_ordered,
        WaitTarget = ompt_state_wait_target,
        WaitTargetMap = ompt_state_wait_target_map,
        WaitTargetUpdate = ompt_state_wait_target_update,
        Idle = ompt_state_idle,
        Overhead = ompt_state_overhead,
        Undefined = ompt_state_undefined,
    }
}

macro_rules! sets {
    ($($(#[$meta:meta])* $name:ident { $($flag:ident = $number:ident,)* })*) => {$(
        bitflags::bitflags! {
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct $name: u32 {
                $(#[doc = concat!("`", stringify!($number), "`")] const $flag = $number as u32;)*
            }
        }

        impl From<c_int> for $name {
            #[inline]
            fn from(bits: c_int) -> Self {
                $name::from_bits_retain(bits as u32)
            }
        }
    )*};
}

sets! {
    /// Attributes of a task (`ompt_task_flag_t`).
    TaskFlags {
        INITIAL = ompt_task_initial,
        IMPLICIT = ompt_task_implicit,
        EXPLICIT = ompt_task_explicit,
        TARGET = ompt_task_target,
        TASKWAIT = ompt_task_taskwait,
        IMPORTING = ompt_task_importing,
        EXPORTING = ompt_task_exporting,
        UNDEFERRED = ompt_task_undeferred,
        UNTIED = ompt_task_untied,
        FINAL = ompt_task_final,
        MERGEABLE = ompt_task_mergeable,
        MERGED = ompt_task_merged,
    }
    /// The caller of a region's code, and the kind of region (`ompt_parallel_flag_t`).
    ParallelFlags {
        INVOKER_PROGRAM = ompt_parallel_invoker_program,
        INVOKER_RUNTIME = ompt_parallel_invoker_runtime,
        LEAGUE = ompt_parallel_league,
        TEAM = ompt_parallel_team,
    }
    /// The way in which a variable is mapped (`ompt_target_map_flag_t`).
    MapFlags {
        TO = ompt_target_map_flag_to,
        FROM = ompt_target_map_flag_from,
        ALLOC = ompt_target_map_flag_alloc,
        RELEASE = ompt_target_map_flag_release,
        DELETE = ompt_target_map_flag_delete,
        IMPLICIT = ompt_target_map_flag_implicit,
        ALWAYS = ompt_target_map_flag_always,
        PRESENT = ompt_target_map_flag_present,
        CLOSE = ompt_target_map_flag_close,
        SHARED = ompt_target_map_flag_shared,
    }
    /// The construct that is cancelled, and what happened (`ompt_cancel_flag_t`).
    CancelFlags {
        PARALLEL = ompt_cancel_parallel,
        SECTIONS = ompt_cancel_sections,
        LOOP = ompt_cancel_loop,
        TASKGROUP = ompt_cancel_taskgroup,
        ACTIVATED = ompt_cancel_activated,
        DETECTED = ompt_cancel_detected,
        DISCARDED_TASK = ompt_cancel_discarded_task,
    }
    /// The kind of a frame address (`ompt_frame_flag_t`).
    FrameFlags {
        APPLICATION = ompt_frame_application,
        CFA = ompt_frame_cfa,
        FRAMEPOINTER = ompt_frame_framepointer,
        STACKADDRESS = ompt_frame_stackaddress,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in -1..300 {
            assert_eq!(ThreadKind::from(number).number(), number);
            assert_eq!(SyncKind::from(number).number(), number);
            assert_eq!(State::from(number).number(), number);
        }
        assert_eq!(TaskFlags::from(ompt_task_merged), TaskFlags::MERGED);
        assert_eq!(TaskFlags::from(0x100).bits(), 0x100);
    }
}
