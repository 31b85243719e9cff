//! The thread-local words, in the initial-exec model.
//!
//! `thread_local!` in a shared library goes through `__tls_get_addr`, which may allocate and must
//! not run in a signal handler. These words are declared by hand and read through
//! `@GOTTPOFF`: one load for the offset (constant, cached), one for the value.
//!
//! | offset | word | written by |
//! |---|---|---|
//! | 0 | address of the thread's record, 0 before the thread met OpenMP | the thread, once |
//! | 8 | stack pointer at the latest entry: points at the return address | the entry stubs |
//! | 16 | frame pointer register at the latest entry | the entry stubs |
//! | 24 | the same address as at 0 while no tool is attached, else 0: the *unwatched* word | the thread, and whoever attaches a tool |
//! | 32 | 1 once the thread has given up the words that others write for good | the thread |
//! | 40 | the same address as at 0, and 1 more while a tool hears of mutexes: a *class* word | as that at 24 |
//! | 48 | the same for the events of worksharing | as that at 24 |
//!
//! A class word is 1 where the address is not known.

use core::arch::{asm, global_asm};
use core::cell::UnsafeCell;
use core::sync::atomic::AtomicUsize;

global_asm!(
    ".section .tdata.omphalos_tls,\"awT\",@progbits",
    ".globl omphalos_tls",
    ".hidden omphalos_tls",
    ".type omphalos_tls,@object",
    ".size omphalos_tls,64",
    ".p2align 6",
    "omphalos_tls:",
    ".quad 0, 0, 0, 0, 0, 1, 1, 0",
    ".text",
);

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

/// The address of the calling thread's control block, which is its `pthread_t`: a multiple of 16 that no other
/// thread has while it lives, and that it keeps in a forked child. Async-signal-safe.
#[inline(always)]
pub fn thread_pointer() -> usize {
    let value: usize;
    // SAFETY: reads the first word of the calling thread's control block, its own address.
    unsafe {
        asm!("mov {v}, qword ptr fs:[0]", v = out(reg) value, options(pure, readonly, nostack, preserves_flags));
    }
    value
}

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

/// As [`set_record`]; returns what was set before. No signal handler comes in between.
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
            "xchg qword ptr fs:[{t}], {v}",
            t = out(reg) _,
            v = inout(reg) value,
            options(nostack, preserves_flags),
        );
    }
    value
}

/// Where the class word of mutexes stands, for entry stubs.
pub const MUTEXES: usize = 40;
/// Where that of worksharing stands.
pub const WORK: usize = 48;

/// The words that other threads write, from offset 24 on.
#[repr(C)]
pub struct Watch {
    /// The unwatched word.
    pub unwatched: AtomicUsize,
    gave_up: UnsafeCell<usize>,
    /// The class word of mutexes.
    pub mutexes: AtomicUsize,
    /// That of worksharing.
    pub work: AtomicUsize,
}

const _: () = assert!(24 + core::mem::offset_of!(Watch, mutexes) == MUTEXES);
const _: () = assert!(24 + core::mem::offset_of!(Watch, work) == WORK);

// SAFETY: `gave_up` is the thread's own, which reaches it by `give_up_watch` and `gave_up_watch` alone.
unsafe impl Sync for Watch {}

/// The calling thread's words that others write: they are there as long as the thread.
#[inline]
pub fn watch() -> *const Watch {
    let address: *const Watch;
    // SAFETY: computes an address within the block declared above; the thread pointer's own address is
    // its first word.
    unsafe {
        asm!(
            "mov {a}, qword ptr fs:[0]",
            "add {a}, qword ptr [rip + omphalos_tls@GOTTPOFF]",
            "add {a}, 24",
            a = out(reg) address,
            options(pure, readonly, nostack),
        );
    }
    address
}

/// Whether [`give_up_watch`] was called on this thread. Async-signal-safe.
#[inline]
pub fn gave_up_watch() -> bool {
    word!(32) != 0
}

/// Notes that nobody else may write this thread's words any more: the thread ends.
#[inline]
pub fn give_up_watch() {
    // SAFETY: writes the calling thread's own word.
    unsafe {
        asm!(
            "mov {t}, qword ptr [rip + omphalos_tls@GOTTPOFF]",
            "mov qword ptr fs:[{t} + 32], 1",
            t = out(reg) _,
            options(nostack, preserves_flags),
        );
    }
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
