//! The parts that entry points of OpenMP runtimes have in constructs, by name: of those that the
//! code of gcc (`GOMP_`) and of LLVM's compilers (`__kmpc_`) calls, and of the lock routines.
//!
//! The report, `inspect` and the code of [`symbols`](crate::symbols) ask here what a call does. A
//! new entry of gcc's has its part here; the test below names an entry that has none.

/// The part that a call has in a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Makes a region of threads. All but `GOMP_parallel_start` and its like wait for its end.
    Parallel,
    /// Makes a region of one thread.
    SerialParallel,
    /// Makes a league of teams on the host, and waits for its end.
    Teams,
    /// Begins a worksharing loop.
    Loop,
    /// Asks for the next iterations of a loop, or the next section.
    Next,
    /// Begins `sections`.
    Sections,
    /// Ends a loop with its barrier.
    LoopEnd,
    /// Ends `sections` with the barrier.
    SectionsEnd,
    /// Ends a loop or `sections` without a barrier.
    EndNowait,
    /// Chooses the thread that executes a `single`.
    Single,
    /// The same, with `copyprivate`: the other threads wait for the values.
    SingleCopy,
    /// Hands out the values of `copyprivate`.
    Copyprivate,
    /// Chooses the threads that execute a `masked` region.
    Masked,
    /// Begins a `scope` region.
    Scope,
    /// `barrier`, or the barrier of a construct that has no end of its own.
    Barrier,
    /// Waits in the barrier of a reduction that the runtime makes.
    Reduction,
    /// Takes part in such a reduction, behind which no barrier is.
    ReductionNowait,
    /// Waits at the end of a region whose tasks take part in a reduction.
    TaskReductionEnd,
    /// Begins a `critical` region.
    Critical,
    /// Ends a `critical` region.
    CriticalEnd,
    /// Begins the code that gcc makes of an `atomic` that no instruction can do.
    Atomic,
    /// Sets a lock.
    Lock,
    /// Begins an `ordered` region.
    Ordered,
    /// Waits for another iteration's source: `ordered depend(sink: …)`.
    Sink,
    /// Is the source of an iteration: `ordered depend(source)`.
    Source,
    /// Makes an explicit task.
    Task,
    /// Allocates an explicit task, whose function is an argument.
    TaskAlloc,
    /// Makes the tasks of a `taskloop`, and waits for them.
    Taskloop,
    /// Waits for the task's own tasks.
    Taskwait,
    /// Waits for the tasks that its dependences name.
    TaskwaitDepend,
    /// Ends a `taskgroup` region, and waits for its tasks.
    TaskgroupEnd,
    /// Lets the thread execute another task.
    Taskyield,
    /// Cancels a construct.
    Cancel,
    /// Asks whether a construct is cancelled.
    CancellationPoint,
    /// Makes a `target` region.
    Target,
    /// Begins a `target data` region.
    TargetData,
    /// Ends a `target data` region.
    TargetDataEnd,
    /// Makes `target enter data` or `target exit data`.
    TargetEnterExitData,
    /// Makes `target update`.
    TargetUpdate,
    /// Is in no construct that somebody asks for.
    Other,
}

/// Whether gcc's code calls this function of a runtime.
pub fn is_gccs(name: &str) -> bool {
    name.starts_with("GOMP_")
}

/// Whether the name is that of a function of an OpenMP runtime.
pub fn is_of_a_runtime(name: &str) -> bool {
    ["GOMP_", "__kmpc_", "omp_"].iter().any(|prefix| name.starts_with(prefix))
}

/// The part of the function `name`; `None` if it is no function of a runtime, or none is known.
pub fn part(name: &str) -> Option<Part> {
    match name {
        _ if is_gccs(name) => gccs(name),
        _ if name.starts_with("__kmpc_") => llvms(name),
        "omp_set_lock" | "omp_set_nest_lock" => Some(Part::Lock),
        _ => None,
    }
}

fn gccs(name: &str) -> Option<Part> {
    Some(match name {
        "GOMP_parallel_end" => Part::Other,
        _ if name.starts_with("GOMP_parallel") => Part::Parallel,
        "GOMP_teams_reg" => Part::Teams,
        "GOMP_loop_end" | "GOMP_loop_end_cancel" | "GOMP_loop_static_worksharing_end" => {
            Part::LoopEnd
        }
        "GOMP_loop_end_nowait" | "GOMP_sections_end_nowait" => Part::EndNowait,
        _ if name.starts_with("GOMP_loop_") => match name.ends_with("start") {
            true => Part::Loop,
            false => Part::Next,
        },
        "GOMP_sections_start" | "GOMP_sections2_start" => Part::Sections,
        "GOMP_sections_next" => Part::Next,
        "GOMP_sections_end" | "GOMP_sections_end_cancel" => Part::SectionsEnd,
        "GOMP_single_start" | "GOMP_single_start_with_end" => Part::Single,
        "GOMP_single_copy_start" => Part::SingleCopy,
        "GOMP_single_copy_end" => Part::Copyprivate,
        "GOMP_has_masked_thread_num" | "GOMP_has_masked_thread_num_with_end" => Part::Masked,
        "GOMP_scope_start" | "GOMP_scope_start_with_end" => Part::Scope,
        _ if name.starts_with("GOMP_barrier") => Part::Barrier,
        "GOMP_workshare_task_reduction_unregister" => Part::TaskReductionEnd,
        "GOMP_critical_start" | "GOMP_critical_name_start" => Part::Critical,
        "GOMP_critical_end" | "GOMP_critical_name_end" => Part::CriticalEnd,
        "GOMP_atomic_start" => Part::Atomic,
        "GOMP_ordered_start" => Part::Ordered,
        "GOMP_doacross_wait" | "GOMP_doacross_ull_wait" => Part::Sink,
        "GOMP_doacross_post" | "GOMP_doacross_ull_post" => Part::Source,
        "GOMP_task" => Part::Task,
        "GOMP_taskloop" | "GOMP_taskloop_ull" => Part::Taskloop,
        "GOMP_taskwait" => Part::Taskwait,
        "GOMP_taskwait_depend" => Part::TaskwaitDepend,
        "GOMP_taskgroup_end" => Part::TaskgroupEnd,
        "GOMP_taskyield" => Part::Taskyield,
        "GOMP_cancel" => Part::Cancel,
        "GOMP_cancellation_point" => Part::CancellationPoint,
        "GOMP_target" | "GOMP_target_ext" => Part::Target,
        "GOMP_target_data" | "GOMP_target_data_ext" => Part::TargetData,
        "GOMP_target_end_data" => Part::TargetDataEnd,
        "GOMP_target_enter_exit_data" => Part::TargetEnterExitData,
        "GOMP_target_update" | "GOMP_target_update_ext" => Part::TargetUpdate,
        "GOMP_atomic_end"
        | "GOMP_ordered_end"
        | "GOMP_taskgroup_start"
        | "GOMP_taskwait_depend_nowait"
        | "GOMP_single_end"
        | "GOMP_masked_end"
        | "GOMP_scope_end"
        | "GOMP_reduction_start"
        | "GOMP_reduction_end"
        | "GOMP_task_reduction_remap"
        | "GOMP_taskgroup_reduction_register"
        | "GOMP_taskgroup_reduction_unregister"
        | "GOMP_teams"
        | "GOMP_teams4"
        | "GOMP_target_map_indirect_ptr"
        | "GOMP_alloc"
        | "GOMP_free"
        | "GOMP_add_alloc"
        | "GOMP_is_alloc"
        | "GOMP_error"
        | "GOMP_warning"
        | "GOMP_interop"
        | "GOMP_offload_register"
        | "GOMP_offload_register_ver"
        | "GOMP_offload_unregister"
        | "GOMP_offload_unregister_ver" => Part::Other,
        _ if name.starts_with("GOMP_distribute_") || name.starts_with("GOMP_PLUGIN_") => {
            Part::Other
        }
        _ => return None,
    })
}

fn llvms(name: &str) -> Option<Part> {
    Some(match name {
        "__kmpc_fork_call" | "__kmpc_fork_call_if" => Part::Parallel,
        "__kmpc_serialized_parallel" => Part::SerialParallel,
        "__kmpc_fork_teams" => Part::Teams,
        _ if name.starts_with("__kmpc_dispatch_init") => Part::Loop,
        _ if name.starts_with("__kmpc_dispatch_next") => Part::Next,
        _ if name.starts_with("__kmpc_dispatch_") => Part::EndNowait,
        "__kmpc_barrier" | "__kmpc_cancel_barrier" => Part::Barrier,
        "__kmpc_reduce" | "__kmpc_end_reduce" => Part::Reduction,
        "__kmpc_reduce_nowait" => Part::ReductionNowait,
        "__kmpc_critical" | "__kmpc_critical_with_hint" => Part::Critical,
        "__kmpc_end_critical" => Part::CriticalEnd,
        "__kmpc_set_lock" | "__kmpc_set_nest_lock" => Part::Lock,
        "__kmpc_ordered" => Part::Ordered,
        "__kmpc_doacross_wait" => Part::Sink,
        "__kmpc_doacross_post" => Part::Source,
        "__kmpc_copyprivate" => Part::Copyprivate,
        "__kmpc_omp_task_alloc" | "__kmpc_omp_target_task_alloc" => Part::TaskAlloc,
        "__kmpc_taskloop" => Part::Taskloop,
        "__kmpc_omp_taskwait" => Part::Taskwait,
        "__kmpc_omp_taskwait_deps_51" | "__kmpc_omp_wait_deps" => Part::TaskwaitDepend,
        "__kmpc_end_taskgroup" => Part::TaskgroupEnd,
        "__kmpc_omp_taskyield" => Part::Taskyield,
        "__kmpc_cancel" => Part::Cancel,
        "__kmpc_cancellationpoint" => Part::CancellationPoint,
        _ => return None,
    })
}

impl Part {
    /// Whether threads of a team meet in the call's barrier.
    pub fn is_meeting(self) -> bool {
        use Part::*;
        matches!(self, Barrier | LoopEnd | SectionsEnd | SingleCopy | Copyprivate | Reduction)
    }

    /// Whether the call makes a region, whose function the runtime then calls.
    pub fn is_fork(self) -> bool {
        matches!(self, Part::Parallel | Part::Teams)
    }

    /// Whether the call hands out iterations or sections, or ends that.
    pub fn is_handing_out(self) -> bool {
        use Part::*;
        matches!(self, Loop | Next | Sections | LoopEnd | SectionsEnd | EndNowait | Sink | Source)
    }
}

#[cfg(test)]
mod tests {
    use super::{is_gccs, part};

    #[test]
    fn each_entry_of_gccs_has_a_part() {
        let names = include_str!("../../runtime/library/symbols/gomp.txt");
        let names = names.lines().filter_map(|line| line.split_whitespace().next());
        let without: Vec<&str> =
            names.filter(|name| is_gccs(name) && part(name).is_none()).collect();
        assert!(without.is_empty(), "no part in a construct: {without:?}");
    }
}
