//! The parts of a thread's time at work. The rank's own report and the job's report divide it here
//! alike, so that one profile has one figure.

use omphalos_profile_format::MpiThread;

/// The time of one class of work, in regions or outside of them, ns. The parts add up to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassParts {
    /// It ran, outside of MPI.
    pub(crate) ran: u64,
    /// It slept in calls other than MPI's.
    pub(crate) blocked: u64,
    /// It was able to run, without a processor, outside of MPI.
    pub(crate) queued: u64,
    /// It was in calls of MPI, in which it may have slept or had no processor.
    pub(crate) mpi: u64,
}

/// The time of one class in calls of MPI, ns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InMpi {
    pub(crate) all: u64,
    pub(crate) blocked: u64,
    pub(crate) queued: u64,
}

impl InMpi {
    /// Returns the times in regions, and outside of them.
    pub(crate) fn of_thread(known: &MpiThread) -> [InMpi; 2] {
        [
            InMpi { all: known.work, blocked: known.blocked_work, queued: known.queued_work },
            InMpi { all: known.serial, blocked: known.blocked_serial, queued: known.queued_serial },
        ]
    }
}

impl ClassParts {
    /// Divides `all`, the time of a class, of which the thread slept for `blocked` and had no
    /// processor for `queued`. Both include such time in calls of MPI.
    pub(crate) fn of(all: u64, blocked: u64, queued: u64, in_mpi: InMpi) -> ClassParts {
        let mpi = in_mpi.all.min(all);
        let left = all - mpi;
        let queued = queued.saturating_sub(in_mpi.queued).min(left);
        let left = left - queued;
        let blocked = blocked.saturating_sub(in_mpi.blocked).min(left);
        ClassParts { ran: left - blocked, blocked, queued, mpi }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_keeps_its_own_time_without_a_processor() {
        let in_mpi = InMpi { all: 40, blocked: 10, queued: 30 };
        let parts = ClassParts::of(100, 15, 50, in_mpi);
        assert_eq!(parts, ClassParts { ran: 35, blocked: 5, queued: 20, mpi: 40 });
        // Calls had no processor for longer than the class is known to have had none.
        let parts = ClassParts::of(100, 10, 20, in_mpi);
        assert_eq!(parts, ClassParts { ran: 60, blocked: 0, queued: 0, mpi: 40 });
        let parts = ClassParts::of(30, 20, 20, in_mpi);
        assert_eq!(parts, ClassParts { ran: 0, blocked: 0, queued: 0, mpi: 30 });
    }
}
