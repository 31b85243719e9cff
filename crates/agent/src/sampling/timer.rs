//! One POSIX timer for each thread, on the clock of the time that it runs its own code.
//!
//! What must hold: no thread is interrupted in a system call, asleep or at work, for then the call
//! would end early or move less than it was asked to. The kernel counts this clock at its own tick,
//! where that finds the thread in user code, and sends the signal before the thread goes on: so a
//! signal and a system call never meet. The price is the rate: no more samples than the kernel
//! ticks, most often 250 a second. What a thread does in the kernel is told by others: the calls
//! that are looked through (`calls`), the ends of waits (`waits`) and the watcher (`watch`).

use crate::thread::Thread;
use core::sync::atomic::Ordering::Relaxed;

/// Starts sampling of the calling thread every `period` ns; the errno value where it is refused.
pub fn start(thread: &Thread, period: u64) -> Result<(), i32> {
    super::signal::install()?;
    super::signal::unblock();
    aim(thread, period)
}

/// The clock of the time that the thread `id` spends in user code, as the kernel names it.
fn user_clock(id: i32) -> libc::clockid_t {
    const OF_THREAD: i32 = 4;
    const USER_TIME: i32 = 1;
    (!id << 3) | OF_THREAD | USER_TIME
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
        if libc::syscall(libc::SYS_timer_create, user_clock(tid), &mut event, &mut id) != 0 {
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

/// Stops sampling of `thread`; for any thread of the process. One tick may still be on its way.
pub fn stop(thread: &Thread) {
    let id = thread.timer.swap(-1, Relaxed);
    if id >= 0 {
        // SAFETY: no memory involved.
        unsafe { libc::syscall(libc::SYS_timer_delete, id) };
    }
}

/// The kernel's tick, ns. Async-signal-safe.
pub fn tick() -> u64 {
    let mut tick = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours; this clock moves with the kernel's tick.
    unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &mut tick) };
    tick.tv_nsec.unsigned_abs()
}
