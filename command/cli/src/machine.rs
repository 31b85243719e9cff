//! The machine's limits for OpenMP programs and the profiler: processors, quota, sampling rate.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Returns the number of the machine's processors, and of those that this process may use.
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

/// Returns the numbers of the processors that this process may use.
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

/// Returns the cgroup's grant of processor time as a number of processors, if it has a limit.
pub fn quota() -> Option<f64> {
    quota_of(Path::new("/"))
}

/// Returns the kernel's list of the processors that the cgroup may use.
pub fn cpuset() -> Option<String> {
    let root = Path::new("/sys/fs/cgroup");
    let (version, group) =
        groups(Path::new("/"), "cpuset").max_by_key(|(version, _)| *version == 1)?;
    let file = match version {
        2 => root.join(group).join("cpuset.cpus.effective"),
        _ => root.join("cpuset").join(group).join("cpuset.effective_cpus"),
    };
    Some(std::fs::read_to_string(file).ok()?.trim().to_owned())
}

/// Returns the version and the path of each group of this process that has a controller.
fn groups(base: &Path, controller: &str) -> impl Iterator<Item = (u32, PathBuf)> {
    let text = std::fs::read_to_string(base.join("proc/self/cgroup")).unwrap_or_default();
    let of = |line: &str| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let version = match controllers {
            "" => 2,
            several if several.split(',').any(|one| one == controller) => 1,
            _ => return None,
        };
        Some((version, PathBuf::from(path.trim_start_matches('/'))))
    };
    text.lines().filter_map(of).collect::<Vec<_>>().into_iter()
}

fn quota_of(base: &Path) -> Option<f64> {
    let root = base.join("sys/fs/cgroup");
    let read = |path: PathBuf| std::fs::read_to_string(path).ok();
    let limits = groups(base, "cpu").flat_map(|(version, group)| {
        // Each group on the way to the root may set its own, lower limit.
        let levels = group.ancestors().map(Path::to_owned).collect::<Vec<_>>();
        let limit_of = |level: PathBuf| match version {
            2 => limit(&read(root.join(level).join("cpu.max"))?),
            _ => {
                let folder = root.join("cpu").join(level);
                let quota = read(folder.join("cpu.cfs_quota_us"))?;
                let quota = Some(quota).filter(|quota| !quota.starts_with('-'))?;
                limit(&format!("{quota} {}", read(folder.join("cpu.cfs_period_us"))?))
            }
        };
        levels.into_iter().filter_map(limit_of).collect::<Vec<_>>()
    });
    limits.reduce(f64::min)
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
    fn limits_of_control_groups() {
        assert_eq!(limit("150000 100000\n"), Some(1.5));
        assert_eq!(limit("max 100000\n"), None);
        assert_eq!(limit(""), None);
    }

    #[test]
    fn the_least_quota_counts_in_both_versions() {
        let base = tempfile::tempdir().unwrap();
        let put = |file: &str, text: &str| {
            let path = base.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
        put("sys/fs/cgroup/a/cpu.max", "150000 100000\n");
        put("sys/fs/cgroup/cpu/c/cpu.cfs_quota_us", "50000\n");
        put("sys/fs/cgroup/cpu/c/cpu.cfs_period_us", "100000\n");
        put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
        for (groups, quota) in [
            ("0::/a/b\n", Some(1.5)),
            ("3:cpu,cpuacct:/c\n0::/a\n", Some(0.5)),
            ("3:cpu:/\n4:memory:/c\n", None),
        ] {
            put("proc/self/cgroup", groups);
            assert_eq!(quota_of(base.path()), quota, "{groups}");
        }
    }

    #[test]
    fn this_process_has_processors_and_ticks() {
        let (all, usable) = processors();
        assert!(usable >= 1 && all >= 1);
        assert!(sampling_rate(1000, Duration::from_millis(50)).unwrap() > 0.0);
    }
}
