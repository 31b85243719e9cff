//! Flags that say whose code calls the outlined function of a region.

/// `ompt_parallel_invoker_program`: the compiler's code calls the outlined function itself.
pub const BY_PROGRAM: u32 = 1;
/// `ompt_parallel_invoker_runtime`.
pub const BY_RUNTIME: u32 = 2;
