use super::*;
use crate::gate::Gate;
use loom::sync::Arc;
use loom::thread;

const MEMBERS: u32 = 3;

struct Team {
    tree: Tree<2>,
    /// Written by each member before a barrier, read by the others after it.
    done: [AtomicU64; MEMBERS as usize],
    gates: [Gate; MEMBERS as usize],
    all: AtomicU64,
}

fn team() -> Arc<Team> {
    Arc::new(Team {
        tree: Tree::new(MEMBERS),
        done: core::array::from_fn(|_| AtomicU64::new(0)),
        gates: core::array::from_fn(|_| Gate::new()),
        all: AtomicU64::new(0),
    })
}

/// A barrier as the engine has it: a member sleeps at once, and the thread that releases the node
/// wakes it.
fn barrier(team: &Team, num: u32, epoch: u64) {
    team.done[num as usize].store(epoch, Ordering::Relaxed);
    let stop = match team.tree.arrive(Meeting::Barrier, num, MEMBERS) {
        Arrival::Complete => None,
        Arrival::StoppedAt(level) => {
            let ready = || team.tree.released(level, num) >= epoch;
            while !ready() {
                team.gates[num as usize].sleep(0, ready);
            }
            Some(level)
        }
    };
    team.tree.release(stop, num, epoch, |who| {
        crate::shim::fence(Ordering::SeqCst);
        team.gates[who as usize].wake();
    });
    for done in &team.done {
        assert!(done.load(Ordering::Relaxed) >= epoch);
    }
}

fn run(member: impl Fn(&Team, u32) + Copy + Send + Sync + 'static) {
    let mut bounded = loom::model::Builder::new();
    bounded.preemption_bound = Some(3);
    bounded.check(move || {
        let team = team();
        let others: Vec<_> = (1..MEMBERS)
            .map(|num| {
                let team = team.clone();
                thread::spawn(move || member(&team, num))
            })
            .collect();
        member(&team, 0);
        others.into_iter().for_each(|other| other.join().unwrap());
    });
}

/// No member passes before all have arrived, none is left asleep, and the counts are ready for the
/// next barrier.
#[test]
fn two_barriers_in_a_row() {
    run(|team, num| {
        barrier(team, num, 1);
        barrier(team, num, 2);
    });
}

/// The last to join tells the primary, which sees the writes of all.
#[test]
fn the_primary_sleeps_until_all_have_joined() {
    run(|team, num| {
        team.done[num as usize].store(1, Ordering::Relaxed);
        if team.tree.arrive(Meeting::Join, num, MEMBERS) == Arrival::Complete {
            team.all.swap(1, Ordering::SeqCst);
            crate::shim::fence(Ordering::SeqCst);
            team.gates[0].wake();
        }
        if num == 0 {
            while team.all.load(Ordering::SeqCst) == 0 {
                team.gates[0].sleep(0, || team.all.load(Ordering::SeqCst) == 1);
            }
            for done in &team.done {
                assert_eq!(done.load(Ordering::Relaxed), 1);
            }
        }
    });
}

/// One word releases all, one thread wakes one sleeper, and each sleeper one more.
#[test]
fn a_chain_of_wake_ups_reaches_everybody() {
    run(|team, num| {
        let wake_one = |from: u32| {
            crate::shim::fence(Ordering::SeqCst);
            (1..MEMBERS).any(|step| team.gates[((from + step) % MEMBERS) as usize].wake())
        };
        if team.tree.arrive(Meeting::Join, num, MEMBERS) == Arrival::Complete {
            team.all.swap(1, Ordering::SeqCst);
            wake_one(num);
            return;
        }
        let ready = || team.all.load(Ordering::SeqCst) == 1;
        let mut announced = false;
        while !ready() {
            announced = true;
            team.gates[num as usize].sleep(0, ready);
        }
        if announced {
            wake_one(num);
        }
    });
}

/// The barrier of a team too small for a tree, as the engine has it: every member writes
/// its own line and looks at all others. A member that finds all there wakes the sleepers.
#[test]
fn a_flat_barrier_lets_nobody_pass_alone_and_leaves_nobody_asleep() {
    run(|team, num| {
        let here = |other: u32| team.done[other as usize].load(Ordering::SeqCst) == 1;
        team.done[num as usize].swap(1, Ordering::SeqCst);
        // For loom, which takes sequentially consistent operations for acquire and release.
        crate::shim::fence(Ordering::SeqCst);
        let mut all_at_once = true;
        for step in 1..MEMBERS {
            let other = (num + step) % MEMBERS;
            while !here(other) {
                all_at_once = false;
                team.gates[num as usize].sleep(0, || here(other));
            }
        }
        if all_at_once {
            crate::shim::fence(Ordering::SeqCst);
            for step in 1..MEMBERS {
                team.gates[((num + step) % MEMBERS) as usize].wake();
            }
        }
        assert!((0..MEMBERS).all(here));
    });
}
