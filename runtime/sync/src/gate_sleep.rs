//! Models of members of a team that sleep at gates while others go on, where only the last of many
//! steps wakes a sleeper. This file has no code of the library: the models repeat the steps of the
//! engine's folders, one member each.
//!
//! * `worksharing/room.rs`: a member of a crowded team without room sleeps until an ordered loop
//!   has no chunk left. What must hold: some member always goes on, and the member that took the
//!   last chunk wakes the sleepers. So the time after which a sleeper looks again only matters for
//!   speed; the models sleep without it.
//! * `tasks/ranked.rs`: a member that is about to sleep sees a task that was put in a list, or is
//!   woken.

use crate::gate::Gate;
use crate::shim::{AtomicU32, Ordering, fence};
use crate::word_lock;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// An ordered loop of two members.
struct Ordered {
    next: AtomicU32,
    turn: AtomicU32,
    sleepers: AtomicU32,
    gates: [Gate; 2],
    /// The data that the chunks write in their `ordered` regions.
    done: UnsafeCell<u32>,
}

// SAFETY: the turn protects the cell; loom checks that.
unsafe impl Sync for Ordered {}
// SAFETY: as above.
unsafe impl Send for Ordered {}

impl Ordered {
    fn new() -> Ordered {
        Ordered {
            next: AtomicU32::new(0),
            turn: AtomicU32::new(0),
            sleepers: AtomicU32::new(0),
            gates: [Gate::new(), Gate::new()],
            done: UnsafeCell::new(0),
        }
    }

    /// Sleeps while `room` chunks or more are under way and some are left.
    fn wait_for_room(&self, me: usize, room: u32, trip: u32) {
        let spent = || self.next.load(Ordering::Relaxed) >= trip;
        while !spent() {
            let turn = self.turn.load(Ordering::Relaxed);
            if self.next.load(Ordering::Relaxed).saturating_sub(turn) < room {
                return;
            }
            self.sleepers.fetch_add(1, Ordering::SeqCst);
            self.gates[me].sleep(self.gates[me].seen(), spent);
            self.sleepers.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Takes the member's part in the loop.
    fn member(&self, me: usize, room: u32, trip: u32) {
        loop {
            self.wait_for_room(me, room, trip);
            let Ok(mine) = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
                (next < trip).then_some(next + 1)
            }) else {
                return;
            };
            if mine + 1 == trip {
                fence(Ordering::SeqCst);
                if self.sleepers.load(Ordering::Relaxed) != 0 {
                    self.gates[1 - me].wake();
                }
            }
            while self.turn.load(Ordering::Acquire) != mine {
                thread::yield_now();
            }
            // SAFETY: this member has the turn.
            self.done.with_mut(|done| unsafe { *done += 1 });
            self.turn.store(mine + 1, Ordering::SeqCst);
        }
    }
}

/// All chunks are done in turn, and both members leave, whichever of them sleeps.
fn all_leave(room: u32, trip: u32) {
    loom::model(move || {
        let shared = Arc::new(Ordered::new());
        let other = shared.clone();
        let second = thread::spawn(move || other.member(1, room, trip));
        shared.member(0, room, trip);
        second.join().unwrap();
        // SAFETY: no other thread is left.
        shared.done.with(|done| assert_eq!(unsafe { *done }, trip));
    });
}

#[test]
fn who_rests_for_room_leaves_with_the_last_chunk() {
    all_leave(1, 2);
}

#[test]
fn room_for_all_rests_nobody_for_ever() {
    all_leave(2, 2);
}

/// A list of tasks under its lock, and the word that says whether it has any.
#[test]
fn a_listed_task_is_seen_or_wakes() {
    struct Ranked {
        lock: AtomicU32,
        top: AtomicU32,
        list: UnsafeCell<u32>,
        sleepers: AtomicU32,
        gate: Gate,
    }
    // SAFETY: the list is only touched under the lock; loom checks that.
    unsafe impl Sync for Ranked {}
    // SAFETY: as above.
    unsafe impl Send for Ranked {}
    impl Ranked {
        /// Changes the list's length. The caller holds the lock; this gives it back.
        fn with_lock(&self, change: impl FnOnce(&mut u32)) {
            // SAFETY: the lock is held.
            let top = self.list.with_mut(|list| unsafe {
                change(&mut *list);
                *list
            });
            if self.top.load(Ordering::Relaxed) != top {
                self.top.store(top, Ordering::SeqCst);
            }
            word_lock::release(&self.lock);
        }
    }
    loom::model(|| {
        let shared = Arc::new(Ranked {
            lock: AtomicU32::new(0),
            top: AtomicU32::new(0),
            list: UnsafeCell::new(0),
            sleepers: AtomicU32::new(0),
            gate: Gate::new(),
        });
        let other = shared.clone();
        let maker = thread::spawn(move || {
            while !word_lock::try_acquire(&other.lock) {
                thread::yield_now();
            }
            other.with_lock(|len| *len += 1);
            fence(Ordering::SeqCst);
            if other.sleepers.load(Ordering::Relaxed) != 0 {
                other.gate.wake();
            }
        });
        let mut taken = 0;
        while taken == 0 {
            if shared.top.load(Ordering::SeqCst) != 0 && word_lock::try_acquire(&shared.lock) {
                shared.with_lock(|len| taken = core::mem::take(len));
                continue;
            }
            shared.sleepers.fetch_add(1, Ordering::SeqCst);
            let gate = &shared.gate;
            gate.sleep(gate.seen(), || shared.top.load(Ordering::SeqCst) != 0);
            shared.sleepers.fetch_sub(1, Ordering::Relaxed);
            thread::yield_now();
        }
        maker.join().unwrap();
        assert_eq!((taken, shared.top.load(Ordering::SeqCst)), (1, 0));
    });
}
