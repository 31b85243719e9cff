//! A thread of the program: what the runtime, the kernel and its stack say of it.

use serde::{Deserialize, Serialize};

use super::{Address, Bypass, Loop, Unsent, Wait};

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
    /// The loop, or `sections`, that it is in, if the runtime hands it out.
    pub in_loop: Option<Loop>,
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
    /// Where the code does what would end its wait, or what has made that nothing ends it.
    pub brings: Option<Brings>,
    /// The text in a stream's buffer that keeps the thread waiting, if some does.
    #[serde(skip)]
    pub unsent: Option<Unsent>,
    /// It waits for a condition variable, and no loop around the wait looks again whether to go on.
    pub unchecked: bool,
    /// The loop around its wait for a condition variable would end if it were woken now.
    pub there: bool,
    /// The functions of the runtime and of the C library that its innermost function of the
    /// program's was seen to call.
    pub calls: Vec<String>,
    /// A print of its registers and of the top of its stack, where it runs; 0 if not known.
    #[serde(skip)]
    pub print: u64,
    /// A print of the program's innermost function, of a thread that waits in a runtime which tells
    /// nothing: its registers and its part of the stack; 0 if not known.
    #[serde(skip)]
    pub caller: u64,
    /// The looks in which that print was the same as in an earlier one: it runs and changes nothing
    /// of its own, but for what each round of a loop changes back.
    pub unchanged: u32,
    /// The looks in which it was in a function that tries for a lock and does not wait for it.
    pub tried: u32,
    /// The functions of that kind that the code of its innermost function of the program's calls.
    pub tries: Vec<String>,
    /// The runtime's functions for cancellation that the code of its innermost function of the
    /// program's calls, with the places.
    pub cancels: Vec<String>,
    /// The function of `tries` that each round of its loop calls, where a round does nothing else
    /// but let some time go by.
    pub retries: Option<String>,
    /// It is in a loop that only waits for memory to change.
    pub awaits: Option<Awaits>,
    /// It is in a loop whose rounds are alike, but for numbers that grow, by which threads meet.
    pub round: Option<Awaits>,
}

/// A loop that no round of its own ends: what it reads does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Awaits {
    /// What it reads for that: "the variable 'flag'"; "" if nothing can end it.
    pub what: String,
    /// Where it reads that: "file.c:12".
    pub place: Option<String>,
    /// The same: the source file as the debug information names it, and the line.
    #[serde(skip)]
    pub source: Option<(String, u32)>,
    /// Its rounds write memory too: flags of its own.
    pub writes: bool,
    /// Its rounds do no more than to try for a lock: the function that they call for that, and the
    /// lock.
    pub tries: Option<(String, Address)>,
    /// Of one that nothing can end: what the code reads once, before it, and where: "the variable
    /// 'flag' at file.c:12".
    #[serde(default)]
    pub once: Option<String>,
    /// The looks, one after the other, in which it was in that loop, and never out of it as far as
    /// the rest of its registers and of its stack tell.
    pub looks: u32,
    /// What it reads was not the same in all of them.
    pub changes: bool,
    /// Where it reads that, with lengths.
    #[serde(skip)]
    pub reads: Vec<(u64, usize)>,
    /// Where that is which is read once.
    #[serde(skip)]
    pub read_once: Option<(u64, usize)>,
    /// Where its rounds write, and the number that they write there each time.
    #[serde(skip)]
    pub wrote: Vec<((u64, usize), Option<u64>)>,
    /// A print of the loop, and of what its rounds leave alone.
    #[serde(skip)]
    pub print: u64,
    /// A print of what it reads.
    #[serde(skip)]
    pub values: u64,
}

impl Awaits {
    /// Whether it reads what the other one writes.
    pub fn looks_at(&self, other: &Awaits) -> bool {
        let wrote = || other.wrote.iter().map(|(wrote, _)| *wrote);
        self.reads.iter().any(|read| wrote().any(|wrote| meet(*read, wrote)))
    }

    /// Whether the other one writes what it reads, if at all, always with the same number.
    pub fn is_led_by(&self, other: &Awaits) -> bool {
        let grows = |read: &(u64, usize)| {
            other.wrote.iter().any(|(wrote, number)| number.is_none() && meet(*read, *wrote))
        };
        !self.reads.iter().any(grows)
    }

    /// The same, seen once more: with what the looks before showed. `ran`: the thread did between
    /// the two; else it had no chance to leave, and this look shows nothing new.
    pub fn follow(&mut self, before: Option<&Awaits>, ran: bool) {
        let same = before.filter(|before| before.print == self.print);
        self.looks = same.map_or(1, |before| before.looks + u32::from(ran));
        self.changes = same.is_some_and(|old| old.changes || old.values != self.values);
    }
}

fn meet((one, length): (u64, usize), (other, more): (u64, usize)) -> bool {
    one < other.saturating_add(more as u64) && other < one.saturating_add(length as u64)
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
    /// So many nanoseconds at most, by its arguments.
    pub at_most: Option<u64>,
    /// Something ends it by itself: a disk works for it, another process that goes on, a clock.
    pub brought: bool,
    /// Something outside of the process may end it. A loop that reads memory which other processes
    /// have too counts as such.
    pub outside: bool,
    /// CPU time, in nanoseconds.
    pub cpu: Option<u64>,
    /// How often it was given a processor.
    #[serde(skip)]
    pub turns: Option<u64>,
    /// How often it gave one up to sleep.
    #[serde(skip)]
    pub sleeps: Option<u64>,
    /// Since an earlier look it was given a processor more often than the looks themselves explain.
    #[serde(skip)]
    pub woken: bool,
}

/// A lock that a thread's code takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Taken {
    /// The function that takes it.
    pub by: String,
    /// "file.c:12".
    pub place: String,
    /// The lock, where the code tells; else 0.
    pub lock: Address,
    /// Where the code does not tell: the call's arguments, by variables of its frame that have not
    /// changed since.
    #[serde(default)]
    pub handed: Vec<Address>,
}

/// What ends a wait for something that no certain thread has, or makes that it never ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bringing {
    /// A condition variable is signalled.
    #[default]
    Signal,
    /// A semaphore is released.
    Post,
    /// The event of a detached task is fulfilled.
    Fulfil,
    /// A variable is written.
    Write,
    /// A latch is counted down.
    CountDown,
    /// Somebody arrives at a barrier of the C++ library.
    Arrive,
    /// Who waits for an atomic is notified.
    Notify,
    /// An atomic is written.
    Store,
    /// A promise gets its value, or an exception.
    Set,
    /// A message is sent to a queue.
    Send,
    /// A message is taken from a queue.
    Take,
    /// A semaphore of System V changes.
    Change,
    /// A signal is sent.
    Raise,
    /// Something is written to a file descriptor.
    WriteTo,
    /// Something is read from a file descriptor.
    ReadFrom,
    /// The text in a stream's buffer is written out.
    Flush,
    /// An iteration of a loop comes to its source (`ordered depend(source)`).
    Source,
    /// A lock of Python's is taken or given back.
    Release,
    /// An item of a queue of Python's is said to be done.
    TaskDone,
    /// None of these: a thread ends alone, and its team waits for it.
    End,
    /// Nor this: a lock is destroyed, and with it whose it was.
    Destroy,
}

/// The places in the code that do such a thing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Brings {
    /// What they do.
    pub what: Bringing,
    /// "file.c:12".
    pub places: Vec<String>,
    /// The code does not tell whether they do it to what the thread waits for, or to another one.
    pub alike: bool,
    /// Where the code makes what the thread waits for, which is made for a number.
    pub made_at: Vec<String>,
    /// Each of them wakes one thread, however many wait.
    pub wakes_one: bool,
    /// Ways of the code that pass by them.
    pub bypasses: Vec<Bypass>,
    /// One past the instructions there.
    #[serde(skip)]
    pub after: Vec<u64>,
    /// Where the functions begin that come to them, of what fulfils events.
    #[serde(skip)]
    pub bodies: Vec<Address>,
    /// Threads that wait, and may come to one of them when they go on.
    pub comers: Vec<Comer>,
}

/// A thread on its way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Comer {
    /// Its number in the kernel.
    pub lwp: u32,
    /// Where it comes to: "file.c:12".
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
    /// Other lines that it may be: a compiler made one call of several.
    pub or_lines: Vec<u32>,
    /// The program or library that it belongs to.
    pub module: String,
    /// The runtime's own.
    pub runtime: bool,
    /// It was inlined into the next one.
    pub inlined: bool,
    /// The function does no more than call a lock's function: the next frame wants the lock.
    pub stands_for_call: bool,
}
