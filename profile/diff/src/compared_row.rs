//! The rows of a comparison.

use crate::Change;

/// What a row is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// What is outside of all parallel regions.
    Outside,
    /// A parallel region.
    Region,
    /// What threads computed in a function.
    Function,
    /// Waits at barriers.
    Barrier,
    /// Waits for locks, critical, ordered and atomic regions.
    Lock,
    /// Waits for tasks.
    TaskWait,
    /// The runtime's own doing.
    Overhead,
    /// Threads asleep in calls of the program's own.
    Blocked,
    /// Threads at work that had no processor.
    WithoutCpu,
    /// The tasks of a task construct: what they computed, over all threads.
    Task,
    /// A lock or critical region: the waits for it, over all threads.
    Mutex,
    /// A target construct.
    Target,
}

impl Kind {
    /// Whether it is a class of a region's time: what its threads waited for, and the like.
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

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It stands where it stood.
    Same,
    /// It stands in another line.
    Moved,
    /// It has another name.
    Renamed,
    /// It was not there before.
    New,
    /// It is not there any more.
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

/// How much work a row did: iterations, instances or tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// What was counted: `iterations`, `entered`, `tasks`.
    pub what: &'static str,
    /// The medians of the runs.
    pub before: f64,
    /// The same after.
    pub after: f64,
}

impl Work {
    /// How many times what it was; none where that says nothing.
    pub fn ratio(&self) -> Option<f64> {
        let both = self.before > 0.0 && self.after > 0.0;
        both.then(|| self.after / self.before)
    }

    /// The work changed by more than a hundredth.
    pub fn is_other(&self) -> bool {
        self.ratio().is_some_and(|ratio| !(0.99..=1.01).contains(&ratio))
    }
}

/// One row.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it is of.
    pub kind: Kind,
    /// Its name after; before, where it is gone.
    pub label: String,
    /// Its name before, where that was another one.
    pub earlier: Option<String>,
    /// What became of it.
    pub status: Status,
    /// Its time. Of the parts of the elapsed time, and of theirs: what it is of that.
    pub time: Change,
    /// How much it did, where that is known.
    pub work: Option<Work>,
    /// All that tells how much it did.
    pub(crate) counted: Vec<Work>,
    /// What else is different, a few words each: `for (static) is for (dynamic)`.
    pub notes: Vec<String>,
    /// What the time of this row consists of, that which changed most first.
    pub parts: Vec<Row>,
}

impl Row {
    /// Rows with the greatest change first.
    pub(crate) fn sort(rows: &mut [Row]) {
        let key = |row: &Row| row.time.by().abs();
        rows.sort_by(|a, b| key(b).total_cmp(&key(a)).then_with(|| a.label.cmp(&b.label)));
    }
}
