//! A mutex that passes on its waiters' priority (`PTHREAD_PRIO_INHERIT`), and that the kernel
//! refused: it saw a circle. The C library has the thread sleep for good then, at a word of its own
//! stack.

use crate::target::half;
use crate::{Registers, Target};

/// How far above the stack pointer that word lies at most.
const STACK_BYTES: u64 = 512;

pub(super) const REFUSED: &str =
    "a pthread mutex (PTHREAD_PRIO_INHERIT), which the kernel refused since that closes a circle,";

/// Whether a thread that wants a mutex sleeps so: at a word for no value that a mutex has then.
pub(super) fn is_refused(target: &dyn Target, registers: &Registers) -> bool {
    let [_, _, at, _, value, ..] = registers.call;
    (registers.rsp..registers.rsp.saturating_add(STACK_BYTES)).contains(&at)
        && value as u32 == 0
        && half(target, at) == Ok(0)
}
