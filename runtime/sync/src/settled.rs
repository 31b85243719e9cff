//! A value that is made when a thread first asks for it, and stays.
//!
//! No thread waits for another one. Threads that ask at the same time all make the value, and the
//! first one's is kept. So a forked child does not wait for a thread that it does not have, nor a
//! signal handler for the thread that it interrupted. Making the value must do no harm if it
//! happens more than once.

use core::sync::atomic::{AtomicPtr, Ordering};

/// A value that stays once it is made.
pub struct Settled<T: 'static>(AtomicPtr<T>);

impl<T: Send + Sync + 'static> Settled<T> {
    /// Makes a value that no thread has asked for yet.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Settled<T> {
        Settled(AtomicPtr::new(core::ptr::null_mut()))
    }

    /// Returns the value, if there is one. Async-signal-safe.
    #[inline]
    pub fn get(&self) -> Option<&'static T> {
        // SAFETY: null, or a box that is never freed.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }
    }

    /// Returns the value, made if there is none.
    #[inline]
    pub fn get_or(&self, make: impl FnOnce() -> T) -> &'static T {
        match self.get() {
            Some(value) => value,
            None => self.settle(make()),
        }
    }

    #[cold]
    fn settle(&self, value: T) -> &'static T {
        let made = Box::into_raw(Box::new(value));
        let null = core::ptr::null_mut();
        match self.0.compare_exchange(null, made, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: from a box that is never freed from here on.
            Ok(_) => unsafe { &*made },
            Err(first) => {
                // SAFETY: no other thread knows this one; the first is never freed.
                unsafe {
                    drop(Box::from_raw(made));
                    &*first
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Settled;
    use std::thread;

    #[test]
    fn all_get_the_same() {
        static VALUE: Settled<usize> = Settled::new();
        assert!(VALUE.get().is_none());
        let ask = |number| VALUE.get_or(|| number) as *const usize as usize;
        let answers: Vec<usize> = thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|number| scope.spawn(move || ask(number))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(answers.iter().all(|answer| *answer == answers[0]));
    }
}
