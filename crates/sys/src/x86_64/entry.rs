//! Entry stubs: exported functions that note who called them.
//!
//! A tool sees the return address of the program's call (`codeptr_ra`) and the frame it came from.
//! Rust cannot ask for either, so an exported function is a naked stub of four instructions that
//! stores the stack and frame pointers in the thread's own words and jumps on; no register is
//! changed but `r11`, which the ABI leaves to such stubs. The function behind it calls
//! [`caller`] first thing, before anything else can enter the runtime on this thread.

use super::tls;

/// Who called into the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Return address of the call.
    pub address: u64,
    /// Canonical frame address of the runtime's entry: the caller's stack pointer after the return.
    pub cfa: u64,
    /// The frame pointer register at the call: the caller's frame if it keeps one.
    pub frame_pointer: u64,
}

/// Beyond it, the frame pointer register holds something else.
const LARGEST_FRAME: u64 = 1 << 20;

impl Caller {
    /// Nobody known: the runtime itself.
    pub const NONE: Caller = Caller { address: 0, cfa: 0, frame_pointer: 0 };

    /// The caller's own frame: its frame pointer if it keeps one, else the end of its frame.
    #[inline]
    pub fn frame(&self) -> u64 {
        let keeps_one = self.frame_pointer >= self.cfa
            && self.frame_pointer - self.cfa < LARGEST_FRAME
            && self.frame_pointer.is_multiple_of(8);
        if keeps_one { self.frame_pointer } else { self.cfa }
    }
}

/// Whether the stubs note who called: tools alone ask. Without the hooks nobody does.
pub const NOTES: bool = !cfg!(feature = "no-hooks");

/// Who made the entry that this thread is in. To be called first thing behind an entry stub.
#[inline(always)]
pub fn caller() -> Caller {
    if !NOTES {
        return Caller::NONE;
    }
    let (sp, frame_pointer) = tls::entry_words();
    if sp == 0 {
        return Caller::NONE;
    }
    // SAFETY: `sp` was the stack pointer at the entry that this thread is still in, so it points at
    // the return address.
    let address = unsafe { *(sp as *const u64) };
    Caller { address, cfa: sp + 8, frame_pointer }
}

/// Defines exported entry stubs: `exported_name => path::to::function;` each.
///
/// The function has the exported function's C signature and ABI (`extern "C"`).
#[macro_export]
macro_rules! entries {
    ($($(#[$meta:meta])* $name:ident => $target:path;)*) => {
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
                    notes = const $crate::entry::NOTES as u8,
                    target = sym $target,
                )
            }
        )*
    };
}

/// As [`entries!`](crate::entries), for functions that tell nobody anything while the word `watched`
/// is 0: on a thread that has its record they then skip the notes and go to the function named first,
/// which must not call [`caller`]. Two stores in front of a locked instruction
/// cost as much as the rest of an uncontended lock's way.
#[macro_export]
macro_rules! quick_entries {
    ($watched:path; $($(#[$meta:meta])* $name:ident => $quick:path, $target:path;)*) => {
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
                    ".if {notes}",
                    "cmp qword ptr [rip + {watched}], 0",
                    "jne 2f",
                    ".endif",
                    "cmp qword ptr fs:[r11], 0",
                    "je 2f",
                    "jmp {quick}",
                    "2:",
                    "mov qword ptr fs:[r11 + 8], rsp",
                    "mov qword ptr fs:[r11 + 16], rbp",
                    "jmp {target}",
                    ".cfi_endproc",
                    notes = const $crate::entry::NOTES as u8,
                    watched = sym $watched,
                    quick = sym $quick,
                    target = sym $target,
                )
            }
        )*
    };
}
