//! The numbers of OMPT in a profile (OpenMP 5.0 to 6.0, `ompt_state_t` and its kin), and the
//! report's meaning of each thread state.

/// The report's meaning of an `ompt_state_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Activity {
    Serial,
    Parallel,
    Reduction,
    ImplicitBarrier,
    ExplicitBarrier,
    Taskwait,
    Taskgroup,
    Lock,
    Critical,
    Atomic,
    Ordered,
    Target,
    Idle,
    Overhead,
    /// In a call of the program's own: the agent tells it, no state does.
    Blocked,
    /// In a call of MPI: the stack shows it.
    Mpi,
}

/// Whether a fork is that of the region with which a team of a league begins: a part of the league,
/// with no directive of its own. The agent gives it both `ompt_parallel_league` and
/// `ompt_parallel_team`.
pub(crate) fn is_league_part(flags: u32) -> bool {
    const BOTH: u32 = 0xc000_0000;
    flags & BOTH == BOTH
}

impl Activity {
    pub(crate) fn of_state(state: u32) -> Activity {
        match state {
            0x000 => Activity::Serial,
            0x002 | 0x004 => Activity::Reduction,
            // An implementation barrier, or an unnamed one, is none that the user wrote.
            0x010..=0x013 | 0x015 | 0x016 => Activity::ImplicitBarrier,
            0x014 => Activity::ExplicitBarrier,
            0x020 => Activity::Taskwait,
            0x021 => Activity::Taskgroup,
            0x040 | 0x041 => Activity::Lock,
            0x042 => Activity::Critical,
            0x043 => Activity::Atomic,
            0x044 => Activity::Ordered,
            0x080..=0x0ff => Activity::Target,
            0x100 => Activity::Idle,
            0x101 => Activity::Overhead,
            // A thread that OpenMP does not know runs the user's code.
            0x102 => Activity::Serial,
            _ => Activity::Parallel,
        }
    }

    /// Returns the wait for a mutex of this `ompt_mutex_t`.
    pub(crate) fn of_mutex(kind: u32) -> Activity {
        match kind {
            5 => Activity::Critical,
            6 => Activity::Atomic,
            7 => Activity::Ordered,
            _ => Activity::Lock,
        }
    }

    /// Returns the pseudo-frame at the leaf; `None` for the user's own work.
    pub(crate) fn pseudo_frame(self) -> Option<&'static str> {
        Some(match self {
            Activity::Serial | Activity::Parallel | Activity::Blocked | Activity::Mpi => {
                return None;
            }
            Activity::Reduction => "<omp reduction>",
            Activity::ImplicitBarrier => "<omp implicit barrier>",
            Activity::ExplicitBarrier => "<omp explicit barrier>",
            Activity::Taskwait => "<omp taskwait>",
            Activity::Taskgroup => "<omp taskgroup wait>",
            Activity::Lock => "<omp lock wait>",
            Activity::Critical => "<omp critical wait>",
            Activity::Atomic => "<omp atomic wait>",
            Activity::Ordered => "<omp ordered wait>",
            Activity::Target => "<omp target wait>",
            Activity::Idle => "<omp idle>",
            Activity::Overhead => OVERHEAD_FRAME,
        })
    }

    pub(crate) fn is_barrier(self) -> bool {
        matches!(self, Activity::ImplicitBarrier | Activity::ExplicitBarrier)
    }

    /// Whether it is work, by the 2007 white paper's split: everything else is wait.
    pub(crate) fn is_work(self) -> bool {
        matches!(self, Activity::Serial | Activity::Parallel | Activity::Reduction)
    }
}

/// The pseudo-frame for time in the runtime that no wait state explains.
pub(crate) const OVERHEAD_FRAME: &str = "<omp overhead>";

/// `ompt_thread_t`.
pub(crate) const THREAD_INITIAL: u32 = 1;
pub(crate) const THREAD_WORKER: u32 = 2;

/// `ompt_task_flag_t`.
pub(crate) const TASK_EXPLICIT: u32 = 0x4;

/// Returns the construct that an `ompt_work_t` names, where it is no loop.
pub(crate) fn work_name(work: u32) -> &'static str {
    match work {
        5 => "workshare",
        6 => "distribute",
        7 => "taskloop",
        8 => "scope",
        _ => "worksharing",
    }
}

/// Returns the report's word for an `ompt_mutex_t`.
pub(crate) fn mutex_kind(kind: u32) -> &'static str {
    match kind {
        1 | 2 => "lock",
        3 | 4 => "nest lock",
        5 => "critical",
        6 => "atomic",
        7 => "ordered",
        _ => "mutex",
    }
}
