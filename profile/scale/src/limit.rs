//! The limits that keep a program from getting faster with more threads.

use serde::{Deserialize, Serialize};

use crate::classes::Class;

/// The cause of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Nothing worth a word.
    None,
    /// One thread works, and the others have nothing to do.
    SerialTime,
    /// Threads wait for a lock or critical region.
    Lock,
    /// Threads compute longer in all for the same work: memory bandwidth, caches, work done twice.
    WorkAdded,
    /// Threads write different bytes of one cache line.
    FalseSharing,
    /// Threads write the same bytes too often.
    ContendedVariable,
    /// Threads share cores, as hyper-threads.
    SharedCores,
    /// Threads wait at barriers for those with more work.
    Imbalance,
    /// Threads wait at barriers for those on slower cores.
    UnequalCores,
    /// Threads wait for tasks, or those are too small.
    Tasks,
    /// The work of the runtime itself.
    Overhead,
    /// Threads sleep in the program's own calls.
    Blocked,
    /// A region keeps its number of threads, whatever is asked for.
    FixedTeam,
    /// More threads than CPUs.
    Oversubscription,
    /// Other programs had the CPUs.
    BusyMachine,
}

impl Limit {
    /// Returns the name for the begin of a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Limit::None => "Nothing",
            Limit::SerialTime => "Serial time",
            Limit::Lock => "A lock",
            Limit::WorkAdded => "More work in all",
            Limit::FalseSharing => "False sharing",
            Limit::ContendedVariable => "A contended variable",
            Limit::SharedCores => "Shared cores",
            Limit::Imbalance => "Load imbalance",
            Limit::UnequalCores => "Unequal cores",
            Limit::Tasks => "Too few or too small tasks",
            Limit::Overhead => "The runtime's overhead",
            Limit::Blocked => "Sleep in calls",
            Limit::FixedTeam => "A fixed number of threads",
            Limit::Oversubscription => "Oversubscription",
            Limit::BusyMachine => "A busy machine",
        }
    }
}

/// Returns the cause of a class of loss if no finding of the report gives another, and the findings
/// that may, by their stable names.
pub(crate) fn of_class(class: Class) -> (Limit, &'static [(&'static str, Limit)]) {
    match class {
        Class::Serial => (Limit::SerialTime, &[("serial-time", Limit::SerialTime)]),
        Class::UnusedThreads => (Limit::FixedTeam, &[("one-thread", Limit::FixedTeam)]),
        Class::WorkAdded => (
            Limit::WorkAdded,
            &[
                ("false-sharing", Limit::FalseSharing),
                ("contended-variable", Limit::ContendedVariable),
            ],
        ),
        Class::BarrierWait => (
            Limit::Imbalance,
            &[
                ("imbalance", Limit::Imbalance),
                ("scattered-waits", Limit::Imbalance),
                ("task-shortage", Limit::Tasks),
                ("long-task", Limit::Tasks),
                ("small-tasks", Limit::Tasks),
                ("tiny-loops", Limit::Overhead),
                ("tiny-regions", Limit::Overhead),
            ],
        ),
        Class::MutexWait => (Limit::Lock, &[("hot-mutex", Limit::Lock)]),
        Class::TaskWait => (
            Limit::Tasks,
            &[
                ("task-shortage", Limit::Tasks),
                ("long-task", Limit::Tasks),
                ("small-tasks", Limit::Tasks),
            ],
        ),
        Class::Overhead => (
            Limit::Overhead,
            &[
                ("small-tasks", Limit::Tasks),
                ("tiny-regions", Limit::Overhead),
                ("tiny-loops", Limit::Overhead),
                ("runtime-overhead", Limit::Overhead),
            ],
        ),
        Class::Blocked => (Limit::Blocked, &[("blocked", Limit::Blocked)]),
        Class::WithoutCpu => (
            Limit::BusyMachine,
            &[
                ("oversubscription", Limit::Oversubscription),
                ("placement", Limit::Oversubscription),
                ("throttled", Limit::Oversubscription),
                ("nested-parallelism", Limit::Oversubscription),
            ],
        ),
    }
}
