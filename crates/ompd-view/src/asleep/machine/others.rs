//! Whether another process that a thread waits for goes on by itself: it runs, or sleeps for a time
//! of its own, or waits for such a one in its turn. Timers that are descriptors go on too.

use std::fs;

use super::ends::Ends;
use super::{info, process_of, processes, target, watched_by};
use crate::Registers;
use crate::asleep::calls;

/// Processes that are looked at, one behind the other.
const MOST_PROCESSES: usize = 64;
/// Threads of one of them that are looked at.
const MOST_THREADS: usize = 256;

/// Whether what a thread of `pid` waits for is under way: by a call with these arguments, which is
/// about these descriptors. Who started the process may wait for anything, as a shell does for its
/// user: that one must run.
pub fn bring(pid: u32, registers: &Registers, descriptors: &[i32], ends: &Ends) -> bool {
    let Some(mut open) = awaited(pid, registers, descriptors, ends) else { return true };
    let starters = starters(pid);
    // This process looks at that one, and brings it nothing.
    let mut seen = vec![pid, std::process::id()];
    while let Some(other) = open.pop() {
        if seen.contains(&other) || seen.len() > MOST_PROCESSES {
            continue;
        }
        seen.push(other);
        let Some(threads) = threads(other) else { return true };
        for thread in threads {
            let Some(registers) = thread else { return true };
            if starters.contains(&other) {
                continue;
            }
            let Some(number) = calls::in_call(&registers) else { return true };
            let name = calls::name(number);
            if calls::is_timed(&registers, &name) {
                return true;
            }
            let descriptors = calls::descriptor(&registers, &name);
            match awaited(other, &registers, descriptors.as_slice(), ends) {
                Some(more) => open.extend(more),
                None => return true,
            }
        }
    }
    false
}

/// The processes that such a thread waits for; `None` where the wait ends by itself.
fn awaited(pid: u32, registers: &Registers, descriptors: &[i32], ends: &Ends) -> Option<Vec<u32>> {
    let [_, number, first, second, ..] = registers.call;
    // P_PID is 1; all else is for any child.
    let child = match &*calls::name(number) {
        "wait4" => Some(first as i32),
        "waitid" if first == 1 => Some(second as i32),
        "waitid" => Some(0),
        _ => None,
    };
    match child {
        Some(child @ 1..) => {
            let child = process_of(pid, child as u32).unwrap_or(child as u32);
            Some(vec![child])
        }
        // Who has none is about to be told so.
        Some(_) => Some(children(pid)).filter(|all| !all.is_empty()),
        None => {
            let watched = |number: &i32| {
                let watched = watched_by(pid, *number);
                if watched.is_empty() { vec![*number] } else { watched }
            };
            let all: Vec<i32> = descriptors.iter().flat_map(watched).collect();
            if all.iter().any(|number| is_timer(pid, *number)) {
                return None;
            }
            Some(all.into_iter().flat_map(|number| ends.holders(pid, number)).collect())
        }
    }
}

/// Whether a descriptor is a timer that runs.
fn is_timer(pid: u32, number: i32) -> bool {
    let is_timer = target(pid, number).is_some_and(|name| name == "anon_inode:[timerfd]");
    let info = || info(pid, number).unwrap_or_default();
    is_timer && !info().lines().any(|line| line == "it_value: (0, 0)")
}

/// The registers of a process's threads that sleep; `None` for one that runs, for which a disk
/// works, or that has ended; none of those that are stopped, or that we may not look at. Nothing
/// for a process that is gone.
pub(super) fn threads(pid: u32) -> Option<impl Iterator<Item = Option<Registers>>> {
    let folder = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    Some(folder.flatten().take(MOST_THREADS).filter_map(|entry| {
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        match stat.rsplit_once(") ")?.1.chars().next()? {
            'R' | 'D' | 'Z' | 'X' => Some(None),
            'S' => {
                let text = fs::read_to_string(entry.path().join("syscall")).ok()?;
                // It is awake since.
                if text.starts_with("running") {
                    return Some(None);
                }
                calls::asleep(&text).map(Some)
            }
            _ => None,
        }
    }))
}

fn children(pid: u32) -> Vec<u32> {
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
