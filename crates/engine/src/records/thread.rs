//! The record of a thread that OpenMP knows.
//!
//! A thread reaches its record through one thread-local word. The owner alone uses what is in a
//! `Cell`, and alone can write an [`Own`]. Other threads touch the gate, the order and the atomics
//! (`omphalos_sync::gate`). A signal handler on the owner's thread may read at any moment, so
//! `task`, `team`, `slot` and `num` are single words.

use super::owner::Own;
use super::{
    Construct, Demands, Habit, NOTHING, RunningLeague, Slot, Task, Team, ThreadTasks, Work, plain,
};
use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use omphalos_events::{Identity, Notes, State, ThreadKind};
use omphalos_settings::settings;
use omphalos_sync::gate::Gate;
use omphalos_sync::sleepers::Place;
use omphalos_sync::spin::Sharing;
use omphalos_sync::word_lock::Holder;

/// What a primary thread orders a worker to do. It fits in one cache line together with the gate,
/// so a fork costs the worker one line transfer.
#[repr(C)]
pub struct Order {
    /// The worker's number in the team.
    pub num: Cell<u32>,
    /// The primary prepared the region's first worksharing construct before the fork.
    pub prepared: Cell<bool>,
    /// The team.
    pub team: Cell<*mut Team>,
    /// The worker's slot in it.
    pub slot: Cell<*mut Slot>,
    /// The region's sequence number in that team.
    pub region: Cell<u64>,
    /// What to run.
    pub work: Cell<Work>,
}

omphalos_layout::describe!(Order { num, team, slot, region, work });

/// Orders to an idle worker other than to join a team.
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

/// See the module.
#[repr(C, align(128))]
pub struct Thread {
    /// The current task; never null once the record is in use.
    pub task: Own<*mut Task>,
    /// The current team; never null once the record is in use.
    pub team: Own<*mut Team>,
    /// This thread's slot in it.
    pub slot: Own<*mut Slot>,
    /// This thread's number in it.
    pub num: Own<u32>,
    /// Number of the thread in the process, from 0; the name LLVM's interface knows it by.
    pub gtid: i32,
    /// `State`, for tools and debuggers.
    state: AtomicU32,
    /// Initial, worker or other.
    pub kind: Cell<ThreadKind>,
    /// What the thread waits for in a mutex state. Written before the state.
    wait_id: AtomicU64,
    /// The thread as a holder of locks.
    pub holder: Holder,
    /// How many teams this thread is primary of: index into `hot_teams`.
    pub depth: Own<usize>,
    /// The teams this thread has been primary of, by depth; kept for the next region.
    pub hot_teams: UnsafeCell<Vec<*mut Team>>,
    /// `num_threads` clause noted by `__kmpc_push_num_threads` for the next region, 0 = none.
    pub pushed_threads: Cell<u32>,
    /// What else that clause asked for; mostly null.
    pub(crate) demands: Cell<*mut Demands>,
    /// `num_teams` and `thread_limit` noted for the next `teams`, 0 = none.
    pub pushed_league: Cell<(u32, u32)>,
    /// The target construct that the thread executes; null outside of any (or tools).
    pub target: Cell<*const Construct>,
    /// The league whose teams the program runs in line, if it is in one.
    pub league: Cell<Option<RunningLeague>>,
    /// `proc_bind` clause noted for the next region, -1 = none.
    pub pushed_bind: Cell<i32>,
    /// Index of the place this thread is bound to, -1 = none.
    pub place: Cell<i32>,
    /// Level and size of its team when its affinity was last shown.
    pub shown: Cell<(u32, u32)>,
    /// Next id that this thread gives to what tools see (ids are unique over threads).
    next_id: Cell<u64>,
    /// Next id that this thread gives to a tool that asks for one.
    next_tool_id: Cell<u64>,
    /// Threads that worked at once in the worker's latest region. It decides how the worker waits
    /// for the next.
    pub busy: Cell<u32>,
    /// Who else runs on this thread's processor.
    pub sharing: Sharing,
    /// How long a worker's waits for orders take.
    pub habit: Habit,
    /// Tasking state.
    pub tasks: ThreadTasks,
    /// Id and data words for tools.
    pub identity: Identity,
    /// What the Collector API remembers of the thread.
    pub notes: Notes,
    /// What the next order is, if it is not to join a team: one of [`summons`]. The thread that
    /// gives the order writes it first.
    pub summons: AtomicU32,
    /// The tools to which a worker has said farewell (`threads/ending.rs`), as bits. Its last
    /// callbacks there are over.
    pub farewells: AtomicU8,
    /// How many orders the record had been given when its worker was made.
    pub first_order: Cell<u32>,
    /// A lock that the maker of the worker holds until it has placed the worker
    /// (`threads/hire.rs`).
    pub placing: AtomicU32,
    /// The thread's words that say whether a tool wants its events (`process/unwatched.rs`). Null
    /// if others must not write them. Under the lists' lock.
    pub(crate) watch: AtomicPtr<omphalos_sys::tls::Watch>,
    /// The worker's slot, null before it was hired. All teams that hire it, one after the other,
    /// use this one. The thread that hires it writes it.
    pub seat: Cell<*const Slot>,
    /// An address in the frame in which a worker waits for orders; 0 for other threads.
    pub idle_frame: Cell<u64>,
    /// The kernel's number of the thread, 0 while no thread has the record. For debuggers.
    lwp: AtomicU32,
    /// Its `pthread_self()`, or 0 likewise.
    pthread: AtomicUsize,
    /// The record that was made before this one. Written under the lists' lock.
    pub(crate) known_before: AtomicPtr<Thread>,
    /// Where the elements of `hot_teams` are, and how many there are. For debuggers.
    teams: Cell<(*const *mut Team, usize)>,
    /// On a line of its own, together with the order: what other threads write.
    pub line: Line,
}

omphalos_layout::describe!(Thread {
    task,
    team,
    slot,
    num,
    gtid,
    state,
    kind,
    wait_id,
    depth,
    target,
    place,
    busy,
    tasks,
    identity,
    summons,
    idle_frame,
    line,
    lwp,
    pthread,
    known_before,
    teams
});

/// What other threads write of a thread.
#[repr(C, align(128))]
pub struct Line {
    /// Sleeping place.
    pub gate: Gate,
    /// The latest order.
    pub order: Order,
    /// What the owner sleeps for (`waiting::Reason`). Written by the owner before it sleeps.
    pub sleeps_for: AtomicU64,
    /// Which tasks the owner, asleep, would begin (`Constraint::shown`). Written by the owner
    /// before it sleeps.
    pub would_begin: AtomicUsize,
}

omphalos_layout::describe!(Line { gate, order, sleeps_for });

impl Line {
    /// Where the owner sleeps in a team's waits.
    #[inline(always)]
    pub fn place(&self) -> Place<'_> {
        let Line { gate, sleeps_for, would_begin, .. } = self;
        Place { gate, sleeps_for, would_begin }
    }
}

// SAFETY: the cells belong to the owning thread; `order` is written by the one thread that is the
// owner's primary while the owner waits at its gate, and published by the gate.
unsafe impl Sync for Thread {}
// SAFETY: as above.
unsafe impl Send for Thread {}

const _: () = assert!(core::mem::size_of::<Gate>() + core::mem::size_of::<Order>() <= 64 + 16);

/// Ids in a row, as bits.
const ROW_BITS: u32 = 40;

/// The id behind this one: in its row, or the first of a row that no thread has.
#[inline(always)]
fn behind(id: u64) -> u64 {
    if (id + 1) & ((1 << ROW_BITS) - 1) == 0 { in_new_row(id) } else { id + 1 }
}

/// A row is used up. The rows of threads are the first and the last of all; spare rows begin in the
/// middle.
#[cold]
fn in_new_row(id: u64) -> u64 {
    static SPARE: AtomicU64 = AtomicU64::new(1 << 21);
    let row = SPARE.fetch_add(1, Ordering::Relaxed);
    (id >> 62 << 62) + (row << ROW_BITS) + 1
}

impl Thread {
    /// A record without team and task. `row` chooses its ids; it is below 2^22, and no other record
    /// has it.
    pub(crate) fn new(gtid: i32, row: u32, kind: ThreadKind) -> Thread {
        Thread {
            task: Own::new(core::ptr::null_mut()),
            team: Own::new(core::ptr::null_mut()),
            slot: Own::new(core::ptr::null_mut()),
            num: Own::new(0),
            gtid,
            state: AtomicU32::new(State::WORK_SERIAL.0),
            kind: Cell::new(kind),
            wait_id: AtomicU64::new(0),
            holder: Holder::new(gtid, plain::plainly()),
            depth: Own::new(0),
            hot_teams: UnsafeCell::new(Vec::new()),
            pushed_threads: Cell::new(0),
            demands: Cell::new(core::ptr::null_mut()),
            pushed_league: Cell::new((0, 0)),
            target: Cell::new(core::ptr::null()),
            league: Cell::new(None),
            pushed_bind: Cell::new(-1),
            place: Cell::new(-1),
            shown: Cell::new((0, 0)),
            // 2^40 ids in each row. Ids that tools ask for are numbered separately from the
            // runtime's own. The lower halves of threads' first ids, which name the threads, differ
            // too: some tools keep only an `int` of them.
            next_id: Cell::new((1 << 62) + ((u64::from(row) + 1) << ROW_BITS) + u64::from(row) + 1),
            next_tool_id: Cell::new(((u64::from(row) + 1) << ROW_BITS) + 1),
            busy: Cell::new(1),
            sharing: Sharing::new(),
            habit: Habit::new(),
            tasks: ThreadTasks::new(),
            identity: Identity::new(),
            notes: Notes::new(),
            summons: AtomicU32::new(summons::NONE),
            farewells: AtomicU8::new(0),
            first_order: Cell::new(0),
            placing: AtomicU32::new(0),
            watch: AtomicPtr::new(core::ptr::null_mut()),
            seat: Cell::new(core::ptr::null()),
            idle_frame: Cell::new(0),
            lwp: AtomicU32::new(0),
            pthread: AtomicUsize::new(0),
            known_before: AtomicPtr::new(core::ptr::null_mut()),
            teams: Cell::new((core::ptr::null(), 0)),
            line: Line {
                gate: Gate::new(),
                order: Order {
                    num: Cell::new(0),
                    prepared: Cell::new(false),
                    team: Cell::new(core::ptr::null_mut()),
                    slot: Cell::new(core::ptr::null_mut()),
                    region: Cell::new(0),
                    work: Cell::new(Work::NONE),
                },
                sleeps_for: AtomicU64::new(0),
                would_begin: AtomicUsize::new(NOTHING),
            },
        }
    }

    /// The calling thread's record; a thread that OpenMP does not know yet becomes an initial (or
    /// other) thread with an initial task of its own, and the runtime starts if it has not.
    #[inline(always)]
    pub fn current() -> &'static Thread {
        match Self::known() {
            Some(thread) => thread,
            None => crate::process::contact::welcome(),
        }
    }

    /// The record that an entry stub found, or [`Thread::current`].
    #[inline(always)]
    pub fn found(record: *const u8) -> &'static Thread {
        // SAFETY: null, or the calling thread's record, which is never freed.
        match unsafe { record.cast::<Thread>().as_ref() } {
            Some(thread) => thread,
            None => Self::current(),
        }
    }

    /// The calling thread's record if it has one. Async-signal-safe.
    #[inline(always)]
    pub fn known() -> Option<&'static Thread> {
        let record = omphalos_sys::tls::record().cast::<Thread>();
        // SAFETY: the word holds null or a record that is never freed.
        unsafe { record.as_ref() }
    }

    /// Gives the calling thread this record.
    pub(crate) fn is_callers(&self) {
        self.pthread.store(omphalos_sys::thread::own(), Ordering::Relaxed);
        self.lwp.store(omphalos_sys::thread::id() as u32, Ordering::Relaxed);
    }

    /// Whether the calling thread has this record, or nobody has it.
    pub(super) fn is_mine_or_nobodys(&self) -> bool {
        [0, omphalos_sys::thread::own()].contains(&self.pthread.load(Ordering::Relaxed))
    }

    /// Takes the record from its thread.
    pub(crate) fn is_nobodys(&self) {
        self.lwp.store(0, Ordering::Relaxed);
        self.pthread.store(0, Ordering::Relaxed);
    }

    /// Adds a team behind those of which the thread has been primary. For the owner.
    pub(crate) fn keep_team(&self, team: &Team) {
        // SAFETY: only the owner touches its list, and nobody holds a reference to it here.
        let teams = unsafe { &mut *self.hot_teams.get() };
        teams.push(core::ptr::from_ref(team).cast_mut());
        self.teams.set((teams.as_ptr(), teams.len()));
    }

    /// The current team.
    #[inline(always)]
    pub fn team(&self) -> &'static Team {
        // SAFETY: set before the record came into use, and teams are never freed.
        unsafe { &*self.team.get() }
    }

    /// This thread's slot in the current team.
    #[inline(always)]
    pub fn slot(&self) -> &'static Slot {
        // SAFETY: as for `team`.
        unsafe { &*self.slot.get() }
    }

    /// The current task. The reference must not outlive the task.
    #[inline(always)]
    pub fn task(&self) -> &'static Task {
        // SAFETY: set before the record came into use; a task outlives its execution.
        unsafe { &*self.task.get() }
    }

    /// The state and the wait id. Async-signal-safe.
    pub fn state(&self) -> (State, u64) {
        (State(self.state.load(Ordering::Relaxed)), self.wait_id.load(Ordering::Relaxed))
    }

    /// Changes the state and returns the one before.
    #[inline(always)]
    pub fn set_state(&self, state: State) -> State {
        let before = State(self.state.load(Ordering::Relaxed));
        self.state.store(state.0, Ordering::Relaxed);
        before
    }

    /// Enters a waiting state for the object `wait_id`, which is set before the state.
    #[inline]
    pub fn set_waiting(&self, state: State, wait_id: u64) -> State {
        self.wait_id.store(wait_id, Ordering::Relaxed);
        // A signal handler of this thread must see the id when it sees the state.
        core::sync::atomic::compiler_fence(Ordering::Release);
        self.set_state(state)
    }

    /// The worker, which its caller took from the idle ones, becomes a free agent.
    pub(crate) fn summon_as_agent(&self) {
        self.summons.store(summons::AGENT, Ordering::Release);
        self.line.gate.order();
    }

    /// The hidden helper thread, which its caller took from the idle ones, has something to do.
    pub(crate) fn summon_as_helper(&self) {
        self.summons.store(summons::HELPER, Ordering::Release);
        self.line.gate.order();
    }

    /// Whether it is a hidden helper thread.
    pub fn is_helper(&self) -> bool {
        self.gtid > 0 && self.gtid as u32 <= settings().helpers.last_number()
    }

    /// A new id, unique over all threads and the whole run.
    #[inline]
    pub fn unique_id(&self) -> u64 {
        let id = self.next_id.get();
        self.next_id.set(behind(id));
        id
    }

    /// Numbers the record's ids on behind those of `former`, which had the same number.
    pub(crate) fn continue_ids(&self, former: &Thread) {
        self.next_id.set(former.next_id.get());
        self.next_tool_id.set(former.next_tool_id.get());
    }

    /// A new id for a tool's own use; no other id of the run equals it.
    #[inline]
    pub fn tool_id(&self) -> u64 {
        let id = self.next_tool_id.get();
        self.next_tool_id.set(behind(id));
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_go_on_in_a_spare_row() {
        let (thread, next) =
            (Thread::new(0, 0, ThreadKind::Unknown), Thread::new(1, 1, ThreadKind::Unknown));
        thread.next_id.set((1 << 62) + (2 << ROW_BITS) - 1);
        thread.next_tool_id.set((2 << ROW_BITS) - 1);
        let ids = [thread.unique_id(), thread.unique_id(), thread.unique_id(), next.unique_id()];
        assert!(ids[0] < ids[3] && ids[3] < ids[1] && ids[2] == ids[1] + 1);
        let ids = [thread.tool_id(), thread.tool_id(), thread.tool_id(), next.tool_id()];
        assert!(ids[0] < ids[3] && ids[3] < ids[1] && ids[2] == ids[1] + 1);
        assert!(ids.iter().all(|id| id >> 62 == 0));
    }
}
