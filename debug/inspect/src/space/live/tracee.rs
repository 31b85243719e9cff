//! A thread that this program traces: seized, stopped and released. One that sleeps in a call that
//! would not begin again is not seized.

use omphalos_ompd_view::asleep::calls;

use super::memory::peek;
use super::standing::begin_again;
use super::{ends, process};

/// A thread that we may trace.
pub struct Thread {
    pub(super) lwp: u32,
    /// Whether it has stopped: not all threads that we seize do.
    pub(super) stands: bool,
    /// The text of `/proc` about its call: the thread sleeps in a call that would not begin again,
    /// and is not seized.
    pub(super) asleep: Option<String>,
    pub(super) gone: bool,
    /// A signal that the thread was about to take.
    pub(super) signal: i32,
}

impl Thread {
    pub(super) fn new(lwp: u32) -> Thread {
        Thread { lwp, stands: false, asleep: None, gone: false, signal: 0 }
    }

    pub(super) fn gone(lwp: u32) -> Thread {
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
    pub(super) fn has_woken(&self, pid: u32) -> bool {
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

/// The text of `/proc` about the call of a sleeping thread, if a stop would leave a trace in that
/// call.
pub(super) fn asleep(pid: u32, lwp: u32) -> Option<String> {
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

/// The number of tries to seize a thread without a tracer: its tracer may have released it just
/// now.
const TRIES: u32 = 4;

/// Seizes a thread. `EBUSY`: another process traces it.
pub(super) fn seize(lwp: u32) -> Result<(), i32> {
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
