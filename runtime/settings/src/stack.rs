//! `OMP_STACKSIZE`, and the variables of GCC's and LLVM's runtimes that mean the same: the stacks
//! of workers.
//!
//! Without a variable a worker's stack is as large as the limit for stacks (`ulimit -s`). If there
//! is no limit, GCC's runtime leaves the size to the C library, which takes 2 MB. LLVM's runtime
//! then takes [`MOST_BY_DEFAULT`], and it never takes more than that. A program gets the stack of
//! its own compiler's runtime. If the system refuses a thread with so large a stack, the other of
//! the two holds from then on, provided that it is smaller.

use super::settings::Settings;
use super::take::take_with;
use super::values;
use super::variables::Variables;
use core::sync::atomic::Ordering::Relaxed;
use omphalos_sys::thread::{LEAST_STACK, default_stack};
use omphalos_sys::{needed, process, warning};

/// The variables, and the unit in bytes of their plain numbers. The first one has precedence in
/// programs of GCC's compilers.
const GCC: [(&str, usize); 3] =
    [("OMP_STACKSIZE", 1024), ("KMP_STACKSIZE", 1), ("GOMP_STACKSIZE", 1024)];
/// The same for programs of LLVM's and Intel's compilers.
const LLVM: [(&str, usize); 3] =
    [("KMP_STACKSIZE", 1), ("GOMP_STACKSIZE", 1024), ("OMP_STACKSIZE", 1024)];

/// The most that LLVM's runtime gives without a variable, in bytes.
const MOST_BY_DEFAULT: usize = 64 << 20;

/// Returns the stack that LLVM's runtime gives without a variable.
fn default_of_llvm() -> usize {
    let most = MOST_BY_DEFAULT as u64;
    process::stack_limit().map_or(most, |limit| limit.min(most)) as usize
}

impl Settings {
    /// Returns the stack in bytes that the next worker gets.
    pub fn next_stack(&self) -> usize {
        match self.stack_size() {
            0 if needed::llvm() => default_of_llvm(),
            0 => default_stack(),
            size => size,
        }
    }

    /// Called when the system refuses a worker with a stack of `refused` bytes. Returns a smaller
    /// stack to try, which the workers after it get too; `None` if the size was set, or there is no
    /// smaller one.
    pub fn smaller_stack(&self, refused: usize) -> Option<usize> {
        let other = if needed::llvm() { default_stack() } else { default_of_llvm() };
        let smaller =
            other < refused && self.stack_size.compare_exchange(0, other, Relaxed, Relaxed).is_ok();
        smaller.then_some(other)
    }
}

/// Returns stacksize-var in bytes, 0 for the default.
pub fn stack_size(from: &Variables) -> usize {
    let llvm = needed::llvm();
    let read = |&(name, unit): &(&'static str, usize)| {
        let size = take_with(from, name, |text| values::size(text, unit), "using the default")?;
        Some((name, size))
    };
    match if llvm { &LLVM } else { &GCC }.iter().find_map(read) {
        Some((name, size)) if size < LEAST_STACK => too_small(from, name, llvm),
        Some((_, size)) => size,
        None => 0,
    }
}

/// Returns the stack in place of one that is too small for the system. libgomp takes the system's
/// default, LLVM's runtime the smallest stack.
fn too_small(from: &Variables, name: &str, llvm: bool) -> usize {
    let least = LEAST_STACK >> 10;
    if from.fault() {
        let instead = if llvm { "the least" } else { "the system's default" };
        let text = from.get(name).unwrap_or_default();
        warning!("{name}={text:?} is too small, using {instead}; it should be at least {least}K");
    }
    if llvm { LEAST_STACK } else { 0 }
}
