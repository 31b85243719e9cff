//! Models of the count of a task's children, which loom runs in all orders (`cargo xtask test`). A
//! thread that waits for the children sleeps at its gate until the last one wakes it; it then sees
//! the effects of them all. The record of a parent that has ended is freed once, by the last
//! thread.

use super::*;
use crate::gate::Gate;
use crate::shim::AtomicU32;
use loom::sync::Arc;
use loom::thread;

/// A thread, for the count.
struct Thread {
    gate: Gate,
}

struct Parent {
    threads: [Thread; 3],
    children: Count<Thread>,
    /// The effects of the children.
    done: [AtomicU32; 3],
    /// The number of times that the record was freed.
    freed: AtomicU32,
}

// SAFETY: the count's plain word is its owner's alone, and loom's cell finds it if that is not so.
unsafe impl Sync for Parent {}
// SAFETY: as above.
unsafe impl Send for Parent {}

fn parent() -> Arc<Parent> {
    let threads = core::array::from_fn(|_| Thread { gate: Gate::new() });
    let done = core::array::from_fn(|_| AtomicU32::new(0));
    Arc::new(Parent { threads, children: Count::new(), done, freed: AtomicU32::new(0) })
}

impl Parent {
    /// Completes child `number` on thread `me`.
    fn complete(&self, me: usize, number: usize) {
        self.done[number].store(1, Ordering::Relaxed);
        match self.children.finish(&self.threads[me]) {
            Last::No => {}
            Last::Wake(waiter) => {
                // SAFETY: null or one of the threads above, which outlive the model's threads.
                if let Some(waiter) = unsafe { waiter.as_ref() } {
                    waiter.gate.wake();
                }
            }
            Last::Free => self.free(),
        }
    }

    /// Ends the task on thread `me`.
    fn ends(&self, me: usize) {
        if self.children.end(&self.threads[me]) {
            self.free();
        }
    }

    fn free(&self) {
        assert_eq!(self.freed.fetch_add(1, Ordering::Relaxed), 0, "freed twice");
        self.all_done();
    }

    /// Waits for the children on thread `me`, which executes the parent.
    fn wait(&self, me: usize) {
        let (me, children) = (&self.threads[me], &self.children);
        if !children.is_at_rest(me) {
            children.begin_wait(me);
            while !children.is_over() {
                me.gate.sleep(me.gate.seen(), || children.is_over());
            }
            children.end_wait();
        }
    }

    fn all_done(&self) {
        assert!(self.done.iter().all(|done| done.load(Ordering::Relaxed) == 1));
    }
}

/// The parent's thread makes three children and executes one; the others are stolen by one thread
/// or by two. When its wait is over, the parent's thread sees the effects of all three, and the
/// count is good for another round.
fn wait_for_stolen(thieves: usize) {
    let mut bounded = loom::model::Builder::new();
    bounded.preemption_bound = Some(3);
    bounded.check(move || {
        let parent = parent();
        parent.children.first_child(&parent.threads[0], false);
        parent.children.add(&parent.threads[0]);
        parent.children.add(&parent.threads[0]);
        let stolen: Vec<_> = (1..=thieves)
            .map(|me| {
                let parent = parent.clone();
                thread::spawn(move || {
                    for number in (me..3).step_by(thieves) {
                        parent.complete(me, number);
                    }
                })
            })
            .collect();
        parent.complete(0, 0);
        parent.wait(0);
        parent.all_done();
        // The next round has no thieves.
        let me = &parent.threads[0];
        parent.children.first_child(me, false);
        assert_eq!(parent.children.outstanding(me), 1);
        parent.complete(0, 0);
        assert!(parent.children.is_at_rest(me));
        stolen.into_iter().for_each(|thief| thief.join().unwrap());
    });
}

#[test]
fn a_wait_ends_with_the_last_child_of_one_thief() {
    wait_for_stolen(1);
}

#[test]
fn a_wait_ends_with_the_last_child_of_two_thieves() {
    wait_for_stolen(2);
}

/// The parent ends while its children execute: the last of all three frees the record, once, and
/// sees the effects of the others.
#[test]
fn the_last_of_parent_and_children_frees_the_record() {
    loom::model(|| {
        let parent = parent();
        let me = &parent.threads[0];
        parent.children.first_child(me, false);
        parent.children.add(me);
        let thieves = [1, 2].map(|me| {
            let parent = parent.clone();
            thread::spawn(move || parent.complete(me, me))
        });
        parent.done[0].store(1, Ordering::Relaxed);
        if parent.children.end(me) {
            parent.free();
        }
        thieves.into_iter().for_each(|thief| thief.join().unwrap());
        assert_eq!(parent.freed.load(Ordering::Relaxed), 1);
    });
}

/// A child ends, but has a child of its own: the record stays until that one is complete too, even
/// if the parent ends meanwhile.
#[test]
fn a_hold_keeps_the_record() {
    loom::model(|| {
        let parent = parent();
        let me = &parent.threads[0];
        parent.children.first_child(me, false);
        let other = parent.clone();
        let thief = thread::spawn(move || {
            other.children.hold();
            other.done[2].store(1, Ordering::Relaxed);
            other.complete(1, 1);
            // The grandchild.
            if other.children.release_hold() {
                other.free();
            }
        });
        parent.done[0].store(1, Ordering::Relaxed);
        if parent.children.end(me) {
            parent.free();
        }
        thief.join().unwrap();
        assert_eq!(parent.freed.load(Ordering::Relaxed), 1);
    });
}

/// A detached task: its own thread leaves it while a child executes, and another thread ends it.
/// The last of the two frees the record, once, and sees the effects of the children.
#[test]
fn another_thread_may_end_a_task_that_was_given_up() {
    loom::model(|| {
        let parent = parent();
        let me = &parent.threads[0];
        parent.children.first_child(me, false);
        parent.children.add(me);
        let given_up = Arc::new(AtomicU32::new(0));
        let other = (parent.clone(), given_up.clone());
        let child = thread::spawn(move || other.0.complete(1, 1));
        let other = (parent.clone(), given_up.clone());
        let ends = thread::spawn(move || {
            let (parent, given_up) = other;
            if given_up.load(Ordering::Acquire) == 1 {
                parent.done[2].store(1, Ordering::Relaxed);
                parent.ends(2);
            }
        });
        parent.complete(0, 0);
        parent.children.give_up(me);
        given_up.store(1, Ordering::Release);
        child.join().unwrap();
        ends.join().unwrap();
        if parent.done[2].load(Ordering::Relaxed) == 0 {
            parent.done[2].store(1, Ordering::Relaxed);
            parent.ends(0);
        }
        assert_eq!(parent.freed.load(Ordering::Relaxed), 1);
    });
}
