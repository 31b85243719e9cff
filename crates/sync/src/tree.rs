//! The combining tree behind barrier and join of larger teams.
//!
//! Members stand under nodes of `FAN` children each, these under nodes again, up to one root. Who
//! arrives adds one to the count of its node; the last of the node's children sets the count back and
//! goes on to the node above in the name of all of them. So every count is written by at most `FAN`
//! threads, an arrival takes one atomic addition on most members, and the last one sees everybody
//! after log(n) of them. Who was not the last waits at the node where it stopped; a release goes
//! down the same way.
//!
//! | who | step | order |
//! |---|---|---|
//! | member | `counts[k]` += 1 at its node | acquire and release: the last sees what all did before |
//! | the last of a node | `counts[k]` := 0, then the node above | its own next step publishes it |
//! | the last of the root | says that all are here | the caller's word, or `released` of its nodes |
//! | one that is released | `released` := epoch at the nodes where it was the last | release |
//!
//! The three counts of a node are for three kinds of meetings that may follow each other without a
//! release in between: a count is 0 again before anybody can come to the next meeting of its kind.

use crate::census::Census;
use crate::shim::{AtomicU32, AtomicU64, Ordering};

/// The kinds of meetings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// A barrier.
    Barrier = 0,
    /// The end of a region's implicit tasks.
    Join = 1,
    /// Everybody has left the region.
    Leave = 2,
}

/// How far an arrival came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It was the last of all.
    Complete,
    /// It stopped at the node of this level; others of that node are missing.
    StoppedAt(u32),
}

/// A node: one cache line, two with the neighbour that processors prefetch.
#[repr(C, align(128))]
pub struct Node<const FAN: usize> {
    counts: [AtomicU32; 3],
    /// The latest barrier epoch that the node's members may pass. Written by the last of the node.
    released: AtomicU64,
    /// Who came for each child. Written before the count by the one that came.
    came: [AtomicU32; FAN],
}

impl<const FAN: usize> Node<FAN> {
    fn new() -> Node<FAN> {
        Node {
            counts: core::array::from_fn(|_| AtomicU32::new(0)),
            released: AtomicU64::new(0),
            came: core::array::from_fn(|_| AtomicU32::new(0)),
        }
    }
}

/// See the module.
pub struct Tree<const FAN: usize> {
    /// The nodes, level by level from the members up.
    levels: Vec<Vec<Node<FAN>>>,
    /// Who has tasks.
    pub census: Census<FAN>,
}

impl<const FAN: usize> Tree<FAN> {
    /// A tree for up to `members` members, at least 1.
    pub fn new(members: u32) -> Tree<FAN> {
        let mut levels = Vec::new();
        let mut width = members as usize;
        loop {
            width = width.div_ceil(FAN);
            let mut nodes = Vec::with_capacity(width);
            nodes.resize_with(width, Node::new);
            levels.push(nodes);
            if width <= 1 {
                return Tree { levels, census: Census::new(members) };
            }
        }
    }

    /// How many members it has room for.
    pub fn capacity(&self) -> u32 {
        self.levels.first().map_or(0, |nodes| (nodes.len() * FAN) as u32)
    }

    /// Member `num` of `size` arrives.
    #[inline]
    pub fn arrive(&self, meeting: Meeting, num: u32, size: u32) -> Arrival {
        let (mut index, mut width) = (num as usize, size as usize);
        for (level, nodes) in self.levels.iter().enumerate() {
            let node = &nodes[index / FAN];
            let children = FAN.min(width.saturating_sub(index - index % FAN));
            // A single child is nobody to wait for.
            if children > 1 {
                node.came[index % FAN].store(num, Ordering::Relaxed);
                let count = &node.counts[meeting as usize];
                if count.fetch_add(1, Ordering::SeqCst) + 1 != children as u32 {
                    return Arrival::StoppedAt(level as u32);
                }
                count.store(0, Ordering::Relaxed);
            }
            if width <= FAN {
                break;
            }
            index /= FAN;
            width = width.div_ceil(FAN);
        }
        Arrival::Complete
    }

    /// The latest epoch that member `num`, which stopped at `level`, may pass.
    #[inline]
    pub fn released(&self, level: u32, num: u32) -> u64 {
        self.node(level, num).map_or(0, |node| node.released.load(Ordering::SeqCst))
    }

    /// Member `num`, which stopped at `level` (or nowhere: `None`) and may pass `epoch`, releases the
    /// nodes below, at which it was the last; the upper ones first, for more wait behind them.
    /// `wake` is called with the members that wait there, after a SeqCst store.
    pub fn release(&self, level: Option<u32>, num: u32, epoch: u64, mut wake: impl FnMut(u32)) {
        let above = level.unwrap_or(self.levels.len() as u32);
        for level in (0..above).rev() {
            let Some(node) = self.node(level, num) else { continue };
            node.released.store(epoch, Ordering::SeqCst);
            for came in &node.came {
                let who = came.load(Ordering::Relaxed);
                if who != num {
                    wake(who);
                }
            }
        }
    }

    /// Forgets who arrived at meetings that were given up, and who had tasks. Nobody may be inside.
    pub fn reset(&self) {
        self.census.reset();
        for count in self.levels.iter().flatten().flat_map(|node| &node.counts) {
            count.store(0, Ordering::Relaxed);
        }
    }

    fn node(&self, level: u32, num: u32) -> Option<&Node<FAN>> {
        let index = num as usize / FAN.pow(level + 1);
        self.levels.get(level as usize)?.get(index)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_any_size_in_any_order_is_the_only_one() {
        for size in 1..=70 {
            let tree = Tree::<4>::new(size);
            assert!(tree.capacity() >= size);
            for start in 0..size {
                let arrive = |i| tree.arrive(Meeting::Barrier, (start + i * 7) % size, size);
                if size % 7 == 0 {
                    continue;
                }
                assert!((0..size - 1).all(|i| arrive(i) != Arrival::Complete), "{size}");
                assert_eq!(arrive(size - 1), Arrival::Complete, "{size}");
            }
        }
    }

    #[test]
    fn a_smaller_team_uses_a_part_of_the_tree() {
        let tree = Tree::<4>::new(64);
        assert_eq!(tree.arrive(Meeting::Join, 0, 1), Arrival::Complete);
        for size in [2, 5, 17, 64, 3] {
            let arrive = |num| tree.arrive(Meeting::Join, num, size);
            assert!((1..size).all(|num| arrive(num) != Arrival::Complete), "{size}");
            assert_eq!(arrive(0), Arrival::Complete, "{size}");
        }
    }

    #[test]
    fn a_release_reaches_every_node_below() {
        let tree = Tree::<2>::new(8);
        let mut woken = Vec::new();
        let stops: Vec<_> = (0..8).map(|num| tree.arrive(Meeting::Barrier, num, 8)).collect();
        assert_eq!(stops[7], Arrival::Complete);
        tree.release(None, 7, 5, |who| woken.push(who));
        assert_eq!(woken, [3, 5, 6]);
        for num in [3, 5] {
            let Arrival::StoppedAt(level) = stops[num as usize] else { panic!("{num}") };
            assert_eq!(tree.released(level, num), 5);
            tree.release(Some(level), num, 5, |who| woken.push(who));
        }
        assert_eq!(woken, [3, 5, 6, 1, 2, 4]);
    }
}

#[cfg(all(test, loom))]
mod model {
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

    /// A barrier as the engine has it: asleep at once, woken by who releases the node.
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

    /// Nobody passes before all have arrived, nobody is left asleep, and the counts are ready for
    /// the next barrier.
    #[test]
    fn two_barriers_in_a_row() {
        run(|team, num| {
            barrier(team, num, 1);
            barrier(team, num, 2);
        });
    }

    /// The last to join tells the primary, which sees what everybody did.
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

    /// The barrier of a team too small for a tree, as the engine has it: everybody writes its own
    /// line and looks at all others; who finds all there wakes the sleepers.
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
}
