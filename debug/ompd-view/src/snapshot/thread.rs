//! A thread of the program: what the runtime, the kernel and its stack say of it.

use serde::{Deserialize, Serialize};

use super::{Address, Bypass, Circle, Counts, InheritedEnd, Loop, StaysIn, Unsent, Wait};

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
    /// The thread's number in the process, from 0: first the initial thread, then workers and other
    /// threads, in the order in which they came. Hidden helper threads, which execute target tasks
    /// of LLVM's programs, have -1 and below. `None` for a thread that OpenMP does not know.
    pub number: Option<i32>,
    /// "initial", "worker", "other", "helper", or "" for a thread that OpenMP does not know;
    /// "unnumbered" if the runtime does not tell.
    pub kind: String,
    /// The kernel's name for it.
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
    /// The runtime put it to sleep until its wait is over.
    pub asleep: bool,
    /// The wait that it is in; `None` if it does not wait.
    pub waits: Option<Wait>,
    /// Barriers of its current region that it has arrived at, this one included.
    pub barriers: u64,
    /// The kernel's view of it.
    pub os: Option<Os>,
    /// Its stack, innermost frame first, as unwound: nothing hidden, nothing joined.
    pub stack: Vec<Frame>,
    /// The places where the thread took locks, in the functions that it is in and as far as it has
    /// come in them.
    pub taken: Vec<Taken>,
    /// The places in the code that would end its wait, or that made the wait endless.
    pub brings: Option<Brings>,
    /// The text in a stream's buffer that keeps the thread waiting, if there is some.
    #[serde(skip)]
    pub unsent: Option<Unsent>,
    /// The ends of pipes in child processes that keep the child that it waits for from its end.
    #[serde(skip)]
    pub inherited: Vec<InheritedEnd>,
    /// The message that it waits for in MPI: "tag 7, from rank 1 of its communicator".
    pub envelope: Option<String>,
    /// It waits for a condition variable, and no loop around the wait checks again whether to go
    /// on.
    pub unchecked: bool,
    /// The loop around its wait for a condition variable would end if the thread were woken now.
    pub there: bool,
    /// The functions of the runtime and of the C library that the program's innermost function was
    /// seen to call. If the thread waits in MPI, also the program's functions in which it was seen
    /// between two waits.
    pub calls: Vec<String>,
    /// A hash of its registers and of the top of its stack, if it runs; 0 if not known.
    #[serde(skip)]
    pub print: u64,
    /// A hash of the program's innermost function, for a thread that waits in a runtime that tells
    /// nothing: its registers and its part of the stack; 0 if not known.
    #[serde(skip)]
    pub caller: u64,
    /// The number of looks in which `print` was the same as in an earlier look. Such a thread runs
    /// and changes nothing of its own, except values that each round of a loop changes back.
    pub unchanged: u32,
    /// The number of looks in which it was in a function that tries for a lock and does not wait
    /// for it.
    pub tried: u32,
    /// The functions of that kind that the program's innermost function calls in its code.
    pub tries: Vec<String>,
    /// The runtime's functions for cancellation that the program's innermost function calls in its
    /// code, with the places.
    pub cancels: Vec<String>,
    /// The function of `tries` that each round of its loop calls, if a round does nothing else but
    /// let some time pass.
    pub retries: Option<String>,
    /// It is in a loop that only waits for memory to change.
    pub awaits: Option<Awaits>,
    /// It is in a loop by which threads meet: its rounds are alike, except for numbers that grow.
    pub round: Option<Awaits>,
    /// The variable on which the end of its loop depends, if each thread has its own copy of it.
    #[serde(skip)]
    pub own_copy: Option<OwnCopy>,
    /// The loops around its place that it never left between the looks, from inside to outside.
    #[serde(skip)]
    pub stays_in: Vec<StaysIn>,
    /// The circle that its code walks.
    #[serde(skip)]
    pub circle: Option<Circle>,
}

/// A variable of which each thread has its own copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnCopy {
    /// Its name.
    pub name: String,
    /// The values of the threads' copies, by the threads' numbers in the kernel.
    pub copies: Vec<(u32, i64)>,
}

/// A loop that ends only when the memory that it reads changes, or never.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Awaits {
    /// The thing that it reads to decide: "the variable 'flag'"; "" if nothing can end the loop.
    pub what: String,
    /// The place of that read: "file.c:12".
    pub place: Option<String>,
    /// The same place: the source file as the debug information names it, and the line.
    #[serde(skip)]
    pub source: Option<(String, u32)>,
    /// The number that is there, if it is a small one.
    pub now: Option<i64>,
    /// The two variables that decide, if it is two.
    #[serde(skip)]
    pub compared: Vec<Compared>,
    /// Its rounds also write memory: flags of its own.
    pub writes: bool,
    /// Its rounds do nothing but try for a lock: the function that they call, and the lock.
    pub tries: Option<(String, Address)>,
    /// For a loop that nothing can end: the thing that the code reads once, in front of the loop,
    /// and the place: "the variable 'flag' at file.c:12".
    #[serde(default)]
    pub once: Option<String>,
    /// The number of successive looks in which the thread was in this loop, and never out of it as
    /// far as the other registers and the rest of the stack tell.
    pub looks: u32,
    /// The values that it reads were not the same in all these looks.
    pub changes: bool,
    /// Its rounds may exchange what it reads with what is there already. Only if the thread's
    /// registers stay as they are, too, the rounds are all alike.
    #[serde(skip)]
    pub exchanges: bool,
    /// The addresses that it reads, with lengths.
    #[serde(skip)]
    pub reads: Vec<(u64, usize)>,
    /// The address and length of what `once` names.
    #[serde(skip)]
    pub read_once: Option<(u64, usize)>,
    /// The addresses and lengths that its rounds write, and the number that they write there each
    /// time.
    #[serde(skip)]
    pub wrote: Vec<((u64, usize), Option<u64>)>,
    /// A hash of the loop, and of everything that its rounds leave alone.
    #[serde(skip)]
    pub print: u64,
    /// A hash of the values that it reads.
    #[serde(skip)]
    pub values: u64,
}

/// A variable on which the end of a loop depends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// The number that is there, if it is a small one.
    pub now: Option<i64>,
    /// The lines that write it: "file.c:12".
    pub written: Vec<String>,
    /// The lines write members of that name, of this object or of others.
    pub alike: bool,
}

impl Awaits {
    /// Whether this loop reads memory that the other one writes.
    pub fn looks_at(&self, other: &Awaits) -> bool {
        let wrote = || other.wrote.iter().map(|(wrote, _)| *wrote);
        self.reads.iter().any(|read| wrote().any(|wrote| meet(*read, wrote)))
    }

    /// Whether the other loop writes only the same number each time to the memory that this one
    /// reads.
    pub fn is_led_by(&self, other: &Awaits) -> bool {
        let grows = |read: &(u64, usize)| {
            other.wrote.iter().any(|(wrote, number)| number.is_none() && meet(*read, *wrote))
        };
        !self.reads.iter().any(grows)
    }

    /// Continues the same loop's record in a further look. `ran`: the thread ran between the two
    /// looks. A thread that did not run had no chance to leave, so the look shows nothing new.
    /// `again`: its registers and its stack are as in an earlier look. Then it goes round the same
    /// loop, though what its rounds leave alone depends on the place in the loop.
    pub fn follow(&mut self, before: Option<&Awaits>, ran: bool, again: bool) {
        let is_same =
            |before: &&Awaits| before.print == self.print || again && before.reads == self.reads;
        let same = before.filter(is_same);
        self.looks = same.map_or(1, |before| before.looks + u32::from(ran));
        self.changes = same.is_some_and(|old| old.changes || old.values != self.values);
    }
}

fn meet((one, length): (u64, usize), (other, more): (u64, usize)) -> bool {
    one < other.saturating_add(more as u64) && other < one.saturating_add(length as u64)
}

/// The kernel's view of a thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Os {
    /// The letter of /proc/PID/task/TID/stat: R, S, D, T, Z.
    pub state: String,
    /// The system call that it is in, if it is in one.
    pub call: Option<String>,
    /// Whether that call ends by itself after a time.
    pub timed: bool,
    /// The longest time that the call's arguments allow, in nanoseconds.
    pub at_most: Option<u64>,
    /// The time until the call's deadline, in nanoseconds, if its arguments have one.
    pub left: Option<u64>,
    /// That deadline is about the time of CLOCK_REALTIME, and the call counts by CLOCK_MONOTONIC.
    pub other_clock: bool,
    /// Something ends the call by itself: a disk works for it, another process goes on, a clock
    /// runs.
    pub brought: bool,
    /// Something outside the process may end it. A loop that reads memory which other processes
    /// have too counts as such.
    pub outside: bool,
    /// It sleeps at memory that other processes have too, where only its own process can wake it.
    pub within_process: bool,
    /// CPU time, in nanoseconds.
    pub cpu: Option<u64>,
    /// The number of times that it got a processor.
    #[serde(skip)]
    pub turns: Option<u64>,
    /// The number of times that it gave up a processor to sleep.
    #[serde(skip)]
    pub sleeps: Option<u64>,
    /// It got a processor more often since an earlier look than the looks themselves explain.
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
    /// The lock, if the code shows which one; else 0.
    pub lock: Address,
    /// If the code does not show the lock: the call's arguments, from variables of the frame that
    /// have not changed since.
    #[serde(default)]
    pub handed: Vec<Address>,
}

/// An operation that ends a wait for something that no particular thread has, or that makes the
/// wait endless.
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
    /// Threads that wait for an atomic are notified.
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
    /// A file is opened: the other end of a FIFO.
    Open,
    /// The text in a stream's buffer is written out.
    Flush,
    /// An iteration of a loop comes to its source (`ordered depend(source)`).
    Source,
    /// A lock of Python's is taken or given back.
    Release,
    /// A program says that an item of a Python queue is done.
    TaskDone,
    /// None of these: a thread ends alone, and its team waits for it.
    End,
    /// None of these: a lock is destroyed while somebody holds it.
    Destroy,
}

/// The places in the code that do such an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Brings {
    /// The operation.
    pub what: Bringing,
    /// "file.c:12".
    pub places: Vec<String>,
    /// The code does not show whether they do it to the object that the thread waits for, or to
    /// another one.
    pub alike: bool,
    /// The names of other objects, if the code does the operation to these only.
    pub others: Vec<String>,
    /// Their addresses.
    #[serde(skip)]
    pub others_at: Vec<Address>,
    /// The places where the code makes the object that the thread waits for, which is made for a
    /// number of threads.
    pub made_at: Vec<String>,
    /// Each operation wakes one thread, however many wait.
    pub wakes_one: bool,
    /// Ways through the code that leave out these places.
    pub bypasses: Vec<Bypass>,
    /// The comparison of a counter that decides whether the thread comes to one of them.
    #[serde(skip)]
    pub counts: Option<Counts>,
    /// The addresses one past the instructions there.
    #[serde(skip)]
    pub after: Vec<u64>,
    /// For operations that fulfil events, and for stores that a task's loop waits for: the start
    /// addresses of the functions that come to these places.
    #[serde(skip)]
    pub bodies: Vec<Address>,
    /// Threads that wait, and may come to one of them when they go on.
    pub comers: Vec<Comer>,
}

/// A thread that may come to such a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Comer {
    /// Its number in the kernel.
    pub lwp: u32,
    /// The place that it comes to: "file.c:12".
    pub place: String,
}

/// A frame of a stack.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Frame {
    /// The address at which the frame goes on; for the innermost frame, the current instruction.
    pub address: Address,
    /// The stack pointer behind the return address (the frame's CFA); 0 if not known.
    pub cfa: Address,
    /// The function as its author wrote it; for an outlined function, the function around the
    /// construct.
    pub function: String,
    /// For an outlined function: its construct ("parallel", "task", …).
    pub construct: Option<String>,
    /// The source file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// Other lines that it may be, because the compiler merged several calls into one.
    pub or_lines: Vec<u32>,
    /// The program or library that it belongs to.
    pub module: String,
    /// The frame is in the runtime.
    pub runtime: bool,
    /// It was inlined into the next frame.
    pub inlined: bool,
    /// The function only calls a lock's function: the next frame wants the lock.
    pub stands_for_call: bool,
}
