//! The turns of nodes: tasks with `mutexinoutset` dependences, which exclude each other without an
//! order (`exclusion.rs`).

use super::Node;

impl Node {
    /// Takes the remaining turns that the task needs. False if it waits for one: the thread that
    /// gives that turn up continues for it.
    pub(in super::super) fn take_turns(&'static self) -> bool {
        // SAFETY: the node's predecessors are complete, or it was just handed a turn: nobody else
        // acts for it until it waits.
        unsafe { self.exclusive() }.take(core::ptr::from_ref(self) as usize)
    }

    /// The task is complete: gives its turns up. Calls `ready` with each task that has all its
    /// turns now.
    pub(in super::super) fn give_up_turns(&self, mut ready: impl FnMut(&'static Node)) {
        // SAFETY: the caller completes the task.
        unsafe { self.exclusive() }.give_up(|next| {
            // SAFETY: a task that waits for a turn is not complete, so it has its node.
            let next: &'static Node = unsafe { &*(next as *const Node) };
            if next.take_turns() {
                ready(next);
            }
        });
    }

    /// Calls `each` with the nodes that wait for a turn which this one has, or waits for itself.
    ///
    /// # Safety
    /// The task does not begin meanwhile, and those that have its turns keep them.
    pub(in super::super) unsafe fn for_each_behind_a_turn(
        &self,
        mut each: impl FnMut(&'static Node),
    ) {
        // SAFETY: the caller's promise; a task that waits for a turn has its node.
        unsafe {
            (*self.exclusive.get()).for_each_waiting(|word| each(&*(word as *const Node)));
        }
    }
}
