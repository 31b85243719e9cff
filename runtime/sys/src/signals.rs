//! Keeping signal handlers away from the calling thread for a while.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// Signals that a thread's own instructions cause: blocked, they would end the process.
const OWN_FAULTS: [libc::c_int; 6] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGSYS];

/// A bit for each signal, from 1 on, as the C library has it.
static ALL: [u64; size_of::<libc::sigset_t>() / 8] = {
    let mut all = [u64::MAX; size_of::<libc::sigset_t>() / 8];
    let mut at = 0;
    while at < OWN_FAULTS.len() {
        all[0] &= !(1 << (OWN_FAULTS[at] - 1));
        at += 1;
    }
    all
};

/// While it lives, no signal is handled on the calling thread, but for those of its own faults.
/// Signals that come wait. May be nested; the last one to go gives the thread the mask that it had.
/// Two system calls.
pub struct Blocked {
    before: libc::sigset_t,
    /// The mask is the thread's.
    _own: PhantomData<*const ()>,
}

impl Blocked {
    /// Blocks them. Async-signal-safe.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Blocked {
        let mut before = MaybeUninit::uninit();
        // SAFETY: reads a whole set and writes another; it does not fail with valid addresses.
        unsafe {
            libc::pthread_sigmask(libc::SIG_BLOCK, (&raw const ALL).cast(), before.as_mut_ptr());
            Blocked { before: before.assume_init(), _own: PhantomData }
        }
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        // SAFETY: a whole set.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, core::ptr::null_mut()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocked(signal: libc::c_int) -> bool {
        let mut now = MaybeUninit::uninit();
        // SAFETY: only asks.
        unsafe {
            libc::pthread_sigmask(libc::SIG_BLOCK, core::ptr::null(), now.as_mut_ptr());
            libc::sigismember(now.as_ptr(), signal) == 1
        }
    }

    #[test]
    fn the_mask_comes_back() {
        assert!(!blocked(libc::SIGALRM));
        let outer = Blocked::new();
        assert!(blocked(libc::SIGALRM) && !blocked(libc::SIGSEGV));
        drop(Blocked::new());
        assert!(blocked(libc::SIGALRM));
        drop(outer);
        assert!(!blocked(libc::SIGALRM));
    }
}
