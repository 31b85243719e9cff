//! Start and end of the runtime.
//!
//! The first contact of any thread starts it: settings are read, `fork` is watched, tools are found
//! and initialised, all before the first event. The end comes from the library's destructor.

use crate::thread::{registry, unwatched};
use crate::{icv, inquire, process};
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use omphalos_sync::word_lock;

/// 0: not started, 1: started.
static STARTED: AtomicBool = AtomicBool::new(false);
static STARTING: AtomicU32 = AtomicU32::new(0);
static FINISHED: AtomicBool = AtomicBool::new(false);

/// Does what the first contact would wait for and nobody can tell from doing it then. For the library's
/// constructor: the process has one thread, as far as it uses OpenMP.
pub fn prepare() {
    icv::prepare();
    registry::prepare();
    process::watch_forks();
}

/// Reads the settings if nobody did.
pub(crate) fn ensure_settings() {
    icv::ensure();
}

/// Starts the runtime if nobody did. The calling thread has its record already, so a tool's
/// initialiser may ask.
pub(crate) fn ensure_started() {
    if STARTED.load(Ordering::Acquire) {
        return;
    }
    if !word_lock::try_acquire(&STARTING) {
        word_lock::acquire_contended(&STARTING, 0);
    }
    if !STARTED.load(Ordering::Relaxed) {
        inquire::install();
        omphalos_events::install_watcher(unwatched::changed);
        process::watch_forks();
        // Set before the tools start: their initialisers may call routines.
        STARTED.store(true, Ordering::Release);
        omphalos_events::start();
    }
    word_lock::release(&STARTING);
}

/// The process ends (or the library goes): ends the tools, once.
pub fn finish() {
    if !STARTED.load(Ordering::Acquire) || FINISHED.swap(true, Ordering::AcqRel) {
        return;
    }
    crate::thread::ending::tell_workers(crate::thread::ending::ALL);
    if let Some(thread) = crate::Thread::known()
        && thread.team().level.get() == 0
    {
        crate::hooks::initial_thread_end(thread);
    }
    omphalos_events::finish();
}
