//! The processor time that control groups grant the process, and how long they stopped it. Version
//! 2 (`cpu.max`) and version 1 (`cpu.cfs_quota_us`).
//!
//! What must hold: async-signal-safe, all of it; a few system calls a level of the hierarchy.

use crate::{errno, file};

/// The longest path of a group that is kept, bytes.
const PATH_BYTES: usize = 256;

/// A group that limits the process.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    path: [u8; PATH_BYTES],
    length: usize,
    /// Processor time granted in a period, us.
    pub quota: u64,
    /// The period, us; not 0.
    pub period: u64,
    /// Periods in which a thread of the group wanted to run, since the group was made.
    pub periods: u64,
    /// The number of these periods in which the group was stopped.
    pub throttled_periods: u64,
    /// How long it was stopped, ns: the sum over processors.
    pub throttled: u64,
}

impl Limit {
    /// Returns the group's path, cut at its end where it is too long.
    pub fn path(&self) -> &[u8] {
        &self.path[..self.length]
    }

    fn is_less_than(&self, other: &Limit) -> bool {
        let product = |quota: u64, period: u64| u128::from(quota) * u128::from(period);
        product(self.quota, other.period) < product(other.quota, self.period)
    }
}

/// Returns how many processors' worth of time the control groups of this process grant (quota /
/// period, rounded up), `None` without a limit.
pub fn quota() -> Option<usize> {
    limit().map(processors)
}

fn processors(limit: Limit) -> usize {
    usize::try_from(limit.quota.div_ceil(limit.period)).unwrap_or(usize::MAX).max(1)
}

/// Returns the group that grants the least, of those that this process is in; `None` without a
/// limit.
pub fn limit() -> Option<Limit> {
    errno::keep(|| {
        let mut buffer = [0u8; 4096];
        limit_of(b"", file::read(&[b"/proc/self/cgroup"], &mut buffer)?)
    })
}

/// Writes the processors that the group of this process may use, as the kernel lists them; writes
/// nothing if the kernel does not tell.
pub fn processors_list(into: &mut [u8]) -> &[u8] {
    let mut buffer = [0u8; 4096];
    let found = errno::keep(|| {
        let groups = file::read(&[b"/proc/self/cgroup"], &mut buffer)?;
        let (v2, path) = paths(groups, b"cpuset").max_by_key(|(v2, _)| !v2)?;
        let (folder, name): (&[u8], &[u8]) = match v2 {
            true => (b"/sys/fs/cgroup", b"/cpuset.cpus.effective"),
            false => (b"/sys/fs/cgroup/cpuset", b"/cpuset.effective_cpus"),
        };
        let mut text = [0u8; 4096];
        let list = file::read(&[folder, path, name], &mut text)?.trim_ascii();
        let length = list.len().min(into.len());
        into.get_mut(..length)?.copy_from_slice(list.get(..length)?);
        Some(length)
    });
    &into[..found.unwrap_or(0)]
}

/// Returns the groups that have this controller, by the text of `/proc/self/cgroup`: whether each
/// is of version 2, and its path without a slash at the end.
fn paths<'a>(groups: &'a [u8], controller: &'a [u8]) -> impl Iterator<Item = (bool, &'a [u8])> {
    groups.split(|&byte| byte == b'\n').filter_map(move |line| {
        let mut parts = line.splitn(3, |&byte| byte == b':');
        let (_, controllers, mut path) = (parts.next()?, parts.next()?, parts.next()?);
        let v2 = controllers.is_empty();
        if !v2 && !controllers.split(|&byte| byte == b',').any(|one| one == controller) {
            return None;
        }
        while let [start @ .., b'/'] = path {
            path = start;
        }
        Some((v2, path))
    })
}

/// Does what [`limit`] does, for the groups that `groups` (the text of `/proc/self/cgroup`) names,
/// in a file system that begins at `base`.
fn limit_of(base: &[u8], groups: &[u8]) -> Option<Limit> {
    let mut least: Option<Limit> = None;
    for (v2, mut path) in paths(groups, b"cpu") {
        loop {
            let found = if v2 { read_v2(base, path) } else { read_v1(base, path) };
            if let Some(found) = found
                && least.is_none_or(|least| found.is_less_than(&least))
            {
                least = Some(found);
            }
            // Each group on the way to the root may set its own, lower limit.
            match path.iter().rposition(|&byte| byte == b'/') {
                Some(cut) => path = &path[..cut],
                None => break,
            }
        }
    }
    least
}

/// Reads a whole number.
fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

fn read_v2(base: &[u8], path: &[u8]) -> Option<Limit> {
    const ROOT: &[u8] = b"/sys/fs/cgroup";
    let mut buffer = [0u8; 64];
    let text = file::read(&[base, ROOT, path, b"/cpu.max"], &mut buffer)?;
    let mut words = text.split(u8::is_ascii_whitespace);
    let (quota, period) = (number(words.next()?)?, number(words.next()?)?);
    with_counts(path, quota, period, &[base, ROOT, path, b"/cpu.stat"])
}

fn read_v1(base: &[u8], path: &[u8]) -> Option<Limit> {
    const ROOT: &[u8] = b"/sys/fs/cgroup/cpu";
    let read = |name: &[u8]| {
        let mut buffer = [0u8; 64];
        number(file::read(&[base, ROOT, path, name], &mut buffer)?)
    };
    let quota = read(b"/cpu.cfs_quota_us").filter(|&quota| quota > 0)?;
    let period = read(b"/cpu.cfs_period_us")?;
    with_counts(path, quota, period, &[base, ROOT, path, b"/cpu.stat"])
}

/// Adds the counts in a file of the kernel, which may have none: then they are 0. Returns `None`
/// for a period of 0.
fn with_counts(path: &[u8], quota: u64, period: u64, counts: &[&[u8]]) -> Option<Limit> {
    let length = path.len().min(PATH_BYTES);
    let mut limit = Limit {
        path: [0; PATH_BYTES],
        length,
        quota,
        period: Some(period).filter(|&period| period > 0)?,
        periods: 0,
        throttled_periods: 0,
        throttled: 0,
    };
    limit.path[..length].copy_from_slice(&path[..length]);
    let mut buffer = [0u8; 1024];
    let text = file::read(counts, &mut buffer).unwrap_or(&[]);
    for line in text.split(|&byte| byte == b'\n') {
        let mut words = line.split(|&byte| byte == b' ');
        let (Some(name), Some(count)) = (words.next(), words.next().and_then(number)) else {
            continue;
        };
        match name {
            b"nr_periods" => limit.periods = count,
            b"nr_throttled" => limit.throttled_periods = count,
            b"throttled_usec" => limit.throttled = count.saturating_mul(1000),
            b"throttled_time" => limit.throttled = count,
            _ => {}
        }
    }
    Some(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_least_quota_of_all_groups_counts() {
        let base = std::env::temp_dir().join(format!("omphalos-quota-{}", std::process::id()));
        let root = base.join("sys/fs/cgroup");
        let put = |file: &str, text: &str| {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        put("a/b/cpu.max", "max 100000\n");
        put("a/cpu.max", "250000 100000\n");
        put("a/cpu.stat", "usage_usec 9\nnr_periods 5\nnr_throttled 4\nthrottled_usec 3\n");
        put("cpu/c/cpu.cfs_quota_us", "-1\n");
        put("cpu/cpu.cfs_quota_us", "400000\n");
        put("cpu/cpu.cfs_period_us", "100000\n");
        put("cpu/cpu.stat", "nr_periods 7\nnr_throttled 6\nthrottled_time 5000\n");
        let text = base.to_string_lossy().into_owned();
        let limit = |groups: &str| limit_of(text.as_bytes(), groups.as_bytes());
        let of = |groups: &str| limit(groups).map(processors);
        assert_eq!(of("0::/a/b\n"), Some(3));
        assert_eq!(of("9:name=systemd:/\n2:cpu,cpuacct:/c\n"), Some(4));
        assert_eq!(of("2:cpu:/c\n0::/a/b/\n"), Some(3));
        assert_eq!(of("0::/\n1:memory:/c\nnonsense\n"), None);
        assert_eq!(of(""), None);
        let counts = |groups: &str| {
            let limit = limit(groups).unwrap();
            let path = String::from_utf8_lossy(limit.path()).into_owned();
            (path, limit.periods, limit.throttled_periods, limit.throttled)
        };
        assert_eq!(counts("0::/a/b\n"), ("/a".to_owned(), 5, 4, 3000));
        assert_eq!(counts("2:cpu:/c\n"), (String::new(), 7, 6, 5000));
        fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn this_process_has_a_list_or_none() {
        let mut text = [0u8; 64];
        let list = processors_list(&mut text);
        assert!(list.iter().all(|byte| byte.is_ascii_digit() || b",-".contains(byte)));
    }
}
