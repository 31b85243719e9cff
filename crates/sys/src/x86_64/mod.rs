//! x86-64: thread-local storage, entry stubs, calls into user code, arithmetic Rust has no types for.

pub mod debugger;
pub mod entry;
pub mod invoke;
pub mod place;
pub mod quad;
pub mod quick;
pub mod shortcuts;
pub mod tls;
pub mod x87;

/// Fetches the cache line of `address` for writing, ahead of a write that is sure to come. A hint:
/// processors without it, and addresses that lead nowhere, make it do nothing.
#[inline(always)]
pub fn will_write<T>(address: *const T) {
    // SAFETY: a prefetch accesses nothing as far as the program can tell and never faults.
    unsafe {
        core::arch::asm!("prefetchw [{}]", in(reg) address, options(nostack, preserves_flags));
    }
}
