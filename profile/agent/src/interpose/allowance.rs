//! Calls that use up the user's allowance of timers and queued signals (`ulimit -i`), of which each
//! of the agent's timers takes one. Where such a call of the program would be refused, the agent
//! gives one of its timers back, and then another, until none is left.
//!
//! What must hold: async-signal-safe, as `sigqueue` is.

use crate::mark::Call;
use crate::sampling::timer;
use core::ffi::{c_int, c_long, c_void};

static TIMER_CREATE: Call = Call::new(c"timer_create", c"", false);
static SIGQUEUE: Call = Call::new(c"sigqueue", c"", false);
static PTHREAD_SIGQUEUE: Call = Call::new(c"pthread_sigqueue", c"", false);

/// Looks the real functions up: a handler must not look up symbols.
pub fn prepare() {
    for call in [&TIMER_CREATE, &SIGQUEUE, &PTHREAD_SIGQUEUE] {
        call.real();
    }
}

/// Calls the function behind `call`, and again while a timer of the agent's is in its way.
fn call_with_room(call: &Call, [a, b, c]: [usize; 3], is_refused: impl Fn(c_int) -> bool) -> c_int {
    let real = call.real();
    if real.is_null() {
        return super::raw::unknown() as c_int;
    }
    type Function = unsafe extern "C" fn(usize, usize, usize) -> c_int;
    // SAFETY: the next definition of the same name: three words go in.
    let real = unsafe { core::mem::transmute::<*mut c_void, Function>(real) };
    loop {
        // SAFETY: the caller's promise.
        let result = unsafe { real(a, b, c) };
        if !is_refused(result) || !timer::give_up_one() {
            return result;
        }
    }
}

fn is_short(result: c_int) -> bool {
    // SAFETY: the thread's own errno.
    result == -1 && unsafe { *libc::__errno_location() } == libc::EAGAIN
}

/// Stands in for the C library's `timer_create`.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn timer_create(clock: c_int, event: usize, timer: usize) -> c_int {
    call_with_room(&TIMER_CREATE, [clock as usize, event, timer], is_short)
}

/// Stands in for the C library's `sigqueue`.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigqueue(process: c_int, signal: c_int, value: usize) -> c_int {
    call_with_room(&SIGQUEUE, [process as usize, signal as usize, value], is_short)
}

/// Stands in for the C library's `pthread_sigqueue`, which returns the error's number.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_sigqueue(thread: usize, signal: c_int, value: usize) -> c_int {
    let is_refused = |result| result == libc::EAGAIN;
    call_with_room(&PTHREAD_SIGQUEUE, [thread, signal as usize, value], is_refused)
}

/// Whether this system call is one of these.
pub(super) fn may_be(number: c_long) -> bool {
    matches!(
        number,
        libc::SYS_timer_create | libc::SYS_rt_sigqueueinfo | libc::SYS_rt_tgsigqueueinfo
    )
}

/// Makes `syscall` with such a number for the program.
pub(super) unsafe extern "C" fn called(
    number: c_long,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> c_long {
    loop {
        // SAFETY: the caller's promise.
        let result = unsafe { super::raw::pass_on(number, [a, b, c, d, e, f]) };
        if !is_short(result as c_int) || !timer::give_up_one() {
            return result;
        }
    }
}
