//! Stops for a program that watches this process from outside, as a debugger does. It is told of
//! all that devices do (`omphalos check --mapping`).

use core::arch::naked_asm;
use core::ffi::c_void;

/// The number of words in a message.
pub const WORDS: usize = 8;

/// The value of `eax` at such a stop, and at no other: "OMPM".
const MAGIC: u32 = 0x4f4d_504d;

/// The watcher finds the words at `rdi`. The code behind the `ret` is for the watcher, too. It has
/// threads make system calls there. Calls of functions that it watches return to an `int3` behind
/// that. Into the room at the end it writes six instructions of the C library's, each with a jump.
#[unsafe(naked)]
unsafe extern "C" fn stop(_words: *const u64) {
    naked_asm!(
        ".cfi_startproc",
        "mov eax, {magic}",
        "int3",
        "ret",
        "syscall",
        "int3",
        "int3",
        ".fill 6 * 32, 1, 0xcc",
        ".cfi_endproc",
        magic = const MAGIC,
    )
}

/// Tells the watcher, and goes on when the watcher lets it. Called only if there is a watcher: the
/// process would end here otherwise.
pub fn write_message(words: &[u64; WORDS]) {
    // SAFETY: the watcher reads the words and lets the thread go on.
    unsafe { stop(words.as_ptr()) };
}

/// Calls `code(data)` on another stack, which ends at `top`.
///
/// # Safety
/// The stack is valid, unused and large enough; `code` may be called with `data` and returns.
#[unsafe(naked)]
pub unsafe extern "C" fn on_stack(top: usize, code: extern "C" fn(*mut c_void), data: *mut c_void) {
    naked_asm!(
        ".cfi_startproc", "push rbp", ".cfi_def_cfa_offset 16", ".cfi_offset rbp, -16",
        "mov rbp, rsp", ".cfi_def_cfa_register rbp", "and rdi, -16", "mov rsp, rdi",
        "mov rdi, rdx", "call rsi", "mov rsp, rbp", "pop rbp", ".cfi_def_cfa rsp, 8", "ret",
        ".cfi_endproc",
    )
}
