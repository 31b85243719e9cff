//! The agent's state in this process: whether it records, since when, with which settings, and for
//! which runtime.
//!
//! Every room reads it; only `life` changes it.

use crate::clock;
use crate::config::Config;
use core::fmt::Arguments;
use core::sync::atomic::{
    AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use omphalos_sync::process_lock::{ProcessLock, rank};
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

/// True between start and end. Async-signal-safe.
pub fn is_running() -> bool {
    STATE.load(Acquire) == RUNNING
}

/// True in a part of the run that is not measured.
static IS_PAUSED: AtomicBool = AtomicBool::new(false);

/// Returns true unless the program, or the user who started it, asked to measure other parts of the
/// run only. Async-signal-safe.
pub fn is_measured() -> bool {
    !IS_PAUSED.load(Relaxed)
}

/// Sets whether the run is measured from here on.
pub fn set_measured(measured: bool) {
    IS_PAUSED.store(!measured, Relaxed);
}

/// Returns true for one caller in a process: that caller starts the agent, and calls [`run`] then.
pub fn may_start() -> bool {
    STATE.compare_exchange(NEW, STARTING, AcqRel, Acquire).is_ok()
}

/// True once the agent was brought into a process that already ran.
static IS_LATE: AtomicBool = AtomicBool::new(false);
/// Whether the agent waits for the first region to begin; it records nothing before.
static AWAITS_REGION: AtomicBool = AtomicBool::new(false);
/// True once the agent has ended in such a way that it can begin again.
static IS_CLEAN: AtomicBool = AtomicBool::new(false);
/// The number of times that the agent was brought into the running process.
static SESSION: AtomicU32 = AtomicU32::new(0);

/// Whether the agent was brought into a process that already ran. Async-signal-safe.
#[inline(always)]
pub fn is_late() -> bool {
    IS_LATE.load(Relaxed)
}

/// Does what [`may_start`] does, where the agent is brought: true once, and again after each
/// [`leave`].
pub fn may_start_late() -> bool {
    let may_again = || {
        IS_CLEAN.load(Acquire) && STATE.compare_exchange(ENDED, STARTING, AcqRel, Acquire).is_ok()
    };
    let may = may_start() || may_again();
    if may {
        IS_CLEAN.store(false, Relaxed);
        IS_LATE.store(true, Relaxed);
        AWAITS_REGION.store(true, Relaxed);
        SESSION.fetch_add(1, Relaxed);
    }
    may
}

/// Returns true until the first region begins that is recorded.
#[inline(always)]
pub fn awaits_region() -> bool {
    AWAITS_REGION.load(Relaxed)
}

/// Notes that a region begins that is recorded. Returns true for the first caller.
pub fn meets_region() -> bool {
    AWAITS_REGION.swap(false, AcqRel)
}

/// Notes that the agent that was brought has left: it may come again.
pub fn leave() {
    IS_CLEAN.store(true, Release);
}

/// Whether it has left.
pub fn has_left() -> bool {
    IS_CLEAN.load(Acquire)
}

/// Ends recording in a forked child, which is not recorded.
pub fn end_in_child() {
    STATE.store(ENDED, Release);
    leave();
}

/// Returns how many times the agent was brought into the running process; 0 where it was there from
/// the start.
pub fn session() -> u32 {
    SESSION.load(Relaxed)
}

/// Notes that the agent has started.
pub fn run() {
    STATE.store(RUNNING, Release);
}

/// Returns true for one caller after [`run`]: from here on nothing is recorded, and that caller
/// writes what was recorded so far.
pub fn may_end() -> bool {
    STATE.compare_exchange(RUNNING, ENDED, AcqRel, Acquire).is_ok()
}

/// The process that records.
static PROCESS: AtomicI32 = AtomicI32::new(0);

/// Makes the calling process the one that records.
pub fn note_process() {
    // SAFETY: no memory involved.
    PROCESS.store(unsafe { libc::getpid() }, Relaxed);
}

/// Returns false in a child that shares the memory.
pub fn is_own_process() -> bool {
    // SAFETY: no memory involved.
    PROCESS.load(Relaxed) == unsafe { libc::getpid() }
}

/// Returns when the agent started, ns.
pub fn started() -> u64 {
    STARTED.load(Relaxed)
}

/// Notes when it started, ns.
pub fn set_started(moment: u64) {
    STARTED.store(moment, Relaxed);
}

/// The processor time that the agent used beyond the callbacks and ticks in threads' records, ns:
/// to begin, for the file, for threads that begin, for its watcher, and to end.
static USED: AtomicU64 = AtomicU64::new(0);

/// Adds the processor time that the calling thread used for the agent alone since its clock stood
/// at `since`, ns ([`clock::used_here`]); returns the clock's time. Async-signal-safe.
pub fn book_used(since: u64) -> u64 {
    let now = clock::used_here();
    USED.fetch_add(now.saturating_sub(since), Relaxed);
    now
}

/// The time that the system takes to load the agent into a process and to unload it, ns: no clock
/// of the agent's runs then. On an Intel Xeon (family 6, model 167) a program that ends at once
/// takes 1.5 ms more with the agent, of which 0.65 ms are measured.
const LOADED: u64 = 800_000;

/// Adds the time for loading the agent into this process.
pub fn book_loaded() {
    USED.fetch_add(LOADED, Relaxed);
}

/// Does what [`book_used`] does, for the whole of `work`.
pub fn paying<R>(work: impl FnOnce() -> R) -> R {
    let begin = clock::used_here();
    let result = work();
    book_used(begin);
    result
}

/// Returns the processor time booked so far in this process, ns. Async-signal-safe.
pub fn used() -> u64 {
    USED.load(Relaxed)
}

/// Sets the booked time to 0, in a forked child.
pub fn reset_used() {
    USED.store(0, Relaxed);
}

/// Returns the settings, read from the environment the first time. Not async-signal-safe then.
pub fn config() -> &'static Config {
    known_config().unwrap_or_else(|| CONFIG.get_or(Config::from_environment))
}

/// The settings of the tool that brought the agent, in place of the environment's.
static REQUESTED: AtomicPtr<Config> = AtomicPtr::new(core::ptr::null_mut());

fn known_config() -> Option<&'static Config> {
    // SAFETY: null, or a box that `request` frees when no thread records.
    unsafe { REQUESTED.load(Acquire).as_ref() }.or_else(|| CONFIG.get())
}

/// Takes these settings. The caller is about to start the agent, so no code uses the earlier ones.
pub fn request(config: Config) {
    let before = REQUESTED.swap(Box::into_raw(Box::new(config)), AcqRel);
    if !before.is_null() {
        // SAFETY: from an earlier call.
        drop(unsafe { Box::from_raw(before) });
    }
}

/// Returns the time between two ticks of a thread at work, ns: the kernel's tick may be longer than
/// the time that was asked for. Async-signal-safe.
pub fn real_period() -> u64 {
    REAL_PERIOD.load(Relaxed)
}

/// Notes the time between two ticks, ns.
pub fn set_real_period(period: u64) {
    REAL_PERIOD.store(period, Relaxed);
}

/// Returns the time that one sample stands for, ns.
pub fn period() -> u64 {
    known_config().map_or(1_000_000, |config| config.period)
}

/// Returns the template of the record file's path.
pub fn out() -> &'static [u8] {
    known_config().map_or(b"omphalos.omph", |config| &config.out)
}

/// Returns the runtime's `_OPENMP` number and name.
pub fn runtime() -> (u32, Vec<u8>) {
    RUNTIME.lock().clone()
}

/// Whether a runtime has named itself: the program uses OpenMP.
pub fn knows_runtime() -> bool {
    !RUNTIME.lock().1.is_empty()
}

/// Notes a runtime's `_OPENMP` number and name.
pub fn set_runtime(version: u32, name: &[u8]) {
    *RUNTIME.lock() = (version, name.to_vec());
}

/// Writes a message if `OMPHALOS_PROFILE_VERBOSE` asks for it.
pub fn say(text: Arguments<'_>) {
    if known_config().is_some_and(|config| config.verbose) {
        omphalos_sys::stderr::message(text);
    }
}
