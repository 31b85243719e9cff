//! Translates a thread's events of the Collector API into OMPT's terms, and reports them to the
//! agent's tool (`host.rs`).
//!
//! A primary thread's implicit task begins with FORK and ends with JOIN; a worker's lasts from
//! END_IDLE, when CURRENT_PRID says which region it works for, to BEGIN_IDLE.

use super::level::{FOLLOWED_LEVELS, Level, Tasks};
use super::regions;
use super::{api, host, place, room};
use core::cell::UnsafeCell;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_abi::collector::*;
use omphalos_abi::ompt::*;

/// The state of one thread: only its own callbacks touch it.
struct Thread {
    known: bool,
    depth: usize,
    /// The first level is outside any region.
    levels: [Level; FOLLOWED_LEVELS + 1],
    /// The words that OMPT gives to a thread and its tasks; the agent uses their addresses.
    word: ompt_data_t,
    tasks: [Tasks; FOLLOWED_LEVELS + 1],
    /// The address below all frames of the runtime on a worker's stack; 0 = not looked for yet.
    root: u64,
    /// The mutex that the thread waits for, or waited for last, and where it asked for it.
    waits_for: u64,
    waits_at: u64,
    /// Whether the thread has just waited for its turn in a loop with ordered regions.
    has_turn: bool,
}

thread_local! {
    static THREAD: UnsafeCell<Thread> = const {
        UnsafeCell::new(Thread {
            known: false,
            depth: 0,
            levels: [Level::OUTSIDE; FOLLOWED_LEVELS + 1],
            word: ompt_data_none,
            tasks: [Tasks::NONE; FOLLOWED_LEVELS + 1],
            root: 0,
            waits_for: 0,
            waits_at: 0,
            has_turn: false,
        })
    };
}

/// Reports the initial thread and its initial task.
pub fn initial() {
    with(|thread| {
        thread.begin(ompt_thread_initial);
        host::task_begin(core::ptr::null_mut(), thread.task(), 1, 1);
    });
}

/// Takes every event, as its callback.
pub unsafe extern "C" fn on_event(event: Event) {
    with(|thread| thread.on_event(event));
}

fn with(body: impl FnOnce(&mut Thread)) {
    // No event of a thread that is being destroyed matters.
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

    /// Returns the innermost region that is followed.
    fn top(&mut self) -> &mut Level {
        &mut self.levels[self.depth.min(FOLLOWED_LEVELS)]
    }

    fn task(&mut self) -> *mut ompt_data_t {
        &mut self.tasks[self.depth.min(FOLLOWED_LEVELS)].implicit
    }

    fn on_event(&mut self, event: Event) {
        match event {
            OMP_EVENT_FORK => self.fork(),
            OMP_EVENT_JOIN => self.join(),
            OMP_EVENT_THR_BEGIN_IDLE => {
                self.begin(ompt_thread_worker);
                while self.depth > 0 && !self.top().is_primary {
                    self.leave();
                }
            }
            OMP_EVENT_THR_END_IDLE => self.arrive(),
            OMP_EVENT_THR_BEGIN_IBAR => self.barrier_begin(false),
            OMP_EVENT_THR_BEGIN_EBAR => self.barrier_begin(true),
            OMP_EVENT_THR_END_IBAR | OMP_EVENT_THR_END_EBAR => self.barrier_end(),
            OMP_EVENT_THR_BEGIN_LKWT => self.wait(ompt_mutex_lock),
            OMP_EVENT_THR_BEGIN_CTWT => self.wait(ompt_mutex_critical),
            OMP_EVENT_THR_BEGIN_ODWT => self.wait(ompt_mutex_ordered),
            OMP_EVENT_THR_BEGIN_ATWT => self.wait(ompt_mutex_atomic),
            OMP_EVENT_THR_END_LKWT => self.has(ompt_mutex_lock),
            OMP_EVENT_THR_END_CTWT => self.has(ompt_mutex_critical),
            OMP_EVENT_THR_END_ATWT => self.has(ompt_mutex_atomic),
            OMP_EVENT_THR_END_ODWT => {
                host::mutex_acquired(ompt_mutex_ordered, self.waits_for, self.waits_at);
                self.has_turn = true;
            }
            OMP_EVENT_THR_BEGIN_ORDERED => self.ordered(),
            OMP_EVENT_THR_END_ORDERED => {
                host::mutex_released(ompt_mutex_ordered, self.waits_for, self.waits_at);
            }
            OMP_EVENT_THR_BEGIN_MASTER => self.construct(host::masked, ompt_scope_begin),
            OMP_EVENT_THR_END_MASTER => self.construct(host::masked, ompt_scope_end),
            OMP_EVENT_THR_BEGIN_SINGLE => self.construct(host::single, ompt_scope_begin),
            OMP_EVENT_THR_END_SINGLE => self.construct(host::single, ompt_scope_end),
            _ => {}
        }
    }

    fn fork(&mut self) {
        // This kind matters only for a thread of the program's own, which uses OpenMP for the first
        // time here.
        self.begin(ompt_thread_other);
        let id = api::current_region();
        let (base, outer) = (place::of_call(), *self.top());
        // The enclosing region's body left for this region by a jump, or this is a team of a
        // league.
        let is_outside = outer.region.is_some() && base == outer.base;
        let call = if is_outside { place::in_runtime() } else { base };
        let room = room::of_region();
        let region = regions::begin(id, call, room);
        host::parallel_begin(self.task(), region.word(), room, call);
        let level = Level { id, region: Some(region), is_primary: true, base, ..Level::OUTSIDE };
        self.enter(level, 1);
    }

    fn enter(&mut self, level: Level, team: u32) {
        self.depth += 1;
        if let Some(place) = self.levels.get_mut(self.depth) {
            *place = level;
        }
        if let Some(region) = level.region {
            host::task_begin(region.word(), self.task(), team, level.index);
        }
    }

    /// Ends the innermost implicit task.
    fn leave(&mut self) {
        let index = self.top().index;
        host::task_end(self.task(), index);
        self.depth -= 1;
    }

    fn join(&mut self) {
        let Level { id, region, is_primary: true, .. } = *self.top() else { return };
        self.leave();
        if let Some(region) = region {
            host::parallel_end(region.word(), self.task(), region.call.load(Relaxed));
        }
        regions::end(id);
    }

    /// Notes that a worker comes to its region. The API does not give its number in the team:
    /// workers are numbered as they arrive.
    fn arrive(&mut self) {
        let id = api::current_region();
        let Some(region) = regions::find(id) else { return };
        if self.root == 0 {
            self.root = place::of_call();
        }
        let index = region.members.fetch_add(1, Relaxed);
        room::is_taken(index, region.room.load(Relaxed));
        let level = Level { id, region: Some(region), index, base: self.root, ..Level::OUTSIDE };
        self.enter(level, index + 1);
    }

    /// Notes that the thread comes to a barrier, or goes on waiting in it after a task.
    fn barrier_begin(&mut self, is_explicit: bool) {
        let tasks = &raw mut self.tasks[self.depth.min(FOLLOWED_LEVELS)];
        let level = self.top();
        if core::mem::replace(&mut level.executes_task, false) {
            // SAFETY: words of this thread's.
            let (task, implicit) =
                unsafe { (&raw mut (*tasks).inside, &raw mut (*tasks).implicit) };
            return host::task_schedule(task, ompt_task_complete, implicit);
        }
        let before = *level;
        level.comes_to(is_explicit, place::of_call());
        let barrier = *level;
        if before.is_over {
            // The body called the earlier barrier by a jump, so that one only seemed to end the
            // region: the region's own barrier comes later.
            self.tell_barrier(Level { kind: ompt_sync_region_barrier, ..before }, ompt_scope_end);
        }
        self.tell_barrier(barrier, ompt_scope_begin);
    }

    /// Notes that the thread has left the barrier, or executes a task in it: then its state is
    /// another.
    fn barrier_end(&mut self) {
        let tasks = &raw mut self.tasks[self.depth.min(FOLLOWED_LEVELS)];
        let level = self.top();
        if !matches!(api::state().0, THR_IBAR_STATE | THR_EBAR_STATE) {
            level.executes_task = true;
            // SAFETY: words of this thread's.
            let (task, implicit) =
                unsafe { (&raw mut (*tasks).inside, &raw mut (*tasks).implicit) };
            return host::task_schedule(implicit, ompt_task_switch, task);
        }
        level.is_over = level.closes();
        let barrier = *level;
        if !barrier.is_over {
            self.tell_barrier(barrier, ompt_scope_end);
        }
    }

    fn tell_barrier(
        &mut self,
        Level { region, kind, codeptr, .. }: Level,
        endpoint: ompt_scope_endpoint_t,
    ) {
        let word = region.map_or(core::ptr::null_mut(), regions::Region::word);
        host::barrier(kind, endpoint, word, self.task(), codeptr);
    }

    fn wait(&mut self, kind: ompt_mutex_t) {
        (self.waits_for, self.waits_at) = (api::state().1, place::of_call());
        host::mutex_acquire(kind, self.waits_for, self.waits_at);
    }

    /// Reports the place again: if events come fast, the agent may have left out the first event.
    /// Reports the release at once, because the API does not say how long the mutex is held.
    fn has(&self, kind: ompt_mutex_t) {
        host::mutex_acquired(kind, self.waits_for, self.waits_at);
        host::mutex_released(kind, self.waits_for, self.waits_at);
    }

    /// Notes that the thread enters an ordered region. If it had to wait for that, this was
    /// reported already.
    fn ordered(&mut self) {
        if !core::mem::replace(&mut self.has_turn, false) {
            self.wait(ompt_mutex_ordered);
            host::mutex_acquired(ompt_mutex_ordered, self.waits_for, self.waits_at);
        }
    }

    fn construct(&mut self, tell: host::Construct, endpoint: ompt_scope_endpoint_t) {
        let region = self.top().region.map_or(core::ptr::null_mut(), regions::Region::word);
        tell(endpoint, region, self.task(), place::of_call());
    }
}
