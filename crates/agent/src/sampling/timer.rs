//! One POSIX timer for each thread, on CLOCK_MONOTONIC, whose signal goes to that thread.
//!
//! CPU-time timers would fire with the scheduler's tick only (250 Hz on many kernels), and a
//! profiler of waiting needs wall-clock time anyway.

use crate::life;
use crate::thread::{self, Thread};
use core::sync::atomic::Ordering::Relaxed;

/// Starts sampling of the calling thread every `period` ns; the errno value where it is refused.
pub fn start(thread: &Thread, period: u64) -> Result<(), i32> {
    super::signal::install()?;
    super::signal::unblock();
    aim(thread, period)
}

/// Starts all threads' timers anew, with the signal that is in use now.
pub fn restart_all() {
    for thread in thread::all().filter(|thread| thread.timer.load(Relaxed) >= 0) {
        stop(thread);
        if let Err(error) = aim(thread, life::period()) {
            let tid = thread.os_tid.load(Relaxed);
            life::warn(format_args!("thread {tid}: its sampling timer is lost (errno {error})"));
        }
    }
}

/// Makes the timer of `thread`, which may be another one.
fn aim(thread: &Thread, period: u64) -> Result<(), i32> {
    let signal = super::signal::number();
    // SAFETY: all structures are initialised; the kernel writes the timer's id as an `int`.
    unsafe {
        let mut event: libc::sigevent = core::mem::zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = signal;
        event.sigev_value.sival_ptr = super::handler::mark();
        event.sigev_notify_thread_id = thread.os_tid.load(Relaxed);
        let mut id: libc::c_int = -1;
        let clock = libc::CLOCK_MONOTONIC;
        if libc::syscall(libc::SYS_timer_create, clock, &mut event, &mut id) != 0 {
            return Err(*libc::__errno_location());
        }
        if let Err(error) = set(id, period) {
            libc::syscall(libc::SYS_timer_delete, id);
            return Err(error);
        }
        thread.stretch.store(1, Relaxed);
        thread.timer.store(id, Relaxed);
    }
    Ok(())
}

/// Sets the time between two ticks, ns; the errno value where it is refused.
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

/// Makes the calling thread's ticks come every `periods` periods. Async-signal-safe.
pub fn stretch(thread: &Thread, periods: u32) {
    let id = thread.timer.load(Relaxed);
    if id >= 0 && set(id, life::period() * u64::from(periods)).is_ok() {
        thread.stretch.store(periods, Relaxed);
    }
}

/// Stops sampling of `thread`; for any thread of the process. One tick may still be on its way.
pub fn stop(thread: &Thread) {
    let id = thread.timer.swap(-1, Relaxed);
    if id >= 0 {
        // SAFETY: no memory involved.
        unsafe { libc::syscall(libc::SYS_timer_delete, id) };
    }
}
