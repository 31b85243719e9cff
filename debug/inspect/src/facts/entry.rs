//! Finds a thread's wait from the name of the runtime's function that the program called, for
//! runtimes that tell nothing of themselves.

use omphalos_ompd_view::snapshot::Wait;

/// Entry points in which threads wait, by name, and the kind of the wait.
const ENTRIES: [(&str, What); 43] = [
    ("omp_set_lock", What::Lock),
    ("omp_set_nest_lock", What::Lock),
    ("GOMP_critical_start", What::Lock),
    ("GOMP_critical_name_start", What::Lock),
    ("GOMP_atomic_start", What::Lock),
    ("__kmpc_critical", What::Lock),
    ("__kmpc_critical_with_hint", What::Lock),
    ("__kmpc_set_lock", What::Lock),
    ("__kmpc_set_nest_lock", What::Lock),
    ("GOMP_barrier", What::Barrier("explicit")),
    ("__kmpc_barrier", What::Barrier("explicit")),
    ("GOMP_barrier_cancel", What::Barrier("explicit")),
    ("__kmpc_cancel_barrier", What::Barrier("explicit")),
    ("GOMP_loop_end", What::Barrier("implicit")),
    ("GOMP_loop_end_cancel", What::Barrier("implicit")),
    ("GOMP_sections_end", What::Barrier("implicit")),
    ("GOMP_sections_end_cancel", What::Barrier("implicit")),
    ("__kmpc_reduce", What::Barrier("implementation")),
    ("__kmpc_reduce_nowait", What::Barrier("implementation")),
    ("__kmpc_end_reduce", What::Barrier("implementation")),
    ("GOMP_workshare_task_reduction_unregister", What::Barrier("implicit")),
    ("GOMP_parallel", What::Barrier("region")),
    ("GOMP_parallel_reductions", What::Barrier("region")),
    ("GOMP_parallel_sections", What::Barrier("region")),
    ("GOMP_teams_reg", What::Barrier("teams")),
    ("__kmpc_fork_call", What::Barrier("region")),
    ("__kmpc_fork_call_if", What::Barrier("region")),
    ("__kmpc_fork_teams", What::Barrier("teams")),
    ("GOMP_taskwait", What::Taskwait),
    ("__kmpc_omp_taskwait", What::Taskwait),
    ("__kmpc_omp_taskwait_deps_51", What::Dependences),
    ("__kmpc_omp_wait_deps", What::Dependences),
    ("GOMP_taskwait_depend", What::Dependences),
    ("GOMP_taskgroup_end", What::Taskgroup),
    ("GOMP_taskloop", What::Taskgroup),
    ("GOMP_taskloop_ull", What::Taskgroup),
    ("__kmpc_end_taskgroup", What::Taskgroup),
    ("__kmpc_taskloop", What::Taskgroup),
    ("GOMP_single_copy_start", What::Copyprivate),
    ("__kmpc_copyprivate", What::Copyprivate),
    ("GOMP_ordered_start", What::Ordered),
    ("__kmpc_ordered", What::Ordered),
    ("GOMP_doacross_wait", What::Sink),
];

#[derive(Clone, Copy)]
enum What {
    Lock,
    Barrier(&'static str),
    Taskwait,
    Taskgroup,
    Dependences,
    Copyprivate,
    Ordered,
    Sink,
}

/// The wait of a thread in the runtime's function `name`. `word`: the address at which its `futex`
/// waits, if it is in one.
pub fn in_runtime(name: &str, word: Option<u64>) -> Option<Wait> {
    // gfortran's names for these functions end with an underscore.
    let name = name.strip_suffix('_').unwrap_or(name);
    // A region that is one loop has an entry of its own for each schedule.
    let name = if name.starts_with("GOMP_parallel_loop_") { "GOMP_parallel" } else { name };
    let (_, what) = ENTRIES.iter().find(|(entry, _)| *entry == name)?;
    Some(match what {
        What::Lock => match word {
            Some(lock) => Wait::Lock { lock },
            // A thread that spins for a lock shows the lock's address nowhere.
            None => Wait::Unknown { what: format!("a lock ({name})") },
        },
        What::Barrier(kind) => {
            let kind = (*kind).to_owned();
            Wait::Barrier { kind, team: 0, missing: Vec::new(), for_tasks: false }
        }
        What::Taskwait => Wait::Taskwait { task: 0 },
        What::Taskgroup => Wait::Taskgroup { task: 0, left: None },
        What::Dependences => Wait::Dependences { on: Vec::new() },
        What::Copyprivate => Wait::Copyprivate { team: 0 },
        What::Ordered => Wait::Ordered { team: 0, turn: None, own: None, of: None },
        What::Sink => {
            let (iteration, sources) = (Vec::new(), Vec::new());
            Wait::Sink { team: 0, iteration, own: None, never: None, sources }
        }
    })
}
