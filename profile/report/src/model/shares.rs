//! The time that a sample stands for, chosen so that call paths and tables agree.
//!
//! The agent counts each thread's time in each class by events, exactly; samples give the places.
//! So the samples of a thread and class share out the counted time, each by its weight; time
//! without a sample is left over. Where a thread has no exact total, or its samples do not add up
//! to its life, they count as they are.

use std::hash::Hash;

use super::sums::{add, total};
use super::whole::ThreadRow;
use super::within::part;
use crate::maps::HashMap;
use crate::ompt::Activity;
use crate::recording::Recording;

/// The classes of the table of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Work,
    Serial,
    Blocked,
    Barrier,
    Mutex,
    Task,
    Idle,
    Overhead,
    /// At work without a processor.
    Queued,
    /// In calls of MPI.
    Mpi,
}

impl Class {
    const ALL: [Class; 10] = [
        Class::Work,
        Class::Serial,
        Class::Blocked,
        Class::Barrier,
        Class::Mutex,
        Class::Task,
        Class::Idle,
        Class::Overhead,
        Class::Queued,
        Class::Mpi,
    ];

    pub(super) fn of(activity: Activity) -> Class {
        match activity {
            Activity::Serial => Class::Serial,
            Activity::Parallel | Activity::Reduction => Class::Work,
            Activity::Blocked => Class::Blocked,
            Activity::Mpi => Class::Mpi,
            Activity::ImplicitBarrier | Activity::ExplicitBarrier => Class::Barrier,
            Activity::Lock | Activity::Critical | Activity::Atomic | Activity::Ordered => {
                Class::Mutex
            }
            Activity::Taskwait | Activity::Taskgroup | Activity::Target => Class::Task,
            Activity::Idle => Class::Idle,
            Activity::Overhead => Class::Overhead,
        }
    }

    fn counted(self, row: &ThreadRow) -> u64 {
        match self {
            Class::Work => row.work,
            Class::Serial => row.serial_work,
            Class::Blocked => row.blocked,
            Class::Barrier => row.barrier_wait,
            Class::Mutex => row.mutex_wait,
            Class::Task => row.task_wait,
            Class::Idle => row.idle,
            Class::Overhead => row.overhead,
            Class::Queued => row.without_cpu,
            Class::Mpi => row.mpi,
        }
    }
}

/// Sums of samples' times, ns, by any key: one thread after the other, to use little memory.
#[derive(Debug)]
pub(super) struct Sums<K> {
    /// Sampled times of the present thread.
    own: HashMap<(K, Class), u64>,
    all: HashMap<K, u64>,
}

impl<K> Default for Sums<K> {
    fn default() -> Sums<K> {
        Sums { own: HashMap::default(), all: HashMap::default() }
    }
}

impl<K: Copy + Eq + Hash> Sums<K> {
    /// Adds a sample's time.
    pub(super) fn add(&mut self, key: K, class: Class, time: u64) {
        add(self.own.entry((key, class)).or_default(), time);
    }

    /// Ends a thread, whose samples are all added: each sampled time becomes its share of the
    /// counted time.
    pub(super) fn end_thread(&mut self, thread: u32, shares: &Shares) {
        for ((key, class), time) in std::mem::take(&mut self.own) {
            let time = shares.of(thread, class, time);
            if time > 0 {
                add(self.all.entry(key).or_default(), time);
            }
        }
    }

    /// Returns the sums over all threads; nothing where a thread never had a processor.
    pub(super) fn into_all(self) -> HashMap<K, u64> {
        self.all
    }
}

/// Sampled sums, ns, by thread and class.
#[derive(Debug, Default)]
pub(super) struct Sampled {
    sums: HashMap<(u32, Class), u64>,
}

/// A thread's counted time is shared out if its samples add up to its life within this share.
const ALIKE: f64 = 0.10;

/// How much of a class one of its samples stands for.
#[derive(Debug, Default)]
pub(super) struct Shares {
    /// Counted and sampled, ns.
    known: HashMap<(u32, Class), (u64, u64)>,
    /// The counted time of threads and classes without samples, ns.
    pub(super) unsampled: Vec<(Class, u64)>,
}

impl Sampled {
    pub(super) fn add(&mut self, thread: u32, class: Class, time: u64) {
        add(self.sums.entry((thread, class)).or_default(), time);
    }

    pub(super) fn shares(&self, recording: &Recording, rows: &[ThreadRow]) -> Shares {
        let mut shares = Shares::default();
        for row in rows {
            let is_exact = recording.end.is_some()
                && recording.threads.get(&row.thread).is_some_and(|info| info.total.is_some());
            let of_class = |class: Class| self.sums.get(&(row.thread, class));
            let sampled = total(Class::ALL.into_iter().filter_map(of_class).copied());
            let alike = sampled.abs_diff(row.alive) as f64 <= ALIKE * row.alive as f64;
            if !is_exact || !alike {
                continue;
            }
            for class in Class::ALL {
                let counted = class.counted(row);
                match self.sums.get(&(row.thread, class)) {
                    Some(&sampled) if sampled > 0 => {
                        shares.known.insert((row.thread, class), (counted, sampled));
                    }
                    _ if counted > 0 => shares.unsampled.push((class, counted)),
                    _ => {}
                }
            }
        }
        shares
    }
}

impl Shares {
    /// Returns the time that samples of this weight stand for, ns.
    fn of(&self, thread: u32, class: Class, time: u64) -> u64 {
        match self.known.get(&(thread, class)) {
            Some(&(counted, sampled)) if counted < sampled => part(time, (counted, sampled)),
            // A part is at most the whole.
            Some(&(counted, sampled)) => {
                let more = u128::from(time) * u128::from(counted) / u128::from(sampled.max(1));
                u64::try_from(more).unwrap_or(time)
            }
            None => time,
        }
    }
}
