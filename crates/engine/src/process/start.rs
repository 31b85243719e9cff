//! Start and end of the runtime.
//!
//! The first contact of any thread starts it: settings are read, `fork` is watched, tools are found
//! and initialised, all before the first event. The end comes from the library's destructor.

use super::{contact, fork, unwatched};
use crate::{inquire, mutex};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use core::time::Duration;
use omphalos_settings::settings;
use omphalos_sync::process_lock::{ProcessLock, rank};
use omphalos_sys::signals::Blocked;
use omphalos_sys::{clock, futex};

/// How long a thread that comes meanwhile waits until the tools have started.
const PATIENCE: Duration = Duration::from_secs(10);

/// The runtime works. The thread that started it may still be starting the tools.
static STARTED: AtomicBool = AtomicBool::new(false);
/// That thread, as [`omphalos_sys::thread::own`] names it.
static STARTER: AtomicUsize = AtomicUsize::new(0);
/// How far the start has come; a futex.
static READY: AtomicU32 = AtomicU32::new(stage::BEFORE);
static STARTING: ProcessLock<(), { rank::START }> = ProcessLock::new(());
static FINISHED: AtomicBool = AtomicBool::new(false);

/// What [`READY`] holds.
mod stage {
    /// Not done.
    pub const BEFORE: u32 = 0;
    /// Not done, and somebody may sleep until it is.
    pub const AWAITED: u32 = 1;
    /// The tools are started too.
    pub const DONE: u32 = 2;
}

/// Does early what the first contact would have to wait for, as far as nobody can tell when it was
/// done. For the library's constructor: no other thread uses OpenMP yet.
pub fn prepare() {
    let _blocked = Blocked::new();
    omphalos_settings::prepare();
    mutex::prepare();
    contact::prepare();
    fork::watch_forks();
}

/// Reads the settings if no thread has.
pub(crate) fn ensure_settings() {
    omphalos_settings::ensure();
}

/// Starts the runtime if no thread has. The calling thread has its record already, so that a tool's
/// initialiser may ask about it. Signals are `blocked` until the tools start.
pub(crate) fn ensure_started(blocked: Blocked) {
    if READY.load(Ordering::Acquire) != stage::DONE {
        start(blocked);
    }
}

#[cold]
fn start(blocked: Blocked) {
    let starting = STARTING.lock();
    let first = !STARTED.load(Ordering::Relaxed);
    if first {
        inquire::install();
        omphalos_events::install_watcher(unwatched::changed);
        fork::watch_forks();
        STARTER.store(omphalos_sys::thread::own(), Ordering::Relaxed);
        if settings().shown.debug() {
            crate::enable::enable();
        }
        // Set before the tools start: their initialisers may call routines.
        STARTED.store(true, Ordering::Release);
    }
    // Given back before the tools start, because a tool may do anything.
    drop(starting);
    drop(blocked);
    if first {
        crate::enable::start_tools();
        if READY.swap(stage::DONE, Ordering::Release) == stage::AWAITED {
            futex::wake(&READY, u32::MAX);
        }
    } else if STARTER.load(Ordering::Relaxed) != omphalos_sys::thread::own() {
        wait_for_tools();
    }
}

/// Another thread starts the tools, which have to be told of this thread too: waits for them. Not
/// for ever: a tool's initialiser may wait for this very thread.
fn wait_for_tools() {
    let end = clock::nanoseconds() + PATIENCE.as_nanos() as u64;
    loop {
        let seen = READY.compare_exchange(
            stage::BEFORE,
            stage::AWAITED,
            Ordering::Acquire,
            Ordering::Acquire,
        );
        let left = end.saturating_sub(clock::nanoseconds());
        if seen == Err(stage::DONE) || left == 0 {
            return;
        }
        futex::wait(&READY, stage::AWAITED, Some(Duration::from_nanos(left)));
    }
}

/// In a forked child: a start that another thread was doing is over, as far as it came.
pub(crate) fn after_fork_in_child() {
    let is_starter = STARTER.load(Ordering::Relaxed) == omphalos_sys::thread::own();
    if STARTED.load(Ordering::Relaxed) && !is_starter {
        READY.store(stage::DONE, Ordering::Release);
    }
}

/// The process ends, or the library is unloaded: ends the tools, once.
pub fn finish() {
    if !STARTED.load(Ordering::Acquire) || FINISHED.swap(true, Ordering::AcqRel) {
        return;
    }
    // The devices' own threads end before the devices do: their traces have it.
    crate::threads::ending::tell_workers(crate::threads::ending::ALL);
    crate::target::end();
    if let Some(thread) = crate::Thread::known()
        && thread.team().level.get() == 0
    {
        omphalos_sys::debugger::thread_end();
        crate::hooks::initial_thread_end(thread);
    }
    omphalos_events::finish();
}
