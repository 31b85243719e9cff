//! Entry stubs for the functions that programs call most often. Each has two functions behind it: a
//! quick one, for threads that have their record while no tool is attached, and one for all other
//! cases.
//!
//! One word of the thread decides. For most entries it is the *unwatched* word
//! ([`tls`](crate::tls)): the address of the thread's record, or 0. For others it is a *class*
//! word, which says whether a tool wants the entry's events. What must hold: a quick function tells
//! no tool anything and does not ask for its caller.

/// As [`told_entries!`](crate::told_entries), for functions that tell nothing while no tool is
/// attached: on a thread that has its record they then go to the function named first, which gets
/// that record behind the arguments, and no caller. One word of the thread's own says both (see
/// [`tls`](crate::tls)), so the entry costs what it would cost without tools.
#[macro_export]
macro_rules! quick_entries {
    ($($entries:tt)*) => { $crate::quick_stubs! { false, false, _; $($entries)* } };
}

/// As [`quick_entries!`](crate::quick_entries), for quick functions that need the return address of
/// the call: they get a [`Placed`](crate::entry::Placed) in place of the record. That is one
/// instruction more.
#[macro_export]
macro_rules! placed_entries {
    ($($entries:tt)*) => { $crate::quick_stubs! { true, false, _; $($entries)* } };
}

/// As [`quick_entries!`](crate::quick_entries), for functions that look at the caller's return
/// address and frame address alone: the one named second gets a [`Found`](crate::entry::Found).
#[macro_export]
macro_rules! found_entries {
    ($($entries:tt)*) => {
        $crate::quick_stubs! { false, true, $crate::entry::Found; $($entries)* }
    };
}

/// Makes the stubs of these three macros. `$placed`: the quick function gets a `Placed`; `$found`:
/// the other one gets a `Found`; `$last`: the other one's last parameter, `_` for a `Caller`, or
/// one in another type's name.
#[doc(hidden)]
#[macro_export]
macro_rules! quick_stubs {
    ($placed:literal, $found:literal, $last:ty;
     $($(#[$meta:meta])* $name:ident($($argument:ident),*) => $quick:path, $target:path;)*) => {
        $(
            $crate::entry_stub! {
                $(#[$meta])*
                $name
                {
                    let _: unsafe extern "C" fn($($crate::any_type!($argument),)* $last) -> _
                        = $target;
                    let _: unsafe extern "C" fn($($crate::any_type!($argument),)* _) -> _ = $quick;
                }
                [
                    "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                    concat!(
                        "mov ", $crate::register_behind!($($argument),*; 0),
                        ", qword ptr fs:[r11 + {unwatched}]"
                    ),
                    ".if {placed}",
                    concat!("mov ", $crate::register_behind!($($argument),*; 1), ", rsp"),
                    ".endif",
                    concat!(
                        "test ", $crate::register_behind!($($argument),*; 0), ", ",
                        $crate::register_behind!($($argument),*; 0)
                    ),
                    "jne {quick}",
                    ".if {found}",
                    concat!(
                        "mov ", $crate::register_behind!($($argument),*; 0),
                        ", qword ptr fs:[r11 + {record}]"
                    ),
                    concat!("lea ", $crate::register_behind!($($argument),*; 1), ", [rsp + 8]"),
                    ".else",
                    concat!("mov ", $crate::register_behind!($($argument),*; 0), ", rsp"),
                    concat!("mov ", $crate::register_behind!($($argument),*; 1), ", rbp"),
                    ".endif",
                    "jmp {target}",
                    ".p2align 6",
                ]
                placed = const $placed as u8,
                found = const $found as u8,
                record = const $crate::tls::RECORD,
                unwatched = const $crate::tls::UNWATCHED,
                quick = sym $quick,
                target = sym $target,
            }
        )*
    };
}

/// As [`quick_entries!`](crate::quick_entries), for functions of which tools see only the events of
/// one class. The offset of the class's word comes first. A thread that has its record goes to the
/// quick function while no tool wants these events. Otherwise a thread goes to the second function,
/// which gets an [`Entered`](crate::entry::Entered).
#[macro_export]
macro_rules! class_entries {
    ($word:expr;
     $($(#[$meta:meta])* $name:ident($($argument:ident),*) => $quick:path, $target:path;)*) => {
        $(
            $crate::entry_stub! {
                $(#[$meta])*
                $name
                {
                    let _: unsafe extern "C" fn(
                        $($crate::any_type!($argument),)* $crate::entry::Entered
                    ) -> _ = $target;
                    let _: unsafe extern "C" fn($($crate::any_type!($argument),)* _) -> _ = $quick;
                }
                [
                    "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                    concat!(
                        "mov ", $crate::register_behind!($($argument),*; 0),
                        ", qword ptr fs:[r11 + {word}]"
                    ),
                    concat!("test ", $crate::register_behind!($($argument),*; low), ", 1"),
                    "je {quick}",
                    concat!("mov ", $crate::register_behind!($($argument),*; 1), ", rsp"),
                    "jmp {target}",
                    ".p2align 6",
                ]
                word = const $word,
                quick = sym $quick,
                target = sym $target,
            }
        )*
    };
}

/// As [`class_entries!`](crate::class_entries), for functions of LLVM's interface that need neither
/// of their first two arguments, location and thread number. In place of these, the functions
/// behind get what the stub passes. The arguments in brackets are the further ones.
#[macro_export]
macro_rules! located_class_entries {
    ($word:expr;
     $($(#[$meta:meta])* $name:ident($($argument:ident),*) => $quick:path, $target:path;)*) => {
        $(
            $crate::entry_stub! {
                $(#[$meta])*
                $name
                {
                    let _: unsafe extern "C" fn(
                        $crate::entry::Entered $(, $crate::any_type!($argument))*
                    ) -> _ = $target;
                    let _: unsafe extern "C" fn(
                        _, $crate::entry::Unused $(, $crate::any_type!($argument))*
                    ) -> _ = $quick;
                }
                [
                    "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                    "mov rdi, qword ptr fs:[r11 + {word}]",
                    "test edi, 1",
                    "je {quick}",
                    "mov rsi, rsp",
                    "jmp {target}",
                    ".p2align 6",
                ]
                word = const $word,
                quick = sym $quick,
                target = sym $target,
            }
        )*
    };
}

/// As [`quick_entries!`](crate::quick_entries), for functions with any number of arguments: the
/// quick one looks its thread up, the other one asks [`caller`](crate::entry::caller). With a class
/// word's offset first, that word decides, as in [`class_entries!`](crate::class_entries).
#[macro_export]
macro_rules! quick_noted_entries {
    ($word:expr; $($(#[$meta:meta])* $name:ident => $quick:path, $target:path;)*) => { $(
        $crate::quick_noted_stub! {
            $(#[$meta])* $name => $quick, $target;
            "test byte ptr fs:[r11 + {word}], 1", "je {quick}", $word
        }
    )* };
    ($($(#[$meta:meta])* $name:ident => $quick:path, $target:path;)*) => { $(
        $crate::quick_noted_stub! {
            $(#[$meta])* $name => $quick, $target;
            "cmp qword ptr fs:[r11 + {word}], 0", "jne {quick}", $crate::tls::UNWATCHED
        }
    )* };
}

/// One of these stubs: how it asks the word, and where it jumps then.
#[doc(hidden)]
#[macro_export]
macro_rules! quick_noted_stub {
    ($(#[$meta:meta])* $name:ident => $quick:path, $target:path;
     $ask:literal, $jump:literal, $word:expr) => {
        $crate::entry_stub! {
            $(#[$meta])*
            $name
            {}
            [
                "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                $ask,
                $jump,
                "mov qword ptr fs:[r11 + {stack}], rsp",
                "mov qword ptr fs:[r11 + {frame}], rbp",
                "jmp {target}",
                ".p2align 6",
            ]
            stack = const $crate::tls::STACK_POINTER,
            frame = const $crate::tls::FRAME_POINTER,
            word = const $word,
            quick = sym $quick,
            target = sym $target,
        }
    };
}
