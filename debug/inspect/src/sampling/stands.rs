//! Stops each running thread alone for a moment, reads its registers and copies the inner part of
//! its stack, and measures how long it stood.
//!
//! What must hold: a thread is released as soon as that is done, before anything else. A thread
//! without a processor cannot stop: it is left to the kernel, which releases it when the tracing
//! thread ends.

use std::time::{Duration, Instant};

use omphalos_ompd_view::Registers;

use super::window::copied;
use crate::space::live::process;
use crate::space::live::stop::{self, Thread};

/// The time within which all of them must have stopped.
const PATIENCE: Duration = Duration::from_millis(20);

/// The cost of the stops so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stood {
    /// The number of stops of one thread.
    pub stops: u64,
    /// The time of all stops together. Each is from the moment when the kernel told us of the stop
    /// up to the release, with the time for which we could not run meanwhile.
    pub time: Duration,
    /// The longest stop.
    pub longest: Duration,
}

/// Makes the kernel keep the news of stops for [`each`], in this thread and those that it starts.
pub fn keep_news() {
    // SAFETY: a set of one signal, for this thread alone.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &news(), std::ptr::null_mut()) };
}

/// The signal that the kernel sends us when a thread that we trace stops.
fn news() -> libc::sigset_t {
    // SAFETY: all zeros are a valid set, and both calls write it.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGCHLD);
        set
    }
}

/// A thread that stood.
pub struct Caught {
    /// The kernel's number.
    pub lwp: u32,
    /// Its registers.
    pub registers: Registers,
    /// The inner part of its stack.
    pub copy: Vec<u8>,
    /// It stopped at once, so it had a processor.
    pub at_once: bool,
}

/// The time within which a thread that has a processor stops.
const AT_ONCE: Duration = Duration::from_micros(300);

type Stacks = Vec<Caught>;

/// Stops each of those threads of the process. Returns the registers and the stack of each that
/// stood.
pub fn each(pid: u32, threads: &[u32], stood: &mut Stood) -> Stacks {
    if threads.is_empty() {
        return Vec::new();
    }
    // The thread that traces ends with the look: then the kernel releases threads that have not
    // stopped.
    let before = *stood;
    let traces = || traced(pid, threads, before);
    let traced = std::thread::scope(|scope| scope.spawn(traces).join());
    let (stacks, now) = traced.unwrap_or((Vec::new(), before));
    *stood = now;
    stacks
}

fn traced(pid: u32, threads: &[u32], stood: Stood) -> (Stacks, Stood) {
    let begun = Instant::now();
    let mut open = Open { pid, threads: Vec::new(), stacks: Vec::new(), stood };
    for lwp in threads {
        // A thread that has fallen asleep meanwhile is left alone: a stop could end its call.
        let runs = process::call(pid, *lwp).is_some_and(|call| call.starts_with("running"));
        let Some(thread) = runs.then(|| stop::seized(*lwp)).flatten() else { continue };
        let asked = Instant::now();
        thread.interrupt();
        open.threads.push((thread, asked));
        open.look(asked);
    }
    while !open.threads.is_empty() {
        let left = PATIENCE.saturating_sub(begun.elapsed());
        if left.is_zero() {
            break;
        }
        let told = wait(left);
        open.look(told);
    }
    (open.stacks, open.stood)
}

/// Waits until a thread stops. Returns the time of the stop, which is some time before we could run
/// again.
fn wait(most: Duration) -> Instant {
    let before = kept_from_running();
    let most = libc::timespec { tv_sec: 0, tv_nsec: most.subsec_nanos().into() };
    // SAFETY: the set and the time are read, and no more is asked for.
    unsafe { libc::sigtimedwait(&news(), std::ptr::null_mut(), &most) };
    let now = Instant::now();
    now.checked_sub(kept_from_running().saturating_sub(before)).unwrap_or(now)
}

/// The time for which this thread could have run and had no processor.
fn kept_from_running() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let delay = text.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    Duration::from_nanos(delay.unwrap_or(0))
}

/// Threads that have been asked to stop, and the data read from those that did.
struct Open {
    pid: u32,
    threads: Vec<(Thread, Instant)>,
    stacks: Stacks,
    stood: Stood,
}

impl Open {
    /// Reads and releases the threads that stand. They have stood since `since` at most.
    fn look(&mut self, since: Instant) {
        let Open { pid, threads, stacks, stood } = self;
        threads.retain_mut(|(thread, asked)| {
            thread.look();
            if thread.is_open() {
                return true;
            }
            let registers = stop::general_registers(thread.lwp()).registers;
            if let Some(registers) = registers.filter(|_| thread.stands()) {
                let (lwp, copy) = (thread.lwp(), copied(*pid, registers.rsp));
                let at_once = since.saturating_duration_since(*asked) < AT_ONCE;
                stacks.push(Caught { lwp, registers, copy, at_once });
            }
            thread.let_go();
            let time = since.elapsed();
            stood.stops += 1;
            stood.time += time;
            stood.longest = stood.longest.max(time);
            false
        });
    }
}
