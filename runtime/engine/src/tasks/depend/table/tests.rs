use super::super::pool;
use super::*;
use DependKind::{In, Inout, InoutAll, Inoutset, MutexInoutset};

/// A node without a task.
fn node() -> *const Node {
    Box::leak(Box::new(Node::new(core::ptr::null(), core::ptr::null())))
}

/// A node, and the number of edges that it began with.
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

/// Whether the specification orders two siblings that have these dependences (OpenMP 5.2, section
/// 15.9.5).
fn ordered(first: &[(usize, DependKind)], second: &[(usize, DependKind)]) -> bool {
    let all = |list: &[(usize, DependKind)]| list.iter().any(|one| one.1.is_all());
    let pair = |a: &(usize, DependKind), b: &(usize, DependKind)| {
        a.0 == b.0 && !(a.1 == b.1 && a.1.is_shared())
    };
    all(first) || all(second) || first.iter().any(|a| second.iter().any(|b| pair(a, b)))
}

/// A task with its dependences, and whether it is complete.
type Made = (Vec<(usize, DependKind)>, Entered, bool);

/// Makes random tasks with up to four dependences on few addresses, often several on one, and
/// completes them in a random order of those that may run. Each must run only after all tasks that
/// the specification puts before it, and wait for no other task.
#[test]
fn several_kinds_on_one_address_order_as_each_of_them() {
    const KINDS: [DependKind; 5] = [In, Inout, Inoutset, MutexInoutset, InoutAll];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % n
    };
    for _ in 0..300 {
        let mut table = Table::default();
        let mut tasks: Vec<Made> = Vec::new();
        for _ in 0..24 {
            let kinds = if below(12) == 0 { 5 } else { 4 };
            let count = 1 + below(4);
            let list: Vec<_> =
                (0..count).map(|_| (8 * (1 + below(3)), KINDS[below(kinds)])).collect();
            let entered = enter(&mut table, &list);
            tasks.push((list, entered, false));
            // Some complete before others are made.
            while below(3) == 0 {
                complete_one(&mut tasks, below(100));
            }
        }
        while tasks.iter().any(|task| !task.2) {
            complete_one(&mut tasks, below(100));
        }
    }

    fn complete_one(tasks: &mut [Made], from: usize) {
        for at in 0..tasks.len() {
            let (list, entered, done) = &tasks[at];
            let waits = tasks[..at].iter().any(|before| !before.2 && ordered(&before.0, list));
            assert_eq!(!done && waits, !done && missing(entered) != 0, "{list:?}");
        }
        let ready = |task: &Made| !task.2 && missing(&task.1) == 0;
        let all: Vec<usize> = (0..tasks.len()).filter(|&at| ready(&tasks[at])).collect();
        if !all.is_empty() {
            let at = all[from % all.len()];
            complete(&tasks[at].1);
            tasks[at].2 = true;
        }
    }
}

#[test]
fn a_writer_needs_no_turn() {
    let mut table = Table::default();
    let turns = |node: &Entered| {
        // SAFETY: the test is the maker.
        unsafe { !(*node.0).exclusive().is_none() }
    };
    assert!(turns(&enter(&mut table, &[(8, MutexInoutset), (8, MutexInoutset)])));
    assert!(!turns(&enter(&mut table, &[(8, MutexInoutset), (8, In)])));
    assert!(!turns(&enter(&mut table, &[(8, Inoutset), (8, MutexInoutset)])));
    assert!(turns(&enter(&mut table, &[(8, MutexInoutset), (8, In), (16, MutexInoutset)])));
}

#[test]
fn what_is_done_is_forgotten() {
    let mut table = Table::default();
    for address in 1..100_000 {
        let node = enter(&mut table, &[(address * 8, Inout)]);
        assert_eq!((node.1, missing(&node)), (0, 0));
        complete(&node);
        // SAFETY: the task's reference.
        unsafe { pool::release(node.0) };
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
