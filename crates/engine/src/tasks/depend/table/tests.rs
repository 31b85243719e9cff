use super::*;
use crate::thread::Thread;
use DependKind::{In, Inout, InoutAll, Inoutset};
use omphalos_events::ThreadKind;

/// A node of a task that there is not.
fn node() -> *const Node {
    let thread = Box::leak(Box::new(Thread::new(0, 0, ThreadKind::Other)));
    Node::for_task(thread, core::ptr::null())
}

/// A node with the edges it began with and those that are left.
struct Entered(*const Node, u32);

fn enter(table: &mut Table, depends: &[(usize, DependKind)]) -> Entered {
    let node = node();
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
    unsafe { &*node.0 }.complete(|_| {});
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
    assert!(table.places.len() < 1000);
    for _ in 0..10_000 {
        complete(&enter(&mut table, &[(8, In)]));
    }
    assert!(table.find(8).is_some_and(|place| place.current.iter().count() < 100));
}

#[test]
fn readers_of_addresses_that_nobody_reads_again_are_forgotten() {
    let mut table = Table::default();
    for address in 1..=500 {
        let readers: Vec<Entered> =
            (0..7).map(|_| enter(&mut table, &[(address * 8, In)])).collect();
        readers.iter().for_each(complete);
    }
    let kept: usize = table.places.iter().map(|place| place.current.iter().count()).sum();
    assert!(kept < 1500, "{kept} of 3500 are kept");
    assert_eq!(enter(&mut table, &[(8, Inout)]).1, 0);
}
