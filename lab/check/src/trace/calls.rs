//! Handles system calls that use closed pages. The kernel does not fault there: the call fails
//! (`EFAULT`), or is done only in part.
//!
//! Some calls cannot be repeated then: `wait4` has already collected the child, `recvmsg` the
//! message, and a `read` that came to a closed page returns fewer bytes. So a call whose arguments
//! show the bytes that it uses is put off before it begins: the tracer changes it to no call and
//! opens the pages, and the thread executes the instruction again. The pages stay open until the
//! call ends. All other calls are repeated when they have failed.

use libc::{c_long, pid_t, user_regs_struct};

use super::Trace;
use super::process::Process;
use super::stops::known_process;
use super::tracee::{Memory, is_at_calls_end, registers, set_registers};
use crate::model::FINE;
use crate::ranges::Ranges;

/// The greatest number of times that a system call is repeated. One time may not be enough if the
/// arguments do not show which bytes the call uses: while such a call waits, pages that it uses may
/// be closed again.
const MOST_TRIES: u32 = 100;
/// The length of the instruction `syscall`, bytes.
const SYSCALL: u64 = 2;
// The sizes of `siginfo_t`, of `struct rusage` and of the longest address of a socket, bytes.
const SIGINFO: u64 = 128;
const RUSAGE: u64 = 144;
const SOCKADDR: u64 = 128;
/// The greatest number of pieces in a call (`IOV_MAX`).
const MOST_PIECES: u64 = 1024;

impl Trace<'_> {
    /// Handles a stop at the begin or end of a system call.
    pub(super) fn at_call(&mut self, thread: pid_t) {
        if !is_at_calls_end(thread) {
            self.puts_off(thread);
            return self.go(thread, 0);
        }
        let Some(known) = self.threads.get_mut(&thread) else { return };
        let Some(mut registers) = registers(thread) else { return self.go(thread, 0) };
        let put_off = known.put_off.take();
        if let Some(call) = put_off {
            registers.orig_rax = call;
        }
        let failed = registers.rax as i64 == -i64::from(libc::EFAULT);
        let process = self.processes.get_mut(&known.process);
        let is_watched = process.as_ref().is_some_and(|it| !it.pages.closed.is_empty());
        if put_off.is_some() || failed && is_watched && known.again < MOST_TRIES {
            if let Some(process) = process {
                let mut which = process.pages.closed.clone();
                if put_off.is_some() {
                    known.in_call = used(&registers, &process.memory);
                    which = which.common(&pages(&known.in_call));
                }
                which = process.without_surroundings(which);
                process.pages.open(thread, &which, &mut known.held);
            }
            registers.rip -= SYSCALL;
            (registers.rax, registers.orig_rax) = (registers.orig_rax, u64::MAX);
            known.again = if set_registers(thread, &registers) { known.again + 1 } else { 0 };
        } else if known.again > 0 {
            known.again = 0;
            self.filled(thread, &registers);
            self.settle(thread);
        }
        self.go(thread, 0);
    }

    /// Puts a call off that is about to begin and uses closed pages: its number becomes that of no
    /// call.
    fn puts_off(&mut self, thread: pid_t) {
        let Some(known) = self.threads.get_mut(&thread) else { return };
        let Some(process) = self.processes.get(&known.process) else { return };
        if process.pages.closed.is_empty() || known.again >= MOST_TRIES {
            return;
        }
        let Some(mut registers) = registers(thread) else { return };
        let closed = pages(&used(&registers, &process.memory)).common(&process.pages.closed);
        if process.without_surroundings(closed).is_empty() {
            return;
        }
        let call = registers.orig_rax;
        registers.orig_rax = u64::MAX;
        if set_registers(thread, &registers) {
            known.put_off = Some(call);
        }
    }

    /// Handles the end of a call for which pages were opened: the bytes that it wrote are the
    /// host's own.
    fn filled(&mut self, thread: pid_t, registers: &user_regs_struct) {
        let of = known_process(&self.threads, thread);
        let (Some(known), Some(process)) =
            (self.threads.get_mut(&thread), self.processes.get_mut(&of))
        else {
            return;
        };
        let used = std::mem::take(&mut known.in_call);
        let Ok(bytes) = u64::try_from(registers.rax as i64) else { return };
        let mut filled = Ranges::default();
        match registers.orig_rax as c_long {
            libc::SYS_read | libc::SYS_pread64 | libc::SYS_recvfrom => {
                filled.add(registers.rsi, registers.rsi.saturating_add(bytes));
            }
            libc::SYS_getrandom => filled.add(registers.rdi, registers.rdi.saturating_add(bytes)),
            call if !only_reads(call) => filled = used,
            _ => {}
        }
        for (start, end) in filled.iter() {
            let stale = process.model.stale_mut(start, end);
            stale.for_each(|stale| stale.part(start, end).fill(FINE));
        }
    }
}

impl Process {
    /// Removes the bytes around the blocks in their pages, which belong to nothing and stay closed.
    fn without_surroundings(&self, mut which: Ranges) -> Ranges {
        for block in self.model.blocks.values() {
            let (first, end) = block.inner();
            which.remove(block.pages.0, first);
            which.remove(end, block.pages.1);
        }
        which
    }
}

/// Returns the pages that contain these bytes.
pub(super) fn pages(of: &Ranges) -> Ranges {
    let mut pages = Ranges::default();
    of.iter().for_each(|(start, end)| pages.add_pages(start, end));
    pages
}

/// Whether a call changes none of the bytes that it uses.
fn only_reads(call: c_long) -> bool {
    matches!(call, libc::SYS_write | libc::SYS_pwrite64 | libc::SYS_sendto | libc::SYS_sendmsg)
        || matches!(call, libc::SYS_writev | libc::SYS_pwritev | libc::SYS_pwritev2)
}

/// Returns the bytes that a call uses, as far as its arguments show them; empty for calls that can
/// be repeated when they have failed.
fn used(registers: &user_regs_struct, memory: &Memory) -> Ranges {
    let user_regs_struct { rsi, rdx, r10, r8, r9, .. } = *registers;
    let mut used = Ranges::default();
    let mut add = |start: u64, bytes: u64| {
        if start != 0 && bytes != 0 {
            used.add(start, start.saturating_add(bytes));
        }
    };
    match registers.orig_rax as c_long {
        libc::SYS_read | libc::SYS_pread64 | libc::SYS_write | libc::SYS_pwrite64 => add(rsi, rdx),
        libc::SYS_sendto => add(rsi, rdx),
        libc::SYS_recvfrom => {
            add(rsi, rdx);
            add(r8, SOCKADDR);
            add(r9, 4);
        }
        libc::SYS_wait4 => {
            add(rsi, 4);
            add(r10, RUSAGE);
        }
        libc::SYS_waitid => {
            add(rdx, SIGINFO);
            add(r8, RUSAGE);
        }
        libc::SYS_accept | libc::SYS_accept4 => {
            add(rsi, SOCKADDR);
            add(rdx, 4);
        }
        libc::SYS_epoll_wait | libc::SYS_epoll_pwait | libc::SYS_epoll_pwait2 => {
            add(rsi, rdx.saturating_mul(size_of::<libc::epoll_event>() as u64));
        }
        libc::SYS_readv | libc::SYS_preadv | libc::SYS_preadv2 => pieces(rsi, rdx, memory, add),
        libc::SYS_writev | libc::SYS_pwritev | libc::SYS_pwritev2 => pieces(rsi, rdx, memory, add),
        libc::SYS_recvmsg | libc::SYS_sendmsg => {
            add(rsi, size_of::<libc::msghdr>() as u64);
            // Its name, its pieces, its control data: each an address and a length.
            let word = |at: u64| memory.word(rsi.wrapping_add(8 * at)).unwrap_or(0);
            add(word(0), word(1) & 0xffff_ffff);
            add(word(4), word(5));
            pieces(word(2), word(3), memory, add);
        }
        _ => {}
    }
    used
}

/// Adds an array of pieces (`struct iovec`), and the pieces.
fn pieces(array: u64, count: u64, memory: &Memory, mut add: impl FnMut(u64, u64)) {
    let count = count.min(MOST_PIECES);
    add(array, count * 16);
    for at in 0..count {
        let place = array.wrapping_add(16 * at);
        if let (Some(start), Some(bytes)) = (memory.word(place), memory.word(place.wrapping_add(8)))
        {
            add(start, bytes);
        }
    }
}
