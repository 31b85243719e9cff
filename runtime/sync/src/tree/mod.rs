//! The combining tree by which larger teams meet at a barrier and at the join.
//!
//! Members stand under nodes of `FAN` children each, and these under nodes again, up to one root. A
//! member that arrives adds one to the count of its node. The last of the node's children resets
//! the count and goes on to the node above, for all of them. So at most `FAN` threads write a
//! count, most members need one atomic addition, and the last member sees all after log(n) of them.
//! A member that was not the last waits at the node where it stopped. A release goes down the same
//! way.
//!
//! | done by | step | order |
//! |---|---|---|
//! | member | `counts[k]` += 1 at its node | acquire and release: the last sees the effects of all |
//! | the last of a node | `counts[k]` := 0, then the node above | its own next step publishes it |
//! | the last of the root | says that all are here | the caller's word, or `released` of its nodes |
//! | one that is released | `released` := epoch at the nodes where it was the last | release |
//!
//! The three counts of a node serve three kinds of meetings, which may follow each other without a
//! release in between: a count is 0 again before any member can come to the next meeting of its
//! kind.

use crate::census::Census;
use crate::shim::{AtomicU32, AtomicU64, Ordering};

/// The kinds of meetings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// A barrier.
    Barrier = 0,
    /// The end of a region's implicit tasks.
    Join = 1,
    /// The moment when all members have left the region.
    Leave = 2,
}

/// The place up to which an arrival came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// The arrival was the last of all.
    Complete,
    /// The arrival stopped at the node of this level; others of that node are missing.
    StoppedAt(u32),
}

/// A node: one cache line, two with the neighbour that processors prefetch.
#[repr(C, align(128))]
pub struct Node<const FAN: usize> {
    counts: [AtomicU32; 3],
    /// The latest barrier epoch that the node's members may pass. The last of the node writes it.
    released: AtomicU64,
    /// The member that came for each child. That member writes it before the count.
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

/// The combining tree of a team.
pub struct Tree<const FAN: usize> {
    /// The nodes, level by level from the members up.
    levels: Vec<Vec<Node<FAN>>>,
    /// The members that have tasks.
    pub census: Census<FAN>,
}

impl<const FAN: usize> Tree<FAN> {
    /// Returns a tree for up to `members` members, at least 1.
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

    /// Returns the number of members that the tree has room for.
    pub fn capacity(&self) -> u32 {
        self.levels.first().map_or(0, |nodes| (nodes.len() * FAN) as u32)
    }

    /// Lets member `num` of `size` arrive.
    #[inline]
    pub fn arrive(&self, meeting: Meeting, num: u32, size: u32) -> Arrival {
        let (mut index, mut width) = (num as usize, size as usize);
        for (level, nodes) in self.levels.iter().enumerate() {
            let node = &nodes[index / FAN];
            let children = FAN.min(width.saturating_sub(index - index % FAN));
            // A node with a single child has no other child to wait for.
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

    /// Returns the latest epoch that member `num`, which stopped at `level`, may pass.
    #[inline]
    pub fn released(&self, level: u32, num: u32) -> u64 {
        self.node(level, num).map_or(0, |node| node.released.load(Ordering::SeqCst))
    }

    /// Releases the nodes below `level` at which member `num` was the last. The member stopped at
    /// `level` (`None`: nowhere) and may pass `epoch`. Begins with the upper nodes, because more
    /// members wait behind them. Calls `wake` after a SeqCst store with the members that wait
    /// there.
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

    /// Forgets the arrivals at meetings that were given up, and the members with tasks. No member
    /// may be inside.
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

#[cfg(all(test, loom))]
mod model;
#[cfg(all(test, not(loom)))]
mod tests;
