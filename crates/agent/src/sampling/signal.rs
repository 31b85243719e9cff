//! The sampling signal.
//!
//! SIGURG is taken where the program has no handler for it: its default action is to be ignored, so
//! a tick that is still on its way when the process executes another program does no harm, and
//! debuggers pass it on silently. Else SIGPROF, else the highest free real-time signal. A program
//! that sets a handler for the signal later gets it: sampling moves to another one.

use core::sync::atomic::{AtomicI32, Ordering::Relaxed};

static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// The signal in use, 0 = none yet. Async-signal-safe.
pub fn number() -> i32 {
    SIGNAL.load(Relaxed)
}

/// Chooses the signal and installs the handler; the errno value where the system refuses.
pub fn install() -> Result<i32, i32> {
    if number() != 0 { Ok(number()) } else { choose(0) }
}

/// Goes over to another signal because the program wants this one.
pub fn yield_to_program() {
    if let Ok(new) = choose(number()) {
        crate::life::say(format_args!("the program uses the sampling signal: taking {new}"));
        super::timer::restart_all();
    }
}

/// Installs the handler for a free signal other than `taken`.
fn choose(taken: i32) -> Result<i32, i32> {
    let last = libc::SIGRTMAX();
    let candidates = [libc::SIGURG, libc::SIGPROF].into_iter().chain((last - 8..=last).rev());
    for candidate in candidates {
        if candidate == taken || !is_free(candidate) {
            continue;
        }
        // SAFETY: the structure is fully initialised, the handler has the signature that
        // SA_SIGINFO asks for.
        let done = unsafe {
            let mut action: libc::sigaction = core::mem::zeroed();
            action.sa_sigaction = super::handler::on_tick as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
            libc::sigfillset(&mut action.sa_mask);
            // Faults inside the handler must stay visible.
            for fault in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP] {
                libc::sigdelset(&mut action.sa_mask, fault);
            }
            libc::sigaction(candidate, &action, core::ptr::null_mut())
        };
        if done == 0 {
            SIGNAL.store(candidate, Relaxed);
            return Ok(candidate);
        }
    }
    Err(libc::EBUSY)
}

fn is_free(signal: i32) -> bool {
    // SAFETY: only reads the action into a structure of ours.
    unsafe {
        let mut action: libc::sigaction = core::mem::zeroed();
        libc::sigaction(signal, core::ptr::null(), &mut action) == 0
            && (action.sa_sigaction == libc::SIG_DFL || action.sa_sigaction == libc::SIG_IGN)
    }
}

/// A set with the sampling signal only.
pub fn set() -> libc::sigset_t {
    // SAFETY: the set is initialised by the first call.
    unsafe {
        let mut set: libc::sigset_t = core::mem::zeroed();
        libc::sigemptyset(&mut set);
        if number() != 0 {
            libc::sigaddset(&mut set, number());
        }
        set
    }
}

/// Lets the sampling signal through on the calling thread.
pub fn unblock() {
    // SAFETY: a valid set; the old mask is not asked for.
    unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, &set(), core::ptr::null_mut()) };
}
