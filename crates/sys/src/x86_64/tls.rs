//! The thread-local words, in the initial-exec model.
//!
//! `thread_local!` in a shared library goes through `__tls_get_addr`, which may allocate and must
//! not run in a signal handler. These three words are declared by hand and read through
//! `@GOTTPOFF`: one load for the offset (constant, cached), one for the value.
//!
//! | offset | word | written by |
//! |---|---|---|
//! | 0 | address of the thread's record, 0 before the thread met OpenMP | the thread, once |
//! | 8 | stack pointer at the latest entry: points at the return address | the entry stubs |
//! | 16 | frame pointer register at the latest entry | the entry stubs |

use core::arch::{asm, global_asm};

global_asm!(
    ".section .tbss.omphalos_tls,\"awT\",@nobits",
    ".globl omphalos_tls",
    ".hidden omphalos_tls",
    ".type omphalos_tls,@object",
    ".size omphalos_tls,32",
    ".p2align 5",
    "omphalos_tls:",
    ".zero 32",
    ".text",
);

/// The address of the thread's record, null if it has none. Async-signal-safe.
#[inline(always)]
pub fn record() -> *mut u8 {
    let value: *mut u8;
    // SAFETY: reads the calling thread's own word of the block declared above.
    unsafe {
        asm!(
            "mov {v}, qword ptr [rip + omphalos_tls@GOTTPOFF]",
            "mov {v}, qword ptr fs:[{v}]",
            v = out(reg) value,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    value
}

/// Sets the address of the thread's record.
///
/// # Safety
/// `record` must stay valid for the rest of the thread's life (or until it is replaced), also for
/// signal handlers of this thread.
#[inline]
pub unsafe fn set_record(record: *mut u8) {
    // SAFETY: writes the calling thread's own word.
    unsafe {
        asm!(
            "mov {t}, qword ptr [rip + omphalos_tls@GOTTPOFF]",
            "mov qword ptr fs:[{t}], {v}",
            t = out(reg) _,
            v = in(reg) record,
            options(nostack, preserves_flags),
        );
    }
}

/// One of the calling thread's words. Nothing is loaded where nobody looks at the result.
macro_rules! word {
    ($offset:literal) => {{
        let value: u64;
        // SAFETY: reads the calling thread's own word.
        unsafe {
            asm!(
                "mov {v}, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                concat!("mov {v}, qword ptr fs:[{v} + ", $offset, "]"),
                v = out(reg) value,
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        value
    }};
}

/// The stack pointer at the thread's latest entry through an entry stub.
#[inline(always)]
pub(crate) fn entry_stack_pointer() -> u64 {
    word!(8)
}

/// The frame pointer there.
#[inline(always)]
pub(crate) fn entry_frame_pointer() -> u64 {
    word!(16)
}
