//! Starts and ends the runtime.
//!
//! The first thread that meets OpenMP starts it: tools are found and asked, settings are read,
//! `fork` is watched, tools are initialised, all before the first event. The library's destructor
//! ends it.

use super::{contact, fork, unwatched};
use crate::{inquire, mutex};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use core::time::Duration;
use omphalos_settings::settings;
use omphalos_sync::process_lock::{ProcessLock, rank};
use omphalos_sys::signals::Blocked;
use omphalos_sys::{clock, futex};

/// The longest time that a thread waits for another one that asks or starts the tools.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether the runtime works. Another thread may still be starting the tools.
static STARTED: AtomicBool = AtomicBool::new(false);
/// The thread that asks or asked the tools, by its [`omphalos_sys::thread::own_pthread`]; 0: none
/// yet.
static ASKER: AtomicUsize = AtomicUsize::new(0);
/// The stage of asking the tools; a futex.
static ASKED: AtomicU32 = AtomicU32::new(stage::BEFORE);
/// The thread that starts or started the tools, by the same number.
static STARTER: AtomicUsize = AtomicUsize::new(0);
/// The stage of starting the tools; a futex.
static READY: AtomicU32 = AtomicU32::new(stage::BEFORE);
static STARTING: ProcessLock<(), { rank::START }> = ProcessLock::new(());
static FINISHED: AtomicBool = AtomicBool::new(false);

/// The values of [`ASKED`] and [`READY`].
mod stage {
    /// Not done.
    pub const BEFORE: u32 = 0;
    /// Not done, and a thread may sleep until it is.
    pub const AWAITED: u32 = 1;
    /// Done.
    pub const DONE: u32 = 2;
}

/// Does early those parts of the start for which no program or tool can tell whether they came
/// early. The library's constructor calls it: no other thread uses OpenMP yet.
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

/// Asks the tools, if no thread has asked them. This comes before the settings are read, so that a
/// tool's changes of the environment count. A tool that is asked may call routines, and so may a
/// signal handler. They find the runtime at work, and no tool in it yet ([`is_asking`]).
pub(crate) fn ask_tools() {
    if ASKED.load(Ordering::Acquire) != stage::DONE {
        ask_once();
    }
}

#[cold]
fn ask_once() {
    let own = omphalos_sys::thread::own_pthread();
    match ASKER.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => {
            inquire::install();
            crate::enable::ask_tools();
            done(&ASKED);
        }
        Err(asker) if asker != own => wait_for(&ASKED),
        Err(_) => {}
    }
}

/// Starts the runtime if a tool is there that must run before any routine completes. A routine that
/// needs nothing of the runtime calls this, on a thread that has no record. Without such a tool
/// nothing happens, because signal handlers, constructors and allocators call such routines.
/// Nothing happens either once the start has begun, because the start itself calls allocators.
#[cold]
pub fn before_a_routine() {
    if ASKER.load(Ordering::Relaxed) == 0 && omphalos_events::comes_first() {
        super::contact::welcome();
    }
}

/// Whether the calling thread asks the tools at this moment.
pub(crate) fn is_asking() -> bool {
    ASKED.load(Ordering::Acquire) != stage::DONE
        && ASKER.load(Ordering::Relaxed) == omphalos_sys::thread::own_pthread()
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
    if !STARTED.load(Ordering::Relaxed) {
        omphalos_events::install_watcher(unwatched::changed);
        fork::watch_forks();
        if settings().shown.debug() {
            crate::enable::enable();
        }
        // Set before the tools start: their initialisers may call routines.
        STARTED.store(true, Ordering::Release);
    }
    // Unlocked before the tools start, because a tool may do anything.
    drop(starting);
    drop(blocked);
    // A thread that has waited in vain for another thread to ask the tools leaves the start to the
    // other thread.
    if ASKED.load(Ordering::Acquire) != stage::DONE {
        return;
    }
    let own = omphalos_sys::thread::own_pthread();
    match STARTER.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => {
            crate::enable::start_tools();
            done(&READY);
        }
        Err(starter) if starter != own => wait_for(&READY),
        Err(_) => {}
    }
}

fn done(stage: &AtomicU32) {
    if stage.swap(stage::DONE, Ordering::Release) == stage::AWAITED {
        futex::wake(stage, u32::MAX);
    }
}

/// Waits for another thread that asks or starts the tools: they have to be told of this thread too.
/// The wait has an end, because a tool may wait for this very thread.
fn wait_for(stage: &AtomicU32) {
    let end = clock::nanoseconds() + PATIENCE.as_nanos() as u64;
    loop {
        let seen = stage.compare_exchange(
            stage::BEFORE,
            stage::AWAITED,
            Ordering::Acquire,
            Ordering::Acquire,
        );
        let left = end.saturating_sub(clock::nanoseconds());
        if seen == Err(stage::DONE) || left == 0 {
            return;
        }
        futex::wait(stage, stage::AWAITED, Some(Duration::from_nanos(left)));
    }
}

/// Marks as done, in a forked child, what another thread was about to do with the tools: it stays
/// as far as it came.
pub(crate) fn after_fork_in_child() {
    let own = omphalos_sys::thread::own_pthread();
    for (doer, stage) in [(&ASKER, &ASKED), (&STARTER, &READY)] {
        let doer = doer.load(Ordering::Relaxed);
        if doer != 0 && doer != own {
            stage.store(stage::DONE, Ordering::Release);
        }
    }
}

/// Ends the tools, once, when the process ends or the library is unloaded.
pub fn finish() {
    if !STARTED.load(Ordering::Acquire) || FINISHED.swap(true, Ordering::AcqRel) {
        return;
    }
    // The devices' own threads end before the devices do, because the devices' traces have the ends
    // of the threads.
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
