//! Members that wait as `waiting.rs` of the engine has them wait, without spinning and without a
//! time after which they look again: a wake-up that is lost is a deadlock.

use super::*;
use crate::shim::fence;
use loom::sync::Arc;
use loom::thread;

const MEMBERS: u32 = 3;
const MANY: u64 = 7;
const NOTHING: usize = 0;
/// The word of a member that begins tasks where it waits.
const TASKS: usize = 1;

struct Member {
    gate: Gate,
    sleeps_for: AtomicU64,
    would_begin: AtomicUsize,
}

struct Team {
    members: [Member; MEMBERS as usize],
    sleepers: AtomicU32,
    /// The event that many wait for.
    over: AtomicU32,
    /// The tasks in a queue, and those that were executed.
    queued: AtomicU32,
    executed: AtomicU32,
}

fn team() -> Arc<Team> {
    let member = |_| Member {
        gate: Gate::new(),
        sleeps_for: AtomicU64::new(AWAKE),
        would_begin: AtomicUsize::new(NOTHING),
    };
    Arc::new(Team {
        members: core::array::from_fn(member),
        sleepers: AtomicU32::new(0),
        over: AtomicU32::new(0),
        queued: AtomicU32::new(0),
        executed: AtomicU32::new(0),
    })
}

fn bounded(model: impl Fn() + Sync + Send + 'static) {
    let mut bounded = loom::model::Builder::new();
    bounded.preemption_bound = Some(2);
    bounded.check(model);
}

impl Team {
    fn place(&self, member: u32) -> Place<'_> {
        let Member { gate, sleeps_for, would_begin } = &self.members[member as usize];
        Place { gate, sleeps_for, would_begin }
    }

    fn sleep(&self, me: u32, says: (u64, usize), enough: impl FnOnce() -> bool) {
        self.place(me).sleep(&self.sleepers, says, None, enough);
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst) != 0
    }

    /// Does what `team::wake` does for many, one at a time.
    fn wake(&self, from: u32) {
        fence(Ordering::SeqCst);
        if any(&self.sleepers) {
            wake_up_to((from, MEMBERS), |member| self.place(member), Some(MANY), 1);
        }
    }

    fn wait_plainly(&self, me: u32) {
        let mut announced = false;
        while !self.is_over() {
            announced = true;
            self.sleep(me, (MANY, NOTHING), || self.is_over());
        }
        if announced {
            self.wake(me);
        }
    }

    fn wake_for_task(&self) {
        if any(&self.sleepers) {
            wake_one((0..MEMBERS).map(|member| self.place(member)), |shown| {
                if shown == TASKS { Allowed::Yes } else { Allowed::No }
            });
        }
    }

    fn take(&self) -> bool {
        let taken = self.queued.compare_exchange(1, 0, Ordering::AcqRel, Ordering::Relaxed).is_ok();
        self.executed.fetch_add(u32::from(taken), Ordering::SeqCst);
        taken
    }

    /// Waits at a scheduling point of a task until `ready` holds, and then leaves at once.
    fn wait_running_tasks(&self, me: u32, reason: u64, ready: impl Fn() -> bool) {
        let mut announced = false;
        while !ready() {
            if self.queued.load(Ordering::SeqCst) != 0 && self.take() {
                self.wake(0);
                continue;
            }
            announced = true;
            let enough = || ready() || self.queued.load(Ordering::SeqCst) != 0;
            self.sleep(me, (reason, TASKS), enough);
        }
        if announced {
            fence(Ordering::SeqCst);
            if self.queued.load(Ordering::SeqCst) != 0 {
                self.wake_for_task();
            }
        }
    }
}

/// The waker wakes one, and that one the other, whether they are about to sleep, sleep, or sleep no
/// longer.
#[test]
fn what_many_wait_for_reaches_all() {
    bounded(|| {
        let shared = team();
        let others = [1, 2].map(|me| {
            let shared = shared.clone();
            thread::spawn(move || shared.wait_plainly(me))
        });
        shared.over.store(1, Ordering::SeqCst);
        shared.wake(0);
        others.into_iter().for_each(|other| other.join().unwrap());
    });
}

/// A sleeper for one thing is not woken in place of a sleeper for another.
#[test]
fn each_is_woken_for_its_own_reason() {
    bounded(|| {
        let shared = team();
        let turn = |number: u32| u64::from(number) << 8 | 8;
        let others = [1, 2].map(|me| {
            let shared = shared.clone();
            thread::spawn(move || {
                let mine = || shared.over.load(Ordering::SeqCst) >= me;
                while !mine() {
                    shared.sleep(me, (turn(me), NOTHING), mine);
                }
            })
        });
        for number in [1, 2] {
            shared.over.store(number, Ordering::SeqCst);
            if any(&shared.sleepers) {
                wake_up_to((0, MEMBERS), |m| shared.place(m), Some(turn(number)), u32::MAX);
            }
        }
        others.into_iter().for_each(|other| other.join().unwrap());
    });
}

/// A task is queued while one member sleeps that would begin it, beside one that begins none.
#[test]
fn a_task_wakes_who_would_begin_it() {
    bounded(|| {
        let shared = team();
        let (plain, running) = (shared.clone(), shared.clone());
        let plain = thread::spawn(move || {
            // The thread goes on once the task is done.
            while plain.executed.load(Ordering::SeqCst) == 0 {
                let enough = || plain.executed.load(Ordering::SeqCst) != 0;
                plain.sleep(1, (MANY, NOTHING), enough);
            }
        });
        let running = thread::spawn(move || {
            let done = || running.executed.load(Ordering::SeqCst) != 0;
            running.wait_running_tasks(2, MANY, done);
        });
        shared.queued.store(1, Ordering::SeqCst);
        shared.wake_for_task();
        running.join().unwrap();
        plain.join().unwrap();
        assert_eq!(shared.executed.load(Ordering::Relaxed), 1);
    });
}

/// Two members would begin the task. The one that is woken may find its own wait over at that
/// moment: it leaves without a look, and the other one gets the task.
#[test]
fn who_leaves_without_a_look_leaves_the_task_to_others() {
    bounded(|| {
        let shared = team();
        let (leaves, stays) = (shared.clone(), shared.clone());
        let leaves = thread::spawn(move || {
            leaves.wait_running_tasks(1, turn(), || leaves.is_over());
        });
        let stays = thread::spawn(move || {
            let done = || stays.executed.load(Ordering::SeqCst) != 0;
            stays.wait_running_tasks(2, MANY, done);
        });
        shared.queued.store(1, Ordering::SeqCst);
        shared.wake_for_task();
        shared.over.store(1, Ordering::SeqCst);
        wake_up_to((0, MEMBERS), |member| shared.place(member), Some(turn()), u32::MAX);
        leaves.join().unwrap();
        stays.join().unwrap();
        assert_eq!(shared.executed.load(Ordering::Relaxed), 1);
    });
}

fn turn() -> u64 {
    1 << 8 | 6
}
