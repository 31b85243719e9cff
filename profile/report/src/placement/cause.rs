//! Finds the cause that holds threads to few CPUs, and the setting to use instead.

use super::{Cpus, Placement};

/// Variables that bind OpenMP programs.
const BINDING: [&str; 4] = ["OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"];

/// The cause, and the setting to use instead.
pub struct Cause {
    /// `OMP_PLACES={0} binds them there`.
    pub who: String,
    /// The advice.
    pub cure: &'static str,
}

/// Returns the cause that holds threads to these CPUs. `environment`: the variables of OpenMP, as
/// `NAME=value`; `by_mask`: whether they may use no others.
pub fn cause(placement: &Placement, environment: &[String], cpus: &Cpus, by_mask: bool) -> Cause {
    if !by_mask {
        return Cause {
            who: "they may use those too, but the system left them where they were".to_owned(),
            cure: "bind them, so that each has a core of its own: OMP_PLACES=cores \
                   OMP_PROC_BIND=spread; CPUs that the system keeps apart (isolcpus, cpusets \
                   without sched_load_balance) get threads in no other way",
        };
    }
    if !placement.allowed.is_empty() && placement.allowed.is_subset(cpus) {
        return launcher(placement, cpus);
    }
    let set = environment.iter();
    let names = |variable: &&String| {
        let name = variable.split_once('=').map(|(name, _)| name);
        name.is_some_and(|name| BINDING.contains(&name))
    };
    let set: Vec<&str> = set.filter(names).map(String::as_str).collect();
    if set.is_empty() {
        return Cause {
            who: "the program, or a library that it uses, binds them there".to_owned(),
            cure: "leave binding to OpenMP (OMP_PLACES=cores OMP_PROC_BIND=close) and take the \
                   calls out: sched_setaffinity, pthread_setaffinity_np",
        };
    }
    Cause {
        who: format!(
            "{} {} them there",
            set.join(" "),
            if set.len() == 1 { "binds" } else { "bind" }
        ),
        cure: "set OMP_PLACES=cores OMP_PROC_BIND=close, or leave these variables out",
    }
}

/// Returns the cause of a process that was started on few CPUs. A launcher that was told to bind
/// nothing (`=none`) is not the cause.
fn launcher(placement: &Placement, cpus: &Cpus) -> Cause {
    let set = |name: &str| {
        let mut all = placement.launcher.iter().filter(|set| !set.ends_with("none"));
        all.find(|set| set.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
    };
    if let Some(bind) = set("SLURM_CPU_BIND").or_else(|| set("SLURM_CPUS_PER_TASK")) {
        return Cause {
            who: format!("srun started the process so ({bind})"),
            cure: "ask for as many CPUs as threads (srun --cpus-per-task=N with \
                   OMP_NUM_THREADS=N), or for no binding (--cpu-bind=none)",
        };
    }
    let open = ["OMPI_MCA_hwloc_base_binding_policy", "PRTE_MCA_hwloc_default_binding_policy"];
    let open = open.iter().find_map(|name| set(name));
    if let Some(bind) = open.or_else(|| set("OMPI_MCA_orte_bound_at_launch")) {
        return Cause {
            who: format!("mpirun bound the process so ({bind})"),
            cure: "give each rank as many cores as threads (mpirun --map-by slot:PE=N --bind-to \
                   core, with OMP_NUM_THREADS=N), or bind none (--bind-to none)",
        };
    }
    let hydra = ["HYDRA_USER_PROVIDED_BINDING", "I_MPI_PIN_DOMAIN", "I_MPI_PIN"];
    let hydra = hydra.iter().chain(&["MV2_CPU_BINDING_POLICY"]).find_map(|name| set(name));
    if let Some(bind) = hydra {
        return Cause {
            who: format!("mpiexec bound the process so ({bind})"),
            cure: "give each rank as many cores as threads (mpiexec -bind-to core:N, with Intel's \
                   I_MPI_PIN_DOMAIN=omp), or bind none (-bind-to none)",
        };
    }
    if !placement.cpuset.is_empty() && placement.cpuset.is_subset(cpus) {
        return Cause {
            who: "the process's control group may use no others (a cpuset, as of a container or a \
                  batch system)"
                .to_owned(),
            cure: "ask for as many threads as CPUs (OMP_NUM_THREADS), or for more CPUs: docker \
                   --cpuset-cpus, Kubernetes' resources.limits.cpu, the batch system's request",
        };
    }
    Cause {
        who: "the process was started so (taskset, a batch system, or what started it)".to_owned(),
        cure: "start it with as many CPUs as threads (taskset -c 0-N), or ask for as many threads \
               as CPUs: OMP_NUM_THREADS",
    }
}
