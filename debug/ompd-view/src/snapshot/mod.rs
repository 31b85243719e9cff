//! A whole program at one moment, as plain data: what `omphalos inspect --json` prints, what the
//! analysis of hangs reads, and what debuggers fill in with their own stacks.
//!
//! `ompd-view` fills in what the runtime knows. `inspect`, or a debugger, adds what the kernel, the
//! C library and the debug information say: [`Thread::os`], [`Thread::stack`], pthread waits. A
//! field that nobody could fill in is `None`, and [`Snapshot::notes`] says why.

mod bypass;
mod circle;
mod inherited;
mod loops;
mod stays;
mod thread;
mod unsent;
mod wait;

use std::collections::BTreeMap;

pub use bypass::{Bypass, Counts};
pub use circle::Circle;
pub use inherited::InheritedEnd;
pub use loops::Loop;
use serde::{Deserialize, Serialize};
pub use stays::{SilentRounds, StaysIn};
pub use thread::{Awaits, Bringing, Brings, Comer, Compared, Frame, Os, OwnCopy, Taken, Thread};
pub use unsent::{Reader, Unsent};
pub use wait::Wait;

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
    /// The control group that keeps it from running, if there is one.
    pub frozen: Option<String>,
    /// Its rank in an MPI job, and the number of ranks, if its environment tells.
    pub rank: Option<(u32, u32)>,
    /// The runtime: "Omphalos 0.1.0", "LLVM 19", …
    pub runtime: String,
    /// Whether constructs can be cancelled (cancel-var), if known.
    pub cancellation: Option<bool>,
    /// The signals with handlers by which others may tell it to do something.
    pub handlers: Vec<String>,
    /// The signals that have come for it, and whose handlers do not run, because each thread blocks
    /// the signal.
    pub withheld: Vec<String>,
    /// The places where the code changes the signals that a thread blocks, if some are withheld.
    pub blocked_at: Vec<String>,
    /// The parent's number, if the process was forked and has executed no program since.
    pub forked: Option<u32>,
    /// The processes beside it whose end nobody has asked for yet, if a thread waits for what other
    /// processes may bring: "process 7 ('app'), its child, has ended with exit status 3".
    pub ended: Vec<String>,
    /// Every thread of the process: OpenMP's first, by number; then others.
    pub threads: Vec<Thread>,
    /// Every team that a thread is in, and those around it.
    pub teams: Vec<Team>,
    /// Tasks that a thread executes, that wait, and that are queued.
    pub tasks: Vec<Task>,
    /// Locks that somebody waits for or that a thread is known to hold.
    pub locks: Vec<Lock>,
    /// Notes: the parts that could not be read, and why; the bounds that were hit.
    pub notes: Vec<String>,
}

impl Snapshot {
    /// Whether the runtime tells for whom its threads wait: the team of a barrier, the holder of a
    /// lock. With several runtimes, nothing tells that of all threads.
    pub fn tells(&self) -> bool {
        let is_alone = !self.runtime.contains(" and ");
        self.runtime.is_empty() || self.runtime.starts_with("Omphalos") && is_alone
    }
}

/// A team.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Team {
    /// Its record.
    pub address: Address,
    /// The team of the task that encountered its region; `None` for an initial team.
    pub parent: Option<Address>,
    /// The league's region, if it is one of the teams of a `teams` construct.
    pub league: Option<Address>,
    /// The encountering task.
    pub encountering_task: Option<Address>,
    /// Threads.
    pub size: u32,
    /// Nesting level, 0 for an initial team.
    pub level: u32,
    /// Enclosing regions with more than one thread, this one included.
    pub active_level: u32,
    /// The greatest number of nested regions that may have more than one thread
    /// (max-active-levels-var), if known.
    pub max_active_levels: Option<u32>,
    /// The greatest number of threads (thread-limit-var), if known.
    #[serde(default)]
    pub thread_limit: Option<u32>,
    /// The number of regions that have used the record: another number means another region.
    pub region: u64,
    /// The return address of the region's call; 0 if not known.
    pub codeptr: Address,
    /// The outlined function; 0 if not known.
    pub function: Address,
    /// The members' records of threads, by number in the team; 0 where nobody sits.
    pub members: Vec<Address>,
    /// Barriers that each member has arrived at in this region.
    pub arrived: Vec<u64>,
    /// The places from which each member came to its latest barriers, the latest one last: return
    /// addresses, 0 if not known.
    pub sites: Vec<Vec<Address>>,
    /// The places of those addresses in the source ("a.c:7 in solve"), if somebody looked them up.
    pub places: BTreeMap<Address, String>,
    /// Ways through the code past the barrier at which the members parted, if somebody looked them
    /// up.
    pub bypasses: Vec<Bypass>,
    /// Explicit tasks that are queued, in all.
    pub queued_tasks: u64,
    /// The region's place in the source ("region at a.c:3 in main"), if somebody looked it up.
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
    /// ended, its event is outstanding).
    pub state: String,
    /// The code that it executes: the outlined function; 0 if not known.
    pub function: Address,
    /// Return address of the construct that made it; 0 if not known.
    pub codeptr: Address,
    /// The place of that address in the source, if somebody looked it up.
    pub location: Option<String>,
    /// The thread (record) that executes it.
    pub thread: Option<Address>,
    /// Children that are not complete.
    pub children: u64,
    /// Tasks that it waits for.
    pub depends_on: Vec<Address>,
    /// The record stands for this many tasks of a taskloop. The thread that begins them makes them.
    pub shares: Option<u64>,
    /// `ompt_frame_t`: exit and enter frame; 0 for none.
    pub exit_frame: Address,
    /// See `exit_frame`.
    pub enter_frame: Address,
}

/// A lock.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lock {
    /// Its address.
    pub address: Address,
    /// "lock", "nest lock", "critical", "atomic", "ordered".
    pub kind: String,
    /// The name of the variable, or of the critical section, if known.
    pub name: Option<String>,
    /// The function that has the variable in its frame.
    pub function: Option<String>,
    /// The number of the thread that holds it ([`Thread::number`]).
    pub holder: Option<i32>,
    /// For a nest lock: the task that holds it.
    pub holder_task: Option<Address>,
    /// The holder has ended.
    pub holder_gone: bool,
    /// The memory at the address is no lock: it names a holder that never existed.
    pub damaged: bool,
    /// It is in memory that other processes may share, whose threads have numbers of their own.
    pub shared: bool,
    /// The holder in another process, as far as known: "process 12 ('app')".
    pub elsewhere: Option<String>,
    /// The places where the program's code takes the lock ("file.c:12"), as far as the code shows,
    /// for a lock that no stack tells of.
    pub taken_at: Vec<String>,
    /// The places where the code takes locks and does not show which ones: it may be this lock.
    pub alike_taken_at: Vec<String>,
    /// Ways through the code that take the lock and do not give it back, if it is held and its
    /// holder is elsewhere in the code.
    pub bypasses: Vec<Bypass>,
    /// For a read-write lock: the number of threads that hold it for reading, if known.
    pub readers: Option<u32>,
    /// For a read-write lock: whether it lets writers go first.
    pub writers_first: bool,
}
