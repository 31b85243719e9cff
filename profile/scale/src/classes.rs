//! The classes of threads' lost time.

use serde::{Deserialize, Serialize};

/// A class of thread time that is lost: it is no part of the work that the first size (the run
/// with the first number of threads) did too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Other threads have nothing to do while one works outside regions.
    Serial,
    /// The region has fewer threads than there could be.
    UnusedThreads,
    /// More work in all than at the first size.
    WorkAdded,
    /// Waits at barriers.
    BarrierWait,
    /// Waits for locks, critical, ordered and atomic regions.
    MutexWait,
    /// Waits for tasks.
    TaskWait,
    /// The work of the runtime itself.
    Overhead,
    /// Threads asleep in the program's own calls.
    Blocked,
    /// Threads at work that had no CPU.
    WithoutCpu,
}

impl Class {
    /// All of them, in the order of tables.
    pub const ALL: [Class; 9] = [
        Class::Serial,
        Class::UnusedThreads,
        Class::WorkAdded,
        Class::BarrierWait,
        Class::MutexWait,
        Class::TaskWait,
        Class::Overhead,
        Class::Blocked,
        Class::WithoutCpu,
    ];

    /// Returns its words in tables.
    pub fn name(self) -> &'static str {
        match self {
            Class::Serial => "serial: one thread works",
            Class::UnusedThreads => "threads that it does not use",
            Class::WorkAdded => "work added",
            Class::BarrierWait => "waiting at barriers",
            Class::MutexWait => "waiting for locks and critical regions",
            Class::TaskWait => "waiting for tasks",
            Class::Overhead => "the runtime's own doing",
            Class::Blocked => "blocked in calls",
            Class::WithoutCpu => "without a CPU",
        }
    }
}

/// Lost time by class, ns: of all threads together, or as elapsed time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// [`Class::Serial`].
    pub serial_ns: f64,
    /// [`Class::UnusedThreads`].
    pub unused_threads_ns: f64,
    /// [`Class::WorkAdded`]; less than 0 where there is less work.
    pub work_added_ns: f64,
    /// [`Class::BarrierWait`].
    pub barrier_wait_ns: f64,
    /// [`Class::MutexWait`].
    pub mutex_wait_ns: f64,
    /// [`Class::TaskWait`].
    pub task_wait_ns: f64,
    /// [`Class::Overhead`].
    pub overhead_ns: f64,
    /// [`Class::Blocked`].
    pub blocked_ns: f64,
    /// [`Class::WithoutCpu`].
    pub without_cpu_ns: f64,
}

impl Losses {
    /// Returns the time lost to one class.
    pub fn of(&self, class: Class) -> f64 {
        match class {
            Class::Serial => self.serial_ns,
            Class::UnusedThreads => self.unused_threads_ns,
            Class::WorkAdded => self.work_added_ns,
            Class::BarrierWait => self.barrier_wait_ns,
            Class::MutexWait => self.mutex_wait_ns,
            Class::TaskWait => self.task_wait_ns,
            Class::Overhead => self.overhead_ns,
            Class::Blocked => self.blocked_ns,
            Class::WithoutCpu => self.without_cpu_ns,
        }
    }

    /// Returns the sum of all.
    pub fn sum(&self) -> f64 {
        Class::ALL.into_iter().map(|class| self.of(class)).sum()
    }

    pub(crate) fn each(self, other: Losses, figure: impl Fn(f64, f64) -> f64) -> Losses {
        Losses {
            serial_ns: figure(self.serial_ns, other.serial_ns),
            unused_threads_ns: figure(self.unused_threads_ns, other.unused_threads_ns),
            work_added_ns: figure(self.work_added_ns, other.work_added_ns),
            barrier_wait_ns: figure(self.barrier_wait_ns, other.barrier_wait_ns),
            mutex_wait_ns: figure(self.mutex_wait_ns, other.mutex_wait_ns),
            task_wait_ns: figure(self.task_wait_ns, other.task_wait_ns),
            overhead_ns: figure(self.overhead_ns, other.overhead_ns),
            blocked_ns: figure(self.blocked_ns, other.blocked_ns),
            without_cpu_ns: figure(self.without_cpu_ns, other.without_cpu_ns),
        }
    }
}
