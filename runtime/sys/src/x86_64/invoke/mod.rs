//! Calls from the runtime into user code.
//!
//! Each stub makes a frame, stores the frame's address (its `rbp`, the result of C's
//! `__builtin_frame_address`) where the tools look for the task's exit frame, calls the outlined
//! function, clears the word and returns. Every push has its CFI, so debuggers and profilers walk
//! through; `tests` walk it.
//!
//! A region's implicit task keeps its exit frame in a second word, for tools of 2013
//! (`omphalos_events::frames`). That costs no instruction more: these stubs find the words by their
//! own frame, and so save no register.

use core::arch::naked_asm;
use core::ffi::c_void;

/// The instructions of a stub that has a frame.
macro_rules! framed {
    ($($instruction:expr,)* $(; $($operand:tt)*)?) => {
        naked_asm!(
            ".cfi_startproc",
            "push rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset rbp, -16",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            $($instruction,)*
            "leave",
            ".cfi_def_cfa rsp, 8",
            "ret",
            ".cfi_endproc",
            $($($operand)*)?
        )
    };
}

/// As `framed`, for stubs whose `rbx` keeps the exit frame's address over the call. `$exit_frame`:
/// the register in which it comes.
macro_rules! keeping {
    ($exit_frame:literal; $($instruction:literal,)*) => {
        framed!(
            "push rbx",
            concat!("push ", $exit_frame),
            ".cfi_offset rbx, -24",
            concat!("mov rbx, ", $exit_frame),
            concat!("mov qword ptr [", $exit_frame, "], rbp"),
            $($instruction,)*
            "mov rbx, qword ptr [rbp - 8]",
        )
    };
}

/// How many words [`call_kernel`] reads at least.
pub const REGISTERS: usize = 6;

/// Calls `code(data)`.
///
/// # Safety
/// `code` must be an `extern "C"` function of one pointer that may be called with `data`;
/// `exit_frame` must be valid for a write.
#[unsafe(naked)]
pub unsafe extern "C" fn call_with_data(
    code: *const c_void,
    data: *mut c_void,
    exit_frame: *mut u64,
) {
    keeping!(
        "rdx";
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        "mov qword ptr [rbx], 0",
    )
}

/// As [`call_with_data`], for a region: the frame's address stays in the word that lies `KEPT`
/// bytes behind `exit_frame` (0: it stays nowhere).
///
/// # Safety
/// As [`call_with_data`]; that word too must be valid for a write.
#[unsafe(naked)]
pub unsafe extern "C" fn call_region<const KEPT: isize>(
    code: *const c_void,
    data: *mut c_void,
    exit_frame: *mut u64,
) {
    framed!(
        "push rdx",
        // The second one keeps the stack aligned.
        "push rdx",
        "mov qword ptr [rdx], rbp",
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        "mov rcx, qword ptr [rbp - 8]",
        "mov qword ptr [rcx + {kept}], rbp",
        "mov qword ptr [rcx], 0",
        ; kept = const KEPT,
    )
}

/// Calls `code(gtid, task_entry)`: a task's entry of LLVM's interface.
///
/// # Safety
/// As [`call_with_data`], for an `extern "C"` function of an `i32` and a pointer.
#[unsafe(naked)]
pub unsafe extern "C" fn call_task_entry(
    code: *const c_void,
    gtid: i32,
    task: *mut c_void,
    exit_frame: *mut u64,
) {
    keeping!(
        "rcx";
        "mov rax, rdi",
        "mov edi, esi",
        "mov rsi, rdx",
        "call rax",
        "mov qword ptr [rbx], 0",
    )
}

/// As [`call_task_entry`], for a part of a task: another thread may have begun the next part, and
/// stored its own frame, before this one returns. The word is cleared only if it is still this
/// part's.
///
/// # Safety
/// As [`call_task_entry`].
#[unsafe(naked)]
pub unsafe extern "C" fn call_task_part(
    code: *const c_void,
    gtid: i32,
    task: *mut c_void,
    exit_frame: *mut u64,
) {
    keeping!(
        "rcx";
        "mov rax, rdi",
        "mov edi, esi",
        "mov rsi, rdx",
        "call rax",
        "xor ecx, ecx",
        "mov rax, rbp",
        "lock cmpxchg qword ptr [rbx], rcx",
    )
}

/// Calls `code(&gtid, &tid, args[0], .., args[argc - 1])`: an outlined region of LLVM's interface.
///
/// The first four arguments after the two addresses travel in registers, the rest on the stack.
/// `KEPT`: as for [`call_region`].
///
/// # Safety
/// `code` must accept exactly that call; `args` must be valid for `argc` reads; `exit_frame` must
/// be valid for a write, as the word `KEPT` bytes behind it.
#[unsafe(naked)]
pub unsafe extern "C" fn call_microtask<const KEPT: isize>(
    code: *const c_void,
    gtid: i32,
    tid: i32,
    argc: usize,
    args: *const *mut c_void,
    exit_frame: *mut u64,
) {
    framed!(
        "push r9",
        "sub rsp, 24",
        "mov qword ptr [r9], rbp",
        // gtid at rbp-16, tid at rbp-24: the callee gets their addresses.
        "mov dword ptr [rbp - 16], esi",
        "mov dword ptr [rbp - 24], edx",
        "mov rax, rdi",
        "mov r10, rcx",
        "mov r11, r8",
        // Arguments beyond the fourth go to the stack, last first; keep it aligned to 16.
        "cmp r10, 4",
        "jbe 3f",
        "lea rdi, [r10 - 4]",
        "test dil, 1",
        "jz 2f",
        "sub rsp, 8",
        "2:",
        "push qword ptr [r11 + 8*r10 - 8]",
        "dec r10",
        "cmp r10, 4",
        "ja 2b",
        "3:",
        "lea rdi, [rbp - 16]",
        "lea rsi, [rbp - 24]",
        "cmp r10, 1",
        "jb 4f",
        "mov rdx, qword ptr [r11]",
        "je 4f",
        "mov rcx, qword ptr [r11 + 8]",
        "cmp r10, 3",
        "jb 4f",
        "mov r8, qword ptr [r11 + 16]",
        "je 4f",
        "mov r9, qword ptr [r11 + 24]",
        "4:",
        "call rax",
        "mov rcx, qword ptr [rbp - 8]",
        "mov qword ptr [rcx + {kept}], rbp",
        "mov qword ptr [rcx], 0",
        ; kept = const KEPT,
    )
}

/// Calls `code(args[0], .., args[argc - 1])`: a kernel of LLVM's interface.
///
/// The first six arguments travel in registers, the rest on the stack.
///
/// # Safety
/// As [`call_microtask`], and `args` is valid for [`REGISTERS`] reads even if there are fewer.
#[unsafe(naked)]
pub unsafe extern "C" fn call_kernel(
    code: *const c_void,
    argc: usize,
    args: *const *mut c_void,
    exit_frame: *mut u64,
) {
    keeping!(
        "rcx";
        "mov rax, rdi",
        "mov r10, rsi",
        "mov r11, rdx",
        // Arguments beyond the sixth go to the stack, last first; keep it aligned to 16.
        "cmp r10, 6",
        "jbe 3f",
        "test r10b, 1",
        "jz 2f",
        "sub rsp, 8",
        "2:",
        "push qword ptr [r11 + 8*r10 - 8]",
        "dec r10",
        "cmp r10, 6",
        "ja 2b",
        "3:",
        // No code reads the words behind the arguments.
        "mov rdi, qword ptr [r11]",
        "mov rsi, qword ptr [r11 + 8]",
        "mov rdx, qword ptr [r11 + 16]",
        "mov rcx, qword ptr [r11 + 24]",
        "mov r8, qword ptr [r11 + 32]",
        "mov r9, qword ptr [r11 + 40]",
        "call rax",
        "mov qword ptr [rbx], 0",
    )
}

#[cfg(test)]
mod tests;
