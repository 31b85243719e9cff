//! The machine's limits for OpenMP programs and the profiler: processors, quota, sampling rate.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use omphalos_sys::{control_group, cpus};

/// Returns the number of the machine's processors, and of those that this process may use.
pub fn processors() -> (usize, usize) {
    (cpus::online(), cpus::count())
}

/// Returns the numbers of the processors that this process may use.
pub fn usable() -> Vec<u32> {
    cpus::affinity().into_iter().filter_map(|cpu| u32::try_from(cpu).ok()).collect()
}

/// Returns the cgroup's grant of processor time as a number of processors, if it has a limit.
pub fn quota() -> Option<f64> {
    control_group::limit().map(|limit| limit.quota as f64 / limit.period as f64)
}

static TICKS: AtomicU32 = AtomicU32::new(0);

extern "C" fn tick(_: libc::c_int) {
    TICKS.fetch_add(1, Ordering::Relaxed);
}

/// Measures for `span` how many samples a second a timer gives that is asked for `hz`. It is a
/// timer like the agent's: a POSIX timer on the monotonic clock.
pub fn sampling_rate(hz: u32, span: Duration) -> std::io::Result<f64> {
    let period = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000_000 / libc::c_long::from(hz) };
    let setting = libc::itimerspec { it_interval: period, it_value: period };
    TICKS.store(0, Ordering::Relaxed);
    // SAFETY: all structures are valid where all their bytes are zero and outlive the calls; `tick`
    // is async-signal-safe; the timer is deleted before the old disposition comes back.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let mut old: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = tick as *const () as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(libc::SIGPROF, &action, &mut old);
        let mut event: libc::sigevent = std::mem::zeroed();
        event.sigev_notify = libc::SIGEV_SIGNAL;
        event.sigev_signo = libc::SIGPROF;
        let mut timer: libc::timer_t = std::ptr::null_mut();
        if libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer) != 0 {
            return Err(std::io::Error::last_os_error());
        }
        let start = Instant::now();
        libc::timer_settime(timer, 0, &setting, std::ptr::null_mut());
        while start.elapsed() < span {
            std::hint::spin_loop();
        }
        let elapsed = start.elapsed();
        libc::timer_delete(timer);
        libc::sigaction(libc::SIGPROF, &old, std::ptr::null_mut());
        Ok(f64::from(TICKS.load(Ordering::Relaxed)) / elapsed.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_processors_and_ticks() {
        let (all, usable) = processors();
        assert!(usable >= 1 && all >= 1);
        assert!(sampling_rate(1000, Duration::from_millis(50)).unwrap() > 0.0);
    }
}
