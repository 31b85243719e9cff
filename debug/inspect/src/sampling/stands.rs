//! Threads that run stand for a moment, each for itself, while its registers are read and the inner
//! part of its stack is copied; and how long they stood.
//!
//! What must hold: a thread is let go as soon as that is done, before anything else is. One that
//! has no processor cannot stop: it is left to the kernel, which lets it go when the tracing thread
//! ends.

use std::time::{Duration, Instant};

use omphalos_ompd_view::Registers;

use super::window::copied;
use crate::space::live::process;
use crate::space::live::stop::{self, Thread};

/// So long all of them are given.
const PATIENCE: Duration = Duration::from_millis(20);

/// What the stops have cost so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stood {
    /// Stops of one thread.
    pub stops: u64,
    /// All of them together: each from when the kernel told us of it up to its release, with the
    /// time for which we could not run meanwhile.
    pub time: Duration,
    /// The longest of them.
    pub longest: Duration,
}

/// Has the kernel keep the news of stops for [`each`], in this thread and those that it starts.
pub fn keep_news() {
    // SAFETY: a set of one signal, for this thread alone.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &news(), std::ptr::null_mut()) };
}

/// The signal that the kernel sends us where a thread that we trace stops.
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
    /// It stopped at once: it had a processor.
    pub at_once: bool,
}

/// One that has a processor stops within this.
const AT_ONCE: Duration = Duration::from_micros(300);

type Stacks = Vec<Caught>;

/// Stops each of those threads of the process, and gives the registers and the stack of each that
/// stood.
pub fn each(pid: u32, threads: &[u32], stood: &mut Stood) -> Stacks {
    if threads.is_empty() {
        return Vec::new();
    }
    // The thread that traces ends with the look: then the kernel lets go of what has not stopped.
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
        // One that has fallen asleep meanwhile is left alone: a stop could end its call.
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

/// Waits until one stops, and says when that was: some time before we could run again.
fn wait(most: Duration) -> Instant {
    let before = kept_from_running();
    let most = libc::timespec { tv_sec: 0, tv_nsec: most.subsec_nanos().into() };
    // SAFETY: the set and the time are read, and no more is asked for.
    unsafe { libc::sigtimedwait(&news(), std::ptr::null_mut(), &most) };
    let now = Instant::now();
    now.checked_sub(kept_from_running().saturating_sub(before)).unwrap_or(now)
}

/// For how long this thread could have run and had no processor.
fn kept_from_running() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let delay = text.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    Duration::from_nanos(delay.unwrap_or(0))
}

/// Threads that have been asked to stop, and what was read of those that did.
struct Open {
    pid: u32,
    threads: Vec<(Thread, Instant)>,
    stacks: Stacks,
    stood: Stood,
}

impl Open {
    /// Reads and lets go of those that stand, since that time at most.
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
