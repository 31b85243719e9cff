//! Recognises a wait for a mutex that passes on its waiters' priority (`PTHREAD_PRIO_INHERIT`) and
//! that the kernel refused, since it saw a circle. The C library then lets the thread sleep for
//! good, at a word of its own stack.

use crate::target::half;
use crate::{Registers, Target};

/// The greatest distance in bytes from the stack pointer up to that word.
const STACK_BYTES: u64 = 512;

pub(super) const REFUSED: &str =
    "a pthread mutex (PTHREAD_PRIO_INHERIT), which the kernel refused since that closes a circle,";

/// Whether a thread that wants a mutex sleeps so: at a word on its stack that is 0, a value that a
/// mutex that is waited for never has.
pub(super) fn is_refused(target: &dyn Target, registers: &Registers) -> bool {
    let [_, _, at, _, value, ..] = registers.call;
    (registers.rsp..registers.rsp.saturating_add(STACK_BYTES)).contains(&at)
        && value as u32 == 0
        && half(target, at) == Ok(0)
}
