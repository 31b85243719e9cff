//! Finds the signals that may come to a process and let a thread of it go on: those that it has
//! handlers for, and those that its timers send.

use std::fs;
use std::path::Path;

use super::info;

/// SIGALRM: the clock of setitimer(2) and alarm(2). The kernel does not tell whether that clock
/// runs.
const CLOCK: u32 = 14;
/// SIGINT and SIGTERM. A thread that waits for these waits for all signals that others may send.
const ASK_FOR_THE_END: u64 = bit(2) | bit(15);
/// The signal by which the C library's timers start threads.
const OF_TIMERS: u32 = 32;
/// Signals by which others tell a program to do something, with their names. The signals from 34
/// on, which have no meaning of their own, count as well.
const ORDERS: [(u32, &str); 6] = [
    (10, "SIGUSR1"),
    (12, "SIGUSR2"),
    (CLOCK, "SIGALRM"),
    (17, "SIGCHLD"),
    (23, "SIGURG"),
    (29, "SIGIO"),
];
const FIRST_FREE: u32 = 34;
const LAST: u32 = 64;

const fn bit(signal: u32) -> u64 {
    1 << (signal - 1)
}

/// The signals by which the process may be told to do something: those with handlers, but for those
/// that each thread blocks.
pub fn handled(pid: u32) -> Vec<String> {
    let of_threads: u64 = timers(pid).iter().map(|timer| timer.of_thread()).fold(0, |a, b| a | b);
    names(caught(pid) & !of_threads & !blocked(pid))
}

/// The signals with handlers that have come for the process and that each thread blocks: no handler
/// runs.
pub fn withheld(pid: u32) -> Vec<String> {
    names(caught(pid) & of_process(pid, "ShdPnd") & blocked(pid))
}

fn names(signals: u64) -> Vec<String> {
    let has = |signal: u32| signals & bit(signal) != 0;
    let known = ORDERS.iter().filter(|(signal, _)| has(*signal));
    let known = known.map(|(_, name)| (*name).to_owned());
    known
        .chain((FIRST_FREE..=LAST).filter(|it| has(*it)).map(|it| format!("signal {it}")))
        .collect()
}

/// Whether the program has a handler for any signal.
pub fn has_handler(pid: u32) -> bool {
    /// Signals that the C library sends its own threads.
    const OF_LIBRARY: u64 = bit(32) | bit(33);
    caught(pid) & !OF_LIBRARY != 0
}

/// Whether a clock may bring the thread one of the signals that the call with this name waits for.
pub fn has_clock(pid: u32, name: &str, set: Option<u64>) -> bool {
    let takes = match name {
        // The thread waits for all signals that others may send.
        "rt_sigtimedwait" if set.is_some_and(|set| set & ASK_FOR_THE_END != 0) => {
            set.unwrap_or(0) & !bit(CLOCK)
        }
        "rt_sigtimedwait" => set.unwrap_or(0),
        _ => caught(pid),
    };
    let timers = || timers(pid).iter().any(|timer| takes & timer.of_process() != 0);
    takes & bit(CLOCK) != 0 || timers()
}

/// The signals that a descriptor for signals takes.
pub fn taken_by(pid: u32, number: i32) -> Option<u64> {
    super::field(&info(pid, number)?, "sigmask", 16)
}

/// The signals that have handlers.
fn caught(pid: u32) -> u64 {
    of_process(pid, "SigCgt")
}

/// The signals that each thread blocks. A thread that sleeps in a call such as `sigsuspend` blocks
/// those that the call was told to.
fn blocked(pid: u32) -> u64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let each = threads.map(|thread| signals(&thread.path().join("status"), "SigBlk"));
    each.reduce(|all, own| all & own).unwrap_or(0)
}

fn of_process(pid: u32, set: &str) -> u64 {
    signals(Path::new(&format!("/proc/{pid}/status")), set)
}

/// A set of signals in a file `status` of proc(5).
fn signals(status: &Path, set: &str) -> u64 {
    let status = fs::read(status).unwrap_or_default();
    super::field(&String::from_utf8_lossy(&status), set, 16).unwrap_or(0)
}

/// A timer of timer_create(2).
#[derive(Debug, PartialEq, Eq)]
struct Timer {
    signal: u32,
    to_thread: bool,
}

impl Timer {
    /// The signal that the timer sends the process. Timers that are for one thread are profilers'
    /// timers, except the C library's own.
    fn of_process(&self) -> u64 {
        if self.to_thread && self.signal != OF_TIMERS { 0 } else { bit(self.signal) }
    }

    fn of_thread(&self) -> u64 {
        if self.to_thread { bit(self.signal) } else { 0 }
    }
}

fn timers(pid: u32) -> Vec<Timer> {
    of_text(&fs::read_to_string(format!("/proc/{pid}/timers")).unwrap_or_default())
}

/// Reads lines such as "ID: 0", "signal: 14/0000000000000000", "notify: signal/pid.4711", "ClockID:
/// 1".
fn of_text(text: &str) -> Vec<Timer> {
    let mut found = Vec::new();
    let mut signal = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("signal: ") {
            signal = rest.split('/').next().and_then(|number| number.parse().ok());
        } else if let Some(rest) = line.strip_prefix("notify: ")
            && let Some(signal) = signal.take().filter(|signal| (1..=LAST).contains(signal))
            && !rest.starts_with("none")
        {
            found.push(Timer { signal, to_thread: rest.contains("/tid.") });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_are_told_apart_by_whom_they_tell() {
        let text = "ID: 0\nsignal: 14/00\nnotify: signal/pid.7\nClockID: 1\n\
                    ID: 1\nsignal: 32/00\nnotify: signal/tid.8\nClockID: 1\n\
                    ID: 2\nsignal: 27/00\nnotify: signal/tid.9\nClockID: 3\n\
                    ID: 3\nsignal: 10/00\nnotify: none/pid.7\nClockID: 1\n\
                    ID: 4\nsignal: 99/00\nnotify: signal/pid.7\nClockID: 1\n";
        let found = of_text(text);
        let sent: Vec<u64> = found.iter().map(Timer::of_process).collect();
        assert_eq!(sent, [bit(14), bit(32), 0]);
        assert!(of_text("signal: x\nnotify: signal/pid.1").is_empty());
    }
}
