//! Entry stubs of what programs call most often: two functions behind each, a quick one for threads that
//! have their record while no tool is attached, and one for all else.
//!
//! One word of the thread's own, the *unwatched* word ([`tls`](crate::tls)), says which: the address of its
//! record, or 0. What must hold: a quick function tells nobody anything and asks nobody who called.

/// As [`told_entries!`](crate::told_entries), for functions that tell nobody anything while no tool is
/// attached: on a thread that has its record they then go to the function named first, which gets that
/// record behind the arguments, and no caller. One word of the thread's own says both (see
/// [`tls`](crate::tls)), so the entry costs what it would cost without tools.
#[macro_export]
macro_rules! quick_entries {
    ($($(#[$meta:meta])* $name:ident($($argument:ident),*) => $quick:path, $target:path;)*) => {
        $(
            $(#[$meta])*
            /// # Safety
            /// An entry point of a C interface: the caller keeps to its rules.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                const _: () = {
                    let _: unsafe extern "C" fn(
                        $($crate::any_type!($argument),)* $crate::entry::Caller
                    ) -> _ = $target;
                    let _: unsafe extern "C" fn($($crate::any_type!($argument),)* _) -> _ = $quick;
                };
                ::core::arch::naked_asm!(
                    ".cfi_startproc",
                    "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                    concat!(
                        "mov ", $crate::register_behind!($($argument),*; 0), ", qword ptr fs:[r11 + 24]"
                    ),
                    concat!(
                        "test ", $crate::register_behind!($($argument),*; 0), ", ",
                        $crate::register_behind!($($argument),*; 0)
                    ),
                    "jne {quick}",
                    concat!("mov ", $crate::register_behind!($($argument),*; 0), ", rsp"),
                    concat!("mov ", $crate::register_behind!($($argument),*; 1), ", rbp"),
                    "jmp {target}",
                    ".cfi_endproc",
                    quick = sym $quick,
                    target = sym $target,
                )
            }
        )*
    };
}

/// As [`quick_entries!`](crate::quick_entries), for functions with any number of arguments: the quick one
/// looks its thread up, the other one asks [`caller`](crate::entry::caller).
#[macro_export]
macro_rules! quick_noted_entries {
    ($($(#[$meta:meta])* $name:ident => $quick:path, $target:path;)*) => {
        $(
            $(#[$meta])*
            /// # Safety
            /// An entry point of a C interface: the caller keeps to its rules.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                ::core::arch::naked_asm!(
                    ".cfi_startproc",
                    "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                    "cmp qword ptr fs:[r11 + 24], 0",
                    "jne {quick}",
                    "mov qword ptr fs:[r11 + 8], rsp",
                    "mov qword ptr fs:[r11 + 16], rbp",
                    "jmp {target}",
                    ".cfi_endproc",
                    quick = sym $quick,
                    target = sym $target,
                )
            }
        )*
    };
}

/// As [`quick_entries!`](crate::quick_entries), for quick functions that look their thread up themselves: they
/// have the arguments alone.
#[macro_export]
macro_rules! quick_bare_entries {
    ($($(#[$meta:meta])* $name:ident($($argument:ident),*) => $quick:path, $target:path;)*) => {
        $(
            $(#[$meta])*
            /// # Safety
            /// An entry point of a C interface: the caller keeps to its rules.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                const _: () = {
                    let _: unsafe extern "C" fn(
                        $($crate::any_type!($argument),)* $crate::entry::Caller
                    ) -> _ = $target;
                };
                ::core::arch::naked_asm!(
                    ".cfi_startproc",
                    "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                    "cmp qword ptr fs:[r11 + 24], 0",
                    "jne {quick}",
                    concat!("mov ", $crate::register_behind!($($argument),*; 0), ", rsp"),
                    concat!("mov ", $crate::register_behind!($($argument),*; 1), ", rbp"),
                    "jmp {target}",
                    ".cfi_endproc",
                    quick = sym $quick,
                    target = sym $target,
                )
            }
        )*
    };
}
