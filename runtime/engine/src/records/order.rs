//! The words of a thread that other threads write: its gate, its orders, and its reason to sleep.
//!
//! Who writes: a primary thread gives a worker an order while the worker waits at its gate, and the
//! gate publishes the order (`omphalos_sync::gate`). The last two words are written by the thread
//! itself; wakers read them.

use super::{NOTHING, Slot, Team, Work};
use core::cell::Cell;
use core::sync::atomic::{AtomicU64, AtomicUsize};
use omphalos_sync::gate::Gate;
use omphalos_sync::sleepers::{AWAKE, Place};

/// An order of a primary thread to a worker. It fits in one cache line together with the gate, so a
/// fork costs the worker one line transfer.
#[repr(C)]
pub struct Order {
    /// The worker's number in the team.
    num: Cell<u32>,
    /// Whether the primary prepared the region's first worksharing construct before the fork.
    prepared: Cell<bool>,
    /// The team.
    team: Cell<*mut Team>,
    /// The worker's slot in it.
    slot: Cell<*mut Slot>,
    /// The region's sequence number in that team.
    region: Cell<u64>,
    /// The region's code, which the worker is to run.
    work: Cell<Work>,
}

omphalos_layout::describe!(Order { num, team, slot, region, work });

impl Order {
    /// Writes an order for the worker to be member `num` of `team` in a region.
    ///
    /// # Safety
    /// The worker waits at its gate, and the calling thread, which then calls `Gate::order`, is the
    /// only one that gives it this order.
    #[inline(always)]
    pub(crate) unsafe fn write(
        &self,
        (team, num): (&Team, u32),
        slot: &Slot,
        region: u64,
        prepared: bool,
        work: Work,
    ) {
        self.num.set(num);
        self.prepared.set(prepared);
        self.team.set(core::ptr::from_ref(team).cast_mut());
        self.slot.set(core::ptr::from_ref(slot).cast_mut());
        self.region.set(region);
        self.work.set(work);
    }

    /// Returns the worker's number in the team.
    #[inline(always)]
    pub(crate) fn num(&self) -> u32 {
        self.num.get()
    }

    /// Whether the primary prepared the region's first worksharing construct before the fork.
    #[inline(always)]
    pub(crate) fn prepared(&self) -> bool {
        self.prepared.get()
    }

    /// Returns the team, and the worker's slot in it.
    #[inline(always)]
    pub(crate) fn place(&self) -> (*mut Team, *mut Slot) {
        (self.team.get(), self.slot.get())
    }

    /// Returns the region's number in the team, and the work to run.
    #[inline(always)]
    pub(crate) fn region(&self) -> (u64, Work) {
        (self.region.get(), self.work.get())
    }
}

/// Orders to an idle worker, besides the order to join a team.
pub mod summons {
    /// None.
    pub const NONE: u32 = 0;
    /// To end.
    pub const END: u32 = 1;
    /// To be a free agent.
    pub const AGENT: u32 = 2;
    /// To execute the tasks that wait for hidden helper threads.
    pub const HELPER: u32 = 3;
}

/// The words of a thread that other threads use.
#[repr(C, align(128))]
pub struct Line {
    /// The place at which the owner waits for orders and sleeps.
    pub gate: Gate,
    /// The latest order.
    pub order: Order,
    /// The event that the owner sleeps for (`waiting::Reason`). Written by the owner before it
    /// sleeps.
    pub sleeps_for: AtomicU64,
    /// The tasks that the owner, asleep, would begin (`Constraint::shown`). Written by the owner
    /// before it sleeps.
    pub would_begin: AtomicUsize,
}

omphalos_layout::describe!(Line { gate, order, sleeps_for });

impl Line {
    /// Makes the words of a thread that has no order and is awake.
    pub(super) fn new() -> Line {
        Line {
            gate: Gate::new(),
            order: Order {
                num: Cell::new(0),
                prepared: Cell::new(false),
                team: Cell::new(core::ptr::null_mut()),
                slot: Cell::new(core::ptr::null_mut()),
                region: Cell::new(0),
                work: Cell::new(Work::NONE),
            },
            sleeps_for: AtomicU64::new(AWAKE),
            would_begin: AtomicUsize::new(NOTHING),
        }
    }

    /// Returns the place at which the owner sleeps in a team's waits.
    #[inline(always)]
    pub fn place(&self) -> Place<'_> {
        let Line { gate, sleeps_for, would_begin, .. } = self;
        Place { gate, sleeps_for, would_begin }
    }
}

const _: () = assert!(core::mem::size_of::<Gate>() + core::mem::size_of::<Order>() <= 64 + 16);
