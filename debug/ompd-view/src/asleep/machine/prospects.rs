//! Finds out whether something may end a thread's call ([`Prospect`]). Nothing may, if everything
//! that the call is about belongs to this process or waits for it. Something may, if others outside
//! the process can do it. Something will, if the call waits for a process that goes on by itself:
//! one that runs, sleeps for a time, or waits for another process that goes on. Clocks go on too.

use std::fs;
use std::io::ErrorKind;

use super::ends::Ends;
use super::{field, info, process_of, processes, sharers, signals, target, watched_by};
use crate::Registers;
use crate::asleep::{Prospect, calls};

/// The most processes that are looked at.
const MOST_PROCESSES: usize = 64;
/// The most threads of each that are looked at.
const MOST_THREADS: usize = 256;

/// A thread's call.
pub struct Asleep<'a> {
    pub pid: u32,
    pub registers: &'a Registers,
    pub name: &'a str,
    /// The descriptors that the call is about.
    pub descriptors: &'a [i32],
    /// The signals that it waits for, where that is known.
    pub signals: Option<u64>,
    /// The thread waits for the lock of a file, whose holder is named. Only the author of that
    /// program knows whether the holder gives the lock back.
    pub for_lock: bool,
}

/// Returns from where the end of a thread's call may come. A process that started this one may
/// sleep without end, as a shell waits for its user: it counts as going on only if it runs, or
/// waits for a child that goes on.
pub fn prospect<'a>(asleep: &Asleep<'_>, ends: &dyn Fn() -> &'a Ends) -> Prospect {
    let (mut open, mut found) = awaited(asleep, ends);
    let starters = starters(asleep.pid);
    // The process that looks (`std::process::id()`) ends no call.
    let mut seen = vec![asleep.pid, std::process::id()];
    while let Some(other) = open.pop().filter(|_| found != Prospect::Comes) {
        if seen.contains(&other) || seen.len() > MOST_PROCESSES {
            continue;
        }
        seen.push(other);
        let Some(threads) = threads(other) else { return Prospect::Comes };
        for thread in threads {
            let Some(registers) = thread else { return Prospect::Comes };
            let Some(number) = calls::in_call(&registers) else { return Prospect::Comes };
            let name = calls::name(number);
            if starters.contains(&other) && !["wait4", "waitid"].contains(&&*name) {
                found = found.max(Prospect::MayCome);
                continue;
            }
            if calls::is_timed(&registers, &name) {
                return Prospect::Comes;
            }
            let descriptors = calls::descriptor(&registers, &name);
            let descriptors = descriptors.as_slice();
            let (pid, name, registers) = (other, &*name, &registers);
            let (signals, for_lock) = (None, false);
            let its = Asleep { pid, registers, name, descriptors, signals, for_lock };
            let (more, comes) = awaited(&its, ends);
            found = found.max(comes);
            open.extend(more);
        }
    }
    found
}

/// Returns the processes that a thread in such a call waits for, and what else may end the call.
fn awaited<'a>(asleep: &Asleep<'_>, ends: &dyn Fn() -> &'a Ends) -> (Vec<u32>, Prospect) {
    let &Asleep { pid, registers, name, descriptors, signals, for_lock } = asleep;
    let [_, _, first, second, ..] = registers.call;
    if for_lock {
        return (Vec::new(), Prospect::MayCome);
    }
    match name {
        "wait4" | "waitid" => {
            // P_PID is 1; the other kinds are for any child.
            let child = match name {
                "wait4" => first as i32,
                _ if first == 1 => second as i32,
                _ => 0,
            };
            match child {
                1.. => {
                    let child = process_of(pid, child as u32).unwrap_or(child as u32);
                    (vec![child], Prospect::Stays)
                }
                // A process without children is about to get an error.
                _ => match children(pid) {
                    none if none.is_empty() => (none, Prospect::Comes),
                    all => (all, Prospect::Stays),
                },
            }
        }
        "pause" | "rt_sigsuspend" | "rt_sigtimedwait" => for_signals(pid, name, signals),
        // FUTEX_PRIVATE_FLAG: nobody else can wake it.
        "futex" if second & 128 == 0 => {
            (sharers::Memory::of(pid).writers(first).to_vec(), Prospect::Stays)
        }
        "futex" => (Vec::new(), Prospect::Stays),
        "mq_timedreceive" | "mq_timedsend" => {
            // Nobody can open a queue whose name is unlinked.
            let name = target(pid, first as i32).unwrap_or_default();
            let is_closed = name.ends_with(calls::UNLINKED);
            let others = if is_closed { Prospect::Stays } else { Prospect::MayCome };
            (sharers::of_file(pid, first as i32), others)
        }
        // Any process that knows the number may end the wait; children do.
        "semop" | "semtimedop" | "msgrcv" | "msgsnd" => (children(pid), Prospect::MayCome),
        // The program told the kernel earlier what to wait for, and the kernel does not tell us.
        "io_uring_enter" | "io_getevents" | "io_pgetevents" => (Vec::new(), Prospect::MayCome),
        // A vfork ends when the child has become another program.
        "vfork" | "clone" | "clone3" => (children(pid), Prospect::Stays),
        _ if descriptors.is_empty() => (Vec::new(), Prospect::MayCome),
        _ => {
            let watched = |number: &i32| {
                let watched = watched_by(pid, *number);
                if watched.is_empty() { vec![*number] } else { watched }
            };
            let (mut processes, mut found) = (Vec::new(), Prospect::Stays);
            for number in descriptors.iter().flat_map(watched) {
                let (some, comes) = at_descriptor(pid, number, ends);
                processes.extend(some);
                found = found.max(comes);
            }
            (processes, found)
        }
    }
}

/// The same for a thread that waits for signals. Children send their parent signals, also when they
/// end.
fn for_signals(pid: u32, name: &str, signals: Option<u64>) -> (Vec<u32>, Prospect) {
    let found = match () {
        _ if signals::has_clock(pid, name, signals) => Prospect::Comes,
        // Without a handler no signal lets the thread go on: the signal ends the process, or is
        // ignored.
        _ if name != "rt_sigtimedwait" && !signals::has_handler(pid) => Prospect::Stays,
        _ => Prospect::MayCome,
    };
    (children(pid), found)
}

/// The same for a thread that waits at a descriptor.
fn at_descriptor<'a>(pid: u32, number: i32, ends: &dyn Fn() -> &'a Ends) -> (Vec<u32>, Prospect) {
    let what = target(pid, number).unwrap_or_default();
    let kind = what.strip_prefix("anon_inode:").map(|kind| kind.trim_matches(['[', ']']));
    match kind {
        Some("timerfd") if is_running_timer(pid, number) => (Vec::new(), Prospect::Comes),
        Some("timerfd") => (Vec::new(), Prospect::Stays),
        // Whoever has the counter may write to it.
        Some("eventfd") => (sharers::of_counter(pid, number), Prospect::Stays),
        Some("pidfd") => {
            let child = info(pid, number).and_then(|info| field(&info, "Pid", 10));
            (child.map(|pid| pid as u32).into_iter().collect(), Prospect::Stays)
        }
        Some("signalfd") => for_signals(pid, "rt_sigtimedwait", signals::taken_by(pid, number)),
        None if what.starts_with("pipe:") => (ends().holders(pid, number), Prospect::Stays),
        None if what.starts_with("socket:") => {
            let holders = ends().holders(pid, number);
            let others = if holders.is_empty() { Prospect::MayCome } else { Prospect::Stays };
            (holders, others)
        }
        _ => (Vec::new(), Prospect::MayCome),
    }
}

/// Whether a descriptor is a timer that runs, or that has run out so that a waiting thread is about
/// to see it. A timer with an interval goes on once it is read.
fn is_running_timer(pid: u32, number: i32) -> bool {
    let info = info(pid, number).unwrap_or_default();
    let has = |wanted: &str| info.lines().any(|line| line == wanted);
    !(has("it_value: (0, 0)") && has("ticks: 0"))
}

/// Returns the registers of a process's threads that sleep. A thread that runs, waits for a disk or
/// has ended gives `None`. Threads that are stopped, or that we may not look at, are left out.
/// Returns `None` for a process that is gone.
pub(super) fn threads(pid: u32) -> Option<impl Iterator<Item = Option<Registers>>> {
    let folder = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    Some(folder.flatten().take(MOST_THREADS).filter_map(|entry| {
        // A thread whose files are gone has ended meanwhile.
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { return Some(None) };
        match stat.rsplit_once(") ")?.1.chars().next()? {
            'R' | 'D' | 'Z' | 'X' => Some(None),
            // The thread may have woken meanwhile, or sleep in no call.
            'S' => match fs::read_to_string(entry.path().join("syscall")) {
                Ok(text) => Some(calls::asleep(&text)),
                Err(error) if error.kind() == ErrorKind::PermissionDenied => None,
                Err(_) => Some(None),
            },
            _ => None,
        }
    }))
}

pub(super) fn children(pid: u32) -> Vec<u32> {
    processes().into_iter().filter(|other| parent(*other) == Some(pid)).collect()
}

/// The process that started this one, the one that started that, and so on.
fn starters(pid: u32) -> Vec<u32> {
    std::iter::successors(parent(pid), |pid| parent(*pid)).take(MOST_PROCESSES).collect()
}

pub(super) fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}
