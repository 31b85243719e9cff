//! Calls from the runtime into user code.
//!
//! Each stub makes a frame, stores the frame's address (its `rbp`, what `__builtin_frame_address`
//! gives in C) where the tools look for the task's exit frame, calls the outlined function, clears
//! the word and returns. Every push has its CFI, so debuggers and profilers walk through; `tests`
//! walk it.

use core::arch::naked_asm;
use core::ffi::c_void;

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
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rbx",
        "push rdx",
        ".cfi_offset rbx, -24",
        "mov rbx, rdx",
        "mov qword ptr [rdx], rbp",
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        "mov qword ptr [rbx], 0",
        "mov rbx, qword ptr [rbp - 8]",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
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
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rbx",
        "push rcx",
        ".cfi_offset rbx, -24",
        "mov rbx, rcx",
        "mov qword ptr [rcx], rbp",
        "mov rax, rdi",
        "mov edi, esi",
        "mov rsi, rdx",
        "call rax",
        "mov qword ptr [rbx], 0",
        "mov rbx, qword ptr [rbp - 8]",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}

/// As [`call_task_entry`], for a part of a task: another thread may have begun the next part, and
/// stored its own frame, before this one returns. The word is cleared only if it is still ours.
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
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rbx",
        "push rcx",
        ".cfi_offset rbx, -24",
        "mov rbx, rcx",
        "mov qword ptr [rcx], rbp",
        "mov rax, rdi",
        "mov edi, esi",
        "mov rsi, rdx",
        "call rax",
        "xor ecx, ecx",
        "mov rax, rbp",
        "lock cmpxchg qword ptr [rbx], rcx",
        "mov rbx, qword ptr [rbp - 8]",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}

/// Calls `code(&gtid, &tid, args[0], .., args[argc - 1])`: an outlined region of LLVM's interface.
///
/// The first four arguments after the two addresses travel in registers, the rest on the stack.
///
/// # Safety
/// `code` must accept exactly that call; `args` must be valid for `argc` reads; `exit_frame` must
/// be valid for a write.
#[unsafe(naked)]
pub unsafe extern "C" fn call_microtask(
    code: *const c_void,
    gtid: i32,
    tid: i32,
    argc: usize,
    args: *const *mut c_void,
    exit_frame: *mut u64,
) {
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rbx",
        ".cfi_offset rbx, -24",
        "sub rsp, 24",
        "mov rbx, r9",
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
        "mov qword ptr [rbx], 0",
        "mov rbx, qword ptr [rbp - 8]",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
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
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rbx",
        "push rcx",
        ".cfi_offset rbx, -24",
        "mov rbx, rcx",
        "mov qword ptr [rcx], rbp",
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
        // What is none of the arguments nobody reads.
        "mov rdi, qword ptr [r11]",
        "mov rsi, qword ptr [r11 + 8]",
        "mov rdx, qword ptr [r11 + 16]",
        "mov rcx, qword ptr [r11 + 24]",
        "mov r8, qword ptr [r11 + 32]",
        "mov r9, qword ptr [r11 + 40]",
        "call rax",
        "mov qword ptr [rbx], 0",
        "mov rbx, qword ptr [rbp - 8]",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn sum6(
        gtid: &i32,
        tid: &i32,
        a: &mut i64,
        b: usize,
        c: usize,
        d: usize,
        e: usize,
        f: usize,
        g: usize,
    ) {
        *a = i64::from(*gtid) * 1_000_000
            + i64::from(*tid) * 100_000
            + (b + 2 * c + 3 * d + 4 * e + 5 * f + 6 * g) as i64;
        // The stack must be aligned for vector instructions.
        let local = core::hint::black_box(zero());
        assert_eq!(core::ptr::from_ref(&local) as usize % 16, 0);
    }

    fn zero() -> std::arch::x86_64::__m128i {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { std::arch::x86_64::_mm_setzero_si128() }
    }

    #[test]
    fn a_microtask_gets_all_arguments() {
        let mut result = 0i64;
        let args = [
            core::ptr::from_mut(&mut result).cast::<c_void>(),
            1 as _,
            2 as _,
            3 as _,
            4 as _,
            5 as _,
            6 as _,
        ];
        let mut exit = 7u64;
        // SAFETY: `sum6` takes two addresses and seven words.
        unsafe {
            call_microtask(sum6 as *const c_void, 3, 4, args.len(), args.as_ptr(), &mut exit)
        };
        assert_eq!(result, 3_400_000 + 1 + 4 + 9 + 16 + 25 + 36);
        assert_eq!(exit, 0);
    }

    extern "C" fn sum9(
        a: &mut usize,
        b: usize,
        c: usize,
        d: usize,
        e: usize,
        f: usize,
        g: usize,
        h: usize,
        i: usize,
    ) {
        *a = b + 2 * c + 3 * d + 4 * e + 5 * f + 6 * g + 7 * h + 8 * i;
        let local = core::hint::black_box(zero());
        assert_eq!(core::ptr::from_ref(&local) as usize % 16, 0);
    }

    extern "C" fn sum6_alone(a: &mut usize, b: usize, c: usize, d: usize, e: usize, f: usize) {
        *a = b + 2 * c + 3 * d + 4 * e + 5 * f;
    }

    #[test]
    fn a_kernel_gets_all_arguments() {
        for (code, count, sum) in [(sum9 as *const c_void, 9, 204), (sum6_alone as _, 6, 55)] {
            let (mut result, mut exit) = (0usize, 7u64);
            let mut args = [core::ptr::null_mut::<c_void>(); 9];
            args[0] = core::ptr::from_mut(&mut result).cast();
            for (at, argument) in args.iter_mut().enumerate().skip(1) {
                *argument = at as *mut c_void;
            }
            // SAFETY: both take an address and words, as many as said.
            unsafe { call_kernel(code, count, args.as_ptr(), &mut exit) };
            assert_eq!((result, exit), (sum, 0));
        }
    }

    extern "C" fn set(data: &mut u64) {
        *data = 42;
    }

    #[test]
    fn data_is_handed_on_and_the_exit_frame_cleared() {
        let (mut data, mut exit) = (0u64, 7u64);
        // SAFETY: `set` takes one pointer.
        unsafe {
            call_with_data(set as *const c_void, core::ptr::from_mut(&mut data).cast(), &mut exit)
        };
        assert_eq!((data, exit), (42, 0));
    }

    extern "C" fn hand_on(gtid: i32, exit: &mut u64) {
        *exit = gtid as u64;
    }

    #[test]
    fn a_part_clears_its_own_exit_frame_only() {
        let mut exit = 7u64;
        // SAFETY: `hand_on` takes a number and the address of a word; `exit` serves for both.
        unsafe {
            let word = &raw mut exit;
            call_task_part(hand_on as *const c_void, 5, word.cast(), word);
        }
        assert_eq!(exit, 5, "another thread's");
        extern "C" fn none(_: i32, _: *mut c_void) {}
        // SAFETY: as above.
        unsafe { call_task_part(none as *const c_void, 5, core::ptr::null_mut(), &mut exit) };
        assert_eq!(exit, 0);
    }
}
