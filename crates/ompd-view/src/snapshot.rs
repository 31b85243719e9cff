//! A whole program at one moment, as plain data: what `omphalos inspect --json` prints, what the
//! analysis of hangs reads, and what debuggers fill in with their own stacks.
//!
//! `ompd-view` fills in what the runtime knows. `inspect`, or a debugger, adds what the kernel, the
//! C library and the debug information say: [`Thread::os`], [`Thread::stack`], pthread waits. A
//! field that nobody could fill in is `None`, and [`Snapshot::notes`] says why.

use serde::{Deserialize, Serialize};

/// The version of this structure, in [`Snapshot::format`]: one more for each change that a reader
/// must know of.
pub const FORMAT: u32 = 1;

/// An address in the target: names a team, a task or a lock.
pub type Address = u64;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    /// [`FORMAT`].
    pub format: u32,
    /// The process, if the target has a number.
    pub pid: Option<u32>,
    /// The program's file and arguments, as far as known.
    pub command: Vec<String>,
    /// Its rank in a job of MPI, and how many there are, if its environment says so.
    pub rank: Option<(u32, u32)>,
    /// The runtime: "Omphalos 0.1.0", "LLVM 19", …
    pub runtime: String,
    /// Every thread of the process: OpenMP's first, by number; then others.
    pub threads: Vec<Thread>,
    /// Every team that a thread is in, and those around it.
    pub teams: Vec<Team>,
    /// Tasks that a thread executes, that wait, and that are queued.
    pub tasks: Vec<Task>,
    /// Locks that somebody waits for or that a thread is known to hold.
    pub locks: Vec<Lock>,
    /// What could not be read, and why; bounds that were hit.
    pub notes: Vec<String>,
}

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Thread {
    /// The kernel's number; 0 if not known.
    pub lwp: u32,
    /// `pthread_self()` of the thread; 0 if not known.
    pub pthread: Address,
    /// The runtime's record of it; 0 for a thread that OpenMP does not know.
    pub record: Address,
    /// The number in the process, from 0: the initial thread's; then workers and other threads, as
    /// they came. Hidden helper threads, which execute target tasks of LLVM's programs, have -1 and
    /// below. `None` for a thread that OpenMP does not know.
    pub number: Option<i32>,
    /// "initial", "worker", "other", "helper", or "" for a thread that OpenMP does not know;
    /// "unnumbered" where the runtime does not tell.
    pub kind: String,
    /// The name that the kernel has of it.
    pub name: String,
    /// The thread's number in its team (`omp_get_thread_num`).
    pub thread_num: Option<u32>,
    /// Its team.
    pub team: Option<Address>,
    /// The device that the thread executes a region of, or belongs to; `None` for the host.
    pub device: Option<u64>,
    /// The task that it executes.
    pub task: Option<Address>,
    /// `ompt_state_t`.
    pub state: Option<u32>,
    /// The state's name, as `ompt_enumerate_states` has it.
    pub state_name: String,
    /// `ompt_wait_id_t`; 0 for none.
    pub wait_id: u64,
    /// The runtime put it to sleep, until somebody makes true what it waits for.
    pub asleep: bool,
    /// What it waits for.
    pub waits: Option<Wait>,
    /// Barriers of its current region that it has arrived at, this one included.
    pub barriers: u64,
    /// What the kernel says of it.
    pub os: Option<Os>,
    /// Its stack, innermost frame first, as unwound: nothing hidden, nothing joined.
    pub stack: Vec<Frame>,
    /// Where its code, as far as it has come in the functions that it is in, takes locks.
    pub taken: Vec<Taken>,
    /// What the innermost function of the program's was seen to call of the runtime and the C
    /// library.
    pub calls: Vec<String>,
    /// A print of its registers and of the top of its stack, where it runs; 0 if not known.
    #[serde(skip)]
    pub print: u64,
    /// In how many looks that was as in one before: it runs and changes nothing of its own, but for
    /// what each round of a loop changes back.
    pub unchanged: u32,
    /// In how many looks it was in a function that tries for a lock, and does not wait for it.
    pub tried: u32,
    /// Which functions that try for a lock, and do not wait for it, the code of that function
    /// calls.
    pub tries: Vec<String>,
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "for", rename_all = "kebab-case")]
pub enum Wait {
    /// A lock, a critical section, an atomic, `ordered`'s lock: see [`Snapshot::locks`].
    Lock {
        /// The lock.
        lock: Address,
    },
    /// A barrier, also the one at the end of a region or a worksharing construct.
    Barrier {
        /// "explicit", "implicit", "region", "teams", "implementation".
        kind: String,
        /// The team.
        team: Address,
        /// Numbers (in the team) of the members that have not arrived.
        missing: Vec<u32>,
        /// All have arrived: the barrier waits for tasks.
        for_tasks: bool,
    },
    /// `taskwait`: the children of the task.
    Taskwait {
        /// The task that waits.
        task: Address,
    },
    /// The end of a `taskgroup`.
    Taskgroup {
        /// The task that waits.
        task: Address,
        /// The tasks of the group that are not complete.
        left: Option<u64>,
    },
    /// Tasks that it depends on (an undeferred task, `taskwait depend`).
    Dependences {
        /// The tasks that are not complete, as far as known.
        on: Vec<Address>,
    },
    /// Its turn in an `ordered` region of a loop.
    Ordered {
        /// The team.
        team: Address,
        /// The iteration or unit whose turn it is, and its own, where known.
        turn: Option<u64>,
        /// Its own.
        own: Option<u64>,
        /// The number in the team of the thread that has the turn, where known.
        #[serde(default)]
        of: Option<u32>,
    },
    /// `ordered depend(sink)`: an iteration whose `source` has not come.
    Sink {
        /// The team.
        team: Address,
        /// The iteration vector, as far as known: iterations of each loop are counted from 0.
        iteration: Vec<i64>,
    },
    /// The values that `single copyprivate` gives out.
    Copyprivate {
        /// The team.
        team: Address,
    },
    /// The event of a detached task that has run.
    Event {
        /// The task.
        task: Address,
    },
    /// A region that asked for it: nothing to do yet (an idle worker).
    Work,
    /// Something that the runtime has no name for.
    Unknown {
        /// What is known.
        what: String,
    },
    /// A pthread mutex.
    Mutex {
        /// The mutex.
        mutex: Address,
        /// The owner's number in the kernel, as the mutex has it.
        owner: Option<u32>,
        /// It is a read-write lock that a writer holds.
        #[serde(default)]
        read_write: bool,
    },
    /// A pthread condition variable.
    Condition {
        /// The variable.
        condition: Address,
    },
    /// `pthread_join`.
    Join {
        /// The kernel's number of the thread that it waits for, if that lives.
        lwp: Option<u32>,
    },
    /// What is done once: `pthread_once`, `std::call_once`, the initialiser of a static variable.
    Once {
        /// The flag or guard.
        flag: Address,
        /// The variable is a static one of a function.
        of_static: bool,
        /// The number in the kernel of the thread that does it, as far as stacks tell.
        #[serde(default)]
        owner: Option<u32>,
    },
    /// The dynamic linker's lock.
    Loader {
        /// The owner's number in the kernel.
        owner: Option<u32>,
    },
    /// A system call.
    Call {
        /// Its name: "read", "poll", "futex", …
        name: String,
        /// What is known of what it waits for: "fd 0 (/dev/pts/1)".
        what: String,
    },
}

/// What the kernel says of a thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Os {
    /// The letter of /proc/PID/task/TID/stat: R, S, D, T, Z.
    pub state: String,
    /// The system call that it is in, if it is in one.
    pub call: Option<String>,
    /// That one ends by itself when a time is over.
    pub timed: bool,
    /// CPU time, in nanoseconds.
    pub cpu: Option<u64>,
}

/// A lock that a thread's code takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Taken {
    /// The function that takes it.
    pub by: String,
    /// "file.c:12".
    pub place: String,
}

/// A frame of a stack.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Frame {
    /// Where it goes on (the innermost: where it stands).
    pub address: Address,
    /// The stack pointer behind the return address (the frame's CFA); 0 if not known.
    pub cfa: Address,
    /// The function as its author wrote it: of an outlined one the function around the construct.
    pub function: String,
    /// Of an outlined function: the construct ("parallel", "task", …).
    pub construct: Option<String>,
    /// The source file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// The program or library that it belongs to.
    pub module: String,
    /// The runtime's own.
    pub runtime: bool,
    /// It was inlined into the next one.
    pub inlined: bool,
    /// The function does no more than the call in which it is, a lock's: the next one is the code
    /// that wants it.
    pub stands_for_call: bool,
}

/// A team.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Team {
    /// Its record.
    pub address: Address,
    /// The team of the task that encountered its region; `None` for an initial team.
    pub parent: Option<Address>,
    /// The encountering task.
    pub encountering_task: Option<Address>,
    /// Threads.
    pub size: u32,
    /// Nesting level, 0 for an initial team.
    pub level: u32,
    /// Enclosing regions with more than one thread, this one included.
    pub active_level: u32,
    /// How many regions it has been used for: tells one from the next.
    pub region: u64,
    /// The return address of the region's call; 0 if not known.
    pub codeptr: Address,
    /// The outlined function; 0 if not known.
    pub function: Address,
    /// The members' records of threads, by number in the team; 0 where nobody sits.
    pub members: Vec<Address>,
    /// Barriers that each member has arrived at in this region.
    pub arrived: Vec<u64>,
    /// Explicit tasks that are queued, in all.
    pub queued_tasks: u64,
    /// Where the region stands in the source ("region at a.c:3 in main"), if somebody looked it up.
    pub location: Option<String>,
}

/// A task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Task {
    /// Its record.
    pub address: Address,
    /// The task that made it.
    pub parent: Option<Address>,
    /// Its team.
    pub team: Option<Address>,
    /// `ompt_task_flag_t`.
    pub flags: u32,
    /// "queued", "waits" (for dependences), "executing", "suspended", "detached" (its body has
    /// ended, its event has not come).
    pub state: String,
    /// The code that it executes: the outlined function; 0 if not known.
    pub function: Address,
    /// Return address of the construct that made it; 0 if not known.
    pub codeptr: Address,
    /// Where that stands in the source, if somebody looked it up.
    pub location: Option<String>,
    /// The thread (record) that executes it.
    pub thread: Option<Address>,
    /// Children that are not complete.
    pub children: u64,
    /// Tasks that it waits for.
    pub depends_on: Vec<Address>,
    /// `ompt_frame_t`: exit and enter frame; 0 for none.
    pub exit_frame: Address,
    /// See `exit_frame`.
    pub enter_frame: Address,
}

/// A lock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lock {
    /// Where it stands.
    pub address: Address,
    /// "lock", "nest lock", "critical", "atomic", "ordered".
    pub kind: String,
    /// The name of the variable, or of the critical section, if known.
    pub name: Option<String>,
    /// The number of the thread that holds it ([`Thread::number`]).
    pub holder: Option<i32>,
    /// For a nest lock: the task that holds it.
    pub holder_task: Option<Address>,
    /// The holder has ended.
    pub holder_gone: bool,
    /// What stands there is no lock: it names a holder that never was.
    pub damaged: bool,
    /// It stands in memory that other processes may share, whose threads have numbers of their own.
    pub shared: bool,
    /// Who of another process holds it, as far as known: "process 12 ('app')".
    pub elsewhere: Option<String>,
    /// Where the program's code takes it ("file.c:12"), as far as that shows: of a lock of which no
    /// stack tells.
    pub taken_at: Vec<String>,
}
