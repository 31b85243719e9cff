//! Takes and gives up the turns of nodes, for tasks with `mutexinoutset` dependences, which exclude
//! each other without an order (`exclusion.rs`).

use super::Node;

impl Node {
    /// Takes the remaining turns that the task needs. Returns false if the task now waits for a
    /// turn: the thread that gives that turn up continues for the task.
    pub(in super::super) fn take_turns(&'static self) -> bool {
        // SAFETY: the node's predecessors are complete, or it just got a turn: no other thread acts
        // for it until it waits.
        unsafe { self.exclusive() }.take(core::ptr::from_ref(self) as usize)
    }

    /// Gives up the turns of a complete task. Calls `ready` with each task that then has all its
    /// turns.
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

    /// Calls `each` with the nodes that wait for a turn that this node has, or for the turn that it
    /// waits for.
    ///
    /// # Safety
    /// The task does not begin meanwhile, and the tasks that have its turns keep them.
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
