//! The watcher: a thread that looks at sleeping threads, about twenty times a second.
//!
//! A thread that sleeps gets no tick, and nothing tells where it is until it wakes: and it may wait
//! for ever. So the watcher looks, from outside, at each thread that had no sample for a while, and
//! wakes none. It also writes out the threads' buffers, and the totals.
//!
//! What must hold: it takes no signal. It keeps no process alive: when all other threads have left,
//! it leaves too. It touches a thread's records only while it holds the thread's sampler, as the
//! thread's own handler does.

use super::{part, waits};
use crate::accounting::Class;
use crate::clock::{in_ticks, ns, settle, ticks};
use crate::sampler::outside::{self, Asleep, Copy};
use crate::sampler::{Sampler, Slept};
use crate::thread::{self, Thread};
use crate::{recording, stream, totals, unwind};
use core::ffi::c_void;
use core::sync::atomic::{
    AtomicBool, AtomicI32, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release, SeqCst},
    fence,
};
use core::time::Duration;
use omphalos_ompt::State;
use omphalos_sys::clock::nanoseconds;
use omphalos_sys::futex;

/// The time between two looks.
const EVERY: Duration = Duration::from_millis(50);
/// The time between two looks whether the last thread has left, once the first one has left.
const SOON: Duration = Duration::from_millis(2);
/// The time, ns, after a thread's last sample in which the watcher does not look at it.
const RECENT: u64 = 40_000_000;
/// The most bytes of a sleeping thread's stack that are copied.
const DEEPEST: usize = 1 << 16;
/// The watcher's own stack, bytes.
const STACK: usize = 1 << 18;

static RUNS: AtomicBool = AtomicBool::new(false);
static LOOKS: AtomicBool = AtomicBool::new(false);
/// Whether the watcher was made in this process.
static STARTED: AtomicBool = AtomicBool::new(false);
/// The watcher, by the C library's name of a thread.
static WATCHER: AtomicU64 = AtomicU64::new(0);
/// 1 if the watcher is to leave: it sleeps on this word.
static LEAVES: AtomicU32 = AtomicU32::new(0);
/// The watcher's number in the kernel; 0 if there is none.
static NUMBER: AtomicI32 = AtomicI32::new(0);
/// Whether another thread's memory must not be copied.
static COPIES_NOTHING: AtomicBool = AtomicBool::new(false);

/// Starts the watcher, if it does not run. Allocates.
pub fn start() {
    if RUNS.swap(true, Acquire) {
        return;
    }
    recording::paying(start_thread);
}

fn start_thread() {
    // SAFETY: the attributes are initialised before use; all signals are blocked in the new thread,
    // and the caller's mask is put back.
    let error = unsafe {
        let mut all: libc::sigset_t = core::mem::zeroed();
        let mut before: libc::sigset_t = core::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let mut attributes: libc::pthread_attr_t = core::mem::zeroed();
        libc::pthread_attr_init(&mut attributes);
        libc::pthread_attr_setstacksize(&mut attributes, STACK);
        // The thread is not detached, and only [`leave_for_good`] joins it: a detached thread frees
        // a part of itself after its destructors, and the program's `free` may call OpenMP, which
        // would then keep the record of a thread that is gone.
        let mut id: libc::pthread_t = 0;
        let error = libc::pthread_create(&mut id, &attributes, watch, core::ptr::null_mut());
        libc::pthread_attr_destroy(&mut attributes);
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, core::ptr::null_mut());
        WATCHER.store(id, Release);
        error
    };
    if error != 0 {
        RUNS.store(false, Release);
        stream::process::warn(format_args!(
            "no thread can be made that looks at those that sleep (errno {error}): long waits \
             outside the C library's calls are recorded when they end only"
        ));
        return;
    }
    STARTED.store(true, Release);
    // The C library installs its own handler when it makes its first thread.
    let _ = super::signal::install();
}

/// Whether the watcher runs: then it writes what other threads have recorded. Async-signal-safe.
pub fn runs() -> bool {
    RUNS.load(Relaxed)
}

/// Waits, after the end of recording, until the watcher does not look any more, but not for ever.
pub fn rest() {
    fence(SeqCst);
    for _ in 0..10_000 {
        if !LOOKS.load(SeqCst) {
            return;
        }
        omphalos_sys::thread::give_way();
    }
}

/// Ends the watcher, after the end of recording: it makes no system call of its own after that.
pub fn leave() {
    /// The longest wait for the watcher, ns: it may have to wait for a processor.
    const PATIENCE: u64 = 5_000_000_000;
    LEAVES.store(1, SeqCst);
    futex::wake(&LEAVES, 1);
    let begin = nanoseconds();
    while STARTED.load(Acquire) && is_there() && nanoseconds() - begin < PATIENCE {
        omphalos_sys::thread::give_way();
    }
}

/// Does what [`leave`] does, and frees what the system keeps of the thread. No thread records until
/// the agent comes again.
pub fn leave_for_good() {
    leave();
    if STARTED.load(Acquire) && !is_there() {
        // SAFETY: a thread of the agent's that has ended, which no other thread has joined.
        unsafe { libc::pthread_join(WATCHER.load(Acquire), core::ptr::null_mut()) };
    }
    reset_in_child();
    LEAVES.store(0, SeqCst);
}

/// Whether the watcher has still to begin, or has not ended.
fn is_there() -> bool {
    let id = NUMBER.load(Acquire);
    id == 0 || omphalos_sys::thread::is_there(id)
}

/// Stops all copies of other threads' memory: samples of sleeping threads have no stacks then.
pub fn copy_nothing() {
    COPIES_NOTHING.store(true, Relaxed);
}

/// Whether such copies are stopped.
pub fn copies_nothing() -> bool {
    COPIES_NOTHING.load(Relaxed)
}

/// Resets the state in a forked child, which has no watcher.
pub fn reset_in_child() {
    STARTED.store(false, Relaxed);
    NUMBER.store(0, Relaxed);
    LOOKS.store(false, Relaxed);
    RUNS.store(false, Relaxed);
}

extern "C" fn watch(_: *mut c_void) -> *mut c_void {
    // SAFETY: a C string.
    unsafe { libc::prctl(libc::PR_SET_NAME, c"omphalos-watch".as_ptr()) };
    NUMBER.store(omphalos_sys::thread::id(), Release);
    stream::stand_apart();
    let mut copy = Copy::with_room(DEEPEST);
    let mut used = 0;
    loop {
        await_look();
        // Either the end of recording sees this look, or this look sees the end.
        LOOKS.store(true, SeqCst);
        fence(SeqCst);
        if !recording::is_running() || (outside::are_two() && outside::has_first_left()) {
            break;
        }
        unwind::depth::prepare();
        let now = ticks();
        part::look(now);
        for thread in thread::all().filter(|thread| thread.alive.load(Acquire)) {
            look_at(thread, now, &mut copy);
        }
        if stream::is_open() {
            totals::make_room();
            totals::write_if_due(now);
        }
        settle(now);
        used = recording::book_used(used);
        LOOKS.store(false, Release);
    }
    LOOKS.store(false, Release);
    RUNS.store(false, Release);
    core::ptr::null_mut()
}

/// Sleeps until the next look. Where the first thread has left, the process ends with the last: the
/// watcher looks often then, so that the process lasts hardly longer than without it.
fn await_look() {
    let pause = part::sleep(EVERY);
    if !outside::has_first_left() {
        futex::wait(&LEAVES, 0, Some(pause));
        return;
    }
    let begin = nanoseconds();
    let is_over = || u128::from(nanoseconds() - begin) >= pause.as_nanos();
    while LEAVES.load(SeqCst) == 0 && !outside::are_two() && !is_over() {
        futex::wait(&LEAVES, 0, Some(pause.min(SOON)));
    }
}

fn look_at(thread: &Thread, now: u64, copy: &mut Copy) {
    let id = thread.os_tid.load(Relaxed);
    thread.watch_sampler(|sampler| {
        let quiet = now.saturating_sub(sampler.points.last());
        if thread.alive.load(Acquire) && quiet > in_ticks(RECENT) {
            // A thread that is awake gets a tick, or is asleep again at a later look.
            if let Some(asleep) = outside::look(id) {
                found(thread, sampler, asleep, now, copy);
            }
        }
        if sampler.is_due(now) && stream::is_open() {
            sampler.flush();
        }
    });
}

/// Takes a sample of a thread that sleeps.
fn found(thread: &Thread, sampler: &mut Sampler, asleep: Asleep, now: u64, copy: &mut Copy) {
    let account = &thread.account;
    let call = thread.mark.call();
    // Whether a thread works or waits is not known where its events are only counted.
    if account.is_untimed() && call.is_none() {
        return;
    }
    let registers = match call {
        Some(_) => thread.mark.registers(),
        None => outside::registers(asleep),
    };
    let untold = account.summed().seen().map(|(class, ..)| class);
    let class = match untold {
        Some(class) => class,
        None if account.is_past_region(now) => Class::Idle,
        None => account.class(),
    };
    // The begin of the wait or call: since then the stack is the same. A system call of the
    // program's own may be another one each time.
    let since = match class {
        _ if call.is_some() => thread.mark.since(),
        Class::Barrier if untold.is_some() => account.summed().wait().0,
        Class::Work | Class::Serial | Class::Overhead => now,
        _ => account.since().max(if class == Class::Idle { account.over.load(Relaxed) } else { 0 }),
    };
    let stack = match sampler.asleep {
        // It does not matter where a thread without work waits for the next.
        _ if class == Class::Idle => 0,
        Some((before, then, stack)) if (before, then) == (asleep, since) => stack,
        _ => {
            let high = sampler.stack_end();
            let low = registers.sp().saturating_sub(128);
            let memory = if copies_nothing() { None } else { copy.take(low, high) };
            // The copy is right if the thread did not move meanwhile.
            let id = thread.os_tid.load(Relaxed);
            let still =
                thread.mark.call().map(core::ptr::from_ref) == call.map(core::ptr::from_ref);
            if !still || outside::look(id) != Some(asleep) {
                return;
            }
            let function = call.map_or(0, |call| call.real() as u64);
            let stack =
                memory.map_or(0, |memory| sampler.stack_outside(registers, memory, function));
            sampler.asleep = (stack != 0).then_some((asleep, since, stack));
            stack
        }
    };
    let from = sampler.points.last();
    let (queued, waited) = sampler.queued();
    // The moments before a wait whose begin is known belong to the next tick.
    let weight = match class {
        Class::Work | Class::Serial | Class::Overhead if call.is_none() => {
            // No moment has passed yet: the time is left for the next look.
            if now < sampler.points.next(from) {
                return;
            }
            sampler.points.take_rest(now)
        }
        _ => sampler.points.take(since, now),
    };
    if weight == 0 {
        return;
    }
    let cpu = sampler.cpu_since();
    let state = match untold {
        Some(Class::Barrier) => account.summed().wait().1.number() as u32,
        Some(Class::Work) => State::WorkParallel.number() as u32,
        _ => waits::state_of(thread, class),
    };
    waits::push_at(sampler, thread, state, stack, weight, now, cpu);
    // The time that the thread ran since its last sample, or waited for a processor, came before it
    // fell asleep or between two sleeps.
    let blocked = now.saturating_sub(from).saturating_sub(in_ticks(cpu + waited));
    if matches!(class, Class::Work | Class::Serial) {
        let name = match call {
            Some(call) => call.name.to_bytes(),
            None => crate::mark::sleeping::name(asleep.call),
        };
        waits::name_call(sampler, thread, name, ns(blocked));
        if call.is_none() {
            let in_region = class == Class::Work;
            thread.book_found(in_region, blocked);
            let call = asleep.call;
            let at = sampler.points.last();
            sampler.slept = Some(Slept { call, state, stack, in_region, at, queued });
        }
    }
}
