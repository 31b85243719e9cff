//! The system's figures of a thread: how long it ran, how long it could have run but had no
//! processor, and which processors it may use.

use crate::numbers;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use omphalos_sys::{control_group, cpus};

/// The number of the process's processors before a runtime bound its threads.
static PROCESSORS: AtomicU32 = AtomicU32::new(1);
/// The number of processors that the process's control group may keep busy, if the process may use
/// more.
static QUOTA: AtomicU32 = AtomicU32::new(u32::MAX);
/// The number of words of a mask with a bit for each processor.
const WORDS: usize = 16;
/// The mask of the process before a runtime bound its threads.
static AT_START: [AtomicU64; WORDS] = [const { AtomicU64::new(0) }; WORDS];

/// The processors that some threads may use, of the first 1024.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Processors([u64; WORDS]);

impl Processors {
    /// Adds the processors of a thread; 0 is the calling one. Async-signal-safe.
    pub fn add(&mut self, id: i32) {
        let mut mask = [0u64; WORDS];
        // SAFETY: the system call writes no more than the size says.
        let length = unsafe {
            libc::syscall(libc::SYS_sched_getaffinity, id, size_of_val(&mask), mask.as_mut_ptr())
        };
        if length > 0 {
            self.0.iter_mut().zip(mask).for_each(|(all, word)| *all |= word);
        }
    }

    /// Returns the number of processors that these threads can keep busy.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum::<u32>().min(QUOTA.load(Relaxed))
    }

    /// Returns the processors of one thread; 0 is the calling one. Async-signal-safe.
    pub fn of(id: i32) -> Processors {
        let mut own = Processors::default();
        own.add(id);
        own
    }

    /// Returns the processors of the process before a runtime bound its threads.
    pub fn at_start() -> Processors {
        Processors(core::array::from_fn(|at| AT_START[at].load(Relaxed)))
    }

    /// Returns the form that records have: bytes, and the number of bytes up to the last that is
    /// not 0.
    pub fn bytes(&self) -> ([u8; WORDS * 8], usize) {
        let mut bytes = [0; WORDS * 8];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        let length = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        (bytes, length)
    }
}

/// Counts the processors of the process, as the calling thread sees them: at the start it is
/// usually not bound yet. A grant of 1.5 processors counts as two, as in the runtime: two threads
/// may run at once. Reads files.
pub fn count_processors() -> u32 {
    let granted = control_group::quota().and_then(|count| u32::try_from(count).ok());
    let granted = granted.unwrap_or(u32::MAX);
    QUOTA.store(granted, Relaxed);
    let own = Processors::of(0);
    let known = u32::try_from(cpus::count()).unwrap_or(u32::MAX).min(granted);
    if AT_START.iter().all(|word| word.load(Relaxed) == 0) {
        AT_START.iter().zip(own.0).for_each(|(to, word)| to.store(word, Relaxed));
    }
    PROCESSORS.fetch_max(known, Relaxed).max(known)
}

/// Returns how often the calling thread left its processor by itself, and how often it was taken
/// off; `None` for another thread's number, and where the system does not say. Async-signal-safe.
pub fn switches_of(id: i32) -> Option<[u64; 2]> {
    if id != omphalos_sys::thread::id() {
        return None;
    }
    let usage = usage(libc::RUSAGE_THREAD)?;
    // A system that has the call but does not count answers zeros.
    let counts = [usage.ru_nvcsw as u64, usage.ru_nivcsw as u64];
    (counts != [0, 0]).then_some(counts)
}

/// Returns the system's usage figures of the calling thread, or of the process. Async-signal-safe.
pub fn usage(whose: i32) -> Option<libc::rusage> {
    // SAFETY: the structure is plain words, and belongs to this function.
    unsafe {
        let mut usage: libc::rusage = core::mem::zeroed();
        let status = libc::syscall(libc::SYS_getrusage, whose, &mut usage);
        (status == 0).then_some(usage)
    }
}

/// Returns how long a thread has been on a processor and how long it has waited for one, since it
/// began, ns; `None` where the system does not say. Async-signal-safe.
pub fn of_thread(id: i32) -> Option<[u64; 2]> {
    let file = open(id)?;
    let times = times_in(file);
    // SAFETY: opened above.
    unsafe { libc::syscall(libc::SYS_close, file) };
    times
}

/// The open file with these figures of one thread, under a number that the program does not reach.
/// The program may close it all the same, and give the number to another file.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    file: i32,
    identity: [u64; 2],
}

impl Times {
    /// Opens the file of the thread `id`; `None` where the system does not say, or where the
    /// process may open few files. Async-signal-safe.
    pub fn open(id: i32) -> Option<Times> {
        if !numbers::are_many() {
            return None;
        }
        let file = numbers::high(open(id)?);
        Some(Times { file, identity: numbers::identity(&numbers::status(file)?) })
    }

    /// Does what [`of_thread`] does; `None` where the file is gone. Async-signal-safe.
    pub fn read(&self) -> Option<[u64; 2]> {
        if self.is_there() { times_in(self.file) } else { None }
    }

    fn is_there(&self) -> bool {
        let status = numbers::status(self.file);
        status.is_some_and(|status| numbers::identity(&status) == self.identity)
    }

    /// Closes the file, if the number is still that file's.
    pub fn close(self) {
        if self.is_there() {
            // SAFETY: the file is this record's own.
            unsafe { libc::syscall(libc::SYS_close, self.file) };
        }
    }
}

fn open(id: i32) -> Option<i32> {
    let mut path = *b"/proc/self/task/0000000000/schedstat\0";
    let mut rest = id.unsigned_abs();
    for at in (16..26).rev() {
        path[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    // The path has no zeros in front of the number.
    let zeros = path[16..25].iter().take_while(|digit| **digit == b'0').count();
    path.copy_within(16 + zeros.., 16);
    let flags = libc::O_RDONLY | libc::O_CLOEXEC;
    // SAFETY: a C string; the system call itself.
    let file = unsafe { libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags, 0) };
    i32::try_from(file).ok().filter(|file| *file >= 0)
}

fn times_in(file: i32) -> Option<[u64; 2]> {
    let mut text = [0u8; 96];
    // SAFETY: a buffer of this function's; the system call itself.
    let length =
        unsafe { libc::syscall(libc::SYS_pread64, file, text.as_mut_ptr(), text.len(), 0) };
    let length = usize::try_from(length).ok()?;
    let mut numbers = text.get(..length)?.split(|byte| *byte == b' ').map(number);
    Some([numbers.next()??, numbers.next()??])
}

fn number(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0u64, |number, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_says_what_this_thread_ran() {
        let id = omphalos_sys::thread::id();
        let before = of_thread(id).expect("schedstat");
        let begin = omphalos_sys::clock::nanoseconds();
        while omphalos_sys::clock::nanoseconds() - begin < 20_000_000 {}
        let after = of_thread(id).expect("schedstat");
        let passed = omphalos_sys::clock::nanoseconds() - begin;
        let known = (after[0] - before[0]) + (after[1] - before[1]);
        assert!(known <= passed + 20_000_000 && known > 0, "{known} of {passed}");
        assert_eq!(of_thread(0), None);
    }

    #[test]
    fn threads_may_use_processors() {
        let mut processors = Processors::default();
        assert_eq!(processors.count(), 0);
        processors.add(0);
        assert!((1..=count_processors()).contains(&processors.count()));
        processors.add(i32::MAX);
        assert!(processors.count() <= count_processors());
        let (bytes, length) = Processors::at_start().bytes();
        assert!(length > 0 && bytes[length - 1] != 0 && bytes[length..].iter().all(|b| *b == 0));
    }
}
