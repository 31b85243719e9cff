//! A parent's table of addresses: which nodes a new sibling must wait for.
//!
//! For each address: the tasks that came last and do not order each other (`current`: one writer,
//! or readers), and those that all of them wait for (`prior`). A task that shares with the current
//! ones waits for the prior ones and joins; any other waits for the current ones and replaces them.

use super::{Depend, DependKind, Node, after};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

/// See the module.
#[derive(Default)]
pub(super) struct Table {
    entries: HashMap<usize, Entry, BuildHasherDefault<AddressHasher>>,
    /// The last task that depends on all memory, while it is not complete.
    all: Option<Arc<Node>>,
}

struct Entry {
    kind: DependKind,
    current: Vec<Arc<Node>>,
    prior: Vec<Arc<Node>>,
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
    /// Makes `node` wait for what the dependences in `list` say; with `record` later siblings will
    /// wait for it.
    pub(super) fn enter(&mut self, node: &Arc<Node>, list: &[Depend], record: bool) {
        if self.all.as_ref().is_some_and(|all| !after(all, node)) {
            self.all = None;
        }
        if list.iter().any(|depend| depend.kind.is_all()) {
            return self.enter_all(node, record);
        }
        // Writers first: a task that names an address twice counts as a writer of it.
        for readers in [false, true] {
            for depend in list.iter().filter(|depend| (depend.kind == DependKind::In) == readers) {
                self.enter_one(node, *depend, record);
            }
        }
    }

    fn enter_one(&mut self, node: &Arc<Node>, depend: Depend, record: bool) {
        if !record {
            if let Some(entry) = self.entries.get(&depend.address) {
                entry.wait(node, depend.kind);
            }
            return;
        }
        if self.entries.len() == self.entries.capacity() {
            self.entries.retain(|_, entry| !entry.is_done());
        }
        let entry = self.entries.entry(depend.address).or_insert_with(|| Entry {
            kind: depend.kind,
            current: Vec::new(),
            prior: Vec::new(),
        });
        if entry.current.last().is_some_and(|last| Arc::ptr_eq(last, node)) {
            return;
        }
        entry.wait(node, depend.kind);
        entry.record(node, depend.kind);
    }

    fn enter_all(&mut self, node: &Arc<Node>, record: bool) {
        for entry in self.entries.values() {
            for before in &entry.current {
                after(before, node);
            }
        }
        if record {
            // Whoever comes later waits for this one, and so for all before it.
            self.entries.clear();
            self.all = Some(node.clone());
        }
    }
}

impl Entry {
    fn shares(&self, kind: DependKind) -> bool {
        kind.is_shared() && kind == self.kind
    }

    fn wait(&self, node: &Arc<Node>, kind: DependKind) {
        let before = if self.shares(kind) { &self.prior } else { &self.current };
        for task in before {
            after(task, node);
        }
    }

    fn record(&mut self, node: &Arc<Node>, kind: DependKind) {
        if !self.shares(kind) {
            core::mem::swap(&mut self.prior, &mut self.current);
            self.current.clear();
            self.kind = kind;
        }
        self.current.push(node.clone());
        let many = self.current.len();
        if many >= 8 && many.is_power_of_two() {
            self.current.retain(|task| !task.is_done());
        }
    }

    fn is_done(&self) -> bool {
        self.current.iter().chain(&self.prior).all(|task| task.is_done())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DependKind::{In, Inout, InoutAll, Inoutset};
    use core::sync::atomic::Ordering;

    fn enter(table: &mut Table, depends: &[(usize, DependKind)]) -> Arc<Node> {
        let node = Node::new(core::ptr::null(), core::ptr::null());
        let list: Vec<Depend> =
            depends.iter().map(|&(address, kind)| Depend { address, kind }).collect();
        table.enter(&node, &list, true);
        node
    }

    fn missing(node: &Node) -> u32 {
        node.missing.load(Ordering::Relaxed) - 1
    }

    fn complete(node: &Node) {
        node.dependents.close(|word| {
            // SAFETY: the list's own reference.
            unsafe { Arc::from_raw(word as *const Node) }.met();
        });
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
        readers.iter().for_each(|reader| complete(reader));
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
            assert_eq!(missing(&node), 0);
            complete(&node);
        }
        assert!(table.entries.capacity() < 1000);
        for _ in 0..10_000 {
            complete(&enter(&mut table, &[(8, In)]));
        }
        assert!(table.entries[&8].current.len() < 100);
    }
}
