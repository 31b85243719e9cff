//! One POSIX timer for each thread, on the clock of the time that it has its processor.
//!
//! What must hold: no thread is interrupted in a system call, asleep or at work, because then the
//! call would end early or move less than it was asked to. Since Linux 5.9 the kernel only notes at
//! its tick that such a timer has run out. It sends the signal when the thread is about to go on in
//! user code: after a system call, which has its result by then, or after a page fault. Older
//! kernels send the signal from the tick itself. There the timer runs on the user time alone, which
//! the kernel counts at a tick that finds the thread in user code. So a signal and a system call
//! never meet there either, and a thread's work in the kernel has hardly any samples.
//!
//! The price is the rate: no more samples than the kernel ticks, most often 250 a second. Other
//! sources say what a thread waits for: the calls that are followed (`interpose`), the ends of
//! waits (`waits`) and the watcher (`watch`).

use crate::thread::{self, Thread};
use core::ffi::CStr;
use core::sync::atomic::{AtomicI32, AtomicU32, Ordering::Relaxed};

/// The version from which on the kernel sends a timer's signal only after system calls (x86-64).
const SENDS_BEHIND_CALLS: (u32, u32) = (5, 9);

/// Starts sampling of the calling thread every `period` ns. Returns the errno value if the system
/// refuses.
pub fn start(thread: &Thread, period: u64) -> Result<(), i32> {
    super::signal::install()?;
    super::signal::unblock();
    aim(thread, period)
}

/// Returns the kernel's clock of the time that the thread `id` runs: all of it, or only in user
/// code, as the module's text says.
fn clock_of(id: i32) -> libc::clockid_t {
    const OF_THREAD: i32 = 4;
    const USER_TIME: i32 = 1;
    const RUNTIME: i32 = 2;
    const NOT_KNOWN: i32 = -1;
    static WHICH: AtomicI32 = AtomicI32::new(NOT_KNOWN);
    let mut which = WHICH.load(Relaxed);
    if which == NOT_KNOWN {
        let is_harmless = version().is_some_and(|version| version >= SENDS_BEHIND_CALLS);
        which = if is_harmless { RUNTIME } else { USER_TIME };
        WHICH.store(which, Relaxed);
    }
    (!id << 3) | OF_THREAD | which
}

/// Returns the kernel's version, if it names one.
fn version() -> Option<(u32, u32)> {
    // SAFETY: the structure is plain bytes, which the call fills; the release is a C string.
    let name = unsafe {
        let mut name: libc::utsname = core::mem::zeroed();
        if libc::uname(&mut name) != 0 {
            return None;
        }
        name
    };
    // SAFETY: the call ended every field with a zero.
    parse(unsafe { CStr::from_ptr(name.release.as_ptr()) }.to_str().ok()?)
}

fn parse(release: &str) -> Option<(u32, u32)> {
    let mut words = release.split(|character: char| !character.is_ascii_digit());
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// Makes the timer of the calling thread.
fn aim(thread: &Thread, period: u64) -> Result<(), i32> {
    // SAFETY: all structures are initialised; the kernel writes the timer's id as an `int`.
    unsafe {
        let tid = thread.os_tid.load(Relaxed);
        let mut event: libc::sigevent = core::mem::zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = super::signal::NUMBER;
        event.sigev_value.sival_ptr = super::handler::mark();
        event.sigev_notify_thread_id = tid;
        let mut id: libc::c_int = -1;
        if libc::syscall(libc::SYS_timer_create, clock_of(tid), &mut event, &mut id) != 0 {
            return Err(*libc::__errno_location());
        }
        if let Err(error) = set(id, period) {
            libc::syscall(libc::SYS_timer_delete, id);
            return Err(error);
        }
        thread.timer.store(id, Relaxed);
    }
    Ok(())
}

/// Sets the time between two ticks, ns. Returns the errno value if the system refuses.
fn set(id: libc::c_int, time: u64) -> Result<(), i32> {
    let interval = libc::timespec {
        tv_sec: (time / 1_000_000_000) as i64,
        tv_nsec: (time % 1_000_000_000) as i64,
    };
    let setting = libc::itimerspec { it_interval: interval, it_value: interval };
    let nothing = core::ptr::null_mut::<libc::itimerspec>();
    // SAFETY: the structures are initialised; a number that is no timer's is refused.
    unsafe {
        if libc::syscall(libc::SYS_timer_settime, id, 0, &setting, nothing) != 0 {
            return Err(*libc::__errno_location());
        }
    }
    Ok(())
}

/// Stops sampling of `thread`. Any thread of the process may call it. One tick may still be on its
/// way. Returns false if the thread was not sampled. Async-signal-safe.
pub fn stop(thread: &Thread) -> bool {
    let id = thread.timer.swap(-1, Relaxed);
    if id >= 0 {
        // SAFETY: no memory involved.
        unsafe { libc::syscall(libc::SYS_timer_delete, id) };
    }
    id >= 0
}

/// The number of timers that were given up for the program's own.
static GIVEN_UP: AtomicU32 = AtomicU32::new(0);

/// Stops sampling of the newest thread that is sampled, because the program needs that timer's
/// share of the user's allowance. Returns false if no thread is sampled. Async-signal-safe.
pub fn give_up_one() -> bool {
    let stopped = thread::all().any(stop);
    if stopped {
        GIVEN_UP.fetch_add(1, Relaxed);
    }
    stopped
}

/// Returns the number of timers given up.
pub fn given_up() -> u32 {
    GIVEN_UP.load(Relaxed)
}

/// Returns the length of the kernel's tick, ns. Async-signal-safe.
pub fn tick() -> u64 {
    let mut tick = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure belongs to this function; this clock moves with the kernel's tick.
    unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &mut tick) };
    tick.tv_nsec.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_says_its_version() {
        assert_eq!(parse("6.18.44-fc-v669"), Some((6, 18)));
        assert_eq!(parse("4.4.0"), Some((4, 4)));
        assert_eq!(parse("5.9-rc1+"), Some((5, 9)));
        assert_eq!(parse("unknown"), None);
        assert!(version().is_some());
    }
}
