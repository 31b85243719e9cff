//! x86-64: thread-local storage, entry stubs, calls into user code, arithmetic Rust has no types
//! for.

pub mod debugger;
pub mod fp_control;
pub mod gomp_task;
pub mod invoke;
pub mod named;
pub mod place;
pub mod quad;
pub mod quick;
pub mod statics;
pub mod stubs;
pub mod texts;
pub mod tls;
pub mod variadic;
pub mod watch;
pub mod weak;
pub mod x87;

/// Returns the processor's time-stamp counter. Async-signal-safe.
#[inline(always)]
pub fn ticks() -> u64 {
    // SAFETY: reads a counter.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Returns the counter after everything that the thread has read, such as the word that ends a
/// wait. Without this, the processor may read the counter while that word's cache line is still on
/// its way from another processor. Async-signal-safe.
#[inline(always)]
pub fn ticks_behind_reads() -> u64 {
    // SAFETY: waits for earlier loads.
    unsafe { core::arch::x86_64::_mm_lfence() };
    ticks()
}

/// Keeps the compiler from leaving out a function that does nothing, at which debuggers stop.
#[inline(always)]
pub fn keep() {
    // SAFETY: does nothing; all earlier writes are in memory.
    unsafe { core::arch::asm!("", options(nostack, preserves_flags)) };
}

/// Fetches the cache line of `address` for writing, ahead of a write that is sure to come. A hint:
/// processors without it, and addresses that lead nowhere, make it do nothing.
#[inline(always)]
pub fn will_write<T>(address: *const T) {
    // SAFETY: a prefetch accesses nothing as far as the program can tell and never faults.
    unsafe {
        core::arch::asm!("prefetchw [{}]", in(reg) address, options(nostack, preserves_flags));
    }
}

/// Fetches the cache line of `address` ahead of a read; as [`will_write`] otherwise.
#[inline(always)]
pub fn will_read<T>(address: *const T) {
    // SAFETY: as above.
    unsafe {
        core::arch::asm!("prefetcht0 [{}]", in(reg) address, options(nostack, preserves_flags));
    }
}
