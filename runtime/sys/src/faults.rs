//! Faults of the program's own code: one report before the process ends by the signal.
//!
//! The handler is for signals that the program does not handle. It reports, gives the signal its
//! default action and returns: the instruction faults again, so the process ends, and leaves a
//! core, as without it.

use crate::mapped_file::Memory;
use crate::memory;
use core::ffi::{c_int, c_void};
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The signals, with their names.
const SIGNALS: [(c_int, &str); 4] = [
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGFPE, "SIGFPE"),
    (libc::SIGILL, "SIGILL"),
];

/// Room for the report and for file contents, so that the report takes little of a signal handler's
/// stack.
pub struct Room {
    /// For the line.
    pub line: [u8; 1024],
    /// For the contents of files.
    pub memory: Memory,
}

/// The fault of the calling thread.
pub struct Fault {
    /// The signal's name.
    pub name: &'static str,
    /// The address that could not be used, or the instruction that could not be executed.
    pub address: usize,
    /// Whether the thread's own instruction caused it. Otherwise another thread or process sent the
    /// signal.
    pub is_own: bool,
}

/// Pages for the one thread that reports.
static ROOM: AtomicUsize = AtomicUsize::new(0);
/// Whether a thread is already reporting.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// The function that reports.
static REPORT: AtomicUsize = AtomicUsize::new(0);

/// Has `report` called once before the process ends by a fault's signal. It is called in a signal
/// handler. Signals that the program or a library handles or ignores stay as they are, now and
/// later.
#[cold]
pub fn report_with(report: fn(&Fault, &mut Room)) {
    let Some(room) = memory::map(size_of::<Room>()) else { return };
    ROOM.store(room, Ordering::Relaxed);
    REPORT.store(report as usize, Ordering::Relaxed);
    for (signal, _) in SIGNALS {
        // SAFETY: all-zero bytes are a valid `sigaction`; the addresses are valid.
        unsafe {
            let mut old: libc::sigaction = core::mem::zeroed();
            let failed = libc::sigaction(signal, core::ptr::null(), &mut old) != 0;
            if failed || old.sa_sigaction != libc::SIG_DFL {
                continue;
            }
            let mut new: libc::sigaction = core::mem::zeroed();
            new.sa_sigaction = handle as *const () as usize;
            new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            // A fault of the handler's own ends the process at once.
            libc::sigemptyset(&mut new.sa_mask);
            for (other, _) in SIGNALS {
                libc::sigaddset(&mut new.sa_mask, other);
            }
            libc::sigaction(signal, &new, core::ptr::null_mut());
        }
    }
}

#[cold]
unsafe extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, _context: *mut c_void) {
    // SAFETY: the kernel's, valid while the handler runs.
    let (is_own, address) = unsafe { ((*info).si_code > 0, (*info).si_addr() as usize) };
    if TAKEN.swap(true, Ordering::Relaxed) {
        // The other thread's line comes first; then this one faults again.
        crate::errno::keep(|| {
            // SAFETY: waits for nothing.
            unsafe { libc::poll(core::ptr::null_mut(), 0, 1) }
        });
    } else {
        let name = SIGNALS.iter().find(|(its, _)| *its == signal).map_or("a signal", |it| it.1);
        let report = REPORT.load(Ordering::Relaxed);
        // SAFETY: `report_with` wrote both before there was a handler; `TAKEN` makes the room,
        // whose zeros are valid, this thread's.
        unsafe {
            let report = core::mem::transmute::<usize, fn(&Fault, &mut Room)>(report);
            let room = ROOM.load(Ordering::Relaxed) as *mut Room;
            report(&Fault { name, address, is_own }, &mut *room);
            let mut default = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            default.sa_sigaction = libc::SIG_DFL;
            libc::sigaction(signal, &default, core::ptr::null_mut());
        }
    }
    if !is_own {
        // No instruction faults again, so the signal is sent once more. It comes when the handler
        // returns.
        // SAFETY: no memory involved.
        unsafe { libc::raise(signal) };
    }
}
