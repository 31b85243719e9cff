//! Finds the deadlines of system calls: the moments at which they end, by one of the kernel's
//! clocks.

use std::time::Duration;

use crate::target::word;
use crate::{Registers, Target};

/// The moment at which a call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The clock is CLOCK_REALTIME; otherwise it is CLOCK_MONOTONIC.
    pub is_real: bool,
    /// The time of that clock.
    pub at: Duration,
}

/// The deadline of the call with this name; `None` if its arguments have none, or a time that
/// begins with the call.
pub fn deadline(target: &dyn Target, registers: &Registers, name: &str) -> Option<Deadline> {
    let [_, _, first, second, third, fourth, fifth, _] = registers.call;
    let (is_real, time) = match name {
        // FUTEX_LOCK_PI; FUTEX_WAIT_BITSET, FUTEX_WAIT_REQUEUE_PI and FUTEX_LOCK_PI2, with
        // FUTEX_CLOCK_REALTIME or without.
        "futex" => match second & 127 {
            6 => (true, fourth),
            9 | 11 | 13 => (second & 256 != 0, fourth),
            _ => return None,
        },
        // TIMER_ABSTIME
        "clock_nanosleep" if second & 1 != 0 && first <= 1 => (first == 0, third),
        "mq_timedreceive" | "mq_timedsend" => (true, fifth),
        _ => return None,
    };
    if time == 0 {
        return None;
    }
    let seconds = Duration::from_secs(word(target, time).ok()?);
    let rest = Duration::from_nanos(word(target, time.checked_add(8)?).ok()?);
    Some(Deadline { is_real, at: seconds.checked_add(rest)? })
}
