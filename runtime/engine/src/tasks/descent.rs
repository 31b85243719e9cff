//! Reads the tree of tasks for a thread that does not hold the task in question: another thread may
//! be taking this task.

use crate::records::Task;

/// The longest way up the tree of tasks that a thief follows. It leaves deeper tasks to others.
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

/// The task whose address a deque's word is.
pub(super) fn at(word: usize) -> &'static Task {
    // SAFETY: deques hold addresses of records, which are never freed.
    unsafe { &*(word as *const Task) }
}
