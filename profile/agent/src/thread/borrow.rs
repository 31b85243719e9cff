//! The users of a thread's sampler: the thread, its handler, the watcher, or the thread that ends
//! the record.

use super::Thread;
use crate::sampler::Sampler;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// The sampler is free.
pub(super) const NOBODY: u8 = 0;
/// The thread has the sampler, or its handler, or the thread that ends the record.
const SOMEBODY: u8 = 1;
/// The watcher has the sampler: another thread, which is soon done.
const WATCHER: u8 = 2;

/// The most times that a thread looks whether a sampler is free: a thread that was stopped while it
/// had the sampler may keep it for ever.
const PATIENCE: u32 = 100_000;

impl Thread {
    /// Runs `use_it` with the sampler; returns `None` where it is in use. Async-signal-safe as far
    /// as `use_it` is.
    pub fn with_sampler<R>(&self, use_it: impl FnOnce(&mut Sampler) -> R) -> Option<R> {
        self.use_as(SOMEBODY, use_it)
    }

    /// Does what [`Thread::with_sampler`] does, for the watcher.
    pub fn watch_sampler<R>(&self, use_it: impl FnOnce(&mut Sampler) -> R) -> Option<R> {
        self.use_as(WATCHER, use_it)
    }

    /// Does what [`Thread::with_sampler`] does, for the thread itself, outside its handler: waits
    /// while the watcher, which may have lost its processor, has the sampler. It does not wait for
    /// the thread itself: a handler of the program's may have come while the thread has it.
    pub fn own_sampler<R>(&self, use_it: impl FnOnce(&mut Sampler) -> R) -> Option<R> {
        self.patiently(use_it, |user| user == WATCHER)
    }

    /// Does what [`Thread::with_sampler`] does, for work that must not be left out: waits while
    /// another user has it. A signal handler must not call it.
    pub fn await_sampler<R>(&self, use_it: impl FnOnce(&mut Sampler) -> R) -> Option<R> {
        self.patiently(use_it, |_| true)
    }

    fn patiently<R>(
        &self,
        use_it: impl FnOnce(&mut Sampler) -> R,
        is_worth_it: impl Fn(u8) -> bool,
    ) -> Option<R> {
        let mut use_it = Some(use_it);
        for _ in 0..PATIENCE {
            let result = self.with_sampler(|sampler| use_it.take().map(|use_it| use_it(sampler)));
            if let Some(done) = result {
                return done;
            }
            let user = self.user.load(Relaxed);
            if user != NOBODY && !is_worth_it(user) {
                return None;
            }
            omphalos_sys::thread::give_way();
        }
        None
    }

    fn use_as<R>(&self, user: u8, use_it: impl FnOnce(&mut Sampler) -> R) -> Option<R> {
        if self.user.compare_exchange(NOBODY, user, Acquire, Relaxed).is_err() {
            return None;
        }
        // SAFETY: the sampler belongs to this function until it is given back below.
        let sampler = unsafe { &mut *self.sampler.get() };
        let result = use_it(sampler);
        self.samples.store(sampler.taken, Relaxed);
        self.missed.store(sampler.lost, Relaxed);
        self.user.store(NOBODY, Release);
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::AtomicBool;

    #[test]
    fn a_thread_waits_for_the_watcher_and_not_for_itself() {
        let thread = Thread::new(4096);
        let (watches, seen) = (AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                thread.watch_sampler(|_| {
                    watches.store(true, Release);
                    // This thread waits, however late the other one gets a processor.
                    while !seen.load(Acquire) {
                        omphalos_sys::thread::give_way();
                    }
                    std::thread::sleep(std::time::Duration::from_millis(5));
                    watches.store(false, Release);
                })
            });
            while !watches.load(Acquire) {
                std::hint::spin_loop();
            }
            assert_eq!(thread.with_sampler(|_| ()), None);
            seen.store(true, Release);
            assert_eq!(thread.own_sampler(|_| watches.load(Acquire)), Some(false));
        });
        assert_eq!(thread.own_sampler(|_| thread.own_sampler(|_| ())), Some(None));
    }
}
