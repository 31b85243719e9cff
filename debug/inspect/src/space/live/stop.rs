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

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use omphalos_ompd_view::asleep::calls;
use omphalos_ompd_view::{Fault, Registers};

use super::memory::peek;
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

/// The result that makes a call begin again, unless a signal's handler runs.
const ERESTARTNOHAND: i64 = -514;

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

/// A thread that stands still: its registers, and a hash of all registers but those that say where
/// it is.
#[derive(Clone, Copy)]
pub struct Known {
    /// The thread.
    pub lwp: u32,
    /// See [`Registers`].
    pub registers: Option<Registers>,
    /// The hash.
    pub print: Option<u64>,
    /// Nothing stops the thread, and it may wake.
    pub may_wake: bool,
}

/// A thread that we may trace.
pub struct Thread {
    lwp: u32,
    /// Whether it has stopped: not all threads that we seize do.
    stands: bool,
    /// The text of `/proc` about its call: the thread sleeps in a call that would not begin again,
    /// and is not seized.
    asleep: Option<String>,
    gone: bool,
    /// A signal that the thread was about to take.
    signal: i32,
}

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

impl Thread {
    fn new(lwp: u32) -> Thread {
        Thread { lwp, stands: false, asleep: None, gone: false, signal: 0 }
    }

    fn gone(lwp: u32) -> Thread {
        Thread { gone: true, ..Thread::new(lwp) }
    }

    /// Its number.
    pub fn lwp(&self) -> u32 {
        self.lwp
    }

    /// Whether it stands still.
    pub fn stands(&self) -> bool {
        self.stands
    }

    /// Asks it to stop.
    pub fn interrupt(&self) {
        // SAFETY: a request without memory, to a thread that we trace.
        unsafe { libc::ptrace(libc::PTRACE_INTERRUPT, self.lwp, 0, 0) };
    }

    /// Releases it, if it stands still.
    pub fn let_go(&mut self) {
        if self.gone {
            ends::let_go(self.lwp);
        } else if self.asleep.is_none() {
            let signal = i64::from(self.signal);
            // SAFETY: lets go of a thread that we trace.
            if unsafe { libc::ptrace(libc::PTRACE_DETACH, self.lwp, 0, signal) } == 0 {
                ends::let_go(self.lwp);
            }
        }
    }

    /// Whether it is seized and has not stopped yet.
    pub fn is_open(&self) -> bool {
        !self.stands && !self.gone && self.asleep.is_none()
    }

    /// Whether it slept, was not seized, and has woken.
    fn has_woken(&self, pid: u32) -> bool {
        self.asleep.is_some() && self.asleep != asleep(pid, self.lwp)
    }

    /// Looks whether it has stopped or ended.
    pub fn look(&mut self) {
        let mut status = 0;
        // SAFETY: `status` is writable.
        let seen = unsafe {
            libc::waitpid(self.lwp as libc::pid_t, &mut status, libc::WNOHANG | libc::__WALL)
        };
        if seen == 0 {
            return;
        }
        if seen < 0 || !libc::WIFSTOPPED(status) {
            self.gone = true;
            return;
        }
        self.stands = true;
        begin_again(self.lwp);
        // Our stop and a stop by SIGSTOP are events; any other stop is for a signal on its way.
        if status >> 16 == 0 {
            self.signal = libc::WSTOPSIG(status);
        }
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

/// The text of `/proc` about the call of a sleeping thread, if a stop would leave a trace in that
/// call.
fn asleep(pid: u32, lwp: u32) -> Option<String> {
    let text = process::call(pid, lwp)?;
    let registers = calls::asleep(&text)?;
    let name = calls::name(calls::in_call(&registers)?);
    let descriptor = calls::descriptor(&registers, &name);
    let what = || process::descriptor(pid, descriptor?);
    let begins_again =
        calls::begins_again(&name) || what().is_some_and(|what| calls::reads_at_once(&name, &what));
    // The call would begin again and find that it need not sleep: so the look would end the wait.
    let read = |at| {
        let mut word = [0; 4];
        peek(process::shown_by(pid), at, &mut word).then(|| u32::from_ne_bytes(word))
    };
    (!begins_again || calls::misses(&registers, read)).then_some(text)
}

/// Makes a thread that stands still begin its call again, if the program would learn of the stop.
fn begin_again(lwp: u32) {
    let Some(all) = general(lwp) else { return };
    let is_told = all.rax as i64 == -i64::from(libc::EINTR)
        && calls::tells_of_stops(&calls::name(all.orig_rax));
    if is_told {
        let rax = std::mem::offset_of!(libc::user, regs)
            + std::mem::offset_of!(libc::user_regs_struct, rax);
        // SAFETY: writes a register of a thread that stands and that we trace.
        unsafe { libc::ptrace(libc::PTRACE_POKEUSER, lwp, rax, ERESTARTNOHAND) };
    }
}

/// The number of tries to seize a thread without a tracer: its tracer may have released it just
/// now.
const TRIES: u32 = 4;

/// Seizes a thread. `EBUSY`: another process traces it.
fn seize(lwp: u32) -> Result<(), i32> {
    for _ in 0..TRIES {
        match try_to_seize(lwp) {
            Err(libc::EPERM) if process::tracer_number(lwp).is_some() => return Err(libc::EBUSY),
            Err(libc::EPERM) => {}
            result => return result,
        }
    }
    Err(libc::EPERM)
}

fn try_to_seize(lwp: u32) -> Result<(), i32> {
    // SAFETY: a request without memory.
    match unsafe { libc::ptrace(libc::PTRACE_SEIZE, lwp, 0, 0) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error().raw_os_error().unwrap_or(0)),
    }
}

/// The thread, traced by ours; `None` if that is impossible.
pub fn seized(lwp: u32) -> Option<Thread> {
    seize(lwp).ok()?;
    ends::seized(lwp);
    Some(Thread::new(lwp))
}

fn has_ended(pid: u32, lwp: u32) -> bool {
    let (_, os) = process::os(pid, lwp);
    os.is_none_or(|os| ["Z", "X", ""].contains(&&*os.state))
}

fn registers(lwp: u32) -> Known {
    let mut known = general_registers(lwp);
    if let Some(registers) = &known.registers {
        let mut print = DefaultHasher::new();
        let lost = registers.lost.unwrap_or_default();
        (registers.rsp, registers.saved, registers.call, lost).hash(&mut print);
        vectors(lwp).hash(&mut print);
        known.print = Some(print.finish());
    }
    known
}

/// The registers of a thread that stands still and that we trace, without a hash.
pub fn general_registers(lwp: u32) -> Known {
    let registers = general(lwp).map(|all| Registers {
        rip: all.rip,
        rsp: all.rsp,
        saved: [all.rbx, all.rbp, all.r12, all.r13, all.r14, all.r15],
        call: [all.rax, all.orig_rax, all.rdi, all.rsi, all.rdx, all.r10, all.r8, all.r9],
        lost: Some([all.rcx, all.r11]),
        flags: Some(all.eflags),
        fs_base: all.fs_base,
    });
    Known { lwp, registers, print: None, may_wake: false }
}

/// The floating-point and vector registers, as the kernel keeps them.
fn vectors(lwp: u32) -> Vec<u8> {
    let mut bytes = vec![0; 16 << 10];
    let mut all = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
    const NT_X86_XSTATE: i32 = 0x202;
    // SAFETY: the kernel writes as much as there is room for, and says how much.
    let done = unsafe { libc::ptrace(libc::PTRACE_GETREGSET, lwp, NT_X86_XSTATE, &mut all) };
    bytes.truncate(if done == 0 { all.iov_len } else { 0 });
    bytes
}

fn general(lwp: u32) -> Option<libc::user_regs_struct> {
    // SAFETY: all zeros are valid registers.
    let mut all: libc::user_regs_struct = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes one such structure, if the thread stands.
    if unsafe { libc::ptrace(libc::PTRACE_GETREGS, lwp, 0, &mut all) } != 0 {
        return None;
    }
    Some(all)
}
