//! From where the end of a thread's call may come: from no other process, since all that it is
//! about are its own or wait for it; from outside; or from a process that goes on by itself, since
//! it runs, or sleeps for a time of its own, or waits for such a one in its turn. Clocks go on too.

use std::fs;
use std::io::ErrorKind;

use super::ends::Ends;
use super::{field, info, process_of, processes, sharers, signals, target, watched_by};
use crate::Registers;
use crate::asleep::{Prospect, calls};

/// Processes that are looked at, one behind the other.
const MOST_PROCESSES: usize = 64;
/// Threads of one of them that are looked at.
const MOST_THREADS: usize = 256;

/// A thread's call.
pub struct Asleep<'a> {
    pub pid: u32,
    pub registers: &'a Registers,
    pub name: &'a str,
    /// What it is about.
    pub descriptors: &'a [i32],
    /// The signals that it waits for, where that is known.
    pub signals: Option<u64>,
    /// It waits for the lock of a file, whose holder is named: whether that one gives it back, its
    /// author must say.
    pub for_lock: bool,
}

/// From where the end of a thread's call may come. Who started the process may wait for anything,
/// as a shell does for its user: that one must run.
pub fn prospect<'a>(asleep: &Asleep<'_>, ends: &dyn Fn() -> &'a Ends) -> Prospect {
    let (mut open, mut found) = awaited(asleep, ends);
    let starters = starters(asleep.pid);
    // This process looks at that one, and brings it nothing.
    let mut seen = vec![asleep.pid, std::process::id()];
    while let Some(other) = open.pop().filter(|_| found != Prospect::Comes) {
        if seen.contains(&other) || seen.len() > MOST_PROCESSES {
            continue;
        }
        seen.push(other);
        let Some(threads) = threads(other) else { return Prospect::Comes };
        for thread in threads {
            let Some(registers) = thread else { return Prospect::Comes };
            if starters.contains(&other) {
                found = found.max(Prospect::MayCome);
                continue;
            }
            let Some(number) = calls::in_call(&registers) else { return Prospect::Comes };
            let name = calls::name(number);
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

/// The processes that such a thread waits for, and what else may end its call.
fn awaited<'a>(asleep: &Asleep<'_>, ends: &dyn Fn() -> &'a Ends) -> (Vec<u32>, Prospect) {
    let &Asleep { pid, registers, name, descriptors, signals, for_lock } = asleep;
    let [_, _, first, second, ..] = registers.call;
    if for_lock {
        return (Vec::new(), Prospect::MayCome);
    }
    match name {
        "wait4" | "waitid" => {
            // P_PID is 1; all else is for any child.
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
                // Who has none is about to be told so.
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
            // Nobody can open a queue any more whose name is unlinked.
            let name = target(pid, first as i32).unwrap_or_default();
            let is_closed = name.ends_with(calls::UNLINKED);
            let others = if is_closed { Prospect::Stays } else { Prospect::MayCome };
            (sharers::of_file(pid, first as i32), others)
        }
        // Whoever knows the number may bring it; children do.
        "semop" | "semtimedop" | "msgrcv" | "msgsnd" => (children(pid), Prospect::MayCome),
        // What it waits for the kernel has been told before, and does not tell.
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

/// Children send their parent signals, also by ending.
fn for_signals(pid: u32, name: &str, signals: Option<u64>) -> (Vec<u32>, Prospect) {
    let found = match () {
        _ if signals::has_clock(pid, name, signals) => Prospect::Comes,
        // Without a handler no signal lets it go on: it ends the process, or is ignored.
        _ if name != "rt_sigtimedwait" && !signals::has_handler(pid) => Prospect::Stays,
        _ => Prospect::MayCome,
    };
    (children(pid), found)
}

/// The same of who waits at a descriptor.
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

/// Whether a descriptor that is a timer runs, or has run out, and who waits is about to see that: a
/// timer with an interval goes on once it is read.
fn is_running_timer(pid: u32, number: i32) -> bool {
    let info = info(pid, number).unwrap_or_default();
    let has = |wanted: &str| info.lines().any(|line| line == wanted);
    !(has("it_value: (0, 0)") && has("ticks: 0"))
}

/// The registers of a process's threads that sleep; `None` for one that runs, for which a disk
/// works, or that has ended; none of those that are stopped, or that we may not look at. Nothing
/// for a process that is gone.
pub(super) fn threads(pid: u32) -> Option<impl Iterator<Item = Option<Registers>>> {
    let folder = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    Some(folder.flatten().take(MOST_THREADS).filter_map(|entry| {
        // One whose files are gone has ended since.
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { return Some(None) };
        match stat.rsplit_once(") ")?.1.chars().next()? {
            'R' | 'D' | 'Z' | 'X' => Some(None),
            // It may be awake since, or be asleep in no call.
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

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}
