//! A parent's table of addresses: for each address, the nodes for which a new sibling must wait.
//!
//! For each address the table keeps two groups of nodes. `current`: the tasks that came last and do
//! not order each other (one writer, or readers, or a set). `prior`: the tasks for which all
//! current ones wait. A new task that shares with the current ones waits for the prior ones, and
//! joins the current ones. Any other task waits for the current ones and replaces them.
//!
//! A task may name an address several times, with different kinds: each of them orders it (OpenMP
//! 5.2, section 15.9.5). A task with two different kinds shares with no other task, because each of
//! `in`, `inoutset` and `mutexinoutset` waits for the two others. So two different kinds are
//! `inout` together, as in LLVM's runtime, and two equal ones count once. The table notices that a
//! task comes to an address again: only the maker enters tasks, so such a task is the last one
//! there.
//!
//! The addresses are hashed into a ring of places (open addressing, at most three quarters full).
//! When it is full, places whose tasks are all complete are forgotten before the table grows. So
//! the table is as large as the number of addresses that matter, and a dependence costs O(1).
//!
//! An address that is only read would keep the nodes of all its readers. So complete tasks are
//! removed from all places after a certain number of readers (or members of sets). This bounds the
//! number of complete tasks in the table by its places and its tasks that are not complete.

use super::few_nodes::FewNodes;
use super::node::{Node, Waits};
use super::reference::NodeRef;
use crate::records::{Depend, DependKind};
use omphalos_sync::turns::Turns;
use std::sync::Arc;

/// A parent's table of addresses.
#[derive(Default)]
pub(super) struct Table {
    /// The places: a power of two of them, or none.
    places: Box<[Place]>,
    /// The number of places in use.
    used: usize,
    /// The number of nodes that came to a place with another node since complete tasks were last
    /// removed from all places, and the number from which on this is due again.
    beside: usize,
    may_come: usize,
    /// The latest task that depends on all memory, while it is not complete.
    all: Option<NodeRef>,
}

#[derive(Default)]
struct Place {
    address: usize,
    /// `None`: the place is free.
    kind: Option<DependKind>,
    current: FewNodes,
    prior: FewNodes,
    /// The turns of the tasks with `mutexinoutset`.
    turns: Option<Arc<Turns>>,
}

/// The number of places of a new table.
const FIRST_PLACES: usize = 8;
/// The least number of such nodes (`Table::beside`) after which all places are searched for
/// complete tasks.
const FEWEST_NODES_KEPT: usize = 128;

/// Returns the index at which the search for an address begins. `places`: their number, a power of
/// two. The address is mixed, because low bits of addresses are mostly equal.
#[inline(always)]
fn hash(address: usize, places: usize) -> usize {
    let mixed = (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32) as usize & (places - 1)
}

impl Table {
    /// Makes `node` wait for the siblings that the dependences in `list` name. Returns the number
    /// of edges that this makes. `record`: later siblings are to wait for the node.
    #[inline]
    pub(super) fn enter(&mut self, node: &Node, list: &[Depend], record: bool) -> u32 {
        let mut edges = 0;
        if let Some(all) = &self.all {
            edges = u32::from(node.wait_for(all));
            if edges == 0 {
                self.all = None;
            }
        }
        if let [one] = list
            && !one.kind.is_all()
        {
            return edges + self.enter_one(node, *one, record);
        }
        edges + self.enter_list(node, list, record)
    }

    fn enter_list(&mut self, node: &Node, list: &[Depend], record: bool) -> u32 {
        if list.iter().any(|depend| depend.kind.is_all()) {
            return self.enter_all(node, record);
        }
        list.iter().map(|depend| self.enter_one(node, *depend, record)).sum()
    }

    #[inline(always)]
    fn enter_one(&mut self, node: &Node, depend: Depend, record: bool) -> u32 {
        if !record {
            let entry = self.find(depend.address);
            return entry.map_or(0, |entry| entry.before_wait(node, depend.kind));
        }
        let place = self.find_or_add(depend);
        if place.current.last().is_some_and(|last| last.is(node)) {
            return if place.kind == Some(depend.kind) { 0 } else { place.write_too(node) };
        }
        let edges = place.before(node, depend.kind);
        if place.record(node, depend.kind) {
            self.beside += 1;
            if self.beside > self.may_come {
                self.thin_out();
            }
        }
        edges
    }

    fn enter_all(&mut self, node: &Node, record: bool) -> u32 {
        let edges = self.before_all(node);
        if record {
            // Later tasks wait for this one, and so for all before it.
            *self = Table { all: Some(NodeRef::recorded(node)), ..Table::default() };
        }
        edges
    }

    fn before_all(&self, who: &impl Waits) -> u32 {
        let used = self.places.iter().filter(|place| place.kind.is_some());
        used.map(|place| place.current.before(who)).sum()
    }

    /// Returns a copy of the nodes that are not complete, for other threads to read.
    pub(super) fn snapshot(&self) -> Table {
        let mut copy = Table { all: self.all.clone(), ..Table::default() };
        let used = self.places.iter().filter(|place| place.kind.is_some() && !place.is_done());
        copy.fill(used.map(Place::snapshot).collect());
        copy
    }

    /// Does what [`Table::enter`] does without recording, for a table that no thread changes any
    /// more.
    pub(super) fn before(&self, who: &impl Waits, list: &[Depend]) -> u32 {
        let edges = self.all.as_ref().map_or(0, |all| u32::from(who.wait_for(all)));
        if list.iter().any(|depend| depend.kind.is_all()) {
            return edges + self.before_all(who);
        }
        let one = |depend: &Depend| {
            self.find(depend.address).map_or(0, |place| place.before_wait(who, depend.kind))
        };
        edges + list.iter().map(one).sum::<u32>()
    }

    /// Whether all nodes in the table are complete.
    pub(super) fn is_done(&self) -> bool {
        self.all.as_ref().is_none_or(|all| all.is_done())
            && self.places.iter().all(|place| place.kind.is_none() || place.is_done())
    }

    /// Returns the index of an address's place, or of the free place where it would be. There is
    /// always one of the two.
    #[inline(always)]
    fn index(&self, address: usize) -> usize {
        let mut at = hash(address, self.places.len());
        while self.places[at].kind.is_some() && self.places[at].address != address {
            at = (at + 1) & (self.places.len() - 1);
        }
        at
    }

    fn find(&self, address: usize) -> Option<&Place> {
        if self.places.is_empty() {
            return None;
        }
        let place = &self.places[self.index(address)];
        place.kind.is_some().then_some(place)
    }

    #[inline(always)]
    fn find_or_add(&mut self, depend: Depend) -> &mut Place {
        if self.used * 4 >= self.places.len() * 3 {
            self.make_room();
        }
        let at = self.index(depend.address);
        let place = &mut self.places[at];
        if place.kind.is_none() {
            place.kind = Some(depend.kind);
            place.address = depend.address;
            self.used += 1;
        }
        place
    }

    /// Forgets the places whose nodes are all complete, and makes as many places as the others
    /// need.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        let old = core::mem::take(&mut self.places);
        self.fill(old.into_iter().filter(|place| !place.is_done()).collect());
    }

    /// Removes the complete tasks from all places. The places stay in use: the search for another
    /// address may have passed them.
    #[cold]
    #[inline(never)]
    fn thin_out(&mut self) {
        let mut left = 0;
        for place in &mut self.places {
            if place.kind.is_some() {
                left += place.forget_done();
            }
        }
        self.beside = 0;
        self.may_come = left.max(self.places.len() / 2).max(FEWEST_NODES_KEPT);
    }

    /// Puts these places into an empty table.
    fn fill(&mut self, kept: Vec<Place>) {
        let places = (kept.len() * 4).next_power_of_two().max(FIRST_PLACES);
        self.places = core::iter::repeat_with(Place::default).take(places).collect();
        self.used = kept.len();
        for place in kept {
            let at = self.index(place.address);
            self.places[at] = place;
        }
    }
}

impl Place {
    #[inline(always)]
    fn shares(&self, kind: DependKind) -> bool {
        kind.is_shared() && Some(kind) == self.kind
    }

    #[inline(always)]
    fn before(&self, who: &impl Waits, kind: DependKind) -> u32 {
        if self.shares(kind) { self.prior.before(who) } else { self.current.before(who) }
    }

    /// Does what [`Place::before`] does, for a wait. A wait with `mutexinoutset` shares with no
    /// task: it goes on when all tasks of the set are complete.
    fn before_wait(&self, who: &impl Waits, kind: DependKind) -> u32 {
        if kind == DependKind::MutexInoutset {
            self.current.before(who)
        } else {
            self.before(who, kind)
        }
    }

    /// Notes the node for later siblings. Returns true if the place has other current nodes.
    #[inline(always)]
    fn record(&mut self, node: &Node, kind: DependKind) -> bool {
        if !kind.is_shared() {
            // No later task shares with this one, so none will ask for the tasks before it.
            self.prior.clear();
            self.current.become_only(NodeRef::recorded(node));
            self.kind = Some(kind);
            return false;
        }
        if Some(kind) != self.kind {
            core::mem::swap(&mut self.prior, &mut self.current);
            self.current.clear();
            self.kind = Some(kind);
        }
        let beside = self.current.push(NodeRef::recorded(node));
        if kind == DependKind::MutexInoutset {
            let turns = self.turns.get_or_insert_default();
            // SAFETY: the maker of the node, whose task cannot run yet.
            unsafe { node.exclusive() }.add(turns);
        }
        beside
    }

    /// Makes the node, which came last, the only current one, because it names the address by one
    /// more kind. Returns the number of edges that this makes.
    #[cold]
    #[inline(never)]
    fn write_too(&mut self, node: &Node) -> u32 {
        if self.kind.is_some_and(|kind| !kind.is_shared()) {
            return 0;
        }
        // The node waits for the prior ones already. Now it also waits for the other current ones,
        // with which it shared.
        let others = self.current.iter().filter(|other| !other.is(node));
        let edges = others.map(|other| u32::from(node.wait_for(other))).sum();
        if let Some(turns) = &self.turns {
            // SAFETY: the maker of the node, whose task cannot run yet.
            unsafe { node.exclusive() }.remove(turns);
        }
        self.record(node, DependKind::Inout);
        edges
    }

    /// Removes the complete tasks. Returns how many are left.
    fn forget_done(&mut self) -> usize {
        self.current.forget_done();
        self.prior.forget_done();
        self.current.iter().count() + self.prior.iter().count()
    }

    fn is_done(&self) -> bool {
        self.current.is_done() && self.prior.is_done()
    }

    fn snapshot(&self) -> Place {
        let (current, prior) = (self.current.clone(), self.prior.clone());
        Place { address: self.address, kind: self.kind, current, prior, turns: None }
    }
}

#[cfg(test)]
mod tests;
