//! Entry stubs that execute the commonest case of a tasking construct, or of a lock's making,
//! themselves.
//!
//! Such a case costs a few instructions if there is nothing to do; one more jump, or the notes of
//! an ordinary stub, would be a large part of it. Each macro defines one exported function. It
//! compares some words, and otherwise continues as the stubs of [`entries!`](crate::entries) do, to
//! a function that asks again. Offsets are bytes: of a word in the thread's record, or in what that
//! word points to. On the way to that function only `rax`, `r10` and `r11` change.
//!
//! The alignment behind each body is that of its section, and so of its first instruction: a stub
//! that lies in two cache lines takes a tenth longer. The same in `quick.rs`.

/// `$name` returns the 32 bits at `field` of the calling thread's record, 0 if it has none.
#[macro_export]
macro_rules! entries_of_field {
    ($field:expr; $($(#[$meta:meta])* $name:ident;)*) => {
        $(
            $(#[$meta])*
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub extern "C" fn $name() -> i32 {
                ::core::arch::naked_asm!(
                    ".cfi_startproc",
                    "mov rax, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                    "mov rax, qword ptr fs:[rax + {record}]",
                    "test rax, rax",
                    "je 2f",
                    "mov eax, dword ptr [rax + {field}]",
                    "2:",
                    "ret",
                    ".cfi_endproc",
                    ".p2align 6",
                    record = const $crate::tls::RECORD,
                    field = const $field,
                )
            }
        )*
    };
}

/// `$name` clears the first `$bytes` (4, 8 or 0) bytes of what its first argument points to, and
/// returns, if no tool is attached and the calling thread has a record. Else it goes on as the
/// stubs of [`told_entries!`](crate::told_entries) do.
#[macro_export]
macro_rules! clearing_entries {
    ($bytes:expr; $($(#[$meta:meta])* $name:ident($($argument:ident),*) => $target:path;)*) => {
        $(
            $(#[$meta])*
            /// # Safety
            /// An entry point of a C interface: the caller keeps to its rules.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                const _: () = {
                    assert!($bytes == 0 || $bytes == 4 || $bytes == 8);
                    let _: unsafe extern "C" fn(
                        $($crate::any_type!($argument),)* $crate::entry::Caller
                    ) -> _ = $target;
                };
                ::core::arch::naked_asm!(
                    ".cfi_startproc",
                    "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                    "cmp qword ptr fs:[r11 + {unwatched}], 0",
                    "je 2f",
                    ".if {bytes} == 4",
                    "mov dword ptr [rdi], 0",
                    ".elseif {bytes} == 8",
                    "mov qword ptr [rdi], 0",
                    ".endif",
                    "ret",
                    "2:",
                    concat!("mov ", $crate::register_behind!($($argument),*; 0), ", rsp"),
                    concat!("mov ", $crate::register_behind!($($argument),*; 1), ", rbp"),
                    "jmp {target}",
                    ".cfi_endproc",
                    ".p2align 6",
                    unwatched = const $crate::tls::UNWATCHED,
                    bytes = const $bytes,
                    target = sym $target,
                )
            }
        )*
    };
}

/// `$name` returns at once if no tool is attached and the calling thread has a record (one word of
/// the thread's says both), whose word at `object` points to something whose 32 bits at `field`
/// have none of the bits of `mask`.
#[macro_export]
macro_rules! entry_unless_bits {
    ($(#[$meta:meta])* $name:ident => $target:path;
     object: $object:expr, field: $field:expr, mask: $mask:expr) => {
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
                "mov rax, qword ptr [rax + {object}]",
                "test dword ptr [rax + {field}], {mask}",
                "jne 2f",
                "ret",
                "2:",
                "mov qword ptr fs:[r11 + {stack}], rsp",
                "mov qword ptr fs:[r11 + {frame}], rbp",
                "jmp {target}",
                ".cfi_endproc",
                ".p2align 6",
                stack = const $crate::tls::STACK_POINTER,
                frame = const $crate::tls::FRAME_POINTER,
                unwatched = const $crate::tls::UNWATCHED,
                object = const $object,
                field = const $field,
                mask = const $mask,
                target = sym $target,
            )
        }
    };
}

/// `$name` returns at once if the calling thread has a record, and the word at `left.1` in what its
/// word at `left.0` points to is another than the same of `right`.
#[macro_export]
macro_rules! entry_unless_equal {
    ($(#[$meta:meta])* $name:ident => $target:path; left: $left:expr, right: $right:expr) => {
        $(#[$meta])*
        /// # Safety
        /// An entry point of a C interface: the caller keeps to its rules.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            ::core::arch::naked_asm!(
                ".cfi_startproc",
                "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                "mov rax, qword ptr fs:[r11 + {record}]",
                "test rax, rax",
                "je 2f",
                "mov r10, qword ptr [rax + {left_object}]",
                "mov rax, qword ptr [rax + {right_object}]",
                "mov r10, qword ptr [r10 + {left_field}]",
                "cmp r10, qword ptr [rax + {right_field}]",
                "je 2f",
                "ret",
                "2:",
                "mov qword ptr fs:[r11 + {stack}], rsp",
                "mov qword ptr fs:[r11 + {frame}], rbp",
                "jmp {target}",
                ".cfi_endproc",
                ".p2align 6",
                record = const $crate::tls::RECORD,
                stack = const $crate::tls::STACK_POINTER,
                frame = const $crate::tls::FRAME_POINTER,
                left_object = const $left.0,
                left_field = const $left.1,
                right_object = const $right.0,
                right_field = const $right.1,
                target = sym $target,
            )
        }
    };
}

/// As [`class_entries!`](crate::class_entries), for functions without arguments that have nothing
/// to do where the word at `field`, in what the word at `object` of the thread's record points to,
/// is null and no tool is told of their class. They go on to the quick function else.
#[macro_export]
macro_rules! class_entries_unless_null {
    ($word:expr; object: $object:expr, field: $field:expr;
     $($(#[$meta:meta])* $name:ident => $quick:path, $target:path;)*) => {
        $(
            $(#[$meta])*
            /// # Safety
            /// An entry point of a C interface: the caller keeps to its rules.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                const _: () = {
                    let _: unsafe extern "C" fn($crate::entry::Entered) = $target;
                    let _: unsafe extern "C" fn(_) = $quick;
                };
                ::core::arch::naked_asm!(
                    ".cfi_startproc",
                    "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                    "mov rdi, qword ptr fs:[r11 + {word}]",
                    "test edi, 1",
                    "jne 2f",
                    "mov rax, qword ptr [rdi + {object}]",
                    "cmp qword ptr [rax + {field}], 0",
                    "jne {quick}",
                    "ret",
                    "2:",
                    "mov rsi, rsp",
                    "jmp {target}",
                    ".cfi_endproc",
                    ".p2align 6",
                    word = const $word,
                    object = const $object,
                    field = const $field,
                    quick = sym $quick,
                    target = sym $target,
                )
            }
        )*
    };
}

/// `$name(body, data, copy, size, align, if_clause, flags)` jumps to `$short(record, body, data,
/// prepared)` if no tool is attached, there is no copy function, the flags are among `plain`, the
/// calling thread has a record whose word `prepared` is not null, and the `if` clause is false or
/// the 32 bits at `ready` of the record, a signed number, were above 0; then they are one less.
/// Else it goes on to `$watched` if a tool is attached, to `$target` if none is. `attached`: a word
/// that says so, not 0.
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
