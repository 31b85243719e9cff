//! Stops all threads of a process, and releases them.
//!
//! `PTRACE_SEIZE` sends no signal, and `PTRACE_INTERRUPT` has one effect only: a system call that a
//! thread is in begins again, as after `SIGSTOP` and `SIGCONT`. A signal that arrives meanwhile is
//! passed on when the thread is released. If this program dies, the kernel releases all threads.
//!
//! **No call ends because of a look.** Some calls that threads sleep in begin again after a stop as
//! they were. Others return -EINTR, or what they have moved so far, or their time begins again. So
//! a sleeping thread is stopped only in a call that is known to begin again; for the others `/proc`
//! shows where they are. If such a thread wakes before the look is over, nothing is told of it. A
//! thread may fall asleep in a call after we have asked. Then -EINTR is changed to -ERESTARTNOHAND,
//! which makes the kernel begin the call again; only if a signal's handler runs does the kernel
//! turn it back into -EINTR.
//!
//! **A separate thread does the tracing, and ends with the look.** Some threads cannot be released
//! one by one: those that have ended and that only their tracer can bury (a program that becomes
//! another one waits for it), and those that have not stopped yet. When the tracing thread ends,
//! the kernel handles both (`exit_ptrace`). Otherwise they would be ours as long as this program
//! runs.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use omphalos_ompd_view::Fault;
use omphalos_ompd_view::asleep::calls;

use super::standing::{Known, registers};
use super::tracee::{Thread, asleep, seize};
use super::{ends, process};

/// The time that a thread has to stop.
const PATIENCE: Duration = Duration::from_millis(500);
/// The same for a thread in an uninterruptible system call, which need not stop at all.
const PATIENCE_IN_KERNEL: Duration = Duration::from_millis(8);
/// The greatest number of searches for threads: threads may start threads while we stop them.
const ROUNDS: usize = 64;

/// The reason why nothing was stopped.
pub enum Refused {
    /// Another process traces this thread already.
    Traced(u32),
    /// Another reason.
    Fault(Fault),
}

/// Threads that stand still until this value is dropped.
pub struct Stopped {
    known: Vec<Known>,
    /// The tracing thread releases all threads when nobody can send any more.
    keep: Option<Sender<()>>,
    tracer: Option<JoinHandle<()>>,
    /// The folder of the tracing thread in `/proc`: it exists until the kernel has released all
    /// threads.
    alive: PathBuf,
}

/// The threads that the tracing thread traces.
struct Tracees {
    threads: Vec<Thread>,
}

/// The threads' registers and notes, or the reason why nothing was stopped; and the tracing
/// thread's number.
type Told = (Result<(Vec<Known>, Vec<String>), Refused>, i64);

impl Stopped {
    /// Stops all threads of `pid`, and says in `notes` which ones do not stand still.
    pub fn all(pid: u32, notes: &mut Vec<String>) -> Result<Stopped, Refused> {
        let (keep, kept) = channel();
        let (tell, told) = channel();
        let tracer = std::thread::Builder::new()
            .name("inspect: tracer".to_owned())
            .spawn(move || trace(pid, &tell, &kept))
            .map_err(|error| Refused::Fault(Fault::Unknown(format!("thread to trace: {error}"))))?;
        // The thread sends its result before it ends, whatever happens.
        let Ok((result, tid)) = told.recv() else { return Err(Refused::Fault(Fault::Gone)) };
        let alive = PathBuf::from(format!("/proc/self/task/{tid}"));
        let mut stopped =
            Stopped { known: Vec::new(), keep: Some(keep), tracer: Some(tracer), alive };
        let (known, more) = result?;
        stopped.known = known;
        notes.extend(more);
        Ok(stopped)
    }

    /// The registers of the threads that have not ended.
    pub fn registers(&self) -> Vec<Known> {
        self.known.clone()
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        drop(self.keep.take());
        if let Some(tracer) = self.tracer.take() {
            let _ = tracer.join();
        }
        // A thread is joined a little before the kernel has ended it.
        let end = Instant::now() + PATIENCE;
        while self.alive.exists() && Instant::now() < end {
            std::thread::sleep(Duration::from_micros(20));
        }
    }
}

/// The tracing thread: stops, sends its result, and releases when `kept` is closed.
fn trace(pid: u32, tell: &Sender<Told>, kept: &Receiver<()>) {
    // SAFETY: a call without arguments.
    let tid = unsafe { libc::syscall(libc::SYS_gettid) };
    let mut notes = Vec::new();
    let stopped = Tracees::stop(pid, &mut notes);
    let (told, tracees) = match stopped {
        Ok(tracees) => (Ok((tracees.registers(pid), notes)), Some(tracees)),
        Err(refused) => (Err(refused), None),
    };
    if tell.send((told, tid)).is_ok() {
        let _ = kept.recv();
    }
    drop(tracees);
}

impl Tracees {
    fn stop(pid: u32, notes: &mut Vec<String>) -> Result<Tracees, Refused> {
        let mut stopped = Tracees { threads: Vec::new() };
        for round in 0..ROUNDS {
            let listed = process::threads(pid).map_err(Refused::Fault)?;
            stopped.threads.retain(|thread| !thread.has_woken(pid));
            let new: Vec<u32> = listed
                .into_iter()
                .filter(|lwp| !stopped.threads.iter().any(|thread| thread.lwp == *lwp))
                .collect();
            if new.is_empty() {
                break;
            }
            if round == ROUNDS - 1 {
                notes.push("threads begin faster than they can be stopped".to_owned());
            }
            let first = stopped.threads.len();
            for lwp in new {
                let asleep = asleep(pid, lwp);
                if asleep.is_some() {
                    stopped.threads.push(Thread { asleep, ..Thread::new(lwp) });
                    continue;
                }
                match seize(lwp) {
                    Ok(()) => {
                        ends::seized(lwp);
                        stopped.threads.push(Thread::new(lwp));
                    }
                    // It has ended, or is about to.
                    Err(libc::ESRCH) => stopped.threads.push(Thread::gone(lwp)),
                    Err(_) if has_ended(pid, lwp) => stopped.threads.push(Thread::gone(lwp)),
                    Err(libc::EBUSY) => return Err(Refused::Traced(lwp)),
                    Err(_) => {
                        let fault = Fault::Unknown(process::not_allowed(pid));
                        return Err(Refused::Fault(fault));
                    }
                }
            }
            for thread in stopped.threads[first..].iter().filter(|thread| thread.is_open()) {
                thread.interrupt();
            }
            stopped.wait(pid, first);
        }
        if stopped.threads.iter().all(|thread| thread.gone) {
            return Err(Refused::Fault(Fault::Gone));
        }
        for thread in stopped.threads.iter().filter(|thread| thread.is_open()) {
            notes.push(format!("thread {} is deep in the kernel: it did not stop", thread.lwp));
        }
        Ok(stopped)
    }

    /// Waits until the threads from `first` on stand still.
    fn wait(&mut self, pid: u32, first: usize) {
        let begun = Instant::now();
        loop {
            let mut open = false;
            for thread in &mut self.threads[first..] {
                if thread.is_open() {
                    thread.look();
                    open |= thread.is_open();
                }
            }
            if !open || begun.elapsed() > PATIENCE {
                return;
            }
            if begun.elapsed() > PATIENCE_IN_KERNEL {
                let open = self.threads[first..].iter().filter(|each| each.is_open());
                let is_in_kernel = |lwp| process::os(pid, lwp).1.is_some_and(|os| os.state == "D");
                if open.map(|thread| thread.lwp).all(is_in_kernel) {
                    return;
                }
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    fn registers(&self, pid: u32) -> Vec<Known> {
        let alive = self.threads.iter().filter(|thread| !thread.gone);
        let known = |thread: &Thread| match thread.stands {
            true => registers(thread.lwp),
            // For a thread deep in the kernel, /proc shows where it is.
            false => {
                let registers = match &thread.asleep {
                    Some(text) => calls::asleep(text),
                    None => process::registers(pid, thread.lwp),
                };
                let may_wake = thread.asleep.is_some();
                Known { lwp: thread.lwp, registers, print: None, may_wake }
            }
        };
        alive.map(known).collect()
    }
}

impl Drop for Tracees {
    fn drop(&mut self) {
        for thread in &mut self.threads {
            if thread.is_open() {
                thread.look();
            }
            thread.let_go();
        }
    }
}

fn has_ended(pid: u32, lwp: u32) -> bool {
    let (_, os) = process::os(pid, lwp);
    os.is_none_or(|os| ["Z", "X", ""].contains(&&*os.state))
}
