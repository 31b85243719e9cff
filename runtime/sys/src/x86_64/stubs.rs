//! Entry stubs: exported functions that note their callers.
//!
//! A tool sees the return address of the program's call (`codeptr_ra`), and the frame from which it
//! came. Rust can ask for neither, so an exported function is a naked stub that jumps on. It passes
//! the stack and frame pointers in registers that no argument uses
//! ([`told_entries!`](crate::told_entries)), or stores them in the thread's own words
//! ([`entries!`](crate::entries)). It changes no other register but `r11`, which the ABI leaves to
//! such stubs. In the second case the function behind it calls [`caller`](crate::entry::caller)
//! first, before anything else can enter the runtime on this thread.

/// Defines exported entry stubs: `exported_name => path::to::function;` each.
///
/// The function has the exported function's C signature and ABI (`extern "C"`).
#[macro_export]
macro_rules! entries {
    ($($stubs:tt)*) => { $crate::noting_entries! { $crate::entry::NOTES; $($stubs)* } };
}

/// As [`entries!`](crate::entries), for functions that need the notes themselves.
#[macro_export]
macro_rules! noted_entries {
    ($($stubs:tt)*) => { $crate::noting_entries! { true; $($stubs)* } };
}

/// The stubs of both.
#[doc(hidden)]
#[macro_export]
macro_rules! noting_entries {
    ($notes:expr; $($(#[$meta:meta])* $name:ident => $target:path;)*) => {
        $(
            $crate::entry_stub! {
                $(#[$meta])*
                $name
                {}
                [
                    ".if {notes}",
                    "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                    "mov qword ptr fs:[r11 + {stack}], rsp",
                    "mov qword ptr fs:[r11 + {frame}], rbp",
                    ".endif",
                    "jmp {target}",
                ]
                stack = const $crate::tls::STACK_POINTER,
                frame = const $crate::tls::FRAME_POINTER,
                notes = const $notes as u8,
                target = sym $target,
            }
        )*
    };
}

/// As [`entries!`](crate::entries), for functions of up to four arguments, which the parentheses
/// name. The stub notes nothing: it passes the caller in registers, as one more argument. This is
/// for functions that programs call often.
#[macro_export]
macro_rules! told_entries {
    ($($(#[$meta:meta])* $name:ident($($argument:ident),*) => $target:path;)*) => {
        $(
            $crate::entry_stub! {
                $(#[$meta])*
                $name
                {
// The function's arguments are as many as the stub takes them to be.
                    let _: unsafe extern "C" fn(
                        $($crate::any_type!($argument),)* $crate::entry::Caller
                    ) -> _ = $target;
                }
                [
                    ".if {notes}",
                    concat!("mov ", $crate::register_behind!($($argument),*; 0), ", rsp"),
                    concat!("mov ", $crate::register_behind!($($argument),*; 1), ", rbp"),
                    ".endif",
                    "jmp {target}",
                ]
                notes = const $crate::entry::NOTES as u8,
                target = sym $target,
            }
        )*
    };
}

/// One stub: the checks when it is compiled, its instructions, their operands.
#[doc(hidden)]
#[macro_export]
macro_rules! entry_stub {
    ($(#[$meta:meta])* $name:ident { $($check:tt)* } [$($line:expr,)*] $($operand:tt)*) => {
        $(#[$meta])*
        /// # Safety
        /// An entry point of a C interface: the caller keeps to its rules.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub unsafe extern "C" fn $name() {
            const _: () = { $($check)* };
            ::core::arch::naked_asm!(
                ".cfi_startproc",
                $($line,)*
                ".cfi_endproc",
                $($operand)*
            )
        }
    };
}

/// A placeholder for the type of an argument.
#[doc(hidden)]
#[macro_export]
macro_rules! any_type {
    ($argument:ident) => {
        _
    };
}

/// The registers of the two arguments behind the named ones (0 and 1), in the System V ABI; `low`:
/// the lower half of the first.
#[doc(hidden)]
#[macro_export]
macro_rules! register_behind {
    (; 0) => {
        "rdi"
    };
    (; 1) => {
        "rsi"
    };
    ($a:ident; 0) => {
        "rsi"
    };
    ($a:ident; 1) => {
        "rdx"
    };
    ($a:ident, $b:ident; 0) => {
        "rdx"
    };
    ($a:ident, $b:ident; 1) => {
        "rcx"
    };
    ($a:ident, $b:ident, $c:ident; 0) => {
        "rcx"
    };
    ($a:ident, $b:ident, $c:ident; 1) => {
        "r8"
    };
    ($a:ident, $b:ident, $c:ident, $d:ident; 0) => {
        "r8"
    };
    ($a:ident, $b:ident, $c:ident, $d:ident; 1) => {
        "r9"
    };
    (; low) => {
        "edi"
    };
    ($a:ident; low) => {
        "esi"
    };
    ($a:ident, $b:ident; low) => {
        "edx"
    };
    ($a:ident, $b:ident, $c:ident; low) => {
        "ecx"
    };
    ($a:ident, $b:ident, $c:ident, $d:ident; low) => {
        "r8d"
    };
}
