//! Entry stubs: exported functions that note who called them.
//!
//! A tool sees the return address of the program's call (`codeptr_ra`) and the frame it came from.
//! Rust cannot ask for either, so an exported function is a naked stub that jumps on. It hands the stack
//! and frame pointers over in registers that no argument takes ([`told_entries!`](crate::told_entries)),
//! or stores them in the thread's own words ([`entries!`](crate::entries)); no register is
//! changed but those and `r11`, which the ABI leaves to such stubs. In the second case the function
//! behind calls [`caller`] first thing, before anything else can enter the runtime on this thread.

use super::tls;

/// Who called into the runtime.
///
/// Two registers and no more until somebody asks: a tool does, and then what is asked is looked up
/// where it lies. So a value must not outlive the entry that it tells of.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Where the return address lies: the stack pointer at the entry; [`NOBODY`] if it is not known.
    at: *const u64,
    /// The frame pointer register at the call: the caller's frame if it keeps one.
    frame_pointer: u64,
}

/// What stands for the return address of a call that nobody knows.
static NOBODY: u64 = 0;

/// Beyond it, the frame pointer register holds something else.
const LARGEST_FRAME: u64 = 1 << 20;

impl Caller {
    /// Nobody known: the runtime itself.
    pub const NONE: Caller = Caller { at: &raw const NOBODY, frame_pointer: 0 };

    /// A call whose return address is in this word, for as long as the word stands; the frame is the
    /// word's, which means something if it lies on the stack.
    #[inline(always)]
    pub fn noted(address: &core::cell::Cell<u64>) -> Caller {
        Caller { at: address.as_ptr(), frame_pointer: 0 }
    }

    /// Return address of the call, 0 if unknown.
    #[inline(always)]
    pub fn address(&self) -> u64 {
        // SAFETY: the stack pointer at an entry that the thread is still in, or a word that stands:
        // either way the return address lies there.
        unsafe { *self.at }
    }

    /// The border between the program's frame and the runtime's, 0 if unknown: the word of the return
    /// address. The program's stack pointer is above it, that of every frame of the runtime below.
    #[inline(always)]
    pub fn border(&self) -> u64 {
        if core::ptr::eq(self.at, &raw const NOBODY) { 0 } else { self.entry_border() }
    }

    /// The same, where an entry stub said who called.
    #[inline(always)]
    pub fn entry_border(&self) -> u64 {
        self.at as u64
    }

    /// The caller's stack pointer after the return, 0 if unknown.
    #[inline]
    pub fn stack_pointer(&self) -> u64 {
        if core::ptr::eq(self.at, &raw const NOBODY) { 0 } else { self.at as u64 + 8 }
    }

    /// The same call without its frame pointer, for who keeps it over other calls.
    #[inline(always)]
    pub fn without_frame(self) -> Caller {
        Caller { frame_pointer: 0, ..self }
    }

    /// The caller's frame pointer, if it keeps one.
    #[inline]
    pub fn frame_pointer(&self) -> Option<u64> {
        let border = self.border();
        let keeps_one = self.frame_pointer > border
            && self.frame_pointer - border < LARGEST_FRAME
            && self.frame_pointer.is_multiple_of(8);
        keeps_one.then_some(self.frame_pointer)
    }
}

/// A call as the stubs of [`class_entries!`](crate::class_entries) hand it over: the thread's class word,
/// which is odd, and where the return address lies. As a [`Caller`] it must not outlive its entry.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Entered {
    word: usize,
    at: *const u64,
}

impl Entered {
    /// The thread's record, null if the word does not say.
    #[inline(always)]
    pub fn record(self) -> *const u8 {
        core::ptr::with_exposed_provenance(self.word - 1)
    }

    /// Who called.
    #[inline(always)]
    pub fn caller(self) -> Caller {
        Caller { at: self.at, frame_pointer: 0 }
    }
}

/// A call as the stubs of [`found_entries!`](crate::found_entries) hand it over where a tool may be attached: the
/// thread's record, null if it has none, and the canonical frame address of the entry. As a [`Caller`] it must not
/// outlive its entry.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Found {
    record: *const u8,
    cfa: *const u64,
}

impl Found {
    /// The thread's record, null if it has none.
    #[inline(always)]
    pub fn record(self) -> *const u8 {
        self.record
    }

    /// Who called.
    #[inline(always)]
    pub fn caller(self) -> Caller {
        // SAFETY: the return address stands below it.
        Caller { at: unsafe { self.cfa.sub(1) }, frame_pointer: 0 }
    }
}

/// What a register holds that nobody looks at.
pub type Unused = usize;

/// Whether the stubs note who called: tools alone ask. Without the hooks nobody does.
pub const NOTES: bool = !cfg!(feature = "no-hooks");

/// Who made the entry that this thread is in. To be called first thing behind an entry stub.
#[inline(always)]
pub fn caller() -> Caller {
    if !NOTES {
        return Caller::NONE;
    }
    Caller {
        at: tls::entry_stack_pointer() as *const u64,
        frame_pointer: tls::entry_frame_pointer(),
    }
}

/// Where the arguments of the entry that this thread is in stand that found no register. To be called
/// first thing behind a stub of [`noted_entries!`](crate::noted_entries).
#[inline(always)]
pub fn stack_arguments() -> *const u64 {
    (tls::entry_stack_pointer() + 8) as *const u64
}

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
            $(#[$meta])*
            /// # Safety
            /// An entry point of a C interface: the caller keeps to its rules.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                ::core::arch::naked_asm!(
                    ".cfi_startproc",
                    ".if {notes}",
                    "mov r11, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                    "mov qword ptr fs:[r11 + 8], rsp",
                    "mov qword ptr fs:[r11 + 16], rbp",
                    ".endif",
                    "jmp {target}",
                    ".cfi_endproc",
                    notes = const $notes as u8,
                    target = sym $target,
                )
            }
        )*
    };
}

/// As [`entries!`](crate::entries), for functions of up to four arguments, here in brackets: the
/// function behind gets the caller as one more, in registers, and notes nothing. To be used for what
/// programs call often.
#[macro_export]
macro_rules! told_entries {
    ($($(#[$meta:meta])* $name:ident($($argument:ident),*) => $target:path;)*) => {
        $(
            $(#[$meta])*
            /// # Safety
            /// An entry point of a C interface: the caller keeps to its rules.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() {
                // The function's arguments are as many as the stub takes them to be.
                const _: () = {
                    let _: unsafe extern "C" fn(
                        $($crate::any_type!($argument),)* $crate::entry::Caller
                    ) -> _ = $target;
                };
                ::core::arch::naked_asm!(
                    ".cfi_startproc",
                    ".if {notes}",
                    concat!("mov ", $crate::register_behind!($($argument),*; 0), ", rsp"),
                    concat!("mov ", $crate::register_behind!($($argument),*; 1), ", rbp"),
                    ".endif",
                    "jmp {target}",
                    ".cfi_endproc",
                    notes = const $crate::entry::NOTES as u8,
                    target = sym $target,
                )
            }
        )*
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

/// The registers of the two arguments behind the named ones, in the System V ABI; the lower half of the
/// first.
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
