//! The registers of a thread that stands still and that this program traces.

use std::hash::{DefaultHasher, Hash, Hasher};

use omphalos_ompd_view::Registers;
use omphalos_ompd_view::asleep::calls;

/// The result that makes a call begin again, unless a signal's handler runs.
const ERESTARTNOHAND: i64 = -514;

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

/// Makes a thread that stands still begin its call again, if the program would learn of the stop.
pub(super) fn begin_again(lwp: u32) {
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

/// The registers of such a thread, with a hash.
pub(super) fn registers(lwp: u32) -> Known {
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
