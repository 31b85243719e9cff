//! Entry stubs of C-variadic functions, which stable Rust cannot define.

/// Defines an exported stub `name(location, argc, outlined, ...)` that gathers the variable
/// arguments, all pointers, into an array on its stack. As with the stubs of
/// [`quick_entries!`](crate::quick_entries), it calls `quick(location, argc, outlined, array,
/// thread)` on a thread that has its record while no tool is attached, else `target(location, argc,
/// outlined, array, caller)`.
///
/// The first three variable arguments come in `rcx`, `r8`, `r9`, the rest on the stack; `eax` keeps
/// their number.
#[macro_export]
macro_rules! variadic_entry {
    ($(#[$doc:meta])* $name:ident => $quick:path, $target:path;) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// LLVM's code passes a location, the number of arguments, the outlined function, the
        /// arguments.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            ::core::arch::naked_asm!(
                ".cfi_startproc",
                "push rbp",
                ".cfi_def_cfa_offset 16",
                ".cfi_offset rbp, -16",
                "mov rbp, rsp",
                ".cfi_def_cfa_register rbp",
                "mov eax, esi",
                "lea r10, [8*rax + 39]",
                "and r10, -16",
                "sub rsp, r10",
                "mov qword ptr [rsp], rcx",
                "mov qword ptr [rsp + 8], r8",
                "mov qword ptr [rsp + 16], r9",
                "mov r10d, 3",
                "2:",
                "cmp r10, rax",
                "jae 3f",
                "mov r11, qword ptr [rbp + 8*r10 - 8]",
                "mov qword ptr [rsp + 8*r10], r11",
                "inc r10",
                "jmp 2b",
                "3:",
                "mov rcx, rsp",
                "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                "mov r8, qword ptr fs:[r11 + {unwatched}]",
                "test r8, r8",
                "je 4f",
                "call {quick}",
                ".cfi_remember_state",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                "4:",
                ".cfi_restore_state",
                // The stack and frame pointers at the entry.
                "lea r8, [rbp + 8]",
                "mov r9, qword ptr [rbp]",
                "call {target}",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                unwatched = const $crate::tls::UNWATCHED,
                quick = sym $quick,
                target = sym $target,
            )
        }
    };
}

/// Defines an exported stub `name(number, ...)` that calls `target(first, rest)`: it gathers the
/// six register arguments into an array, `first`, and `rest` is the address of those on the stack,
/// below which the call's return address lies.
#[macro_export]
macro_rules! variadic_numbers_entry {
    ($($(#[$doc:meta])* $name:ident => $target:path;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// The caller passes as many numbers as the target reads.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            ::core::arch::naked_asm!(
                ".cfi_startproc",
                "sub rsp, 56",
                ".cfi_def_cfa_offset 64",
                "mov qword ptr [rsp], rdi",
                "mov qword ptr [rsp + 8], rsi",
                "mov qword ptr [rsp + 16], rdx",
                "mov qword ptr [rsp + 24], rcx",
                "mov qword ptr [rsp + 32], r8",
                "mov qword ptr [rsp + 40], r9",
                "mov rdi, rsp",
                "lea rsi, [rsp + 64]",
                "call {target}",
                "add rsp, 56",
                ".cfi_def_cfa_offset 8",
                "ret",
                ".cfi_endproc",
                target = sym $target,
            )
        }
    )* };
}

/// Defines an exported stub `name(..., format, ...)` of the kind of `printf` that calls
/// `target(first, rest)`: it keeps the registers of arguments, whole numbers and others, behind
/// `first`, and `rest` is the address of those on the stack. [`formatted`] reads both.
#[macro_export]
macro_rules! variadic_text_entry {
    ($($(#[$doc:meta])* $name:ident => $target:path;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// The caller passes the arguments that the format names.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            ::core::arch::naked_asm!(
                ".cfi_startproc",
                "sub rsp, 184",
                ".cfi_def_cfa_offset 192",
                "mov qword ptr [rsp], rdi",
                "mov qword ptr [rsp + 8], rsi",
                "mov qword ptr [rsp + 16], rdx",
                "mov qword ptr [rsp + 24], rcx",
                "mov qword ptr [rsp + 32], r8",
                "mov qword ptr [rsp + 40], r9",
                "movaps xmmword ptr [rsp + 48], xmm0",
                "movaps xmmword ptr [rsp + 64], xmm1",
                "movaps xmmword ptr [rsp + 80], xmm2",
                "movaps xmmword ptr [rsp + 96], xmm3",
                "movaps xmmword ptr [rsp + 112], xmm4",
                "movaps xmmword ptr [rsp + 128], xmm5",
                "movaps xmmword ptr [rsp + 144], xmm6",
                "movaps xmmword ptr [rsp + 160], xmm7",
                "mov rdi, rsp",
                "lea rsi, [rsp + 192]",
                "call {target}",
                "add rsp, 184",
                ".cfi_def_cfa_offset 8",
                "ret",
                ".cfi_endproc",
                target = sym $target,
            )
        }
    )* };
}

/// The C library's `va_list`.
#[repr(C)]
struct Arguments {
    /// Bytes behind `registers` that are read already: whole numbers, others.
    numbers: u32,
    others: u32,
    stack: *const usize,
    registers: *const usize,
}

unsafe extern "C" {
    fn vsnprintf(
        text: *mut core::ffi::c_char,
        room: usize,
        format: *const core::ffi::c_char,
        arguments: *mut Arguments,
    ) -> core::ffi::c_int;
}

/// Returns the text that a format makes of the arguments behind it. `number`: the format's number
/// among the arguments. `first` and `rest` are those of a stub of
/// [`variadic_text_entry!`](crate::variadic_text_entry).
///
/// # Safety
/// The two came from such a stub, which has not returned, and the caller kept to the format.
pub unsafe fn formatted(first: *const usize, rest: *const usize, number: usize) -> Vec<u8> {
    let mut text = vec![0u8; 1024];
    // All registers of whole numbers come before the others.
    let (numbers, others) = (8 * (number as u32 + 1), 48);
    let mut arguments = Arguments { numbers, others, stack: rest, registers: first };
    // SAFETY: the caller's promise; the text has as much room as said.
    let length = unsafe {
        let format = *first.add(number) as *const core::ffi::c_char;
        vsnprintf(text.as_mut_ptr().cast(), text.len(), format, &mut arguments)
    };
    let room = text.len() - 1;
    text.truncate(usize::try_from(length).unwrap_or(0).min(room));
    text
}
