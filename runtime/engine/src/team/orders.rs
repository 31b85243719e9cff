//! Gives a region's members their orders, makes a worker wait for its order, and carries the order
//! out. README.md has the protocol.

use super::habit::{Next, OrderWait};
use super::{join, summed};
use crate::records::{FAN, Shape, Slot, Team, Thread, Watch, Work};
use crate::threads::ending::{owes_farewell, say_farewell};
use crate::{affinity, hooks, tasks};
use omphalos_events::{Endpoint, State};

/// The order that all members of a region get.
pub(super) struct Orders {
    /// The region's number.
    pub number: u64,
    /// Whether the region's first worksharing construct is prepared.
    pub prepared: bool,
    /// The code to run.
    pub work: Work,
}

/// Gives the primary's orders to all workers, or, in a tree, to those that order the others.
#[inline(always)]
pub(super) fn give_orders(team: &'static Team, size: u32, orders: &Orders) {
    let at_once = if team.shape.get() == Shape::Tree { size.min(FAN + 1) } else { size };
    for num in 1..at_once {
        order(team, num, orders);
    }
}

/// Gives member `num` its order.
#[inline(always)]
fn order(team: &'static Team, num: u32, orders: &Orders) {
    let slot = team.slot(num);
    let line = &slot.thread().line;
    let Orders { number, prepared, work } = *orders;
    // SAFETY: a worker of the team waits at its gate between regions. Only the primary, or the
    // member above the worker in the tree, gives it the region's order.
    unsafe { line.order.write((team, num), slot, number, prepared, work) };
    line.gate.order();
}

/// Passes the primary's orders on from member `num` to the members below it in the tree.
#[cold]
fn pass_on(team: &'static Team, num: u32, orders: &Orders) {
    let first = num * FAN + 1;
    for below in first..team.size.get().min(first + FAN) {
        order(team, below, orders);
    }
}

/// Waits at the worker's gate for an order after number `last`, and returns the new number. When
/// the runtime or a tool ends meanwhile, the worker says farewell.
pub fn wait_for_order(thread: &'static Thread, last: u32) -> u32 {
    let gate = &thread.line.gate;
    let mut wait = OrderWait::begin(thread, thread.busy.get());
    loop {
        let seen = gate.seen();
        if seen != last {
            wait.over();
            return seen;
        }
        if owes_farewell(thread) {
            say_farewell(thread);
        }
        match wait.next_step() {
            Next::Look => {}
            Next::Sleep(None) => {
                gate.sleep(last, || owes_farewell(thread));
            }
            Next::Sleep(Some(time)) => {
                gate.sleep_at_most(time, last, || owes_farewell(thread));
            }
        }
    }
}

/// Carries out a worker's order, and joins.
pub fn obey(thread: &'static Thread) {
    let order = &thread.line.order;
    let (num, prepared) = (order.num(), order.prepared());
    let ((number, work), (team, slot)) = (order.region(), order.place());
    // SAFETY: orders carry records that are never freed.
    let (team, slot): (&'static Team, &'static Slot) = unsafe { (&*team, &*slot) };
    let watch = team.watched.get();
    if watch == Watch::Told {
        // Tools are told this identity soon, and the primary has just written it.
        omphalos_sys::will_read(&team.identity);
    }
    if team.shape.get() == Shape::Tree {
        pass_on(team, num, &Orders { number, prepared, work });
    }
    tasks::drop_prepared(thread);
    slot.enter(thread, team, num, number, prepared);
    thread.busy.set(thread.as_owner(), team.busy.get());
    affinity::settle(thread);
    thread.set_state(State::WORK_PARALLEL);
    // Tools that learn of a region only by inquiries find it from here on.
    hooks::idle(thread, Endpoint::End);
    match watch {
        Watch::Not => {}
        Watch::Told => hooks::implicit_task_begins(thread),
        Watch::Summed => summed::worker_works(thread, team, slot),
    }
    team.fp_control.get().resume();
    // SAFETY: the primary promised it for every thread of the team.
    unsafe { work.run_in(slot, thread.gtid, num) };
    join::worker(thread, team);
}
