//! Entry stubs of C-variadic functions, which stable Rust cannot define.

/// Defines an exported stub `name(location, argc, outlined, ...)` that gathers the variable arguments,
/// all pointers, into an array on its stack and calls `target(location, argc, outlined, array)`.
///
/// The first three of them come in `rcx`, `r8`, `r9`, the rest on the stack; `eax` keeps their number.
/// The entry words (`omphalos_sys::entry`) are noted as the other stubs do.
macro_rules! entry {
    ($(#[$doc:meta])* $name:ident => $target:path;) => {
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
                "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                "mov qword ptr fs:[r11 + 8], rsp",
                "mov qword ptr fs:[r11 + 16], rbp",
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
                "call {target}",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                target = sym $target,
            )
        }
    };
}
pub(super) use entry;
