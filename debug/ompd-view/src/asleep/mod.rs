//! Finds what a thread waits for when it sleeps outside the runtime: in a system call, in the C
//! library, in an MPI library. The thread's registers and stack show it; `inspect` reads them
//! itself, elsewhere a debugger does.

mod barriers;
pub mod calls;
mod conditions;
mod interpreter;
mod machine;
mod mutexes;
mod pthreads;
mod standard;

pub use interpreter::{asks, find_awake, is_lock as is_lock_of_python};
pub use machine::{Machine, number_within};
pub use pthreads::{Known, mpi_function, waits};

use std::time::Duration;

use crate::snapshot::InheritedEnd;
use crate::{Registers, Target};

/// The holder of a file's lock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// The process itself, by this descriptor of that file.
    pub descriptor: Option<i32>,
    /// Other processes: after a fork several may share one lock.
    pub processes: Vec<u32>,
}

/// The lock of a file that a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A lock of the whole file (flock(2)).
    Whole {
        /// It is for one holder alone.
        writes: bool,
    },
    /// A lock of a part (fcntl(2), F_SETLKW, F_OFD_SETLKW).
    Record {
        /// It is for one holder alone.
        writes: bool,
        /// It will belong to the open file, not to the process.
        of_file: bool,
        /// The point that the start is counted from: `l_whence`.
        whence: u16,
        /// The start of the part.
        start: i64,
        /// The length in bytes: 0 for all up to the end, however far that is.
        length: i64,
    },
}

/// The state of a file that a program asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileState {
    /// Says whether it exists, in words that follow its name.
    pub words: String,
    /// Whether it exists.
    pub exists: bool,
    /// The time since the file changed, or the folder that it is not in.
    pub age: Duration,
    /// Whether the process lives whose number is the file's text; `None` if its text is no number.
    pub named_lives: Option<bool>,
}

/// Tells who may bring the end of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prospect {
    /// Only the process itself can bring it, or nobody.
    #[default]
    Stays,
    /// Something outside the process may bring it.
    MayCome,
    /// It is under way, as far as can be seen: another process goes on, or a clock does.
    Comes,
}

/// Questions that only the kernel of the target's machine can answer. The default answers are for a
/// kernel that cannot be asked.
pub trait Kernel {
    /// Returns a description of the file behind a file descriptor of the target.
    fn descriptor(&self, _number: i32) -> Option<String> {
        None
    }

    /// Returns the holder of a lock that keeps the wanted one from being taken, on the file behind
    /// a descriptor.
    fn file_lock_holder(&self, _number: i32, _wanted: &Wanted) -> Option<Holder> {
        None
    }

    /// The control group that keeps the target from running, if there is one.
    fn frozen(&self) -> Option<String> {
        None
    }

    /// Our number of the process that the target knows by `seen`, the number of one of its threads.
    fn process_of(&self, _seen: u32) -> Option<u32> {
        None
    }

    /// Tells who may bring the end of a thread's call with this name and these arguments.
    fn prospect(&self, _target: &dyn Target, _registers: &Registers, _name: &str) -> Prospect {
        Prospect::Stays
    }

    /// The time by CLOCK_REALTIME, or by CLOCK_MONOTONIC, as the target sees it.
    fn now(&self, _is_real: bool) -> Option<Duration> {
        None
    }

    /// Whether another process has mapped the target's memory at an address.
    fn is_written_elsewhere(&self, _address: u64) -> bool {
        false
    }

    /// The signals with handlers by which others may tell the target to do something.
    fn handled_signals(&self) -> Vec<String> {
        Vec::new()
    }

    /// The signals that have come for the target, and whose handlers do not run, because each
    /// thread blocks the signal.
    fn withheld_signals(&self) -> Vec<String> {
        Vec::new()
    }

    /// The parent of the target, if the target was forked and has executed no program since.
    fn forked_from(&self) -> Option<u32> {
        None
    }

    /// The children of the target whose end it has not asked for yet; if the target was forked and
    /// has executed no program since, its parent's other children of that kind, too. In words:
    /// "process 7 ('app'), its child, has ended with exit status 3".
    fn ended_processes(&self) -> Vec<String> {
        Vec::new()
    }

    /// The name of another process.
    fn process_name(&self, _pid: u32) -> Option<String> {
        None
    }

    /// Says what another process waits for, and what that one waits for in its turn, in words that
    /// follow its name.
    fn waits_for(&self, _pid: u32) -> String {
        String::new()
    }

    /// The target's child processes.
    fn children(&self) -> Vec<u32> {
        Vec::new()
    }

    /// The ends of pipes that keep the process `_first`, or one that it waits for, from the end of
    /// what it reads: children of the target have them, and did not open them.
    fn inherited_ends(&self, _first: u32) -> Vec<InheritedEnd> {
        Vec::new()
    }

    /// The processes that have the other ends of the target's pipe or socket, with their
    /// descriptors.
    fn other_ends(&self, _number: i32) -> Vec<(u32, i32)> {
        Vec::new()
    }

    /// Whether a thread of another process sleeps in a call that reads from its descriptor.
    fn reads_at(&self, _pid: u32, _number: i32) -> bool {
        false
    }

    /// Whether a signal has stopped another process.
    fn is_stopped(&self, _pid: u32) -> bool {
        false
    }

    /// Says what is known of a System V semaphore, in words that follow its name.
    fn semaphore(&self, _set: i32, _number: u16) -> Option<String> {
        None
    }

    /// The state of a System V message queue, in words that follow its name.
    fn message_queue(&self, _queue: i32) -> Option<String> {
        None
    }

    /// Whether the file at a path, as the target sees it, is a FIFO.
    fn is_fifo(&self, _path: &str) -> bool {
        false
    }

    /// The state of the file at a path, as the target sees it.
    fn file_state(&self, _path: &str) -> Option<FileState> {
        None
    }

    /// Whether nothing is left to read at a descriptor of the target, a pipe or a socket, and
    /// nothing comes any more, because nobody has its other end: says so, in words that follow its
    /// name.
    fn is_at_end(&self, _number: i32) -> Option<&'static str> {
        None
    }

    /// The other processes that wait to open FIFOs, each with the FIFO's path and the call's flags.
    fn fifo_openers(&self) -> Vec<(u32, String, u64)> {
        Vec::new()
    }
}

/// A kernel that cannot be asked: a core file's.
pub struct Unasked;

impl Kernel for Unasked {}
