//! The entry stub of `GOMP_task`, which executes the commonest case of the construct itself.
//!
//! A program of tiny tasks takes a tenth longer without this. The stub compares some words. If one
//! of them does not fit, the stub has changed only `rax`, `r10`, `r11` and the word `ready`, and
//! continues as the stubs of [`entries!`](crate::entries) do, to a function that asks again. The
//! macro's offsets are those of words in the thread's record, in bytes.
//!
//! The `.p2align` behind the body aligns the body's section, and so its first instruction: a stub
//! that lies in two cache lines takes a tenth longer. The stubs of `quick.rs` do the same.

/// Defines `$name(body, data, copy, size, align, if_clause, flags)`, which jumps to `$short(record,
/// body, data, prepared)` if all of this holds:
///
/// * No tool is attached, and the calling thread has a record.
/// * There is no copy function, and the flags are among `plain`.
/// * The word `prepared` of the record is not null.
/// * The `if` clause is false; or the number at `ready` of the record, signed and of 32 bits, is
///   positive. If the clause is true and all else holds, the stub subtracts 1 from the number, also
///   from one that is not positive.
///
/// Else it goes on to `$watched` if a tool is attached (the word `$attached` is not 0), to
/// `$target` if none is.
#[macro_export]
macro_rules! entry_of_task {
    ($(#[$meta:meta])* $name:ident => $short:path, $watched:path, $target:path;
     attached: $attached:path, prepared: $prepared:expr, ready: $ready:expr,
     plain: $plain:expr) => {
        $(#[$meta])*
        /// # Safety
        /// An entry point of a C interface: the caller keeps to its rules.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            ::core::arch::naked_asm!(
                ".cfi_startproc",
                "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                "mov rax, qword ptr fs:[r11 + {unwatched}]",
                "test rax, rax",
                "je 2f",
                "test rdx, rdx",
                "jne 2f",
                "test dword ptr [rsp + 8], {rest}",
                "jne 2f",
                "mov r10, qword ptr [rax + {prepared}]",
                "test r10, r10",
                "je 2f",
                "test r9b, r9b",
                "je 3f",
                "sub dword ptr [rax + {ready}], 1",
                "js 2f",
                "3:",
                "mov rdx, rsi",
                "mov rsi, rdi",
                "mov rdi, rax",
                "mov rcx, r10",
                "jmp {short}",
                "2:",
                "mov qword ptr fs:[r11 + {stack}], rsp",
                "mov qword ptr fs:[r11 + {frame}], rbp",
                "cmp qword ptr [rip + {attached}], 0",
                "jne {watched}",
                "jmp {target}",
                ".cfi_endproc",
                ".p2align 6",
                stack = const $crate::tls::STACK_POINTER,
                frame = const $crate::tls::FRAME_POINTER,
                unwatched = const $crate::tls::UNWATCHED,
                attached = sym $attached,
                watched = sym $watched,
                prepared = const $prepared,
                ready = const $ready,
                rest = const !($plain as i32),
                short = sym $short,
                target = sym $target,
            )
        }
    };
}
