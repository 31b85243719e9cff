//! The CPUs that threads ran on and may run on, and the CPUs of the machine.

use super::fields::fields;
use crate::wire::ByteStrings;

fields! {
    /// The time that a thread ran on one CPU. Cumulative. Key: `thread`, `cpu`.
    ThreadCpu {
        /// The agent's index of the thread.
        thread: u32,
        /// The system's number of the CPU; `u32::MAX` = all others, if there were too many.
        cpu: u32,
        /// The time that the thread computed up to samples that found it there, ns.
        running: u64,
    }

    /// The CPUs that a thread may run on. The last one holds. Key: `thread`.
    ThreadAffinity<'a> {
        /// The agent's index of the thread.
        thread: u32,
        /// The number of samples that found the thread on another CPU than the sample before.
        migrations: u64,
        /// A bit for each CPU, the lowest number's first; without zeros at the end.
        cpus: &'a [u8],
    }

    /// The CPUs that the process might run on when it was started.
    ProcessAffinity<'a> {
        /// A bit for each CPU, as in [`ThreadAffinity`].
        cpus: &'a [u8],
        /// The CPUs that are online, as the system lists them: `0-3,8`. Empty = unknown.
        online: &'a [u8],
        /// The online CPUs that the process's control group may use, in the same form.
        cpuset: &'a [u8],
        /// The variables of launchers that bind processes (mpirun, srun), as `NAME=value`.
        launcher: ByteStrings<'a>,
    }

    /// The control group that grants the process the least CPU time: one record when recording
    /// begins and one when it ends. Counts are since the group was made.
    ControlGroup<'a> {
        /// The group, as the system names it.
        path: &'a [u8],
        /// CPU time that it is granted in a period, us.
        quota: u64,
        /// The period, us.
        period: u64,
        /// Periods in which a thread of the group wanted to run.
        periods: u64,
        /// The number of those periods in which the group was stopped.
        throttled_periods: u64,
        /// The time that it was stopped, ns: the sum over CPUs.
        throttled: u64,
    }

    /// One CPU of the machine. The process that started the program writes it when the program has
    /// ended. Key: `cpu`.
    MachineCpu {
        /// The system's number.
        cpu: u32,
        /// The lowest number among the CPUs of its core: CPUs with the same one are hyper-threads
        /// of one core.
        core: u32,
        /// The package (socket).
        package: u32,
        /// The NUMA node.
        node: u32,
        /// Its capacity, relative to others of the machine; 0 = unknown.
        capacity: u32,
        /// Its highest frequency, kHz; 0 = unknown.
        frequency: u32,
    }
}
