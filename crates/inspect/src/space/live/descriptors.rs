//! What the file descriptors of a process stand for: who holds the lock of a file, who has the
//! other end of a pipe.
//!
//! What must hold: the work is bounded, however many processes and descriptors there are. What the
//! kernel does not let us see is left out.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;

use omphalos_ompd_view::asleep::Holder;

use super::process;

/// Descriptors of one process, and of all others, that are looked at.
const MOST_OF_ONE: usize = 4096;
const MOST_OF_ALL: usize = 1 << 16;
/// Ends of a pipe that are named.
const MOST_NAMED: usize = 3;
/// The part of a descriptor's flags that says whether it reads, writes, or does both.
const ACCESS: u32 = 3;
const READS: u32 = 0;
const WRITES: u32 = 1;

/// What a descriptor stands for.
pub fn target(pid: u32, number: i32) -> Option<String> {
    let target = fs::read_link(format!("/proc/{pid}/fd/{number}")).ok()?;
    Some(target.to_string_lossy().into_owned())
}

/// The numbers of a process's descriptors.
fn numbers(pid: u32) -> impl Iterator<Item = i32> {
    let entries = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten();
    let names = entries.flatten().map(|entry| entry.file_name());
    names.filter_map(|name| name.to_str()?.parse().ok()).take(MOST_OF_ONE)
}

/// What the kernel says of a descriptor: its flags, and the locks that were taken by it.
fn info(pid: u32, number: i32) -> Option<(u32, Vec<String>)> {
    let text = fs::read_to_string(format!("/proc/{pid}/fdinfo/{number}")).ok()?;
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"))?;
    let locks = text.lines().filter_map(|line| line.strip_prefix("lock:"));
    let flags = u32::from_str_radix(flags.trim(), 8).ok()?;
    Some((flags, locks.map(str::to_owned).collect()))
}

/// Who holds a lock of the file behind a descriptor on which `call` ("flock", "fcntl") waits.
pub fn lock_holder(pid: u32, number: i32, call: &str) -> Option<Holder> {
    let data = fs::metadata(format!("/proc/{pid}/fd/{number}")).ok()?;
    let (major, minor) = (libc::major(data.dev()), libc::minor(data.dev()));
    let file = format!("{major:02x}:{minor:02x}:{}", data.ino());
    let kinds: &[&str] = if call == "flock" { &["FLOCK"] } else { &["POSIX", "OFDLCK"] };
    // "1: FLOCK ADVISORY WRITE 4711 08:01:17 0 EOF"
    let holder = |line: &str| -> Option<i64> {
        // Those who wait have an arrow before what they wait for.
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_it = kinds.contains(words.get(1)?) && words.get(5) == Some(&&*file);
        is_it.then(|| words[4].parse().ok()).flatten()
    };
    let locks = fs::read_to_string("/proc/locks").ok()?;
    let mut holders: Vec<i64> = locks.lines().filter_map(holder).collect();
    // A process is never in the way of its own locks by `fcntl`, but for those of open files.
    holders.retain(|holder| *holder > 0 && (*holder != i64::from(pid) || call == "flock"));
    // The kernel knows who took a lock. The descriptor may have come to others by a fork since.
    let own = || {
        let holds = |other: &i32| {
            let locks = info(pid, *other).map_or(Vec::new(), |(_, locks)| locks);
            locks.iter().any(|line| {
                let kind = line.split_ascii_whitespace().nth(1);
                holder(line).is_some() && (call == "flock" || kind == Some("OFDLCK"))
            })
        };
        numbers(pid).filter(|other| *other != number).find(holds)
    };
    match holders.iter().find(|holder| **holder != i64::from(pid)) {
        Some(other) => Some(Holder::Process(u32::try_from(*other).ok()?)),
        None => own().map(Holder::Descriptor),
    }
}

/// An end of a pipe: process, descriptor, and the access part of its flags.
type End = (u32, i32, u32);

/// The pipes of all processes that we may look at, by what their descriptors are called.
pub struct Pipes(HashMap<String, Vec<End>>);

impl Pipes {
    /// Those of `pid`, then of the others.
    pub fn of_all(pid: u32) -> Pipes {
        let others = process::processes().into_iter().map(|(other, _)| other);
        let all = std::iter::once(pid).chain(others.filter(|other| *other != pid));
        let each = all.flat_map(|pid| numbers(pid).map(move |number| (pid, number)));
        let mut pipes: HashMap<String, Vec<End>> = HashMap::new();
        for (pid, number) in each.take(MOST_OF_ALL) {
            let Some(name) = target(pid, number).filter(|name| name.starts_with("pipe:")) else {
                continue;
            };
            if let Some((flags, _)) = info(pid, number) {
                pipes.entry(name).or_default().push((pid, number, flags & ACCESS));
            }
        }
        Pipes(pipes)
    }

    /// Who has the other end of a pipe: "written by descriptor 4 of this process". `None` where
    /// that is not known, or the descriptor is none of a pipe.
    pub fn other_end(&self, pid: u32, number: i32) -> Option<String> {
        let ends = self.0.get(&target(pid, number)?)?;
        let (_, _, own) = ends.iter().find(|(of, end, _)| (*of, *end) == (pid, number))?;
        let (wanted, does) = match *own {
            READS => (WRITES, "written"),
            WRITES => (READS, "read"),
            _ => return None,
        };
        let mut by: Vec<String> = Vec::new();
        for (of, end, _) in ends.iter().filter(|(_, _, access)| *access == wanted) {
            let one = match process::name(*of) {
                _ if *of == pid => format!("file descriptor {end} of this process"),
                Some(name) => format!("process {of} ('{name}')"),
                None => format!("process {of}"),
            };
            if !by.contains(&one) {
                by.push(one);
            }
        }
        let more = by.len().saturating_sub(MOST_NAMED);
        by.truncate(MOST_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        (!by.is_empty()).then(|| format!("{does} by {}{more}", by.join(", ")))
    }
}
