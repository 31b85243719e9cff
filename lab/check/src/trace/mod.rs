//! The traced program: the tracer handles its threads' stops, one after the other.

mod accesses;
mod aside;
mod calls;
mod fault_words;
mod heap;
mod messages;
mod pages;
mod process;
mod stops;
pub mod tracee;

use std::collections::HashMap;

use libc::{c_int, pid_t};

use crate::finding::{Finding, Place};
use crate::names::Named;
use crate::ranges::Ranges;
use crate::runtime_message::Item;
use aside::Aside;
use heap::Allocation;
use messages::Routine;
use process::Process;
use tracee::{How, resume};

/// The end of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The program exited with this status.
    Exited(i32),
    /// A signal of this number killed the program.
    Killed(i32),
}

/// The result of watching a program.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
    /// The end of the program.
    pub end: End,
    /// Constructs on devices that were executed.
    pub constructs: u64,
}

/// The activity of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    /// The runtime works for the thread, in a construct or routine.
    Runtime(usize),
    /// The thread executes a region on a device.
    Region { device: i32, site: usize },
}

/// A thread that is traced.
struct Thread {
    process: pid_t,
    /// The innermost last; empty if it executes the host's code.
    doing: Vec<Doing>,
    /// Whether it executes one instruction, for which pages are open.
    steps: bool,
    /// The number of times that its system call has failed because of closed pages and was
    /// repeated.
    again: u32,
    /// The system call that was put off until pages are open.
    put_off: Option<u64>,
    /// The bytes that its system call uses, whose pages are open meanwhile.
    in_call: Ranges,
    /// Signals that came while the tracer made it do something else.
    held: Vec<c_int>,
    /// The pages that are open for it.
    opened: Ranges,
    /// Whether it has encountered constructs or routines of devices itself.
    has_met: bool,
    is_update: bool,
    /// Its stack pointer when it encountered its construct.
    border: u64,
    /// The instruction that it executes on a copy of the operand.
    aside: Option<Aside>,
    /// The address of the trap whose replaced instruction it executes.
    passes: Option<u64>,
    /// Its allocations for a device, the innermost last.
    allocations: Vec<Allocation>,
    /// Pointers of its construct that have no target on the device.
    absent: Vec<(String, u64)>,
    /// The place of the construct that comes next.
    located: Option<Place>,
    /// The compiler's names of the items of the next list, by number.
    called: HashMap<u64, String>,
    /// The last item of its construct.
    item: Option<Item>,
    /// The item that serves another one.
    helper: Option<u64>,
    routine: Option<Routine>,
    /// The address of its own storage, to which the kernel writes.
    own: u64,
    /// Whether it is new: the stop with which it begins is not the program's.
    is_new: bool,
}

impl Thread {
    fn new(process: pid_t, is_new: bool) -> Thread {
        Thread {
            process,
            doing: Vec::new(),
            steps: false,
            again: 0,
            put_off: None,
            in_call: Ranges::default(),
            held: Vec::new(),
            opened: Ranges::default(),
            has_met: false,
            is_update: false,
            border: 0,
            aside: None,
            passes: None,
            allocations: Vec::new(),
            absent: Vec::new(),
            located: None,
            called: HashMap::new(),
            item: None,
            helper: None,
            routine: None,
            own: 0,
            is_new,
        }
    }

    /// The compiler's name of an item, for items that the debug information does not name.
    fn called(&self, number: u64, start: u64) -> Option<Named> {
        let name = self.called.get(&number)?.clone();
        Some(Named { name, start, ..Named::default() })
    }
}

/// The state of the tracer.
struct Trace<'a> {
    first: pid_t,
    processes: HashMap<pid_t, Process>,
    threads: HashMap<pid_t, Thread>,
    /// Children that are about to begin in their parents' memory, by parent.
    borrowed: HashMap<pid_t, pid_t>,
    /// Children that are about to begin in a copy of their parents' memory: the closed pages.
    copied: HashMap<pid_t, (Option<u64>, Ranges)>,
    constructs: u64,
    found: &'a mut dyn FnMut(Finding),
}

const OPTIONS: c_int = libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_EXITKILL;

/// Watches a child of this process to its end. The child asked to be traced (`PTRACE_TRACEME`) and
/// has called `exec`; nobody has waited for it yet. Gives `found` each finding when it is made.
///
/// # Errors
///
/// If it cannot be traced: the system's error.
pub fn watch(child: pid_t, found: &mut dyn FnMut(Finding)) -> std::io::Result<Watched> {
    let mut status = 0;
    // SAFETY: `status` outlives the call.
    while unsafe { libc::waitpid(child, &mut status, libc::__WALL) } < 0 {
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    if let Some(end) = ended(status) {
        return Ok(Watched { end, constructs: 0 });
    }
    // SAFETY: numbers alone.
    if unsafe { libc::ptrace(libc::PTRACE_SETOPTIONS, child, 0, OPTIONS) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    let mut trace = Trace {
        first: child,
        processes: HashMap::new(),
        threads: HashMap::new(),
        borrowed: HashMap::new(),
        copied: HashMap::new(),
        constructs: 0,
        found,
    };
    trace.threads.insert(child, Thread::new(child, false));
    trace.processes.insert(child, Process::new(child)?);
    resume(child, How::Free, 0);
    Ok(trace.all())
}

fn ended(status: c_int) -> Option<End> {
    if libc::WIFEXITED(status) {
        return Some(End::Exited(libc::WEXITSTATUS(status)));
    }
    libc::WIFSIGNALED(status).then(|| End::Killed(libc::WTERMSIG(status)))
}

impl Trace<'_> {
    /// Handles stops until no thread is left.
    fn all(mut self) -> Watched {
        let mut end = End::Exited(0);
        loop {
            let mut status = 0;
            // SAFETY: `status` outlives the call.
            let thread = unsafe { libc::waitpid(-1, &mut status, libc::__WALL) };
            if thread < 0 {
                let error = std::io::Error::last_os_error();
                if error.kind() == std::io::ErrorKind::Interrupted {
                    continue;
                }
                break;
            }
            if let Some(how) = ended(status) {
                self.thread_ended(thread, how);
                if thread == self.first {
                    end = how;
                }
                continue;
            }
            if libc::WIFSTOPPED(status) {
                self.stopped(thread, status);
            }
        }
        Watched { end, constructs: self.constructs }
    }

    fn thread_ended(&mut self, thread: pid_t, how: End) {
        self.threads.remove(&thread);
        if let Some(mut process) = self.processes.remove(&thread)
            && matches!(how, End::Exited(_))
        {
            process.leaks(self.found);
        }
    }
}
