//! A parent's table of addresses: which nodes a new sibling must wait for.
//!
//! For each address: the tasks that came last and do not order each other (`current`: one writer,
//! or readers), and those that all of them wait for (`prior`). A task that shares with the current
//! ones waits for the prior ones and joins; any other waits for the current ones and replaces them.

use super::node::{Node, NodeRef};
use super::{Depend, DependKind};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// See the module.
#[derive(Default)]
pub(super) struct Table {
    entries: HashMap<usize, Entry, BuildHasherDefault<AddressHasher>>,
    /// The last task that depends on all memory, while it is not complete.
    all: Option<NodeRef>,
}

struct Entry {
    kind: DependKind,
    current: Few,
    prior: Few,
}

/// Mostly one node.
#[derive(Default)]
struct Few {
    first: Option<NodeRef>,
    rest: Vec<NodeRef>,
}

impl Few {
    fn iter(&self) -> impl Iterator<Item = &NodeRef> {
        self.first.iter().chain(&self.rest)
    }

    fn last(&self) -> Option<&NodeRef> {
        self.rest.last().or(self.first.as_ref())
    }

    fn clear(&mut self) {
        self.first = None;
        self.rest.clear();
    }

    fn push(&mut self, node: NodeRef) {
        if self.first.is_none() && self.rest.is_empty() {
            self.first = Some(node);
            return;
        }
        self.rest.push(node);
        // What is done orders nothing any more: a long row of readers is thinned out now and then.
        let many = self.rest.len();
        if many >= 8 && many.is_power_of_two() {
            self.rest.retain(|node| !node.is_done());
        }
    }

    /// Makes `node` wait for all; how many edges that makes.
    fn before(&self, node: &Node) -> u32 {
        self.iter().map(|before| u32::from(node.wait_for(before))).sum()
    }
}

/// Spreads addresses: their low bits are mostly equal.
#[derive(Default)]
pub(super) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_usize(self.0 as usize ^ usize::from(byte));
        }
    }

    fn write_usize(&mut self, value: usize) {
        let mixed = (value as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}

impl Table {
    /// Makes `node` wait for what the dependences in `list` say; returns how many edges that made.
    /// With `record` later siblings will wait for it.
    pub(super) fn enter(&mut self, node: &Node, list: &[Depend], record: bool) -> u32 {
        let mut edges = 0;
        if let Some(all) = &self.all {
            edges = u32::from(node.wait_for(all));
            if edges == 0 {
                self.all = None;
            }
        }
        if list.iter().any(|depend| depend.kind.is_all()) {
            return edges + self.enter_all(node, record);
        }
        // Writers first: a task that names an address twice counts as a writer of it.
        for readers in [false, true] {
            for depend in list.iter().filter(|depend| (depend.kind == DependKind::In) == readers) {
                edges += self.enter_one(node, *depend, record);
            }
        }
        edges
    }

    fn enter_one(&mut self, node: &Node, depend: Depend, record: bool) -> u32 {
        if !record {
            let entry = self.entries.get(&depend.address);
            return entry.map_or(0, |entry| entry.before(node, depend.kind));
        }
        if self.entries.len() == self.entries.capacity() {
            self.entries.retain(|_, entry| !entry.is_done());
        }
        let entry = self.entries.entry(depend.address).or_insert_with(|| Entry {
            kind: depend.kind,
            current: Few::default(),
            prior: Few::default(),
        });
        if entry.current.last().is_some_and(|last| last.is(node)) {
            return 0;
        }
        let edges = entry.before(node, depend.kind);
        entry.record(node, depend.kind);
        edges
    }

    fn enter_all(&mut self, node: &Node, record: bool) -> u32 {
        let edges = self.entries.values().map(|entry| entry.current.before(node)).sum();
        if record {
            // Whoever comes later waits for this one, and so for all before it.
            self.entries.clear();
            self.all = Some(NodeRef::recorded(node));
        }
        edges
    }
}

impl Entry {
    fn shares(&self, kind: DependKind) -> bool {
        kind.is_shared() && kind == self.kind
    }

    fn before(&self, node: &Node, kind: DependKind) -> u32 {
        if self.shares(kind) { self.prior.before(node) } else { self.current.before(node) }
    }

    fn record(&mut self, node: &Node, kind: DependKind) {
        if !self.shares(kind) {
            core::mem::swap(&mut self.prior, &mut self.current);
            self.current.clear();
            if !kind.is_shared() {
                // Nobody will share with this one, so nobody will ask for what was before it.
                self.prior.clear();
            }
            self.kind = kind;
        }
        self.current.push(NodeRef::recorded(node));
    }

    fn is_done(&self) -> bool {
        self.current.iter().chain(self.prior.iter()).all(|task| task.is_done())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DependKind::{In, Inout, InoutAll, Inoutset};

    /// A node with the edges it began with and those that are left.
    struct Entered(*const Node, u32);

    fn enter(table: &mut Table, depends: &[(usize, DependKind)]) -> Entered {
        let node = Node::for_task(core::ptr::null());
        let list: Vec<Depend> =
            depends.iter().map(|&(address, kind)| Depend { address, kind }).collect();
        // SAFETY: the test keeps the task's reference.
        let node_ref = unsafe { &*node };
        let edges = table.enter(node_ref, &list, true);
        node_ref.settle(edges);
        Entered(node, edges)
    }

    fn missing(node: &Entered) -> u32 {
        // SAFETY: as above.
        unsafe { &*node.0 }.missing_for_test()
    }

    fn complete(node: &Entered) {
        // SAFETY: as above.
        unsafe { &*node.0 }.complete(|_, _| {});
    }

    #[test]
    fn readers_wait_for_the_writer_and_the_next_writer_for_them() {
        let mut table = Table::default();
        let writer = enter(&mut table, &[(8, Inout)]);
        let readers = [enter(&mut table, &[(8, In)]), enter(&mut table, &[(8, In)])];
        let last = enter(&mut table, &[(8, Inout)]);
        assert_eq!((missing(&readers[0]), missing(&readers[1]), missing(&last)), (1, 1, 2));
        complete(&writer);
        assert_eq!((missing(&readers[0]), missing(&readers[1]), missing(&last)), (0, 0, 2));
        readers.iter().for_each(complete);
        assert_eq!(missing(&last), 0);
    }

    #[test]
    fn a_set_does_not_order_itself_but_readers_and_writers() {
        let mut table = Table::default();
        let first = enter(&mut table, &[(8, In)]);
        let set = [enter(&mut table, &[(8, Inoutset)]), enter(&mut table, &[(8, Inoutset)])];
        let reader = enter(&mut table, &[(8, In)]);
        assert_eq!((missing(&set[0]), missing(&set[1]), missing(&reader)), (1, 1, 2));
        complete(&first);
        assert_eq!((missing(&set[0]), missing(&set[1])), (0, 0));
    }

    #[test]
    fn all_memory_is_between_everything() {
        let mut table = Table::default();
        let a = enter(&mut table, &[(8, Inout)]);
        let b = enter(&mut table, &[(16, In)]);
        let all = enter(&mut table, &[(0, InoutAll)]);
        let later = enter(&mut table, &[(24, In)]);
        assert_eq!((missing(&all), missing(&later)), (2, 1));
        complete(&a);
        complete(&b);
        complete(&all);
        assert_eq!(missing(&later), 0);
        assert_eq!(missing(&enter(&mut table, &[(8, Inout)])), 0);
    }

    #[test]
    fn an_address_named_twice_counts_once() {
        let mut table = Table::default();
        let before = enter(&mut table, &[(8, Inout)]);
        let node = enter(&mut table, &[(8, In), (8, Inout)]);
        assert_eq!(missing(&node), 1);
        complete(&before);
        assert_eq!(missing(&node), 0);
    }

    #[test]
    fn what_is_done_is_forgotten() {
        let mut table = Table::default();
        for address in 1..100_000 {
            let node = enter(&mut table, &[(address * 8, Inout)]);
            assert_eq!((node.1, missing(&node)), (0, 0));
            complete(&node);
            // SAFETY: the task's reference.
            unsafe { Node::release(node.0) };
        }
        assert!(table.entries.capacity() < 1000);
        for _ in 0..10_000 {
            complete(&enter(&mut table, &[(8, In)]));
        }
        assert!(table.entries[&8].current.iter().count() < 100);
    }
}
