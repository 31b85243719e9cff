//! A region that a thread is in, and the barrier that it came to last there.
//!
//! The Collector API has one event for every implicit barrier, whatever construct it ends: to the
//! agent it is a barrier of no kind, which belongs to no construct that was told. One that ends the
//! region is known by the stack: no frame of the program's lies above the call that made the region
//! (on a worker: above the thread's root). The same holds where a region's body leaves for its last
//! barrier by a jump. That is known when another barrier follows: nothing follows the one that ends
//! a region.

use super::place;
use super::regions::Region;
use omphalos_abi::ompt::*;

/// How many nested regions of a thread are told of. Deeper ones are only counted. All levels lie in
/// the thread-local memory that a library may have which is loaded late.
pub const FOLLOWED_LEVELS: usize = 16;

/// The words of tasks at one level of a thread.
pub struct Tasks {
    /// That of the implicit task.
    pub implicit: ompt_data_t,
    /// That of all tasks that the thread executes inside of barriers: none is told.
    pub inside: ompt_data_t,
}

impl Tasks {
    /// No tasks yet.
    pub const NONE: Tasks = Tasks { implicit: ompt_data_none, inside: ompt_data_none };
}

/// See the module.
#[derive(Clone, Copy)]
pub struct Level {
    /// By the Collector API.
    pub id: u64,
    /// None outside of any region, and of a region that is not known.
    pub region: Option<&'static Region>,
    /// The thread made the region.
    pub is_primary: bool,
    /// Its number in the team.
    pub index: u32,
    /// Where [`place::of_call`] ends where no frame of the region's body is on the stack.
    pub base: u64,
    /// The last barrier: `ompt_sync_region_t` and the call's place.
    pub kind: ompt_sync_region_t,
    /// See `kind`.
    pub codeptr: u64,
    /// The thread executes a task in the barrier.
    pub executes_task: bool,
    /// The thread is through a barrier that ends the region, as it seems.
    pub is_over: bool,
}

impl Level {
    /// Outside of any region.
    pub const OUTSIDE: Level = Level {
        id: 0,
        region: None,
        is_primary: false,
        index: 0,
        base: 0,
        kind: ompt_sync_region_barrier_explicit,
        codeptr: 0,
        executes_task: false,
        is_over: false,
    };

    /// The thread comes to a barrier that was called from `call`.
    pub fn comes_to(&mut self, is_explicit: bool, call: u64) {
        let is_outside = self.region.is_some() && call == self.base;
        // The return address of a call by a jump lies in the runtime.
        self.codeptr = if is_outside { place::in_runtime() } else { call };
        self.kind = match (is_explicit, is_outside) {
            (true, _) => ompt_sync_region_barrier_explicit,
            (false, true) => ompt_sync_region_barrier_implicit_parallel,
            (false, false) => ompt_sync_region_barrier,
        };
        self.is_over = false;
    }

    /// Whether the last barrier ends the region, as it seems.
    pub fn closes(&self) -> bool {
        self.kind == ompt_sync_region_barrier_implicit_parallel
    }
}
