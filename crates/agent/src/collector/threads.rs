//! What a thread goes through, from the events of the Collector API, told to the agent's tool
//! (`host.rs`) in OMPT's terms.
//!
//! A primary thread's implicit task begins with FORK and ends with JOIN; a worker's lasts from
//! END_IDLE, when CURRENT_PRID says which region it works for, to BEGIN_IDLE.

use super::regions::{self, Region};
use super::{api, host, place};
use core::cell::UnsafeCell;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_abi::collector::*;
use omphalos_abi::ompt::*;
use omphalos_sync::settled::Settled;

/// How many nested regions of a thread are told of. Deeper ones are only counted.
const FOLLOWED_LEVELS: usize = 32;

/// The events that the agent asks for.
pub const EVENTS: [Event; 16] = [
    OMP_EVENT_FORK,
    OMP_EVENT_JOIN,
    OMP_EVENT_THR_BEGIN_IDLE,
    OMP_EVENT_THR_END_IDLE,
    OMP_EVENT_THR_BEGIN_IBAR,
    OMP_EVENT_THR_END_IBAR,
    OMP_EVENT_THR_BEGIN_EBAR,
    OMP_EVENT_THR_END_EBAR,
    OMP_EVENT_THR_BEGIN_LKWT,
    OMP_EVENT_THR_END_LKWT,
    OMP_EVENT_THR_BEGIN_CTWT,
    OMP_EVENT_THR_END_CTWT,
    OMP_EVENT_THR_BEGIN_ODWT,
    OMP_EVENT_THR_END_ODWT,
    OMP_EVENT_THR_BEGIN_ATWT,
    OMP_EVENT_THR_END_ATWT,
];

/// One region that the thread is in.
#[derive(Clone, Copy)]
struct Level {
    id: u64,
    region: Option<&'static Region>,
    is_primary: bool,
    index: u32,
    call: u64,
}

const NOTHING: Level = Level { id: 0, region: None, is_primary: false, index: 0, call: 0 };

/// One thread: only its own callbacks come here.
struct Thread {
    known: bool,
    depth: usize,
    levels: [Level; FOLLOWED_LEVELS],
    /// The words that OMPT gives a thread and its tasks; the agent goes by the addresses.
    word: ompt_data_t,
    tasks: [ompt_data_t; FOLLOWED_LEVELS + 1],
    /// The mutex that it waits for, or waited for last, and where it asked for it.
    waits_for: u64,
    waits_at: u64,
}

thread_local! {
    static THREAD: UnsafeCell<Thread> = const {
        UnsafeCell::new(Thread {
            known: false,
            depth: 0,
            levels: [NOTHING; FOLLOWED_LEVELS],
            word: ompt_data_none,
            tasks: [ompt_data_none; FOLLOWED_LEVELS + 1],
            waits_for: 0,
            waits_at: 0,
        })
    };
}

/// The initial thread, in its initial task.
pub fn initial() {
    with(|thread| {
        thread.begin(ompt_thread_initial);
        host::task_begin(core::ptr::null_mut(), &mut thread.tasks[0], 1, 1);
    });
}

/// The callback of every event.
pub unsafe extern "C" fn on_event(event: Event) {
    with(|thread| thread.on_event(event));
}

fn with(body: impl FnOnce(&mut Thread)) {
    // A thread that is going away has no more events of interest.
    let _ = THREAD.try_with(|thread| {
        // SAFETY: callbacks come one at a time on a thread, and nothing that the agent calls
        // causes one.
        body(unsafe { &mut *thread.get() });
    });
}

impl Thread {
    fn begin(&mut self, kind: ompt_thread_t) {
        if !core::mem::replace(&mut self.known, true) {
            host::thread_begin(kind, &mut self.word);
        }
    }

    /// The innermost region, if it is one of those that are followed.
    fn top(&self) -> Option<Level> {
        self.depth.checked_sub(1).and_then(|at| self.levels.get(at)).copied()
    }

    fn task(&mut self) -> *mut ompt_data_t {
        &mut self.tasks[self.depth.min(FOLLOWED_LEVELS)]
    }

    fn on_event(&mut self, event: Event) {
        match event {
            OMP_EVENT_FORK => self.fork(),
            OMP_EVENT_JOIN => self.join(),
            OMP_EVENT_THR_BEGIN_IDLE => {
                self.begin(ompt_thread_worker);
                while let Some(level) = self.top().filter(|level| !level.is_primary) {
                    host::task_end(self.task(), level.index);
                    self.depth -= 1;
                }
            }
            OMP_EVENT_THR_END_IDLE => self.arrive(),
            OMP_EVENT_THR_BEGIN_IBAR => {
                self.barrier(ompt_sync_region_barrier_implicit_workshare, ompt_scope_begin);
            }
            OMP_EVENT_THR_END_IBAR => {
                self.barrier(ompt_sync_region_barrier_implicit_workshare, ompt_scope_end);
            }
            OMP_EVENT_THR_BEGIN_EBAR => {
                self.barrier(ompt_sync_region_barrier_explicit, ompt_scope_begin);
            }
            OMP_EVENT_THR_END_EBAR => {
                self.barrier(ompt_sync_region_barrier_explicit, ompt_scope_end);
            }
            OMP_EVENT_THR_BEGIN_LKWT => self.wait(ompt_mutex_lock),
            OMP_EVENT_THR_BEGIN_CTWT => self.wait(ompt_mutex_critical),
            OMP_EVENT_THR_BEGIN_ODWT => self.wait(ompt_mutex_ordered),
            OMP_EVENT_THR_BEGIN_ATWT => self.wait(ompt_mutex_atomic),
            OMP_EVENT_THR_END_LKWT => self.has(ompt_mutex_lock),
            OMP_EVENT_THR_END_CTWT => self.has(ompt_mutex_critical),
            OMP_EVENT_THR_END_ODWT => self.has(ompt_mutex_ordered),
            OMP_EVENT_THR_END_ATWT => self.has(ompt_mutex_atomic),
            _ => {}
        }
    }

    fn fork(&mut self) {
        // The kind counts for a thread of the program's own, which meets OpenMP here.
        self.begin(ompt_thread_other);
        let id = api::current_region();
        let region = regions::begin(id);
        let call = place::of_call();
        host::parallel_begin(self.task(), region.word(), processors(), call);
        self.enter(Level { id, region: Some(region), is_primary: true, index: 0, call }, 1);
    }

    fn enter(&mut self, level: Level, team: u32) {
        if let Some(place) = self.levels.get_mut(self.depth) {
            *place = level;
        }
        self.depth += 1;
        if let Some(region) = level.region {
            let task = self.task();
            host::task_begin(region.word(), task, team, level.index);
        }
    }

    fn join(&mut self) {
        let Some(level) = self.top().filter(|level| level.is_primary) else { return };
        host::task_end(self.task(), level.index);
        self.depth -= 1;
        if let Some(region) = level.region {
            host::parallel_end(region.word(), self.task(), level.call);
        }
        regions::end(level.id);
    }

    /// A worker comes to its region. Nobody says its number in the team: the workers are numbered
    /// as they arrive.
    fn arrive(&mut self) {
        let id = api::current_region();
        let Some(region) = regions::find(id) else { return };
        let index = region.members.fetch_add(1, Relaxed);
        let level = Level { id, region: Some(region), is_primary: false, index, call: 0 };
        self.enter(level, index + 1);
    }

    fn barrier(&mut self, kind: ompt_sync_region_t, endpoint: ompt_scope_endpoint_t) {
        let region = self.top().and_then(|level| level.region);
        let word = region.map_or(core::ptr::null_mut(), Region::word);
        host::barrier(kind, endpoint, word, self.task());
    }

    fn wait(&mut self, kind: ompt_mutex_t) {
        (self.waits_for, self.waits_at) = (api::state().1, place::of_call());
        host::mutex_acquire(kind, self.waits_for, self.waits_at);
    }

    /// Says the place again: if events come fast, the agent may have left out the first one.
    fn has(&self, kind: ompt_mutex_t) {
        host::mutex_acquired(kind, self.waits_for, self.waits_at);
    }
}

/// How many threads a region may have. The Collector API does not say how many were asked for.
fn processors() -> u32 {
    // Asked once: it reads files.
    static COUNT: Settled<u32> = Settled::new();
    let ask =
        || std::thread::available_parallelism().map_or(64, |count| count.get().max(64) as u32);
    *COUNT.get_or(ask)
}
