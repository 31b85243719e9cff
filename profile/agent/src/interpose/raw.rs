//! `syscall`: programs use it for calls that the C library has no function for, and C++'s atomics,
//! futures and semaphores sleep in it. The agent follows the calls in which threads sleep; the
//! others go on unchanged to the C library's own function.
//!
//! What must hold: calls of the agent itself, in a handler too, and of the OpenMP runtime go
//! straight on.

use super::{allowance, confining, enter, leave};
use crate::mark::Call;
use crate::mark::sleeping::SLEEPING;
use crate::thread::Thread;
use crate::unwind::modules;
use core::ffi::{c_int, c_long, c_void};
use omphalos_profile_format::module_flag;

/// The mark of each call in [`SLEEPING`]: reports show its name.
static CALLS: [Call; SLEEPING.len()] = {
    let mut calls = [const { Call::new(c"", c"", true) }; SLEEPING.len()];
    let mut at = 0;
    while at < calls.len() {
        let (_, name, only_waits) = SLEEPING[at];
        calls[at] = Call::named(name, c"syscall", c"", only_waits);
        at += 1;
    }
    calls
};

static REAL: Call = Call::new(c"syscall", c"", false);

/// Looks the real function up: a handler must not look up symbols.
pub fn prepare() {
    REAL.real();
}

// The return address lies behind the registers that the stub keeps.
stub!(syscall, "mov rcx, [rsp + 56]", chosen);

/// Returns the function that a call goes on to, which will return to `caller`. Async-signal-safe
/// after [`prepare`].
extern "C" fn chosen(number: c_long, _: usize, operation: c_int, caller: usize) -> *mut c_void {
    if sleeping(number).is_some()
        && (number != libc::SYS_futex || waits(operation))
        && Thread::current().is_some_and(Thread::is_followed)
        && is_programs(caller)
    {
        return looked_through as Function as *mut c_void;
    }
    if confining::may_be(number) {
        return confining::called as Function as *mut c_void;
    }
    if allowance::may_be(number) && is_programs(caller) {
        return allowance::called as Function as *mut c_void;
    }
    let real = REAL.real();
    if real.is_null() { unknown as extern "C" fn() -> c_long as *mut c_void } else { real }
}

type Function = unsafe extern "C" fn(c_long, usize, usize, usize, usize, usize, usize) -> c_long;

/// Returns the call, if it is one that threads sleep in.
fn sleeping(number: c_long) -> Option<&'static Call> {
    let at = SLEEPING.iter().position(|(known, _, _)| *known == number)?;
    CALLS.get(at)
}

/// Whether a futex operation is one that sleeps.
fn waits(operation: c_int) -> bool {
    let operation = operation & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME);
    !matches!(
        operation,
        libc::FUTEX_WAKE
            | libc::FUTEX_WAKE_BITSET
            | libc::FUTEX_WAKE_OP
            | libc::FUTEX_REQUEUE
            | libc::FUTEX_CMP_REQUEUE
            | libc::FUTEX_UNLOCK_PI
    )
}

/// Whether code at this address is the program's: neither the agent's nor the OpenMP runtime's,
/// whose waits are reported in another way.
fn is_programs(address: usize) -> bool {
    let flags = modules::with_newest(|modules, _| {
        modules.find(address as u64).map_or(0, |module| module.flags)
    });
    flags.is_some_and(|flags| flags & (module_flag::AGENT | module_flag::RUNTIME) == 0)
}

unsafe extern "C" fn looked_through(
    number: c_long,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> c_long {
    let Some(call) = sleeping(number) else { return -1 };
    let real = call.real();
    if real.is_null() {
        return unknown();
    }
    // SAFETY: the next definition of the same name, which reads at most this many arguments.
    let real = unsafe { core::mem::transmute::<*mut c_void, Function>(real) };
    let thread = enter(call);
    // SAFETY: the caller's promise.
    let result = unsafe { real(number, a, b, c, d, e, f) };
    leave(call, thread);
    result
}

/// Calls the C library's own function with these arguments.
///
/// # Safety
/// As the C library's.
pub(super) unsafe fn pass_on(number: c_long, [a, b, c, d, e, f]: [usize; 6]) -> c_long {
    let real = REAL.real();
    if real.is_null() {
        return unknown();
    }
    // SAFETY: the next definition of the same name, which reads at most this many arguments.
    let real = unsafe { core::mem::transmute::<*mut c_void, Function>(real) };
    // SAFETY: the caller's promise.
    unsafe { real(number, a, b, c, d, e, f) }
}

/// Returns the answer in place of a function that has no next definition.
pub(super) extern "C" fn unknown() -> c_long {
    // SAFETY: the thread's own errno.
    unsafe { *libc::__errno_location() = libc::ENOSYS };
    -1
}
