//! The operating system and the instruction set: everything that a port would have to rewrite.
//!
//! * [`tls`]: the thread's record, reachable in one load and from a signal handler.
//! * [`entry`]: stubs in front of exported functions that note the caller's address and frame;
//!   [`exported_routines!`]: exported functions without such a stub.
//! * [`debugger`]: places where debuggers stop; [`watch`]: stops for a program that watches from
//!   outside.
//! * [`invoke`]: calls into user code that leave a known frame behind.
//! * [`fp_control`]: the control words of floating-point arithmetic.
//! * [`place`], [`x87`], [`quad`], [`complex`]: atomic access at any alignment, numbers that Rust
//!   has no types for.
//! * [`barrier`], [`futex`], [`thread`], [`cpus`], [`clock`], [`environment`], [`mod@file`],
//!   [`memory`], [`heap`], [`process`], [`signals`], [`faults`], [`library`], [`mapped_file`],
//!   [`dynamic`], [`needed`], [`own_file`], [`program_file`]:
//!   Linux, its C library and its loader.
//!
//! What must hold: no function here panics, allocates (except [`thread::spawn`] through libc and
//! [`cpus::affinity`]) or keeps state of its own (except whether [`stderr`] is quiet, the answers
//! of [`needed`] and [`sanitizer`], and the function that reports [`faults`]).

pub mod barrier;
pub mod clock;
pub mod complex;
pub mod control_group;
pub mod cpus;
pub mod dynamic;
pub mod entry;
pub mod environment;
pub mod errno;
mod exported_routines;
pub mod faults;
pub mod file;
pub mod futex;
pub mod heap;
pub mod library;
pub mod mapped_file;
pub mod memory;
pub mod needed;
pub mod own_file;
pub mod place;
pub mod process;
pub mod program_file;
pub mod sanitizer;
pub mod sections;
pub mod signals;
mod statics;
pub mod stderr;
pub mod stdout;
pub mod thread;
mod weak;
mod words;

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
use x86_64 as processor;

#[cfg(not(target_arch = "x86_64"))]
mod port;
#[cfg(not(target_arch = "x86_64"))]
use port as processor;

#[cfg(not(target_arch = "x86_64"))]
#[doc(hidden)]
pub use port::missing;
use processor::texts;
pub use processor::{
    debugger, fp_control, invoke, keep, quad, ticks, ticks_behind_reads, tls, variadic, watch,
    will_read, will_write, x87,
};

/// Tells the processor that this is a spin loop.
#[inline(always)]
pub fn relax() {
    core::hint::spin_loop();
}
