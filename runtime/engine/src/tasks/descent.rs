//! Follows the tree of tasks upwards from a task that the calling thread does not hold: another
//! thread may be taking this task.

use crate::records::Task;

/// The most levels of the tree of tasks that a thief follows upwards. It leaves deeper tasks to
/// others.
pub(super) const LEVELS_FOLLOWED: u32 = 1000;

/// Whether `task` is a descendant of `ancestor`, no more than `far` levels below. Another thread
/// may be taking `task` meanwhile.
pub(super) fn descends(task: &Task, ancestor: &Task, far: u32) -> bool {
    let level = ancestor.depth.get();
    let mut current = task;
    for _ in 0..far {
        if current.depth.get() <= level {
            return false;
        }
        let parent = current.parent.get();
        if core::ptr::eq(parent, ancestor) {
            return true;
        }
        // SAFETY: null or a record that is never freed.
        let Some(next) = (unsafe { parent.as_ref() }) else { return false };
        current = next;
    }
    false
}

/// Returns the task whose address is this word of a deque.
pub(super) fn at(word: usize) -> &'static Task {
    // SAFETY: deques hold addresses of records, which are never freed.
    unsafe { &*(word as *const Task) }
}
