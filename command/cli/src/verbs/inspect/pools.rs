//! Pools of processes of Python's: their jobs are in the child processes.

use omphalos_ompd_view::asleep::{Kernel, Machine};
use omphalos_ompd_view::snapshot::Snapshot;
use omphalos_why::{Finding, add_processes, all_wait, wants_processes};

use super::{Arguments, Seen, before, seen};

/// The most child processes that are looked at.
const MOST_CHILDREN: usize = 8;

/// Says in the cause of a wait for a pool of processes where each of them waits in its job, if all
/// child processes wait. Returns whether the cause says so now.
pub fn add(arguments: &Arguments, parent: &Seen, found: &mut [Finding]) -> bool {
    if !wants_processes(&parent.now.snapshot, found) {
        return false;
    }
    let children = Machine::of(Some(parent.pid)).children();
    if children.len() > MOST_CHILDREN {
        return false;
    }
    let all: Option<Vec<Seen>> =
        children.into_iter().map(|child| seen(arguments, child).ok()).collect();
    let waits = |child: &Seen| before(child).is_some_and(|old| all_wait(&child.now.snapshot, old));
    let Some(all) = all.filter(|all| all.iter().all(waits)) else { return false };
    let snapshots: Vec<&Snapshot> = all.iter().map(|child| &child.now.snapshot).collect();
    add_processes(&parent.now.snapshot, found, &snapshots)
}
