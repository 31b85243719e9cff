//! How many processors the process may use: its affinity mask and its control group's quota.

use std::fs;

/// The processors of the calling thread's affinity mask, ascending.
pub fn affinity() -> Vec<usize> {
    // Masks of machines with more than 1024 processors do not fit `cpu_set_t`: ask with a larger one.
    let mut mask = vec![0u64; 1024];
    // SAFETY: the buffer is valid for the number of bytes handed over.
    let bytes =
        unsafe { libc::syscall(libc::SYS_sched_getaffinity, 0, mask.len() * 8, mask.as_mut_ptr()) };
    if bytes <= 0 {
        // SAFETY: no memory involved.
        let online = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
        return (0..online.max(1) as usize).collect();
    }
    let words = &mask[..bytes as usize / 8];
    let bits = words.iter().enumerate().flat_map(|(i, &word)| {
        (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| i * 64 + bit)
    });
    bits.collect()
}

/// Binds thread `tid` (0: the calling one) to `cpus`; false if the kernel refused.
pub fn bind(tid: i32, cpus: &[usize]) -> bool {
    let mut mask = [0u64; 128];
    for &cpu in cpus {
        if let Some(word) = mask.get_mut(cpu / 64) {
            *word |= 1 << (cpu % 64);
        }
    }
    // SAFETY: the buffer is valid for the number of bytes handed over.
    let rc = unsafe {
        libc::syscall(libc::SYS_sched_setaffinity, tid, std::mem::size_of_val(&mask), mask.as_ptr())
    };
    rc == 0
}

/// The processor that the calling thread runs on, negative if unknown. Async-signal-safe.
pub fn current() -> i32 {
    // SAFETY: no memory involved.
    unsafe { libc::sched_getcpu() }
}

/// Processors' worth of time that the control groups of this process grant (quota / period, rounded
/// up), `None` without a limit. Version 2 (`cpu.max`) and version 1 (`cpu.cfs_quota_us`).
pub fn quota() -> Option<usize> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mut least: Option<f64> = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let v2 = controllers.is_empty();
        if !v2 && !controllers.split(',').any(|c| c == "cpu") {
            continue;
        }
        let root = if v2 { "/sys/fs/cgroup".to_owned() } else { "/sys/fs/cgroup/cpu".to_owned() };
        let mut path = path.trim_end_matches('/').to_owned();
        loop {
            let granted = if v2 { read_v2(&root, &path) } else { read_v1(&root, &path) };
            if let Some(granted) = granted {
                least = Some(least.map_or(granted, |l| l.min(granted)));
            }
            match path.rfind('/') {
                Some(cut) => path.truncate(cut),
                None => break,
            }
        }
    }
    least.map(|cpus| (cpus.ceil() as usize).max(1))
}

fn read_v2(root: &str, path: &str) -> Option<f64> {
    let text = fs::read_to_string(format!("{root}{path}/cpu.max")).ok()?;
    let mut words = text.split_whitespace();
    let quota: f64 = words.next()?.parse().ok()?;
    let period: f64 = words.next()?.parse().ok()?;
    (period > 0.0).then_some(quota / period)
}

fn read_v1(root: &str, path: &str) -> Option<f64> {
    let read = |name: &str| -> Option<f64> {
        fs::read_to_string(format!("{root}{path}/{name}")).ok()?.trim().parse().ok()
    };
    let (quota, period) = (read("cpu.cfs_quota_us")?, read("cpu.cfs_period_us")?);
    (quota > 0.0 && period > 0.0).then_some(quota / period)
}
