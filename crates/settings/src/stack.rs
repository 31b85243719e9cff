//! `OMP_STACKSIZE`, and the variables of GCC's and LLVM's runtimes that mean the same: the stacks
//! of workers.

use super::environment::take_with;
use super::values;
use super::variables::Variables;
use omphalos_sys::thread::LEAST_STACK;
use omphalos_sys::{needed, warning};

/// The variables, and the unit in bytes of their plain numbers. The first one has precedence in
/// programs of GCC's compilers.
const GCC: [(&str, usize); 3] =
    [("OMP_STACKSIZE", 1024), ("KMP_STACKSIZE", 1), ("GOMP_STACKSIZE", 1024)];
/// The same for programs of LLVM's and Intel's compilers.
const LLVM: [(&str, usize); 3] =
    [("KMP_STACKSIZE", 1), ("GOMP_STACKSIZE", 1024), ("OMP_STACKSIZE", 1024)];

/// stacksize-var in bytes, 0 = the system's default.
pub fn stack_size(from: &Variables) -> usize {
    let llvm = needed::llvm();
    let read = |&(name, unit): &(&'static str, usize)| {
        let size =
            take_with(from, name, |text| values::size(text, unit), "using the system's default")?;
        Some((name, size))
    };
    match if llvm { &LLVM } else { &GCC }.iter().find_map(read) {
        Some((name, size)) if size < LEAST_STACK => too_small(from, name, llvm),
        Some((_, size)) => size,
        None => 0,
    }
}

/// The system makes no thread with so small a stack. libgomp then takes the system's default,
/// LLVM's runtime the smallest stack.
fn too_small(from: &Variables, name: &str, llvm: bool) -> usize {
    let least = LEAST_STACK >> 10;
    if from.fault() {
        let instead = if llvm { "the least" } else { "the system's default" };
        let text = from.get(name).unwrap_or_default();
        warning!("{name}={text:?} is too small, using {instead}; it should be at least {least}K");
    }
    if llvm { LEAST_STACK } else { 0 }
}
