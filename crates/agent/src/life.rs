//! The agent's life in a process: start, fork, end.
//!
//! It starts when the loader runs the library's initialiser (preloaded: the program's serial begin
//! is then seen too) or at `ompt_start_tool`, whichever is first; it ends at OMPT's finalize, or
//! when the loader runs the finaliser. What must hold: each happens once in a process, and a forked
//! child starts with nothing but its one thread.

use crate::accounting::{Class, totals};
use crate::clock::{self, ticks};
use crate::config::Config;
use crate::sampling::{signal, timer, watch};
use crate::stream::{self, process};
use crate::thread::{self, Thread};
use crate::{tool, unwind};
use core::fmt::Arguments;
use core::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use omphalos_ompt::ThreadKind;
use omphalos_profile_format::{End, severity};
use omphalos_sync::process_lock::{self, ProcessLock, rank};
use omphalos_sync::settled::Settled;

const NEW: u32 = 0;
const STARTING: u32 = 1;
const RUNNING: u32 = 2;
const ENDED: u32 = 3;

static STATE: AtomicU32 = AtomicU32::new(NEW);
static STARTED: AtomicU64 = AtomicU64::new(0);
static REAL_PERIOD: AtomicU64 = AtomicU64::new(1_000_000);
static CONFIG: Settled<Config> = Settled::new();
static RUNTIME: ProcessLock<(u32, Vec<u8>), { rank::AGENT_RUNTIME }> =
    ProcessLock::new((0, Vec::new()));

/// Chunk buffer of the initial thread, which keeps its samples until the first region, bytes.
const INITIAL_BUFFER: usize = 1 << 19;

/// True between start and end. Async-signal-safe.
pub fn is_running() -> bool {
    STATE.load(Acquire) == RUNNING
}

/// Starts the agent if it has not started; `runtime` is what a runtime says of itself. False where
/// the agent has ended already.
pub fn start(runtime: Option<(u32, &[u8])>) -> bool {
    if let Some((version, name)) = runtime {
        *RUNTIME.lock() = (version, name.to_vec());
    }
    if STATE.compare_exchange(NEW, STARTING, AcqRel, Acquire).is_err() {
        return is_running();
    }
    clock::start();
    let now = ticks();
    STARTED.store(clock::moment(now), Relaxed);
    let config = CONFIG.get_or(Config::from_environment);
    unwind::modules::make();
    totals::start(now);
    if let Err(error) = signal::install() {
        warn(format_args!("the sampling signal is refused (errno {error}): no samples are taken"));
    }
    crate::interpose::prepare();
    REAL_PERIOD.store(config.period.max(timer::tick()), Relaxed);
    // SAFETY: the handler is a function of this library, which is never unloaded once it runs.
    unsafe { libc::pthread_atfork(Some(forks), Some(forked), Some(in_child)) };
    STATE.store(RUNNING, Release);
    tool::threads::begin(Class::Serial, ThreadKind::Initial, now, INITIAL_BUFFER);
    if config.verbose {
        say(format_args!("sampling every {} ns with signal {}", real_period(), signal::NUMBER));
    }
    true
}

/// Ends the agent: stops all timers, writes what all threads have, the totals and the end record.
pub fn finish(note: &str) {
    if STATE.compare_exchange(RUNNING, ENDED, AcqRel, Acquire).is_err() {
        return;
    }
    watch::rest();
    let now = ticks();
    clock::refine();
    for thread in thread::all() {
        crate::sampling::timer::stop(thread);
    }
    for thread in thread::all().filter(|thread| thread.alive.load(Relaxed)) {
        // A handler may be on its way on that thread: wait for it, but not for ever.
        for _ in 0..1000 {
            if thread.with_sampler(|_| ()).is_some() {
                break;
            }
            omphalos_sys::thread::give_way();
        }
        tool::threads::end(thread, now);
    }
    totals::write_all(now);
    if unwind::modules::renew() {
        process::write_modules();
    }
    let agent: u64 = thread::all().map(|thread| totals::total_of(thread, now).agent).sum();
    process::write(
        End { time: clock::moment(now), exit_kind: 0, agent, note: note.as_bytes() }.into(),
    );
    stream::close();
}

/// The process is about to execute another program, or to end at once, after which nobody could
/// write what threads have; `note` says which. If that fails it goes on, and ends later.
/// Async-signal-safe; does nothing in a child that shares the memory.
pub fn executes(note: &[u8]) {
    if !is_running() || !stream::is_ours() {
        return;
    }
    let now = ticks();
    for thread in thread::all().filter(|thread| thread.alive.load(Relaxed)) {
        // As at the end.
        for _ in 0..1000 {
            if thread.with_sampler(|sampler| sampler.flush(thread)).is_some() {
                break;
            }
            omphalos_sys::thread::give_way();
        }
    }
    totals::write(now);
    let agent: u64 = thread::all().map(|thread| totals::total_of(thread, now).agent).sum();
    process::write(End { time: clock::moment(now), exit_kind: 1, agent, note }.into());
}

/// The thread that forks holds the agent's locks meanwhile.
unsafe extern "C" fn forks() {
    process_lock::before_fork();
}

unsafe extern "C" fn forked() {
    process_lock::after_fork();
}

/// The child of `fork`: one thread, no timer, and no part of its parent's file.
unsafe extern "C" fn in_child() {
    process_lock::after_fork_in_child();
    if !is_running() {
        return;
    }
    let now = ticks();
    watch::reset_in_child();
    stream::reset_in_child();
    unwind::modules::reset_in_child();
    totals::reset_in_child(now);
    STARTED.store(clock::moment(now), Relaxed);
    match Thread::current() {
        Some(thread) => {
            thread.restart_in_child(Class::Serial, now);
            tool::threads::restart(thread, ThreadKind::Initial);
        }
        None => thread::forget_all(),
    }
}

/// Time between two ticks of a thread at work, ns: the kernel's tick may be longer than what was
/// asked for. Async-signal-safe.
pub fn real_period() -> u64 {
    REAL_PERIOD.load(Relaxed)
}

/// Time between two moments that samples stand for, ns.
pub fn period() -> u64 {
    CONFIG.get().map_or(1_000_000, |config| config.period)
}

/// The template of the record file's path.
pub fn out() -> &'static [u8] {
    CONFIG.get().map_or(b"omphalos.omph", |config| &config.out)
}

/// When the agent started, ns.
pub fn started() -> u64 {
    STARTED.load(Relaxed)
}

/// The runtime's `_OPENMP` number and name.
pub fn runtime() -> (u32, Vec<u8>) {
    RUNTIME.lock().clone()
}

/// Says something if `OMPHALOS_PROFILE_VERBOSE` asks for it.
pub fn say(text: Arguments<'_>) {
    if CONFIG.get().is_some_and(|config| config.verbose) {
        omphalos_sys::stderr::message(text);
    }
}

/// Tells the user, and the record's reader, of a problem.
pub fn warn(text: Arguments<'_>) {
    omphalos_sys::stderr::message(text);
    process::write_message(severity::WARNING, &text.to_string());
}

/// The loader's initialiser: where a record is asked for, everything is seen from here on.
extern "C" fn loaded() {
    if std::env::var_os("OMPHALOS_PROFILE_OUT").is_some_and(|path| !path.is_empty()) {
        start(None);
        if std::env::var_os("OMPHALOS_PROFILE_COLLECTOR").is_some_and(|value| value == "1") {
            crate::collector::start();
        }
    }
}

/// The loader's finaliser, for a process whose runtime did not say that it ended.
extern "C" fn unloaded() {
    finish("the process ended");
}

#[used]
#[unsafe(link_section = ".init_array")]
static LOADED: extern "C" fn() = loaded;

#[used]
#[unsafe(link_section = ".fini_array")]
static UNLOADED: extern "C" fn() = unloaded;
