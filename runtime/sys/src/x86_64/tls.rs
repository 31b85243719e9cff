//! The thread-local words, in the initial-exec model.
//!
//! `thread_local!` in a shared library goes through `__tls_get_addr`, which may allocate and must
//! not run in a signal handler. These words are declared by hand and read through
//! `@GOTTPOFF`: one load for the offset (constant, cached), one for the value.
//!
//! `words.rs` has them all; entry stubs take their offsets from there.

use crate::words::{GAVE_UP, Words};
use core::arch::{asm, global_asm};
use core::mem::offset_of;

pub use crate::words::{
    CHUNKS, FRAME_POINTER, MUTEXES, RECORD, STACK_POINTER, UNWATCHED, WORK, Watch,
};

global_asm!(
    ".section .tdata.omphalos_tls,\"awT\",@progbits",
    ".globl omphalos_tls",
    ".hidden omphalos_tls",
    ".type omphalos_tls,@object",
    ".size omphalos_tls,{size}",
    ".p2align 6",
    "omphalos_tls:",
    ".fill {mutexes} / 8, 8, 0",
    ".quad 1",
    ".fill ({work} - {mutexes}) / 8 - 1, 8, 0",
    ".quad 1",
    ".fill ({chunks} - {work}) / 8 - 1, 8, 0",
    ".quad 1",
    ".fill ({size} - {chunks}) / 8 - 1, 8, 0",
    ".text",
    size = const size_of::<Words>(),
    mutexes = const MUTEXES,
    work = const WORK,
    chunks = const CHUNKS,
);

/// One of the calling thread's words. The load is left out if no code uses the result.
macro_rules! word {
    ($offset:expr) => {{
        let value: u64;
        // SAFETY: reads the calling thread's own word.
        unsafe {
            asm!(
                "mov {v}, qword ptr [rip + omphalos_tls@GOTTPOFF]",
                "mov {v}, qword ptr fs:[{v} + {at}]",
                at = const $offset,
                v = out(reg) value,
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        value
    }};
}

/// Returns the address of the calling thread's control block, which is its `pthread_t`: a multiple
/// of 16 that no other thread has while it lives, and that it keeps in a forked child.
/// Async-signal-safe.
#[inline(always)]
pub fn thread_pointer() -> usize {
    let value: usize;
    // SAFETY: reads the first word of the calling thread's control block, its own address.
    unsafe {
        asm!(
            "mov {v}, qword ptr fs:[0]",
            v = out(reg) value,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    value
}

/// Returns the address of the thread's record, null if it has none. Async-signal-safe.
#[inline(always)]
pub fn record() -> *mut u8 {
    let value: *mut u8;
    // SAFETY: reads the calling thread's own word of the block declared above.
    unsafe {
        asm!(
            "mov {v}, qword ptr [rip + omphalos_tls@GOTTPOFF]",
            "mov {v}, qword ptr fs:[{v} + {at}]",
            at = const RECORD,
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
            "mov qword ptr fs:[{t} + {at}], {v}",
            at = const RECORD,
            t = out(reg) _,
            v = in(reg) record,
            options(nostack, preserves_flags),
        );
    }
}

/// As [`set_record`], and returns the old address. No signal handler comes in between.
///
/// # Safety
/// As [`set_record`].
#[inline]
pub unsafe fn replace_record(record: *mut u8) -> *mut u8 {
    let mut value = record;
    // SAFETY: exchanges the calling thread's own word.
    unsafe {
        asm!(
            "mov {t}, qword ptr [rip + omphalos_tls@GOTTPOFF]",
            "xchg qword ptr fs:[{t} + {at}], {v}",
            at = const RECORD,
            t = out(reg) _,
            v = inout(reg) value,
            options(nostack, preserves_flags),
        );
    }
    value
}

/// Returns the calling thread's words that other threads write too. They exist as long as the
/// thread.
#[inline]
pub fn watch() -> *const Watch {
    let address: *const Watch;
    // SAFETY: computes an address within the block declared above; the thread pointer's own address
    // is its first word.
    unsafe {
        asm!(
            "mov {a}, qword ptr fs:[0]",
            "add {a}, qword ptr [rip + omphalos_tls@GOTTPOFF]",
            "add {a}, {at}",
            at = const offset_of!(Words, watch),
            a = out(reg) address,
            options(pure, readonly, nostack),
        );
    }
    address
}

/// Whether the calling thread has called [`give_up_watch`]. Async-signal-safe.
#[inline]
pub fn gave_up_watch() -> bool {
    word!(GAVE_UP) != 0
}

/// Notes that no other thread may write this thread's words any more: the thread ends.
#[inline]
pub fn give_up_watch() {
    // SAFETY: writes the calling thread's own word.
    unsafe {
        asm!(
            "mov {t}, qword ptr [rip + omphalos_tls@GOTTPOFF]",
            "mov qword ptr fs:[{t} + {at}], 1",
            at = const GAVE_UP,
            t = out(reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// Returns the stack pointer at the thread's latest entry through an entry stub.
#[inline(always)]
pub(crate) fn entry_stack_pointer() -> u64 {
    word!(STACK_POINTER)
}

/// Returns the frame pointer at that entry.
#[inline(always)]
pub(crate) fn entry_frame_pointer() -> u64 {
    word!(FRAME_POINTER)
}
