//! The rows of a comparison.

use crate::Change;

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The time outside all parallel regions.
    Outside,
    /// A parallel region.
    Region,
    /// The computing of threads in a function.
    Function,
    /// Waits at barriers.
    Barrier,
    /// Waits for locks, critical, ordered and atomic regions.
    Lock,
    /// Waits for tasks.
    TaskWait,
    /// The work of the runtime itself.
    Overhead,
    /// Threads asleep in the program's own calls.
    Blocked,
    /// Threads at work that had no processor.
    WithoutCpu,
    /// The tasks of a task construct: their computing, over all threads.
    Task,
    /// A lock or critical region: the waits for it, over all threads.
    Mutex,
    /// A target construct.
    Target,
}

impl Kind {
    /// Whether it is a class of a region's time: its threads' waits, and the like.
    pub(crate) fn is_class(self) -> bool {
        use Kind::{Barrier, Blocked, Lock, Overhead, TaskWait, WithoutCpu};
        matches!(self, Barrier | Blocked | Lock | Overhead | TaskWait | WithoutCpu)
    }

    /// A stable name for programs.
    pub fn id(self) -> &'static str {
        match self {
            Kind::Outside => "outside",
            Kind::Region => "region",
            Kind::Function => "function",
            Kind::Barrier => "barrier-wait",
            Kind::Lock => "mutex-wait",
            Kind::TaskWait => "task-wait",
            Kind::Overhead => "overhead",
            Kind::Blocked => "blocked",
            Kind::WithoutCpu => "without-cpu",
            Kind::Task => "task",
            Kind::Mutex => "mutex",
            Kind::Target => "target",
        }
    }
}

/// The fate of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is at the same place.
    Same,
    /// It is in another line.
    Moved,
    /// It has another name.
    Renamed,
    /// It was not there before.
    New,
    /// It is no longer there.
    Gone,
}

impl Status {
    /// A stable name for programs.
    pub fn id(self) -> &'static str {
        match self {
            Status::Same => "same",
            Status::Moved => "moved",
            Status::Renamed => "renamed",
            Status::New => "new",
            Status::Gone => "gone",
        }
    }
}

/// The amount of a row's work: iterations, instances or tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// The unit of the count: `iterations`, `entered`, `tasks`.
    pub what: &'static str,
    /// The medians of the runs.
    pub before: f64,
    /// The medians of the runs after.
    pub after: f64,
}

impl Work {
    /// Returns the work after divided by that before; `None` where that says nothing.
    pub fn ratio(&self) -> Option<f64> {
        let both = self.before > 0.0 && self.after > 0.0;
        both.then(|| self.after / self.before)
    }

    /// Whether the work changed by more than a hundredth.
    pub fn is_other(&self) -> bool {
        self.ratio().is_some_and(|ratio| !(0.99..=1.01).contains(&ratio))
    }
}

/// One row.
#[derive(Clone, Debug)]
pub struct Row {
    /// The kind of the row.
    pub kind: Kind,
    /// Its name after; or before, if it is gone.
    pub label: String,
    /// Its name before, if that was another one.
    pub earlier: Option<String>,
    /// The fate of the row.
    pub status: Status,
    /// Its time. In rows that are a part of the elapsed time, at any depth: its share of the
    /// elapsed time.
    pub time: Change,
    /// The amount of its work, where that is known.
    pub work: Option<Work>,
    /// All counts of its work.
    pub(crate) counted: Vec<Work>,
    /// Other differences, a few words each: `for (static) is for (dynamic)`.
    pub notes: Vec<String>,
    /// The parts of this row's time, the one that changed most first.
    pub parts: Vec<Row>,
}

impl Row {
    /// Sorts rows: the greatest change comes first.
    pub(crate) fn sort(rows: &mut [Row]) {
        let key = |row: &Row| row.time.by().abs();
        rows.sort_by(|a, b| key(b).total_cmp(&key(a)).then_with(|| a.label.cmp(&b.label)));
    }
}
