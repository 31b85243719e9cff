//! Translates the numbers of processes in PID namespaces of their own (pid_namespaces(7)), as
//! containers have them: a process there sees other numbers of processes and threads than we do.
//! Its clocks may differ, too.

use std::fs;
use std::time::Duration;

use super::processes;

/// The number that a thread of the process `pid` has in its own namespace.
pub fn number_within(pid: u32, lwp: u32) -> Option<u32> {
    let status = fs::read(format!("/proc/{pid}/task/{lwp}/status")).ok()?;
    of_status(&String::from_utf8_lossy(&status))
}

/// Reads the last number of the line `NSpid`: it has all numbers of the thread, from our namespace
/// to the innermost one.
fn of_status(status: &str) -> Option<u32> {
    let line = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
    line.split_ascii_whitespace().next_back()?.parse().ok()
}

/// Returns our number of the process that `pid` knows by `seen`, the number of one of its threads.
pub fn process_of(pid: u32, seen: u32) -> Option<u32> {
    if number_within(pid, pid) == Some(pid) {
        let status = fs::read(format!("/proc/{seen}/status")).ok()?;
        let status = String::from_utf8_lossy(&status);
        return status.lines().find_map(|line| line.strip_prefix("Tgid:")?.trim().parse().ok());
    }
    let space = |pid: u32| fs::read_link(format!("/proc/{pid}/ns/pid")).ok();
    let own = space(pid)?;
    processes().into_iter().filter(|other| space(*other).as_ref() == Some(&own)).find(|other| {
        let tasks = fs::read_dir(format!("/proc/{other}/task")).into_iter().flatten().flatten();
        let mut lwps = tasks.filter_map(|task| task.file_name().to_str()?.parse().ok());
        lwps.any(|lwp| number_within(*other, lwp) == Some(seen))
    })
}

/// The time by CLOCK_REALTIME, or by CLOCK_MONOTONIC if the process has no clock of its own
/// (time_namespaces(7)).
pub fn now(pid: u32, is_real: bool) -> Option<Duration> {
    let space = |whose: &str| fs::read_link(format!("/proc/{whose}/ns/time")).ok();
    if !is_real && space(&pid.to_string()) != space("self") {
        return None;
    }
    let clock = if is_real { libc::CLOCK_REALTIME } else { libc::CLOCK_MONOTONIC };
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes the time there.
    let failed = unsafe { libc::clock_gettime(clock, &raw mut now) } != 0;
    let (seconds, rest) = (u64::try_from(now.tv_sec).ok()?, u64::try_from(now.tv_nsec).ok()?);
    (!failed).then(|| Duration::from_secs(seconds) + Duration::from_nanos(rest))
}

/// The parent of a process that was forked and has executed no program since.
pub fn forked_from(pid: u32) -> Option<u32> {
    of_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads "7 (app) S 6 …": behind the name, the parent is the second word and the kernel's flags are
/// the seventh.
fn of_stat(stat: &str) -> Option<u32> {
    /// PF_FORKNOEXEC.
    const FORKED: u64 = 0x40;
    let (_, rest) = stat.rsplit_once(") ")?;
    let words: Vec<&str> = rest.split(' ').collect();
    let flags: u64 = words.get(6)?.parse().ok()?;
    let parent = words.get(1)?.parse().ok()?;
    (flags & FORKED != 0).then_some(parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_was_forked_is_known_until_it_executes_a_program() {
        assert_eq!(of_stat("7 (a) b) S 6 7 7 0 -1 4194368 0"), Some(6));
        assert_eq!(of_stat("7 (app) S 6 7 7 0 -1 4194304 0"), None);
        assert_eq!(of_stat("7 (app) S"), None);
    }

    #[test]
    fn the_innermost_number_is_what_the_program_sees() {
        assert_eq!(of_status("Name:\ta\nNSpid:\t2948\t31\t7\nNSpgid:\t1\n"), Some(7));
        assert_eq!(of_status("NSpid:\t2948\n"), Some(2948));
        assert_eq!(of_status("Name:\ta\n"), None);
    }
}
