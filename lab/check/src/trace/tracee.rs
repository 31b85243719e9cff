//! A traced process: its memory, and its threads' registers.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use libc::{c_int, c_void, pid_t, user_regs_struct};
use omphalos_ompd_view::{Fault, Registers, Target};

/// The memory of a process, closed or not.
pub struct Memory(File);

impl Memory {
    pub fn of(pid: pid_t) -> io::Result<Memory> {
        let path = format!("/proc/{pid}/mem");
        File::options().read(true).write(true).open(path).map(Memory)
    }

    /// Writes bytes, also of code.
    pub fn write(&self, address: u64, bytes: &[u8]) -> bool {
        self.0.write_all_at(bytes, address).is_ok()
    }

    /// Reads bytes; `None` if not all of them are there.
    pub fn bytes(&self, address: u64, count: u64) -> Option<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(count).ok()?];
        self.0.read_exact_at(&mut bytes, address).ok()?;
        Some(bytes)
    }

    /// Reads as many of `count` bytes as are there.
    pub fn some(&self, address: u64, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        let got = self.0.read_at(&mut bytes, address).unwrap_or(0);
        bytes.truncate(got);
        bytes
    }

    pub fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.0.read_exact_at(&mut bytes, address).ok()?;
        Some(u64::from_le_bytes(bytes))
    }

    /// Returns the size of the C library's allocator block that begins at an address, if there is
    /// one; the size is before the block.
    pub fn block_bytes(&self, start: u64) -> Option<u64> {
        let header = self.word(start.wrapping_sub(8))? & !7;
        let is_block = start.is_multiple_of(16)
            && header.is_multiple_of(16)
            && (32..1 << 32).contains(&header);
        // The next block says that this one is in use.
        let next = || self.word(start.wrapping_add(header).wrapping_sub(8)).unwrap_or(0);
        (is_block && next() & 1 == 1).then(|| header - 8)
    }
}

impl Target for Memory {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        let fault = Fault::Unreadable { address, bytes: into.len() };
        self.0.read_exact_at(into, address).map_err(|_| fault)
    }

    fn symbol(&self, name: &str, _library: Option<&str>) -> Result<u64, Fault> {
        Err(Fault::Unknown(format!("symbol {name}")))
    }

    fn threads(&self) -> Result<Vec<u32>, Fault> {
        Err(Fault::Unknown("threads".to_owned()))
    }

    fn registers(&self, lwp: u32) -> Result<Registers, Fault> {
        Err(Fault::Unknown(format!("registers of thread {lwp}")))
    }
}

/// The way in which a thread goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Free,
    /// The thread goes on to the next begin or end of a system call.
    ToCall,
    OneInstruction,
}

/// Lets a stopped thread go on, with a signal or 0.
pub fn resume(thread: pid_t, how: How, signal: c_int) {
    let request = match how {
        How::Free => libc::PTRACE_CONT,
        How::ToCall => libc::PTRACE_SYSCALL,
        How::OneInstruction => libc::PTRACE_SINGLESTEP,
    };
    // SAFETY: a request with numbers alone. It fails only if the thread is gone.
    unsafe { libc::ptrace(request, thread, 0, signal as *mut c_void) };
}

pub fn registers(thread: pid_t) -> Option<user_regs_struct> {
    // SAFETY: all-zero is a valid value of this plain structure.
    let mut registers: user_regs_struct = unsafe { std::mem::zeroed() };
    // SAFETY: the place for the answer is valid.
    let error = unsafe { libc::ptrace(libc::PTRACE_GETREGS, thread, 0, &raw mut registers) };
    (error == 0).then_some(registers)
}

pub fn set_registers(thread: pid_t, registers: &user_regs_struct) -> bool {
    // SAFETY: the structure is valid for the call.
    unsafe { libc::ptrace(libc::PTRACE_SETREGS, thread, 0, &raw const *registers) == 0 }
}

/// Returns the kernel's information about a thread's signal.
pub fn signal_information(thread: pid_t) -> Option<libc::siginfo_t> {
    // SAFETY: all-zero is a valid value of this plain structure.
    let mut information: libc::siginfo_t = unsafe { std::mem::zeroed() };
    // SAFETY: the place for the answer is valid.
    let error = unsafe { libc::ptrace(libc::PTRACE_GETSIGINFO, thread, 0, &raw mut information) };
    (error == 0).then_some(information)
}

/// Returns the new thread or process that a tracing event is about.
pub fn event_message(thread: pid_t) -> Option<pid_t> {
    let mut message: libc::c_ulong = 0;
    // SAFETY: the place for the answer is valid.
    let error = unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, thread, 0, &raw mut message) };
    (error == 0).then_some(message as pid_t)
}

/// Whether a thread that stopped at a system call is at its end.
pub fn is_at_calls_end(thread: pid_t) -> bool {
    const GET_SYSCALL_INFO: libc::c_uint = 0x420e;
    const EXIT: u8 = 2;
    let mut information = [0u8; 128];
    let place = information.as_mut_ptr();
    // SAFETY: the place for the answer is valid and as long as its length says.
    unsafe { libc::ptrace(GET_SYSCALL_INFO as _, thread, information.len(), place) };
    information[0] == EXIT
}

/// Returns the registers from which an unwinder starts.
pub fn for_unwinder(from: &user_regs_struct) -> Registers {
    Registers {
        rip: from.rip,
        rsp: from.rsp,
        saved: [from.rbx, from.rbp, from.r12, from.r13, from.r14, from.r15],
        fs_base: from.fs_base,
        ..Registers::default()
    }
}

/// Returns the process that a thread belongs to.
pub fn process_of(thread: pid_t) -> Option<pid_t> {
    in_status(thread, "Tgid:")
}

/// Returns the parent of a process, if it still exists.
pub fn parent_of(process: pid_t) -> Option<pid_t> {
    in_status(process, "PPid:")
}

fn in_status(thread: pid_t, name: &str) -> Option<pid_t> {
    let status = std::fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok()
}
