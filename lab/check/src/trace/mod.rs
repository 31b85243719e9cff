//! The traced program: its threads' stops, one after the other.

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

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It exited with this status.
    Exited(i32),
    /// A signal of this number killed it.
    Killed(i32),
}

/// What was seen of a program.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
    /// How the program ended.
    pub end: End,
    /// Constructs on devices that were executed.
    pub constructs: u64,
}

/// What a thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    /// The runtime works for it, in a construct or routine.
    Runtime(usize),
    /// It executes a region on a device.
    Region { device: i32, site: usize },
}

/// A thread that is traced.
struct Thread {
    process: pid_t,
    /// The innermost last; none: the host's code.
    doing: Vec<Doing>,
    /// It executes one instruction, for which pages are open.
    steps: bool,
    /// So often a call of the kernel's failed for pages that are kept from it, and is made again.
    again: u32,
    /// The call of the kernel's that was put off, for pages to be opened before.
    put_off: Option<u64>,
    /// The bytes that its call of the kernel's uses, whose pages are open meanwhile.
    in_call: Ranges,
    /// Signals that came while it was made to do something else.
    held: Vec<c_int>,
    /// The pages that are.
    opened: Ranges,
    /// It has met constructs or routines of devices itself.
    has_met: bool,
    is_update: bool,
    /// Where its stack pointer was when it met its construct.
    border: u64,
    /// It executes the instruction on a copy of what that uses.
    aside: Option<Aside>,
    /// It executes the instruction here, in whose place a trap stands else.
    passes: Option<u64>,
    /// What it allocates for a device, the innermost last.
    allocations: Vec<Allocation>,
    /// Pointers of its construct that are for nothing on the device.
    absent: Vec<(String, u64)>,
    /// Where the construct stands that comes next.
    located: Option<Place>,
    /// What the compiler calls the items of the list that is used next, by number.
    called: HashMap<u64, String>,
    /// The last item of its construct's.
    item: Option<Item>,
    /// The item that is there for another one.
    helper: Option<u64>,
    routine: Option<Routine>,
    /// Where its own storage is, which the kernel writes to.
    own: u64,
    /// It is new: the stop with which it begins is not the program's.
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

    /// What the compiler calls an item, for what the debug information has no name for.
    fn called(&self, number: u64, start: u64) -> Option<Named> {
        let name = self.called.get(&number)?.clone();
        Some(Named { name, start, ..Named::default() })
    }
}

/// See the module.
struct Trace<'a> {
    first: pid_t,
    processes: HashMap<pid_t, Process>,
    threads: HashMap<pid_t, Thread>,
    /// Children that are about to begin in their parents' memory, by parent.
    borrowed: HashMap<pid_t, pid_t>,
    /// Children that are about to begin in a copy of that: what their parents could not use.
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

/// Watches a child of this process to its end. It asked to be traced (`PTRACE_TRACEME`) and has
/// called `exec`; nobody has waited for it yet. Gives `found` each finding when it is made.
///
/// # Errors
/// It cannot be traced: the system's own words.
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
    /// Until nobody is left.
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
