//! The registers to start a walk from: those of an interrupted frame, or the agent's own.

use super::{Registers, register};
use core::arch::asm;

/// Returns the registers in a signal handler's context.
///
/// # Safety
/// `context` must be the `ucontext_t` that the kernel gave to the handler.
pub unsafe fn from_signal(context: *const libc::ucontext_t) -> Registers {
    // gregs in DWARF's order: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15, rip.
    const ORDER: [libc::c_int; register::COUNT] = [
        libc::REG_RAX,
        libc::REG_RDX,
        libc::REG_RCX,
        libc::REG_RBX,
        libc::REG_RSI,
        libc::REG_RDI,
        libc::REG_RBP,
        libc::REG_RSP,
        libc::REG_R8,
        libc::REG_R9,
        libc::REG_R10,
        libc::REG_R11,
        libc::REG_R12,
        libc::REG_R13,
        libc::REG_R14,
        libc::REG_R15,
        libc::REG_RIP,
    ];
    // SAFETY: the caller's promise.
    let general = unsafe { &(*context).uc_mcontext.gregs };
    let mut registers = Registers::default();
    for (place, number) in registers.0.iter_mut().zip(ORDER) {
        *place = general.get(number as usize).copied().unwrap_or(0) as u64;
    }
    registers
}

/// Whether a handler's `registers` are those after a system call: the call has ended, and the
/// thread has not gone on yet. Async-signal-safe.
pub fn is_behind_call(registers: &Registers) -> bool {
    const SYSCALL: [u8; 2] = [0x0f, 0x05];
    const PAGE: u64 = 4096;
    let pc = registers.pc();
    // The page before may not exist.
    if pc % PAGE < 2 {
        return false;
    }
    // SAFETY: the page that the thread is about to go on in, read as bytes.
    unsafe { ((pc - 2) as *const [u8; 2]).read_volatile() == SYSCALL }
}

/// Returns the registers at the place where this is called.
#[inline(always)]
pub fn here() -> Registers {
    let mut registers = Registers::default();
    // SAFETY: the structure belongs to this function.
    unsafe { into(&mut registers) };
    registers
}

/// Stores the registers that matter at the place where this is called; the others stay.
///
/// # Safety
/// The pointer must be valid for writes.
#[inline(always)]
pub unsafe fn into(registers: *mut Registers) {
    // SAFETY: stores registers into the array that the pointer is to, within its 17 words.
    unsafe {
        asm!(
            "mov [{at} + 24], rbx",
            "mov [{at} + 48], rbp",
            "mov [{at} + 56], rsp",
            "mov [{at} + 96], r12",
            "mov [{at} + 104], r13",
            "mov [{at} + 112], r14",
            "mov [{at} + 120], r15",
            "lea {t}, [rip]",
            "mov [{at} + 128], {t}",
            at = in(reg) registers.cast::<u64>(),
            t = out(reg) _,
            options(nostack, preserves_flags),
        );
    }
}
