//! The kernel's files about each thread of a process, which stay open from one look to the next: to
//! open one costs more than to read it.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use crate::space::live::process;

/// The most threads whose files stay open: a process may have few descriptors.
const MOST_KEPT: usize = 128;
/// More than the longest text of these files.
const LONGEST: usize = 1024;

/// The files of one thread. A thread that has ended has no text in them, though its number may be
/// another thread's.
pub struct ThreadFiles {
    call: File,
    schedule: File,
    state: File,
}

/// `/proc/PID/task/TID/schedstat`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// The time on a processor, ns.
    pub ran: u64,
    /// The time able to run without one, ns.
    pub queued: u64,
    /// The number of turns on a processor.
    pub turns: u64,
}

impl ThreadFiles {
    fn open(pid: u32, lwp: u32) -> Option<ThreadFiles> {
        let open = |name: &str| File::open(format!("/proc/{pid}/task/{lwp}/{name}")).ok();
        Some(ThreadFiles {
            call: open("syscall")?,
            schedule: open("schedstat")?,
            state: open("stat")?,
        })
    }

    /// The text about the call that the thread sleeps in.
    pub fn call(&self) -> Option<String> {
        text(&self.call)
    }

    /// Whether the thread runs or could.
    pub fn runs(&self) -> bool {
        self.call().is_some_and(|call| process::is_running(&call))
    }

    /// The thread's times and turns.
    pub fn schedule(&self) -> Option<Schedule> {
        let text = text(&self.schedule)?;
        let mut numbers = text.split_whitespace().map_while(|word| word.parse().ok());
        let (ran, queued, turns) = (numbers.next()?, numbers.next()?, numbers.next()?);
        Some(Schedule { ran, queued, turns })
    }

    /// The processor on which the thread runs, or ran last.
    pub fn processor(&self) -> Option<usize> {
        /// The word's place behind the name.
        const PROCESSOR: usize = 36;
        let text = text(&self.state)?;
        text.rsplit_once(')')?.1.split_ascii_whitespace().nth(PROCESSOR)?.parse().ok()
    }
}

/// Returns the text of a file of the kernel's; `None` if there is none.
pub fn text(file: &File) -> Option<String> {
    let mut bytes = [0; LONGEST];
    let count = file.read_at(&mut bytes, 0).ok().filter(|count| *count > 0)?;
    Some(String::from_utf8_lossy(bytes.get(..count)?).into_owned())
}

/// The files of all threads of a process.
pub struct AllFiles {
    pid: u32,
    kept: HashMap<u32, Arc<ThreadFiles>>,
}

impl AllFiles {
    /// Opens none yet.
    pub fn of(pid: u32) -> AllFiles {
        AllFiles { pid, kept: HashMap::new() }
    }

    /// Closes those of other threads.
    pub fn keep(&mut self, lwps: &[u32]) {
        self.kept.retain(|lwp, _| lwps.contains(lwp));
    }

    /// The files of a thread and the text about its call; `None` if it has ended.
    pub fn of_thread(&mut self, lwp: u32) -> Option<(Arc<ThreadFiles>, String)> {
        if let Some(known) = self.kept.get(&lwp) {
            match known.call() {
                Some(call) => return Some((known.clone(), call)),
                None => drop(self.kept.remove(&lwp)),
            }
        }
        let files = ThreadFiles::open(self.pid, lwp).or_else(|| {
            // There may be no more descriptors.
            self.kept.clear();
            ThreadFiles::open(self.pid, lwp)
        });
        let files = Arc::new(files?);
        let call = files.call()?;
        if self.kept.len() < MOST_KEPT {
            self.kept.insert(lwp, files.clone());
        }
        Some((files, call))
    }
}
