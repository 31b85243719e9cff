//! Opens and closes pages of a process, by system calls that the tracer makes one of its threads
//! execute.

use libc::{c_int, pid_t};
use omphalos_inspect::space;

use super::tracee::{How, registers, resume, set_registers, signal_information};
use crate::ranges::{PAGE, Ranges};

/// The rights of the pages before they were closed: they are the program's data.
const OPEN: i32 = libc::PROT_READ | libc::PROT_WRITE;

/// The pages of a process that are closed.
#[derive(Default)]
pub struct Pages {
    /// The address of a `syscall` instruction that only the tracer uses, followed by an `int3`.
    pub stub: Option<u64>,
    /// The pages that the process cannot use now.
    pub closed: Ranges,
    /// The pages that it could not use at any time.
    pub ever: Ranges,
    /// The bounds of the first thread's stack at the last look. It only grows downwards.
    stack: Option<(u64, u64)>,
}

/// The number of bytes by which the stack may have grown since: other mappings are farther away.
const MOST_GROWTH: u64 = 1 << 26;

impl Pages {
    /// Closes exactly these pages. `thread` is stopped; signals that come to it meanwhile are put
    /// into `held`. Returns false if the thread is gone.
    pub fn close_only(&mut self, thread: pid_t, wanted: &Ranges, held: &mut Vec<c_int>) -> bool {
        let (open, close) = (self.closed.without(wanted), wanted.without(&self.closed));
        let close = self.without_stacks_end(thread, close);
        self.change(thread, &open, &close, held)
    }

    /// Opens those of these pages that are closed.
    pub fn open(&mut self, thread: pid_t, which: &Ranges, held: &mut Vec<c_int>) -> bool {
        let open = self.closed.common(which);
        self.change(thread, &open, &Ranges::default(), held)
    }

    /// Removes the lowest page of the stack. The kernel extends a stack by pages with the rights of
    /// the lowest one: if that were closed, the new ones would be closed too, and the tracer would
    /// not open them.
    fn without_stacks_end(&mut self, thread: pid_t, mut close: Ranges) -> Ranges {
        let is_clear = |(from, to), (start, _): (u64, u64)| {
            start < from || to <= start.saturating_sub(MOST_GROWTH)
        };
        if !self.stack.is_some_and(|stack| close.iter().all(|range| is_clear(range, stack))) {
            let text = std::fs::read_to_string(format!("/proc/{thread}/maps")).unwrap_or_default();
            self.stack = stack(&text);
        }
        if let Some((start, _)) = self.stack {
            close.remove(start, start + PAGE);
        }
        close
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
                // The thread is gone, or has other code there.
                set_registers(thread, &saved);
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

/// Finds the bounds of the first thread's stack: the mapping of that name, and the mappings right
/// below it, which were split from it when pages were closed.
fn stack(maps: &str) -> Option<(u64, u64)> {
    let mut start = 0;
    let mut before = 0;
    for mapping in space::of_maps(maps) {
        if mapping.start != before {
            start = mapping.start;
        }
        if mapping.path == "[stack]" {
            return Some((start, mapping.end));
        }
        before = if mapping.path.is_empty() { mapping.end } else { 0 };
    }
    None
}

/// Lets a thread go on to the trap after the stub. Returns false if it does not come there.
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
            // It was killed: its end is reported once.
            return false;
        }
        match libc::WSTOPSIG(status) {
            libc::SIGTRAP if status >> 16 == 0 => return true,
            libc::SIGTRAP => resume(thread, How::Free, 0),
            libc::SIGSEGV | libc::SIGBUS | libc::SIGILL if is_fault(thread) => return false,
            signal => {
                held.push(signal);
                resume(thread, How::Free, 0);
            }
        }
    }
}

/// Whether the thread's own instruction caused the signal, and would do so again for ever.
fn is_fault(thread: pid_t) -> bool {
    signal_information(thread).is_some_and(|it| it.si_code > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_in_parts() {
        let maps = "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n\
                    7ffd00000000-7ffd00001000 rw-p 00000000 00:00 0 \n\
                    7ffd00001000-7ffd00003000 ---p 00000000 00:00 0 \n\
                    7ffd00003000-7ffd00020000 rw-p 00000000 00:00 0 [stack]\n";
        assert_eq!(stack(maps), Some((0x7ffd_0000_0000, 0x7ffd_0002_0000)));
        assert_eq!(stack(""), None);
    }

    #[test]
    fn the_lowest_page_stays_open() {
        let own = std::process::id() as pid_t;
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let (start, end) = stack(&maps).unwrap();
        let mut pages = Pages::default();
        let mut close = Ranges::default();
        close.add(start - PAGE, start + 2 * PAGE);
        let all = Pages { stack: None, ..Pages::default() }.without_stacks_end(own, close);
        assert!(all.around(start).is_none(), "the lowest page is to be closed");
        assert!(all.around(start + PAGE).is_some());
        // Pages above the stack's end need no look.
        pages.stack = Some((start - PAGE, end));
        let mut close = Ranges::default();
        close.add(start, start + PAGE);
        assert!(pages.without_stacks_end(own, close).around(start).is_some());
        assert_eq!(pages.stack, Some((start - PAGE, end)), "looked at again");
    }
}
