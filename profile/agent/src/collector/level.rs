//! A region that a thread is in, and the barrier that it came to last there.
//!
//! The Collector API has one event for every implicit barrier, whatever construct it ends. To the
//! agent it is a barrier of no kind, which belongs to no construct that was reported. The stack
//! shows which barrier ends the region: no frame of the program lies above the call that made the
//! region (on a worker: above the thread's root). The same is true where a region's body leaves for
//! its last barrier by a jump; another barrier that follows shows that such a barrier did not end
//! the region.

use super::place;
use super::regions::Region;
use omphalos_abi::ompt::*;

/// The number of nested regions of a thread that are reported. Deeper ones are only counted. All
/// levels lie in the part of thread-local memory that is left for a library that is loaded late.
pub const FOLLOWED_LEVELS: usize = 16;

/// The words of tasks at one level of a thread.
pub struct Tasks {
    /// The word of the implicit task.
    pub implicit: ompt_data_t,
    /// The word for all tasks that the thread executes inside barriers: none of them is reported.
    pub inside: ompt_data_t,
}

impl Tasks {
    /// No tasks yet.
    pub const NONE: Tasks = Tasks { implicit: ompt_data_none, inside: ompt_data_none };
}

/// A region that a thread is in.
#[derive(Clone, Copy)]
pub struct Level {
    /// The region's id in the Collector API.
    pub id: u64,
    /// `None` outside any region, and for a region that is not known.
    pub region: Option<&'static Region>,
    /// Whether the thread made the region.
    pub is_primary: bool,
    /// The thread's number in the team.
    pub index: u32,
    /// The answer of [`place::of_call`] where no frame of the region's body is on the stack.
    pub base: u64,
    /// The last barrier: `ompt_sync_region_t` and the call's place.
    pub kind: ompt_sync_region_t,
    /// See `kind`.
    pub codeptr: u64,
    /// Whether the thread executes a task in the barrier.
    pub executes_task: bool,
    /// True once the thread has left a barrier that seems to end the region.
    pub is_over: bool,
}

impl Level {
    /// The level outside any region.
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

    /// Notes that the thread comes to a barrier that was called from `call`.
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

    /// Whether the last barrier seems to end the region.
    pub fn closes(&self) -> bool {
        self.kind == ompt_sync_region_barrier_implicit_parallel
    }
}
