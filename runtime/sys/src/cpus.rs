//! How many processors the process may use: its affinity mask and its control group's quota.

use crate::{errno, file};

/// Words of a mask with a bit for each processor, enough for most machines.
const USUAL_MASK_WORDS: usize = 16;
/// The same, enough for all machines.
const MOST_MASK_WORDS: usize = 1024;

/// Asks for the mask of thread `tid` (0: the calling one): the words that were written, 0 if the
/// kernel refused (also when the mask is too short for the machine).
fn read_mask(tid: i32, mask: &mut [u64]) -> usize {
    // SAFETY: the buffer is valid for the number of bytes handed over.
    let bytes = errno::keep(|| unsafe {
        libc::syscall(libc::SYS_sched_getaffinity, tid, size_of_val(mask), mask.as_mut_ptr())
    });
    if bytes <= 0 { 0 } else { (bytes as usize / 8).min(mask.len()) }
}

/// Runs `look` with the mask of thread `tid` (0: the calling one), or with nothing if it cannot be
/// had.
fn with_mask<R>(tid: i32, look: impl FnOnce(&[u64]) -> R) -> R {
    let mut usual = [0u64; USUAL_MASK_WORDS];
    match read_mask(tid, &mut usual) {
        0 => with_long_mask(tid, look),
        words => look(&usual[..words]),
    }
}

/// Apart, because of its large frame.
#[cold]
#[inline(never)]
fn with_long_mask<R>(tid: i32, look: impl FnOnce(&[u64]) -> R) -> R {
    let mut mask = [0u64; MOST_MASK_WORDS];
    let words = read_mask(tid, &mut mask);
    look(&mask[..words])
}

/// How many processors are online; for a kernel that does not tell masks.
fn online() -> usize {
    // SAFETY: no memory involved.
    unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }.max(1) as usize
}

/// How many processors the system is configured with, online or not; 1 if it does not say.
pub fn configured() -> usize {
    // SAFETY: no memory involved.
    unsafe { libc::sysconf(libc::_SC_NPROCESSORS_CONF) }.max(1) as usize
}

/// How many processors the calling thread's affinity mask has, at least 1.
pub fn count() -> usize {
    match with_mask(0, |mask| mask.iter().map(|word| word.count_ones() as usize).sum()) {
        0 => online(),
        count => count,
    }
}

/// The processors of the calling thread's affinity mask, ascending.
pub fn affinity() -> Vec<usize> {
    affinity_of(0)
}

/// The processors of the affinity mask of thread `tid` (0: the calling one), ascending.
pub fn affinity_of(tid: i32) -> Vec<usize> {
    let of_mask = |mask: &[u64]| {
        let bits = mask.iter().enumerate().flat_map(|(i, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| i * 64 + bit)
        });
        bits.collect::<Vec<_>>()
    };
    let own = with_mask(tid, of_mask);
    if own.is_empty() { (0..online()).collect() } else { own }
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
        libc::syscall(libc::SYS_sched_setaffinity, tid, size_of_val(&mask), mask.as_ptr())
    };
    rc == 0
}

/// A thread's affinity mask, on a machine with up to 1024 processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask {
    words: [u64; USUAL_MASK_WORDS],
    /// Words that the kernel knows.
    used: usize,
}

impl Mask {
    /// Words that it has at most.
    pub const WORDS: usize = USUAL_MASK_WORDS;

    /// No processor.
    pub const fn none() -> Mask {
        Mask { words: [0; USUAL_MASK_WORDS], used: 0 }
    }

    /// That of the calling thread; none if it cannot be had. One system call.
    pub fn of_caller() -> Mask {
        let mut mask = Mask::none();
        mask.used = read_mask(0, &mut mask.words);
        mask
    }

    /// Without this processor; the same if that is negative or not in it.
    pub fn without(mut self, cpu: i32) -> Mask {
        if let Ok(cpu) = usize::try_from(cpu)
            && let Some(word) = self.words.get_mut(cpu / 64)
        {
            *word &= !(1 << (cpu % 64));
        }
        self
    }

    /// How many processors are in it.
    pub fn count(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no processor in it.
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Its words, the first processors' first, as the kernel and the C library take them.
    pub fn words(&self) -> &[u64] {
        &self.words[..self.used]
    }
}

/// The processor that the calling thread runs on, negative if unknown. Async-signal-safe.
pub fn current() -> i32 {
    // SAFETY: no memory involved.
    unsafe { libc::sched_getcpu() }
}

/// Processors' worth of time that the control groups of this process grant (quota / period, rounded
/// up), `None` without a limit. Version 2 (`cpu.max`) and version 1 (`cpu.cfs_quota_us`).
/// Async-signal-safe; a few system calls a level of the hierarchy.
pub fn quota() -> Option<usize> {
    errno::keep(|| {
        let mut buffer = [0u8; 4096];
        quota_of(b"", file::read(&[b"/proc/self/cgroup"], &mut buffer)?)
    })
}

/// As [`quota`], of the groups that `groups` (the text of `/proc/self/cgroup`) names, in a file
/// system that begins at `base`.
fn quota_of(base: &[u8], groups: &[u8]) -> Option<usize> {
    let mut least: Option<u64> = None;
    for line in groups.split(|&byte| byte == b'\n') {
        let mut parts = line.splitn(3, |&byte| byte == b':');
        let (Some(_), Some(controllers), Some(mut path)) =
            (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let v2 = controllers.is_empty();
        if !v2 && !controllers.split(|&byte| byte == b',').any(|c| c == b"cpu") {
            continue;
        }
        while let [start @ .., b'/'] = path {
            path = start;
        }
        loop {
            let granted = if v2 { read_v2(base, path) } else { read_v1(base, path) };
            if let Some(granted) = granted {
                least = Some(least.map_or(granted, |l| l.min(granted)));
            }
            match path.iter().rposition(|&byte| byte == b'/') {
                Some(cut) => path = &path[..cut],
                None => break,
            }
        }
    }
    least.map(|cpus| usize::try_from(cpus).unwrap_or(usize::MAX).max(1))
}

/// A whole number.
fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

fn read_v2(base: &[u8], path: &[u8]) -> Option<u64> {
    let mut buffer = [0u8; 64];
    let text = file::read(&[base, b"/sys/fs/cgroup", path, b"/cpu.max"], &mut buffer)?;
    let mut words = text.split(u8::is_ascii_whitespace);
    let (quota, period) = (number(words.next()?)?, number(words.next()?)?);
    (period > 0).then(|| quota.div_ceil(period))
}

fn read_v1(base: &[u8], path: &[u8]) -> Option<u64> {
    let read = |name: &[u8]| {
        let mut buffer = [0u8; 64];
        number(file::read(&[base, b"/sys/fs/cgroup/cpu", path, name], &mut buffer)?)
    };
    let quota = read(b"/cpu.cfs_quota_us").filter(|&quota| quota > 0)?;
    let period = read(b"/cpu.cfs_period_us").filter(|&period| period > 0)?;
    Some(quota.div_ceil(period))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_mask() {
        assert_eq!(count(), affinity().len());
        assert!(affinity().is_sorted());
    }

    #[test]
    fn a_mask_without_the_own_processor() {
        let all = Mask::of_caller();
        let first = super::affinity()[0] as i32;
        let other = all.without(first);
        assert_eq!(all.count(), super::count());
        assert_eq!(other.count() + 1, all.count());
        assert!(Mask::none().is_empty() && !all.is_empty());
        assert_eq!(other.without(first), other);
        assert_eq!(all.without(-1), all);
    }

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
        put("cpu/c/cpu.cfs_quota_us", "-1\n");
        put("cpu/cpu.cfs_quota_us", "400000\n");
        put("cpu/cpu.cfs_period_us", "100000\n");
        let text = base.to_string_lossy().into_owned();
        let of = |groups: &str| quota_of(text.as_bytes(), groups.as_bytes());
        assert_eq!(of("0::/a/b\n"), Some(3));
        assert_eq!(of("9:name=systemd:/\n2:cpu,cpuacct:/c\n"), Some(4));
        assert_eq!(of("2:cpu:/c\n0::/a/b/\n"), Some(3));
        assert_eq!(of("0::/\n1:memory:/c\nnonsense\n"), None);
        assert_eq!(of(""), None);
        fs::remove_dir_all(base).unwrap();
    }
}
