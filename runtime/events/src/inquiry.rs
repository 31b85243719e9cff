//! The questions that a tool may ask at any moment, even from a signal handler.
//!
//! Who calls: the dialects in `tools`. The engine installs one table of functions when it starts.
//! No function in it takes a lock, allocates, or touches lazily initialised state, but
//! `tool_leaves`, which a tool's end calls.

use crate::event::Dependence;
use crate::kinds::State;
use crate::quiet::QuietTasks;
use crate::sums::Sums;
use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use omphalos_layout::{Identity, TaskTool};

/// One task on the calling thread's stack of tasks.
#[derive(Clone, Copy, Debug)]
pub struct TaskInfo {
    /// `ompt_task_flag_t`.
    pub flags: u32,
    /// The task; never null when the level exists.
    pub task: *const TaskTool,
    /// Identity of the task's region; null only if there is none.
    pub region: *const Identity,
    /// Number of the thread in the team that executes the task.
    pub thread_num: i32,
    /// The task's outlined code, 0 if unknown (2013).
    pub function: u64,
}

/// One region that encloses the calling thread.
#[derive(Clone, Copy, Debug)]
pub struct RegionInfo {
    /// The region's identity.
    pub region: *const Identity,
    /// Threads in its team.
    pub team_size: i32,
    /// The region's outlined code, 0 if unknown (2013).
    pub function: u64,
    /// The return address of the program's call for the region, 0 if unknown.
    pub codeptr: u64,
}

/// A target construct.
#[derive(Clone, Copy, Debug)]
pub struct TargetInfo {
    /// The device that executes it.
    pub device: i32,
    /// The target region's id.
    pub target: u64,
    /// The id of its operation in progress, 0 if there is none.
    pub operation: u64,
}

/// The notes of tool interfaces on a thread, beside its data words. Only the thread itself and its
/// signal handlers write here.
#[derive(Default)]
pub struct Notes {
    /// The counts of the thread's tasks while it is quiet: the only tool that wants such events
    /// ([`crate::partner`]) wants none from this thread.
    pub tasks: QuietTasks,
    /// The sums of the thread's regions that tools are not told of.
    pub sums: Sums,
    /// The region whose fork or join the tool is being told of, 0 otherwise.
    pub named: AtomicU64,
    /// The region for which the worker works. Known while a tool wants the events of idle threads.
    pub serving: AtomicU64,
    /// The region that the worker left, while the tool is being told that the worker idles; 0
    /// otherwise.
    pub leaving: AtomicU64,
    /// Not 0 while the client of the Collector API executes a callback on the thread. The API's
    /// dialect also marks the callback of JOIN here.
    pub telling: AtomicU64,
    /// The kinds of mutexes for which the thread was said to wait.
    pub waiting: AtomicU64,
    /// A bit for each slot whose tool was told that the thread asks for a nest lock which it does
    /// not own (2016).
    pub asking: AtomicU64,
    /// Not 0 while a tool is told of a target event on the thread.
    pub target: AtomicU64,
    /// The task that stands for a wait for dependences in which the thread is, null outside. Tools
    /// before OpenMP 5.0 do not know it.
    pub stand_in: AtomicPtr<TaskTool>,
    /// The task whose end a tool of 2013 is being told of; null otherwise. Its maker is the current
    /// task for [`Inquiry::making_task`].
    pub exiting: AtomicPtr<TaskTool>,
    /// The dependences that the thread's next, undeferred task waited for: their number, and the
    /// first of them.
    pub awaited: (AtomicUsize, AtomicPtr<Dependence>),
}

impl Notes {
    /// Makes the notes of a thread without notes.
    pub const fn new() -> Notes {
        Notes {
            tasks: QuietTasks::new(),
            sums: Sums::new(),
            named: AtomicU64::new(0),
            serving: AtomicU64::new(0),
            leaving: AtomicU64::new(0),
            telling: AtomicU64::new(0),
            waiting: AtomicU64::new(0),
            asking: AtomicU64::new(0),
            target: AtomicU64::new(0),
            stand_in: AtomicPtr::new(core::ptr::null_mut()),
            exiting: AtomicPtr::new(core::ptr::null_mut()),
            awaited: (AtomicUsize::new(0), AtomicPtr::new(core::ptr::null_mut())),
        }
    }

    /// Notes that the task that the thread makes next has waited for these, which stay until then.
    pub fn note_awaited(&self, list: &[Dependence]) {
        self.awaited.1.store(list.as_ptr().cast_mut(), Ordering::Relaxed);
        self.awaited.0.store(list.len(), Ordering::Relaxed);
    }

    /// Returns the dependences of the latest [`Notes::note_awaited`]. Called while a tool is told
    /// that the task was made.
    pub fn awaited(&self) -> &[Dependence] {
        match self.awaited.0.load(Ordering::Relaxed) {
            0 => &[],
            // SAFETY: the caller of `note_awaited` promised that the list stays.
            count => unsafe {
                core::slice::from_raw_parts(self.awaited.1.load(Ordering::Relaxed), count)
            },
        }
    }
}

/// The engine's answers. `level` 0 is the current one, 1 its parent, and so on.
pub struct Inquiry {
    /// Identity of the calling thread; null for a thread that OpenMP does not know.
    pub thread: fn() -> *const Identity,
    /// State and wait id (0 outside mutex waits) of the calling thread; `UNDEFINED` if unknown.
    pub state: fn() -> (State, u64),
    /// 2 and an answer, 1 if it exists but is not available now, 0 if there is no such level.
    pub task: fn(level: u32) -> (i32, Option<TaskInfo>),
    /// As `task`, but the level above a task is the task that made it (2013, 2014). That one may
    /// run on another thread, or be complete.
    pub making_task: fn(level: u32) -> (i32, Option<TaskInfo>),
    /// As `task`.
    pub region: fn(level: u32) -> (i32, Option<RegionInfo>),
    /// Memory block `block` of the current task: its address, its size, and whether there are more.
    pub task_memory: fn(block: i32) -> (u64, usize, bool),
    /// The target construct that the calling thread executes.
    pub target: fn() -> Option<TargetInfo>,
    /// The device that the calling thread's code runs on, in a region or in a thread of its team,
    /// or that the thread belongs to, and the region's construct, which may be null; `None` on the
    /// host.
    pub on_device: fn() -> Option<(i32, *const Identity)>,
    /// Devices other than the host, as far as the runtime knows.
    pub num_devices: fn() -> i32,
    /// How many of them the host plays; they have the first numbers.
    pub played_devices: fn() -> i32,
    /// Has the threads that the runtime made say farewell to the tool in a slot, which is about to
    /// go. Not async-signal-safe.
    pub tool_leaves: fn(slot: usize),
    /// A frame of the runtime on the calling worker's stack that is older than every region it
    /// works in; 0 on a thread that is no worker.
    pub idle_frame: fn() -> u64,
    /// The word of the site of the summed region that the calling thread is in, and the thread's
    /// number there. 0 if it is in no such region, or in one that is known to be over.
    pub summed: fn() -> (u64, u32),
    /// The calling thread's notes; `None` for a thread that OpenMP does not know.
    pub notes: fn() -> Option<&'static Notes>,
    /// A new id, unique over the run.
    pub unique_id: fn() -> u64,
    /// Processors that the process may use (`omp_get_num_procs`).
    pub num_procs: fn() -> i32,
    /// Places of the initial task.
    pub num_places: fn() -> i32,
    /// Writes the processors of `place` as far as they fit, and returns how many there are. By its
    /// specification it need not be async-signal-safe; here it is.
    pub place_proc_ids: fn(place: i32, ids: &mut [i32]) -> i32,
    /// The place that the calling thread is bound to, -1 if none.
    pub place_num: fn() -> i32,
    /// As `place_proc_ids`, for the places of the current task's partition.
    pub partition_place_nums: fn(nums: &mut [i32]) -> i32,
    /// The processor that the calling thread runs on, negative if unknown.
    pub proc_id: fn() -> i32,
    /// `_OPENMP` of the runtime.
    pub omp_version: u32,
    /// Zero-terminated, never changes.
    pub runtime_version: &'static core::ffi::CStr,
}

/// Written once by the engine before the tools start.
static INQUIRY: AtomicPtr<Inquiry> = AtomicPtr::new(core::ptr::null_mut());

/// Installs the engine's answers.
pub fn install_inquiry(table: &'static Inquiry) {
    INQUIRY.store(core::ptr::from_ref(table).cast_mut(), Ordering::Release);
}

/// Returns the engine's answers; `None` before the runtime library has initialised itself.
/// Async-signal-safe.
#[inline]
pub fn inquiry() -> Option<&'static Inquiry> {
    // SAFETY: only `install_inquiry` stores here, and only a `'static` table.
    unsafe { INQUIRY.load(Ordering::Acquire).as_ref() }
}
