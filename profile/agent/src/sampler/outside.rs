//! A thread of this process as another one sees it, without disturbing it: what `/proc` says about
//! a thread that sleeps in the kernel, and a copy of its stack. The agent's own thread
//! (`sampling/watch.rs`) looks at threads that no timer interrupts because they use no processor.
//!
//! What must hold: another thread's memory is read by system calls only, because it may go away
//! meanwhile. Only [`Copy::with_room`] allocates.

use crate::unwind::{Registers, StackMemory, register};
use std::io::Read;

/// The place where a thread sleeps in the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asleep {
    /// The system call's number, -1 = none (a page that is being read in).
    pub call: i64,
    /// The stack pointer.
    pub sp: u64,
    /// The program counter.
    pub pc: u64,
}

/// Returns the place where the thread `id` sleeps; `None` if it does not sleep, or the system does
/// not say.
pub fn look(id: i32) -> Option<Asleep> {
    let mut text = [0u8; 256];
    let path = format!("/proc/self/task/{id}/syscall");
    let length = std::fs::File::open(path).and_then(|mut file| file.read(&mut text)).ok()?;
    parse(core::str::from_utf8(text.get(..length)?).ok()?)
}

fn parse(text: &str) -> Option<Asleep> {
    let mut words = text.split_whitespace();
    let call: i64 = words.next()?.parse().ok()?;
    let hexadecimal = |word: &str| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok();
    let pc = hexadecimal(words.next_back()?)?;
    let sp = hexadecimal(words.next_back()?)?;
    Some(Asleep { call, sp, pc })
}

/// Whether the process has at most two threads: the first one, which may have ended, and the
/// calling one.
pub fn are_two() -> bool {
    use std::os::unix::fs::MetadataExt;
    // The folder has a link for each thread, and two more.
    std::fs::metadata("/proc/self/task").is_ok_and(|folder| folder.nlink() <= 4)
}

/// Whether the process's first thread has ended and others have not.
pub fn has_first_left() -> bool {
    // SAFETY: no memory involved.
    let first = unsafe { libc::getpid() };
    let state = std::fs::read(format!("/proc/self/task/{first}/stat"));
    state.is_ok_and(|text| {
        let after = text.iter().rposition(|byte| *byte == b')').unwrap_or(0);
        text.get(after + 2) == Some(&b'Z')
    })
}

/// A copy of the used part of a thread's stack, as far as there is room.
pub struct Copy {
    bytes: Vec<u64>,
}

impl Copy {
    /// Makes room for this many bytes.
    pub fn with_room(bytes: usize) -> Copy {
        Copy { bytes: vec![0; bytes / 8] }
    }

    /// Copies from `from` to `high`, or as much of that as can be read and has room. Returns `None`
    /// if not even one word can be read.
    pub fn take(&mut self, from: u64, high: u64) -> Option<StackMemory> {
        let from = from & !7;
        let wanted = usize::try_from(high.checked_sub(from)?).ok()?.min(self.bytes.len() * 8);
        let room = libc::iovec { iov_base: self.bytes.as_mut_ptr().cast(), iov_len: wanted };
        let source = libc::iovec { iov_base: from as *mut libc::c_void, iov_len: wanted };
        // SAFETY: the room belongs to this copy; the kernel checks the other address.
        let done = unsafe { libc::process_vm_readv(libc::getpid(), &room, 1, &source, 1, 0) };
        let done = u64::try_from(done).ok().filter(|done| *done >= 8)? & !7;
        let shift = (self.bytes.as_ptr().addr() as u64).wrapping_sub(from);
        Some(StackMemory { low: from, high: from + done, shift })
    }
}

/// Returns the registers of a thread that sleeps, as far as they are known.
pub fn registers(asleep: Asleep) -> Registers {
    let mut registers = Registers::default();
    registers.0[register::RSP] = asleep.sp;
    registers.0[register::RIP] = asleep.pc;
    registers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleeping_thread_is_found_where_it_sleeps() {
        let asleep = Asleep { call: 230, sp: 0x7ffe_8972_b6d8, pc: 0x7f36_3d95_3503 };
        let text = "230 0x0 0x0 0x7ffe8972b6f0 0x0 0x0 0x0 0x7ffe8972b6d8 0x7f363d953503\n";
        assert_eq!(parse(text), Some(asleep));
        assert_eq!(parse("running\n"), None);
        let of_no_call = Asleep { call: -1, sp: 16, pc: 32 };
        assert_eq!(parse("-1 0x10 0x20\n"), Some(of_no_call));
        // This thread is in the call that reads the answer: `read`, number 0.
        assert_eq!(look(omphalos_sys::thread::id()).map(|found| found.call), Some(0));
        let words = [7u64, 8, 9];
        let from = words.as_ptr().addr() as u64;
        let mut copy = Copy::with_room(16);
        let memory = copy.take(from, from + 24).expect("a copy");
        assert_eq!([memory.read(from), memory.read(from + 8)], [Some(7), Some(8)]);
        assert_eq!(memory.read(from + 16), None);
        assert!(copy.take(8, 64).is_none());
    }
}
