//! The classes of a thread's time, and the counters that are kept of each thread.

/// The class of a stretch of a thread's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Class {
    /// In a parallel region and in no wait.
    Work,
    /// Outside any region: the initial thread's program.
    Serial,
    /// In a barrier, with no task to execute there.
    Barrier,
    /// Asking for a lock, a critical or ordered region.
    Mutex,
    /// In taskwait or at the end of a taskgroup, with no task to execute there.
    TaskWait,
    /// A worker without a region.
    Idle,
    /// In the runtime on the region's behalf: making a team, joining it.
    Overhead,
}

/// The number of classes.
pub const CLASSES: usize = 7;
/// The classes, then the other counters of each thread and region.
pub const COUNTERS: usize = CLASSES + 6;
/// Explicit tasks created.
pub const CREATED: usize = CLASSES;
/// Explicit tasks executed to their end.
pub const EXECUTED: usize = CLASSES + 1;
/// Work inside explicit tasks, ticks.
pub const TASK_WORK: usize = CLASSES + 2;
/// Barriers that the implementation added.
pub const IMPLEMENTATION_BARRIERS: usize = CLASSES + 3;
/// Ticks in [`Class::Work`] without a processor: part of that class.
pub const QUEUED: usize = CLASSES + 4;
/// Ticks in [`Class::Serial`] without a processor: part of that class.
pub const QUEUED_SERIAL: usize = CLASSES + 5;

impl Class {
    const ALL: [Class; CLASSES] = [
        Class::Work,
        Class::Serial,
        Class::Barrier,
        Class::Mutex,
        Class::TaskWait,
        Class::Idle,
        Class::Overhead,
    ];

    /// Returns the class with this number.
    #[inline]
    pub fn from_number(number: u32) -> Class {
        Class::ALL.get(number as usize).copied().unwrap_or(Class::Idle)
    }
}

/// A copy of a thread's counters: ticks for the classes and [`TASK_WORK`], numbers for the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters(pub [u64; COUNTERS]);

impl Counters {
    /// Returns the counts since `before`.
    #[inline]
    pub fn since(&self, before: &Counters) -> Counters {
        Counters(core::array::from_fn(|at| self.0[at].wrapping_sub(before.0[at])))
    }

    /// Moves a start forward by `other`, which does not belong to the part that is counted from
    /// that start. The counters of time without a processor stay, because all of `other` counts as
    /// work of that part.
    pub fn skip(&mut self, other: &Counters) {
        for (mine, theirs) in self.0[..QUEUED].iter_mut().zip(other.0) {
            *mine = mine.wrapping_add(theirs);
        }
    }

    /// Ticks at work without a processor.
    pub fn queued(&self) -> u64 {
        self.0[QUEUED] + self.0[QUEUED_SERIAL]
    }

    /// Ticks of one class.
    pub fn class(&self, class: Class) -> u64 {
        self.0[class as usize]
    }

    /// Ticks of all classes.
    pub fn time(&self) -> u64 {
        self.0[..CLASSES].iter().sum()
    }
}
