//! The things that a thread may wait for: OpenMP's constructs, locks, the C library, the kernel.

use serde::{Deserialize, Serialize};

use super::Address;

/// The thing that a thread waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "for", rename_all = "kebab-case")]
pub enum Wait {
    /// A lock, a critical section, an atomic, `ordered`'s lock: see [`super::Snapshot::locks`].
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
    /// The tasks that must be complete first (an undeferred task, `taskwait depend`).
    Dependences {
        /// The tasks that are not complete, as far as known.
        on: Vec<Address>,
    },
    /// Its turn in an `ordered` region of a loop.
    Ordered {
        /// The team.
        team: Address,
        /// The iteration or unit whose turn it is, if known.
        turn: Option<u64>,
        /// The thread's own iteration or unit, if known.
        own: Option<u64>,
        /// The number in the team of the thread that has the turn, if known.
        #[serde(default)]
        of: Option<u32>,
    },
    /// `ordered depend(sink)`: an iteration that has not reached its `source`.
    Sink {
        /// The team.
        team: Address,
        /// The iteration vector, as far as known: iterations of each loop are counted from 0.
        iteration: Vec<i64>,
        /// The thread's own iteration of the outermost loop, counted from 0, if known.
        #[serde(default)]
        own: Option<u64>,
        /// Why the thread waits for ever, if the loop's schedule shows it. "later": the iteration
        /// comes after the thread's own. "own": the thread itself executes the iteration, and waits
        /// instead.
        #[serde(default)]
        never: Option<String>,
        /// The places where the code comes to the sources of iterations, as far as the code shows
        /// them.
        #[serde(default)]
        sources: Vec<String>,
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
    /// A region that needs the thread: an idle worker has nothing to do yet.
    Work,
    /// Something that the runtime has no name for.
    Unknown {
        /// A description of what is known.
        what: String,
    },
    /// A pthread mutex.
    Mutex {
        /// The mutex.
        mutex: Address,
        /// The owner's number in the kernel, as the mutex has it.
        owner: Option<u32>,
        /// It is a read-write lock. A writer holds it, or, without an owner, readers do.
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
        /// The kernel's number of the thread that it waits for, if that thread lives.
        lwp: Option<u32>,
    },
    /// An action that is done once: `pthread_once`, `std::call_once`, the initialiser of a static
    /// variable.
    Once {
        /// The flag or guard.
        flag: Address,
        /// The variable is a static one of a function.
        of_static: bool,
        /// The kernel's number of the thread that does the action, as far as stacks tell.
        #[serde(default)]
        owner: Option<u32>,
    },
    /// The dynamic linker's lock.
    Loader {
        /// The owner's number in the kernel.
        owner: Option<u32>,
    },
    /// Python's interpreter lock (the GIL).
    Interpreter {
        /// The owner's number in the kernel, if the interpreter tells.
        #[serde(default)]
        owner: Option<u32>,
    },
    /// News that it asks the kernel for again and again, in a loop that does nothing else but let
    /// time pass.
    Asks {
        /// The function that asks, with its place: "open at file.c:3".
        by: String,
        /// The thing that it asks for, and what is known of that.
        what: String,
    },
    /// A system call.
    Call {
        /// Its name: "read", "poll", "futex", …
        name: String,
        /// The known facts about the wait: "fd 0 (/dev/pts/1)".
        what: String,
    },
}
