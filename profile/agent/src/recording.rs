//! What holds for all of the agent in this process: whether it records, since when, with which
//! settings, of which runtime.
//!
//! Every room asks; only `life` changes it.

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

/// Not all of the run is measured: this is a part that is not.
static IS_PAUSED: AtomicBool = AtomicBool::new(false);

/// True unless the program, or whoever started it, asked for other parts of the run only.
/// Async-signal-safe.
pub fn is_measured() -> bool {
    !IS_PAUSED.load(Relaxed)
}

/// Notes whether what comes is measured.
pub fn set_measured(measured: bool) {
    IS_PAUSED.store(!measured, Relaxed);
}

/// True for one caller in a process: that one starts the agent, and says so by [`run`].
pub fn may_start() -> bool {
    STATE.compare_exchange(NEW, STARTING, AcqRel, Acquire).is_ok()
}

/// The agent was brought into a process that ran already.
static IS_LATE: AtomicBool = AtomicBool::new(false);
/// It waits for the first region to begin, and records nothing before.
static AWAITS_REGION: AtomicBool = AtomicBool::new(false);
/// It has ended so that it can begin again.
static IS_CLEAN: AtomicBool = AtomicBool::new(false);
/// How often it was brought.
static SESSION: AtomicU32 = AtomicU32::new(0);

/// True where it was brought into a process that ran already. Async-signal-safe.
#[inline(always)]
pub fn is_late() -> bool {
    IS_LATE.load(Relaxed)
}

/// As [`may_start`] where it is brought: once, and again each time it has [left](leave).
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

/// True until the first region begins that is recorded.
#[inline(always)]
pub fn awaits_region() -> bool {
    AWAITS_REGION.load(Relaxed)
}

/// It begins. True for one caller.
pub fn meets_region() -> bool {
    AWAITS_REGION.swap(false, AcqRel)
}

/// The agent that was brought has left: it may come again.
pub fn leave() {
    IS_CLEAN.store(true, Release);
}

/// Whether it has.
pub fn has_left() -> bool {
    IS_CLEAN.load(Acquire)
}

/// In a forked child, which is not recorded.
pub fn end_in_child() {
    STATE.store(ENDED, Release);
    leave();
}

/// A number for each time that it was brought, 0 where it was there from the start.
pub fn session() -> u32 {
    SESSION.load(Relaxed)
}

/// The agent has started.
pub fn run() {
    STATE.store(RUNNING, Release);
}

/// True for one caller after [`run`]: from here on nothing is recorded, and that one writes what
/// there is.
pub fn may_end() -> bool {
    STATE.compare_exchange(RUNNING, ENDED, AcqRel, Acquire).is_ok()
}

/// The process that records.
static PROCESS: AtomicI32 = AtomicI32::new(0);

/// The calling process records from here on.
pub fn note_process() {
    // SAFETY: no memory involved.
    PROCESS.store(unsafe { libc::getpid() }, Relaxed);
}

/// False in a child that shares the memory.
pub fn is_own_process() -> bool {
    // SAFETY: no memory involved.
    PROCESS.load(Relaxed) == unsafe { libc::getpid() }
}

/// When the agent started, ns.
pub fn started() -> u64 {
    STARTED.load(Relaxed)
}

/// Notes when it started, ns.
pub fn set_started(moment: u64) {
    STARTED.store(moment, Relaxed);
}

/// Processor time that the agent used besides what threads' records say of callbacks and ticks: to
/// begin, for the file, for threads that begin, for its watcher, to end; ns.
static USED: AtomicU64 = AtomicU64::new(0);

/// The calling thread used processor time for the agent alone since its clock stood at `since`, ns
/// ([`clock::used_here`]); answers where that stands now. Async-signal-safe.
pub fn book_used(since: u64) -> u64 {
    let now = clock::used_here();
    USED.fetch_add(now.saturating_sub(since), Relaxed);
    now
}

/// What the system takes to load the agent into a process and to take it away again, ns: no clock
/// of the agent's runs then. On an Intel Xeon (family 6, model 167) a program that ends at once
/// takes 1.5 ms more with the agent, and 0.65 are measured.
const LOADED: u64 = 800_000;

/// The agent was loaded into this process.
pub fn book_loaded() {
    USED.fetch_add(LOADED, Relaxed);
}

/// As [`book_used`] for all of `work`.
pub fn paying<R>(work: impl FnOnce() -> R) -> R {
    let begin = clock::used_here();
    let result = work();
    book_used(begin);
    result
}

/// What was booked of that in this process, ns. Async-signal-safe.
pub fn used() -> u64 {
    USED.load(Relaxed)
}

/// A forked child's agent begins with nothing used.
pub fn reset_used() {
    USED.store(0, Relaxed);
}

/// The settings, read from the environment the first time. Not async-signal-safe then.
pub fn config() -> &'static Config {
    known_config().unwrap_or_else(|| CONFIG.get_or(Config::from_environment))
}

/// Those of who brought the agent, in place of the environment's.
static REQUESTED: AtomicPtr<Config> = AtomicPtr::new(core::ptr::null_mut());

fn known_config() -> Option<&'static Config> {
    // SAFETY: null, or a box that `request` frees when nobody records.
    unsafe { REQUESTED.load(Acquire).as_ref() }.or_else(|| CONFIG.get())
}

/// Takes these. Whoever calls is about to start the agent, so nobody uses the earlier ones.
pub fn request(config: Config) {
    let before = REQUESTED.swap(Box::into_raw(Box::new(config)), AcqRel);
    if !before.is_null() {
        // SAFETY: from an earlier call.
        drop(unsafe { Box::from_raw(before) });
    }
}

/// Time between two ticks of a thread at work, ns: the kernel's tick may be longer than what was
/// asked for. Async-signal-safe.
pub fn real_period() -> u64 {
    REAL_PERIOD.load(Relaxed)
}

/// Notes the time between two ticks, ns.
pub fn set_real_period(period: u64) {
    REAL_PERIOD.store(period, Relaxed);
}

/// Time between two moments that samples stand for, ns.
pub fn period() -> u64 {
    known_config().map_or(1_000_000, |config| config.period)
}

/// The template of the record file's path.
pub fn out() -> &'static [u8] {
    known_config().map_or(b"omphalos.omph", |config| &config.out)
}

/// The runtime's `_OPENMP` number and name.
pub fn runtime() -> (u32, Vec<u8>) {
    RUNTIME.lock().clone()
}

/// True where a runtime has said what it is: the program uses OpenMP.
pub fn knows_runtime() -> bool {
    !RUNTIME.lock().1.is_empty()
}

/// Notes what a runtime says of itself.
pub fn set_runtime(version: u32, name: &[u8]) {
    *RUNTIME.lock() = (version, name.to_vec());
}

/// Says something if `OMPHALOS_PROFILE_VERBOSE` asks for it.
pub fn say(text: Arguments<'_>) {
    if known_config().is_some_and(|config| config.verbose) {
        omphalos_sys::stderr::message(text);
    }
}
