//! The one place that knows whether loom runs: atomics, fences and the futex for both cases.

#[cfg(not(loom))]
pub use core::cell::Cell;
#[cfg(not(loom))]
pub use core::sync::atomic::{
    AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
};
#[cfg(loom)]
pub use loom::cell::Cell;
#[cfg(loom)]
pub use loom::sync::atomic::{
    AtomicI64, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
};

/// A function that is `const`, but not for loom: its atomics are made at run time.
macro_rules! const_but_for_loom {
    ($(#[$meta:meta])* $visibility:vis fn $($function:tt)*) => {
        #[cfg(not(loom))]
        $(#[$meta])*
        $visibility const fn $($function)*

        #[cfg(loom)]
        $(#[$meta])*
        $visibility fn $($function)*
    };
}
pub(crate) use const_but_for_loom;

#[cfg(loom)]
pub use model::{futex_wait, futex_wait_low, futex_wake, futex_wake_low};

/// Sleeps while the word holds `expected`; may return early.
#[cfg(not(loom))]
#[inline]
pub fn futex_wait(word: &AtomicU32, expected: u32) {
    omphalos_sys::futex::wait(word, expected, None);
}

/// Does what [`futex_wait`] does, for at most `time`. Under loom time passes at once.
#[inline]
pub fn futex_wait_for(word: &AtomicU32, expected: u32, time: core::time::Duration) {
    #[cfg(not(loom))]
    omphalos_sys::futex::wait(word, expected, Some(time));
    #[cfg(loom)]
    let _ = (word, expected, time);
}

/// Wakes up to `count` sleepers on the word.
#[cfg(not(loom))]
#[inline]
pub fn futex_wake(word: &AtomicU32, count: u32) {
    omphalos_sys::futex::wake(word, count);
}

/// The other threads' side of [`barrier_of_all`]: the processor may still let a later load pass an
/// earlier store, the compiler may not.
#[inline(always)]
pub fn own_barrier() {
    #[cfg(not(loom))]
    core::sync::atomic::compiler_fence(Ordering::SeqCst);
    #[cfg(loom)]
    fence(Ordering::SeqCst);
}

/// Loads a word in the one order of all SeqCst operations.
///
/// Loom takes a SeqCst access for an acquire or a release, and knows that order only from fences;
/// so for loom a fence stands in front of the load. The fence orders more than the load does. Code
/// that relies on this must be argued from the memory model as well.
#[inline(always)]
pub fn load_seq_cst(word: &AtomicU32) -> u32 {
    #[cfg(loom)]
    fence(Ordering::SeqCst);
    word.load(Ordering::SeqCst)
}

/// Makes every thread of the process pass a barrier between two of its instructions. With that,
/// each of its [`own_barrier`]s is a fence. Returns false if the system cannot do that.
///
/// Loom has no such barriers; for loom both are fences, and the pair has the effect of two fences.
#[inline]
pub fn barrier_of_all() -> bool {
    #[cfg(not(loom))]
    return omphalos_sys::barrier::of_all();
    #[cfg(loom)]
    {
        fence(Ordering::SeqCst);
        true
    }
}

/// Sleeps while the low half of the word is that of `expected`; may return early.
#[cfg(not(loom))]
#[inline]
pub fn futex_wait_low(word: &AtomicU64, expected: u64) {
    futex_wait(low_half(word), expected as u32);
}

/// Does what [`futex_wait_low`] does, for at most `time`. Under loom time passes at once.
#[inline]
pub fn futex_wait_low_for(word: &AtomicU64, expected: u64, time: core::time::Duration) {
    #[cfg(not(loom))]
    futex_wait_for(low_half(word), expected as u32, time);
    #[cfg(loom)]
    let _ = (word, expected, time);
}

/// Wakes up to `count` threads that sleep in [`futex_wait_low`].
#[cfg(not(loom))]
#[inline]
pub fn futex_wake_low(word: &AtomicU64, count: u32) {
    futex_wake(low_half(word), count);
}

/// Returns the half that the kernel reads. The reference serves only for its address, and the
/// kernel reads there.
#[cfg(not(loom))]
fn low_half(word: &AtomicU64) -> &AtomicU32 {
    // SAFETY: x86-64 is little-endian, so the low half starts where the word starts; its alignment
    // is less, its lifetime the same, and it is never accessed from Rust through this reference.
    unsafe { &*core::ptr::from_ref(word).cast::<AtomicU32>() }
}

/// A futex as the kernel has it: a sleeper sleeps until a thread wakes it, so loom reports a lost
/// wake-up as a deadlock.
#[cfg(loom)]
mod model {
    use super::{AtomicU32, AtomicU64, Ordering};
    use loom::sync::Mutex;
    use loom::thread::{self, Thread};

    struct Sleeper {
        word: usize,
        ticket: u64,
        thread: Thread,
    }

    loom::lazy_static! {
        static ref SLEEPERS: Mutex<(u64, Vec<Sleeper>)> = Mutex::new((0, Vec::new()));
    }

    fn wait(word: usize, still: impl FnOnce() -> bool) {
        let ticket = {
            let mut sleepers = SLEEPERS.lock().unwrap();
            if !still() {
                return;
            }
            sleepers.0 += 1;
            let ticket = sleepers.0;
            sleepers.1.push(Sleeper { word, ticket, thread: thread::current() });
            ticket
        };
        loop {
            thread::park();
            if !SLEEPERS.lock().unwrap().1.iter().any(|sleeper| sleeper.ticket == ticket) {
                return;
            }
        }
    }

    fn wake(word: usize, count: u32) {
        let mut sleepers = SLEEPERS.lock().unwrap();
        for _ in 0..count {
            let Some(at) = sleepers.1.iter().position(|sleeper| sleeper.word == word) else {
                return;
            };
            sleepers.1.remove(at).thread.unpark();
        }
    }

    /// Sleeps while the word holds `expected`.
    pub fn futex_wait(word: &AtomicU32, expected: u32) {
        wait(core::ptr::from_ref(word) as usize, || word.load(Ordering::SeqCst) == expected);
    }

    /// Wakes up to `count` sleepers on the word.
    pub fn futex_wake(word: &AtomicU32, count: u32) {
        wake(core::ptr::from_ref(word) as usize, count);
    }

    /// Sleeps while the low half of the word is that of `expected`.
    pub fn futex_wait_low(word: &AtomicU64, expected: u64) {
        wait(core::ptr::from_ref(word) as usize, || {
            word.load(Ordering::SeqCst) as u32 == expected as u32
        });
    }

    /// Wakes up to `count` of the threads that sleep in [`futex_wait_low`].
    pub fn futex_wake_low(word: &AtomicU64, count: u32) {
        wake(core::ptr::from_ref(word) as usize, count);
    }
}
