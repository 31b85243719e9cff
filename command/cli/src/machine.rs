//! What the machine allows OpenMP programs and the profiler: processors, quota, sampling rate.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Processors of the machine, and those that this process may use.
pub fn processors() -> (usize, usize) {
    // SAFETY: sysconf has no preconditions.
    let all = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
    // SAFETY: all-zero bytes are a valid `cpu_set_t`, and its size is given truly.
    let usable = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        match libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) {
            0 => libc::CPU_COUNT(&set),
            _ => 0,
        }
    };
    let all = usize::try_from(all).unwrap_or(1);
    (all, usize::try_from(usable).ok().filter(|count| *count > 0).unwrap_or(all))
}

/// The numbers of the processors that this process may use.
pub fn usable() -> Vec<u32> {
    // SAFETY: all-zero bytes are a valid `cpu_set_t`, its size is given truly, and numbers are
    // within it.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        match libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) {
            0 => {}
            _ => return (0..processors().0 as u32).collect(),
        }
        let all = 0..libc::CPU_SETSIZE as u32;
        all.filter(|number| libc::CPU_ISSET(*number as usize, &set)).collect()
    }
}

/// The processors' worth of time that the cgroup grants, where it limits them.
pub fn quota() -> Option<f64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let mut folder = std::path::PathBuf::from("/sys/fs/cgroup").join(group.trim_start_matches('/'));
    let mut least = None::<f64>;
    // Each group on the way to the root may set its own, lower limit.
    while folder.starts_with("/sys/fs/cgroup") {
        if let Some(limit) =
            std::fs::read_to_string(folder.join("cpu.max")).ok().as_deref().and_then(limit)
        {
            least = Some(least.map_or(limit, |least| least.min(limit)));
        }
        if !folder.pop() {
            break;
        }
    }
    least
}

fn limit(text: &str) -> Option<f64> {
    let mut words = text.split_whitespace();
    let quota: f64 = words.next()?.parse().ok()?;
    let period: f64 = words.next()?.parse().ok()?;
    (period > 0.0).then_some(quota / period)
}

static TICKS: AtomicU32 = AtomicU32::new(0);

extern "C" fn tick(_: libc::c_int) {
    TICKS.fetch_add(1, Ordering::Relaxed);
}

/// Measures for `span` how many samples a second a timer gives that is asked for `hz`, as the
/// agent's timers are: a POSIX timer on the monotonic clock.
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
    fn limits_of_control_groups() {
        assert_eq!(limit("150000 100000\n"), Some(1.5));
        assert_eq!(limit("max 100000\n"), None);
        assert_eq!(limit(""), None);
    }

    #[test]
    fn this_process_has_processors_and_ticks() {
        let (all, usable) = processors();
        assert!(usable >= 1 && all >= 1);
        assert!(sampling_rate(1000, Duration::from_millis(50)).unwrap() > 0.0);
    }
}
