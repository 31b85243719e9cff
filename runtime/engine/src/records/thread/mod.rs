//! The record of a thread that OpenMP knows.
//!
//! A thread reaches its record through one thread-local word. It alone writes an [`OwnerWord`]
//! (`owner.rs`). Other threads touch the gate, the order and the atomics (`omphalos_sync::gate`). A
//! signal handler on the owner's thread may read at any moment, so `task`, `team`, `slot` and `num`
//! are single words.

mod kept_teams;
mod serving;

use super::{
    Construct, Demands, Habit, Line, OwnerWord, RunningLeague, Slot, Task, Team, ThreadTasks, ids,
    plain, summons,
};
use core::cell::{Cell, UnsafeCell};
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use omphalos_events::{Identity, Notes, State, ThreadKind};
use omphalos_settings::settings;
use omphalos_sync::spin::Sharing;
use omphalos_sync::word_lock::Holder;

/// The record of a thread that OpenMP knows.
#[repr(C, align(128))]
pub struct Thread {
    /// The current task; never null once the record is in use.
    pub task: OwnerWord<*mut Task>,
    /// The current team; never null once the record is in use.
    pub team: OwnerWord<*mut Team>,
    /// This thread's slot in the current team.
    pub slot: OwnerWord<*mut Slot>,
    /// This thread's number in the current team.
    pub num: OwnerWord<u32>,
    /// The number that the program sees (`shown.rs`): `omp_get_thread_num` reads it.
    pub shown_num: OwnerWord<u32>,
    /// The number of the thread in the process, from 0, as LLVM's interface names the thread.
    pub gtid: i32,
    /// `State`, for tools and debuggers.
    state: AtomicU32,
    /// Initial, worker or other.
    pub kind: OwnerWord<ThreadKind>,
    /// The object that the thread waits for in a mutex state. Written before the state.
    wait_id: AtomicU64,
    /// The thread as a holder of locks.
    pub holder: Holder,
    /// The number of teams under way whose primary this thread is. It is the index of the next one
    /// in `hot_teams`.
    pub depth: OwnerWord<usize>,
    /// The teams that this thread has been primary of, by depth, kept for its next regions.
    hot_teams: UnsafeCell<Vec<*mut Team>>,
    /// `num_threads` clause noted by `__kmpc_push_num_threads` for the next region, 0 = none.
    pub pushed_threads: OwnerWord<u32>,
    /// The other demands of that clause; mostly null.
    pub(crate) demands: OwnerWord<*mut Demands>,
    /// `num_teams` and `thread_limit` noted for the next `teams`, 0 = none.
    pub pushed_league: OwnerWord<(u32, u32)>,
    /// The target construct that the thread executes; null outside of any, or without a tool.
    pub target: OwnerWord<*const Construct>,
    /// The league whose teams the program runs in line, if it is in one.
    pub league: OwnerWord<Option<RunningLeague>>,
    /// `proc_bind` clause noted for the next region, -1 = none.
    pub pushed_bind: OwnerWord<i32>,
    /// Index of the place this thread is bound to, -1 = none.
    pub place: OwnerWord<i32>,
    /// The level (upper half) and size (lower half) of the thread's team when its affinity was last
    /// shown.
    shown: AtomicU64,
    /// The next id that this thread gives to a thing that tools see (ids are unique over threads).
    pub(super) next_id: OwnerWord<u64>,
    /// The next id that this thread gives to a tool that asks for one.
    pub(super) next_tool_id: OwnerWord<u64>,
    /// The number of threads that worked at once in the worker's latest region. It decides how the
    /// worker waits for the next region.
    pub busy: OwnerWord<u32>,
    /// The thread's knowledge of the other threads on its processor.
    pub sharing: Sharing,
    /// The lengths of a worker's waits for orders.
    pub habit: Habit,
    /// Tasking state.
    pub tasks: ThreadTasks,
    /// Id and data words for tools.
    pub identity: Identity,
    /// The notes of tool interfaces on the thread.
    pub notes: Notes,
    /// The next order, if it is not to join a team: one of [`summons`]. The thread that gives the
    /// order writes it first.
    pub summons: AtomicU32,
    /// The tools to which a worker has said farewell (`threads/ending.rs`), as bits. The worker
    /// calls no callback of these tools any more.
    pub farewells: AtomicU8,
    /// The number of orders that the record had been given when its worker was made.
    pub first_order: OwnerWord<u32>,
    /// A lock that the maker of the worker holds until it has placed the worker
    /// (`threads/hire.rs`).
    pub placing: AtomicU32,
    /// The thread's words that say whether a tool wants its events (`process/unwatched.rs`). Null
    /// if other threads must not write the words. Written and read under the lists' lock.
    pub(crate) watch: AtomicPtr<omphalos_sys::tls::Watch>,
    /// The worker's slot, null before it was hired. All teams that hire it, one after the other,
    /// use this one. The thread that hires it writes it.
    pub(super) seat: AtomicPtr<Slot>,
    /// An address in the frame in which a worker waits for orders; 0 for other threads.
    pub idle_frame: OwnerWord<u64>,
    /// The kernel's number of the thread, 0 while no thread has the record. For debuggers.
    lwp: AtomicU32,
    /// The number of the thread for users: without a gap for hidden helper threads, which have -1
    /// and below. For debuggers.
    pub(crate) number: i32,
    /// The thread's `pthread_self()`, or 0 while no thread has the record.
    pthread: AtomicUsize,
    /// The device whose regions the thread executes: 0 for the host, else the device's number + 1
    /// (`thread/serving.rs`).
    pub serves: OwnerWord<u8>,
    /// The teams that the thread keeps for the devices that it does not serve, by `serves`. While
    /// it serves a device, the host's teams are here in that device's place.
    other_teams: UnsafeCell<Vec<Vec<*mut Team>>>,
    /// The record that was made before this one. Written under the lists' lock.
    pub(crate) known_before: AtomicPtr<Thread>,
    /// The address of the elements of `hot_teams`, and their number. For debuggers.
    teams: Cell<(*const *mut Team, usize)>,
    /// The words that other threads write, on a line of their own together with the order.
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
    number,
    pthread,
    serves,
    known_before,
    teams,
    watch
});

// SAFETY: only the owning thread writes an `OwnerWord`, and it alone touches the private cells;
// `order` is written by the one thread that gives it while the owner waits at its gate, and
// published by the gate.
unsafe impl Sync for Thread {}
// SAFETY: as above.
unsafe impl Send for Thread {}

impl Thread {
    /// Makes a record without team and task. `row` chooses its ids; it is below 2^22, and no other
    /// record has it.
    pub(crate) fn new(gtid: i32, row: u32, kind: ThreadKind) -> Thread {
        Thread {
            task: OwnerWord::new(core::ptr::null_mut()),
            team: OwnerWord::new(core::ptr::null_mut()),
            slot: OwnerWord::new(core::ptr::null_mut()),
            num: OwnerWord::new(0),
            shown_num: OwnerWord::new(0),
            gtid,
            state: AtomicU32::new(State::WORK_SERIAL.0),
            kind: OwnerWord::new(kind),
            wait_id: AtomicU64::new(0),
            holder: Holder::new(gtid, plain::plainly()),
            depth: OwnerWord::new(0),
            hot_teams: UnsafeCell::new(Vec::new()),
            pushed_threads: OwnerWord::new(0),
            demands: OwnerWord::new(core::ptr::null_mut()),
            pushed_league: OwnerWord::new((0, 0)),
            target: OwnerWord::new(core::ptr::null()),
            league: OwnerWord::new(None),
            pushed_bind: OwnerWord::new(-1),
            place: OwnerWord::new(-1),
            shown: AtomicU64::new(0),
            next_id: OwnerWord::new(ids::first(row)),
            next_tool_id: OwnerWord::new(ids::first_of_tools(row)),
            busy: OwnerWord::new(1),
            sharing: Sharing::new(),
            habit: Habit::new(),
            tasks: ThreadTasks::new(),
            identity: Identity::new(),
            notes: Notes::new(),
            summons: AtomicU32::new(summons::NONE),
            farewells: AtomicU8::new(0),
            first_order: OwnerWord::new(0),
            placing: AtomicU32::new(0),
            watch: AtomicPtr::new(core::ptr::null_mut()),
            seat: AtomicPtr::new(core::ptr::null_mut()),
            idle_frame: OwnerWord::new(0),
            lwp: AtomicU32::new(0),
            number: gtid,
            pthread: AtomicUsize::new(0),
            serves: OwnerWord::new(0),
            other_teams: UnsafeCell::new(Vec::new()),
            known_before: AtomicPtr::new(core::ptr::null_mut()),
            teams: Cell::new((core::ptr::null(), 0)),
            line: Line::new(),
        }
    }

    /// Returns the calling thread's record. A thread that OpenMP does not know yet becomes an
    /// initial thread with an initial task of its own, and the runtime starts if it has not.
    #[inline(always)]
    pub fn current() -> &'static Thread {
        match Self::known() {
            Some(thread) => thread,
            None => crate::process::contact::welcome(),
        }
    }

    /// Returns the record that an entry stub found; if it found none, [`Thread::current`].
    #[inline(always)]
    pub fn found(record: *const u8) -> &'static Thread {
        // SAFETY: null, or the calling thread's record, which is never freed.
        match unsafe { record.cast::<Thread>().as_ref() } {
            Some(thread) => thread,
            None => Self::current(),
        }
    }

    /// Returns the calling thread's record, if it has one. Async-signal-safe.
    #[inline(always)]
    pub fn known() -> Option<&'static Thread> {
        let record = omphalos_sys::tls::record().cast::<Thread>();
        // SAFETY: the word holds null or a record that is never freed.
        unsafe { record.as_ref() }
    }

    /// Makes this the calling thread's record.
    pub(crate) fn is_callers(&self) {
        self.pthread.store(omphalos_sys::thread::own_pthread(), Ordering::Relaxed);
        self.lwp.store(omphalos_sys::thread::id() as u32, Ordering::Relaxed);
    }

    /// Whether the record's thread has left the process. Asks only about the program's own threads
    /// except `main`, the main thread's `pthread_t`, and the calling thread. For all others it
    /// answers false without a system call, because a program may have forbidden itself that call.
    pub(crate) fn is_gone(&self, main: usize) -> bool {
        let pthread = self.pthread.load(Ordering::Relaxed);
        let is_other = ![0, main, omphalos_sys::thread::own_pthread()].contains(&pthread);
        is_other
            && self.seat.load(Ordering::Relaxed).is_null()
            && !omphalos_sys::thread::is_there(self.lwp.load(Ordering::Relaxed) as i32)
    }

    /// Whether the calling thread has this record, or no thread has it.
    pub(super) fn is_mine_or_nobodys(&self) -> bool {
        [0, omphalos_sys::thread::own_pthread()].contains(&self.pthread.load(Ordering::Relaxed))
    }

    /// Takes the record from its thread.
    pub(crate) fn is_nobodys(&self) {
        self.lwp.store(0, Ordering::Relaxed);
        self.pthread.store(0, Ordering::Relaxed);
    }

    /// Notes the level and size of the team with which the thread's affinity is shown. Returns
    /// whether it was last shown with another level or size. Called by the team's primary thread
    /// before the region, and by the thread itself.
    pub(crate) fn show_with(&self, (level, size): (u32, u32)) -> bool {
        let now = u64::from(level) << 32 | u64::from(size);
        self.shown.swap(now, Ordering::Relaxed) != now
    }

    /// Returns the current team.
    #[inline(always)]
    pub fn team(&self) -> &'static Team {
        // SAFETY: set before the record came into use, and teams are never freed.
        unsafe { &*self.team.get() }
    }

    /// Returns this thread's slot in the current team.
    #[inline(always)]
    pub fn slot(&self) -> &'static Slot {
        // SAFETY: as for `team`.
        unsafe { &*self.slot.get() }
    }

    /// Returns the current task. The reference must not outlive the task.
    #[inline(always)]
    pub fn task(&self) -> &'static Task {
        // SAFETY: set before the record came into use; a task outlives its execution.
        unsafe { &*self.task.get() }
    }

    /// Returns the state and the wait id. Async-signal-safe.
    pub fn state(&self) -> (State, u64) {
        (State(self.state.load(Ordering::Relaxed)), self.wait_id.load(Ordering::Relaxed))
    }

    /// Changes the state.
    #[inline(always)]
    pub fn set_state(&self, state: State) {
        self.state.store(state.0, Ordering::Relaxed);
    }

    /// Changes the state and returns the one before.
    #[inline(always)]
    pub fn replace_state(&self, state: State) -> State {
        let before = State(self.state.load(Ordering::Relaxed));
        self.set_state(state);
        before
    }

    /// Enters a waiting state for the object `wait_id`, and returns the state before. The id is set
    /// before the state.
    #[inline]
    pub fn set_waiting(&self, state: State, wait_id: u64) -> State {
        self.wait_id.store(wait_id, Ordering::Relaxed);
        // A signal handler of this thread must see the id when it sees the state.
        core::sync::atomic::compiler_fence(Ordering::Release);
        self.replace_state(state)
    }

    /// Orders the worker, which the caller took from the idle ones, to be a free agent.
    pub(crate) fn summon_as_agent(&self) {
        self.summons.store(summons::AGENT, Ordering::Release);
        self.line.gate.order();
    }

    /// Orders the hidden helper thread, which the caller took from the idle ones, to execute tasks.
    pub(crate) fn summon_as_helper(&self) {
        self.summons.store(summons::HELPER, Ordering::Release);
        self.line.gate.order();
    }

    /// Whether this is a hidden helper thread.
    pub fn is_helper(&self) -> bool {
        self.gtid > 0 && self.gtid as u32 <= settings().helpers.last_number()
    }
}
