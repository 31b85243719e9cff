//! The state with which this process was started, and which the Rust library changes before `main`:
//! descriptors 0 to 2 that are closed, which it opens on /dev/null, and the handling of SIGPIPE.
//! Started programs get both as they were.

use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static CLOSED: [AtomicBool; 3] = [const { AtomicBool::new(false) }; 3];
static IGNORES_PIPE: AtomicBool = AtomicBool::new(false);

/// Runs before the Rust library begins.
#[used]
// SAFETY: the C library calls each function of this section once, before `main`.
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

extern "C" fn look() {
    for (descriptor, closed) in (0..).zip(&CLOSED) {
        // SAFETY: F_GETFD asks about a number, whatever it stands for.
        closed.store(unsafe { libc::fcntl(descriptor, libc::F_GETFD) } < 0, Relaxed);
    }
    // SAFETY: all-zero bytes are a valid `sigaction`, which the call fills.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: without a new action it writes the one that holds.
    let asked = unsafe { libc::sigaction(libc::SIGPIPE, std::ptr::null(), &mut action) };
    IGNORES_PIPE.store(asked == 0 && action.sa_sigaction == libc::SIG_IGN, Relaxed);
}

/// Whether standard output was closed when this process began.
pub fn is_output_closed() -> bool {
    CLOSED[libc::STDOUT_FILENO as usize].load(Relaxed)
}

/// Lets the program that `command` executes begin as this process did.
pub fn hand_on(command: &mut Command) {
    for (descriptor, closed) in (0..).zip(&CLOSED) {
        if closed.load(Relaxed) {
            // SAFETY: it is open on /dev/null, for this process alone from now on.
            unsafe { libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }
    if IGNORES_PIPE.load(Relaxed) {
        let ignore = || {
            // SAFETY: SIG_IGN is a valid disposition.
            unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
            Ok(())
        };
        // SAFETY: `signal` may be called between fork and exec.
        unsafe { command.pre_exec(ignore) };
    }
}
