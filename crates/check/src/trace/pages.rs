//! Which pages a process may use, and how that is changed: by system calls that one of its threads
//! is made to make.

use libc::{c_int, pid_t};

use super::tracee::{How, registers, resume, set_registers};
use crate::ranges::Ranges;

/// What the pages of a process were before they were taken from it: they are the program's data.
const OPEN: i32 = libc::PROT_READ | libc::PROT_WRITE;

/// See the module.
#[derive(Default)]
pub struct Pages {
    /// Where a `syscall` instruction is that nobody executes but for us, with an `int3` behind it.
    pub stub: Option<u64>,
    /// What the process cannot use now.
    pub closed: Ranges,
    /// What it could not use at any time.
    pub ever: Ranges,
}

impl Pages {
    /// Makes exactly these pages unusable. `thread` is stopped; signals that come to it meanwhile
    /// are put into `held`. False: it is gone.
    pub fn close_only(&mut self, thread: pid_t, wanted: &Ranges, held: &mut Vec<c_int>) -> bool {
        let (open, close) = (self.closed.without(wanted), wanted.without(&self.closed));
        self.change(thread, &open, &close, held)
    }

    /// Makes these pages usable, of those that are not.
    pub fn open(&mut self, thread: pid_t, which: &Ranges, held: &mut Vec<c_int>) -> bool {
        let open = self.closed.common(which);
        self.change(thread, &open, &Ranges::default(), held)
    }

    fn change(
        &mut self,
        thread: pid_t,
        open: &Ranges,
        close: &Ranges,
        held: &mut Vec<c_int>,
    ) -> bool {
        if open.is_empty() && close.is_empty() {
            return true;
        }
        let (Some(stub), Some(saved)) = (self.stub, registers(thread)) else { return false };
        let opened = open.iter().map(|(from, to)| (from, to, OPEN));
        let closed = close.iter().map(|(from, to)| (from, to, libc::PROT_NONE));
        for (from, to, rights) in opened.chain(closed) {
            let mut call = saved;
            (call.rip, call.rax, call.orig_rax) = (stub, libc::SYS_mprotect as u64, u64::MAX);
            (call.rdi, call.rsi, call.rdx) = (from, to - from, rights as u64);
            if !set_registers(thread, &call) || !run_to_trap(thread, held) {
                return false;
            }
            let done = registers(thread).is_some_and(|after| after.rax == 0);
            match rights {
                OPEN => self.closed.remove(from, to),
                _ if done => {
                    self.closed.add(from, to);
                    self.ever.add(from, to);
                }
                _ => {}
            }
        }
        set_registers(thread, &saved)
    }
}

/// Lets a thread go on to the trap behind the stub.
fn run_to_trap(thread: pid_t, held: &mut Vec<c_int>) -> bool {
    resume(thread, How::Free, 0);
    loop {
        let mut status = 0;
        // SAFETY: `status` outlives the call.
        let got = unsafe { libc::waitpid(thread, &mut status, libc::__WALL) };
        if got != thread {
            if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted {
                continue;
            }
            return false;
        }
        if !libc::WIFSTOPPED(status) {
            // It was killed: its end is told once.
            return false;
        }
        match libc::WSTOPSIG(status) {
            libc::SIGTRAP if status >> 16 == 0 => return true,
            libc::SIGTRAP => resume(thread, How::Free, 0),
            signal => {
                held.push(signal);
                resume(thread, How::Free, 0);
            }
        }
    }
}
