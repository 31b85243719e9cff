//! Finds a thread's state in the runtime from the function that the program called, for runtimes
//! that tell nothing of themselves.

use omphalos_ompd_view::snapshot::Wait;

use crate::facts::entry;
use crate::foreign::is_name_of_fork;

/// `ompt_state_t` of a wait in the runtime's function `name`; `None` if no thread waits in it.
pub fn state_in(name: &str) -> Option<u32> {
    // A thread that is in it, and not in the region's body, makes the team or waits for it.
    if is_name_of_fork(name) {
        return Some(0x011);
    }
    Some(match entry::in_runtime(name, Some(0))? {
        Wait::Lock { .. } if name.contains("critical") => 0x042,
        Wait::Lock { .. } if name.contains("atomic") => 0x043,
        Wait::Lock { .. } => 0x041,
        // LLVM's code calls it also for the barriers behind loops, which are far more frequent.
        Wait::Barrier { .. } if name == "__kmpc_barrier" => 0x012,
        Wait::Barrier { kind, .. } => match &*kind {
            "explicit" => 0x014,
            "implicit" | "implementation" => 0x012,
            "teams" => 0x016,
            _ => 0x011,
        },
        Wait::Taskwait { .. } | Wait::Dependences { .. } => 0x020,
        Wait::Taskgroup { .. } => 0x021,
        Wait::Copyprivate { .. } => 0x012,
        Wait::Ordered { .. } | Wait::Sink { .. } => 0x044,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::state_in;

    #[test]
    fn the_function_that_was_called_tells_the_wait() {
        let known = [
            ("GOMP_parallel_loop_dynamic", Some(0x011)),
            ("__kmpc_barrier", Some(0x012)),
            ("GOMP_barrier", Some(0x014)),
            ("GOMP_critical_name_start", Some(0x042)),
            ("omp_set_lock_", Some(0x041)),
            ("GOMP_taskwait", Some(0x020)),
            ("GOMP_loop_dynamic_next", None),
            ("omp_get_thread_num", None),
        ];
        for (name, state) in known {
            assert_eq!(state_in(name), state, "{name}");
        }
    }
}
