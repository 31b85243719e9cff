//! Stops each running thread alone for a moment, reads its registers and copies the inner part of
//! its stack, and measures how long it stood.
//!
//! What must hold: a thread is released as soon as that is done, before anything else. A thread
//! without a processor cannot stop: it is left to the kernel, which releases it when the tracing
//! thread ends. So a look that leaves such threads ends the tracing thread. Otherwise that thread
//! serves the next look.

use std::fs::File;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use omphalos_ompd_view::Registers;

use super::thread_files::{ThreadFiles, text};
use super::window::copied;
use crate::space::live::ends::{self, Traced};
use crate::space::live::standing::general_registers;
use crate::space::live::tracee::{Thread, seized};

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

/// Makes the kernel keep the news of stops for [`Tracer::each`], in this thread and those that it
/// starts.
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

/// A look: the thread that shows the process's memory, the threads to stop, and the cost so far.
type Look = (u32, Vec<(u32, Arc<ThreadFiles>)>, Stood);
/// The result of a look: the stacks, the cost so far, and whether all threads are released.
type Result = (Stacks, Stood, bool);

/// The tracing thread, if it has begun.
#[derive(Default)]
pub struct Tracer(Option<Running>);

struct Running {
    lwp: u32,
    looks: Sender<Look>,
    results: Receiver<Result>,
    traced: Traced,
    thread: JoinHandle<()>,
}

impl Tracer {
    /// The kernel's number of the thread, if it has begun.
    pub fn lwp(&self) -> Option<u32> {
        self.0.as_ref().map(|running| running.lwp)
    }

    /// Stops each of those threads of the process. Returns the registers and the stack of each that
    /// stood.
    pub fn each(
        &mut self,
        pid: u32,
        threads: Vec<(u32, Arc<ThreadFiles>)>,
        stood: &mut Stood,
    ) -> Stacks {
        if threads.is_empty() {
            return Vec::new();
        }
        if self.0.is_none() {
            self.0 = Running::begin();
        }
        let Some(running) = &self.0 else { return Vec::new() };
        let result = running.look((pid, threads, *stood));
        if result.as_ref().is_none_or(|(.., is_free)| !is_free) {
            self.end();
        }
        let Some((stacks, now, _)) = result else { return Vec::new() };
        *stood = now;
        stacks
    }

    fn end(&mut self) {
        if let Some(Running { looks, thread, .. }) = self.0.take() {
            drop(looks);
            let _ = thread.join();
        }
    }
}

impl Drop for Tracer {
    fn drop(&mut self) {
        self.end();
    }
}

impl Running {
    /// Starts the thread, which has the processors of this one; `None` if the system makes none.
    fn begin() -> Option<Running> {
        let (looks, asked) = channel::<Look>();
        let (tell, results) = channel();
        let (tell_lwp, lwp) = channel();
        let traced = Traced::new();
        let own = traced.clone();
        let traces = move || {
            own.adopt();
            // SAFETY: a call without arguments.
            let lwp = unsafe { libc::syscall(libc::SYS_gettid) };
            let _ = tell_lwp.send(lwp as u32);
            let schedule = File::open("/proc/thread-self/schedstat").ok();
            for (pid, threads, stood) in asked {
                let open = stopped(pid, &threads, stood, schedule.as_ref());
                let is_free = open.threads.is_empty();
                if tell.send((open.stacks, open.stood, is_free)).is_err() || !is_free {
                    return;
                }
            }
        };
        let builder = std::thread::Builder::new().name("inspect: tracer".to_owned());
        let thread = builder.spawn(traces).ok()?;
        Some(Running { lwp: lwp.recv().ok()?, looks, results, traced, thread })
    }

    /// Takes a look; `None` if the thread has ended before.
    fn look(&self, look: Look) -> Option<Result> {
        self.looks.send(look).ok()?;
        loop {
            match self.results.recv_timeout(ends::PAUSE) {
                Ok(result) => return Some(result),
                Err(RecvTimeoutError::Timeout) => drop(self.traced.ask_for_ends()),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }
}

/// Stops and releases threads; returns what was seen, with those that have not stopped.
fn stopped(
    pid: u32,
    threads: &[(u32, Arc<ThreadFiles>)],
    stood: Stood,
    schedule: Option<&File>,
) -> Open {
    let begun = Instant::now();
    let mut open = Open { pid, threads: Vec::new(), stacks: Vec::new(), stood };
    for (lwp, files) in threads {
        // A thread that has fallen asleep meanwhile is left alone: a stop could end its call.
        let Some(thread) = files.runs().then(|| seized(*lwp)).flatten() else { continue };
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
        let told = wait(left, schedule);
        open.look(told);
    }
    open
}

/// Waits until a thread stops. Returns the time of the stop, which is some time before we could run
/// again. `schedule`: the kernel's file about this thread.
fn wait(most: Duration, schedule: Option<&File>) -> Instant {
    let before = kept_from_running(schedule);
    let most = libc::timespec { tv_sec: 0, tv_nsec: most.subsec_nanos().into() };
    // SAFETY: the set and the time are read, and no more is asked for.
    unsafe { libc::sigtimedwait(&news(), std::ptr::null_mut(), &most) };
    let now = Instant::now();
    now.checked_sub(kept_from_running(schedule).saturating_sub(before)).unwrap_or(now)
}

/// The time for which this thread could have run and had no processor.
fn kept_from_running(schedule: Option<&File>) -> Duration {
    let text = schedule.and_then(text).unwrap_or_default();
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
            let registers = general_registers(thread.lwp()).registers;
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

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::sampling::thread_files::AllFiles;

    #[test]
    fn the_tracing_thread_stays_unless_it_leaves_a_thread_to_the_kernel() {
        keep_news();
        let mut child = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let (pid, mut files) = (child.id(), AllFiles::of(child.id()));
        let (mut tracer, mut stood) = (Tracer::default(), Stood::default());
        let mut kept = 0;
        // A busy machine may keep the child from stopping in time.
        for _ in 0..200 {
            let (before, stops) = (tracer.lwp(), stood.stops);
            let (own, _) = files.of_thread(pid).expect("it runs");
            tracer.each(pid, vec![(pid, own)], &mut stood);
            match tracer.lwp() {
                Some(after) if before == Some(after) => kept += stood.stops - stops,
                Some(_) => {}
                None => assert_eq!(stood.stops, stops, "the thread stood and is not released"),
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(kept > 0, "no look was the same thread's as the look before");
        assert_eq!(files.of_thread(pid).map(|(_, call)| call), None);
    }
}
