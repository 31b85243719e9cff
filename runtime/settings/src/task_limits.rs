//! How many tasks there may be before their maker executes some itself, if the environment says so.

use super::take::take;
use super::values;
use super::variables::Variables;

/// Limits on tasks that are not executed yet; `None`: the environment sets none.
#[derive(Clone, Copy, Debug)]
pub struct TaskLimits {
    /// The number of queued tasks below which a thread need not look at the limits.
    pub tasks_before_looking: u64,
    /// The most queued tasks of a thread; `u64::MAX` stands for no limit.
    pub queued_tasks: Option<u64>,
    /// The most children of a task that are not complete.
    pub children: Option<i64>,
}

impl TaskLimits {
    /// The limits if the environment sets none.
    pub const NONE: TaskLimits =
        TaskLimits { tasks_before_looking: 1024, queued_tasks: None, children: None };
}

/// Reads `KMP_TASK_MAXIMUM_*`, and `KMP_ENABLE_TASK_THROTTLING_*`, which switches each of them.
pub fn task_limits(from: &Variables) -> TaskLimits {
    let is_on = |name| take(from, name, values::boolean, "using true");
    let most = |name| take(from, name, values::positive, "using no other limit");
    let of_all = most("KMP_TASK_MAXIMUM_GLOBAL")
        .filter(|_| is_on("KMP_ENABLE_TASK_THROTTLING_GLOBAL") != Some(false));
    let of_parent = most("KMP_TASK_MAXIMUM_CHILDREN")
        .filter(|_| is_on("KMP_ENABLE_TASK_THROTTLING_CHILDREN") != Some(false));
    let children = of_all.into_iter().chain(of_parent).min().map(i64::from);
    let queued_tasks = match is_on("KMP_ENABLE_TASK_THROTTLING_READY_PER_THREAD") {
        Some(false) => Some(u64::MAX),
        _ => most("KMP_TASK_MAXIMUM_READY_PER_THREAD").map(u64::from),
    };
    let is_limited = queued_tasks.is_some() || children.is_some();
    let unlimited = TaskLimits::NONE.tasks_before_looking;
    let tasks_before_looking = if is_limited { 0 } else { unlimited };
    TaskLimits { tasks_before_looking, queued_tasks, children }
}
