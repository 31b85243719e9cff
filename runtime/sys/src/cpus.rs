//! How many processors the process may use by its affinity mask.
//! [`control_group`](crate::control_group) has the limits of its control groups.

use crate::errno;

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

/// Runs `look` with the mask of thread `tid` (0: the calling one), or with an empty one if the mask
/// cannot be read.
fn with_mask<R>(tid: i32, look: impl FnOnce(&[u64]) -> R) -> R {
    let mut usual = [0u64; USUAL_MASK_WORDS];
    match read_mask(tid, &mut usual) {
        0 => with_long_mask(tid, look),
        words => look(&usual[..words]),
    }
}

/// A function of its own, because of its large frame.
#[cold]
#[inline(never)]
fn with_long_mask<R>(tid: i32, look: impl FnOnce(&[u64]) -> R) -> R {
    let mut mask = [0u64; MOST_MASK_WORDS];
    let words = read_mask(tid, &mut mask);
    look(&mask[..words])
}

/// Returns how many processors are online.
pub fn online() -> usize {
    // SAFETY: no memory involved.
    unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) }.max(1) as usize
}

/// Returns how many processors the system is configured with, online or not; 1 if it does not say.
pub fn configured() -> usize {
    // SAFETY: no memory involved.
    unsafe { libc::sysconf(libc::_SC_NPROCESSORS_CONF) }.max(1) as usize
}

/// Returns how many processors the calling thread's affinity mask has, at least 1.
pub fn count() -> usize {
    match with_mask(0, |mask| mask.iter().map(|word| word.count_ones() as usize).sum()) {
        0 => online(),
        count => count,
    }
}

/// Returns the processors of the calling thread's affinity mask, ascending.
pub fn affinity() -> Vec<usize> {
    affinity_of(0)
}

/// Returns the processors of the affinity mask of thread `tid` (0: the calling one), ascending.
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

    /// Makes a mask without processors.
    pub const fn none() -> Mask {
        Mask { words: [0; USUAL_MASK_WORDS], used: 0 }
    }

    /// Returns the mask of the calling thread; an empty one if it cannot be read. One system call.
    pub fn of_caller() -> Mask {
        let mut mask = Mask::none();
        mask.used = read_mask(0, &mut mask.words);
        mask
    }

    /// Returns the mask without this processor; the same mask if the number is negative or not in
    /// it.
    pub fn without(mut self, cpu: i32) -> Mask {
        if let Ok(cpu) = usize::try_from(cpu)
            && let Some(word) = self.words.get_mut(cpu / 64)
        {
            *word &= !(1 << (cpu % 64));
        }
        self
    }

    /// Returns how many processors are in it.
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

/// Returns the processor that the calling thread runs on, negative if unknown. Async-signal-safe.
pub fn current() -> i32 {
    // SAFETY: no memory involved.
    unsafe { libc::sched_getcpu() }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
