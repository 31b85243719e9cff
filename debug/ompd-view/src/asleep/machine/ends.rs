//! Finds the processes that have the other end of a pipe or of a socket.

use std::collections::HashMap;

use super::prospects::threads;
use super::sockets::{self, Peer};
use super::{field, info, is_stopped, name, numbers, processes, target};
use crate::Registers;
use crate::asleep::calls;

/// Descriptors of all processes that are looked at.
const MOST_OF_ALL: usize = 1 << 16;
/// Ends that are named.
const MOST_NAMED: usize = 3;
/// Processes that are followed from one to the next.
const MOST_STEPS: usize = 8;
/// The part of a descriptor's flags that says whether it reads, writes, or does both.
const ACCESS: u64 = 3;
const READS: u64 = 0;
const WRITES: u64 = 1;

/// An end: process, descriptor, and, for an end of a pipe, the access part of its flags.
type End = (u32, i32, u64);

/// The pipes and sockets of all processes that we may look at, by the names of their links in
/// `/proc` (`pipe:[4711]`).
pub struct Ends(HashMap<String, Vec<End>>);

impl Ends {
    /// Collects the ends of `pid`, then those of other processes.
    pub fn of_all(pid: u32) -> Ends {
        let others = processes().into_iter().filter(|other| *other != pid);
        let all = std::iter::once(pid).chain(others);
        let each = all.flat_map(|pid| numbers(pid).map(move |number| (pid, number)));
        let mut ends: HashMap<String, Vec<End>> = HashMap::new();
        for (pid, number) in each.take(MOST_OF_ALL) {
            let Some(name) = target(pid, number) else { continue };
            if name.starts_with("socket:") {
                ends.entry(name).or_default().push((pid, number, 0));
            } else if name.starts_with("pipe:")
                && let Some(flags) = info(pid, number).and_then(|info| field(&info, "flags", 8))
            {
                ends.entry(name).or_default().push((pid, number, flags & ACCESS));
            }
        }
        Ends(ends)
    }

    /// The processes that have the other end of a pipe or a socket, maybe the process itself.
    pub fn holders(&self, pid: u32, number: i32) -> Vec<u32> {
        let mut holders: Vec<u32> =
            self.far(pid, number).into_iter().map(|(of, _, _)| *of).collect();
        holders.sort_unstable();
        holders.dedup();
        holders
    }

    /// The processes that have the other ends, with their descriptors.
    pub fn far_ends(&self, pid: u32, number: i32) -> Vec<(u32, i32)> {
        self.far(pid, number).into_iter().map(|(of, end, _)| (*of, *end)).collect()
    }

    /// The other ends of a pipe or a socket.
    fn far(&self, pid: u32, number: i32) -> Vec<&End> {
        let Some(name) = target(pid, number) else { return Vec::new() };
        match of_socket(&name) {
            Some(inode) => match sockets::peer(pid, inode) {
                Some(Peer::Socket(other)) => self.of(&format!("socket:[{other}]")).collect(),
                _ => Vec::new(),
            },
            None => match self.access(pid, number, &name) {
                Some(READS) => self.with(&name, WRITES).collect(),
                Some(WRITES) => self.with(&name, READS).collect(),
                _ => Vec::new(),
            },
        }
    }

    /// Returns the circle, if the other end of what a process waits for leads back to that process:
    /// ", which waits for file descriptor 6 of this process: a circle". `None` if several other
    /// processes have one of the ends.
    fn circle(&self, pid: u32, number: i32) -> Option<String> {
        let (mut at, mut number) = (pid, number);
        let mut said = String::new();
        for step in 0..MOST_STEPS {
            let mut ends = self.far(at, number);
            // A process that also has the other end brings nothing while it waits.
            ends.retain(|(of, _, _)| *of != at);
            let (of, end, _) = **ends.first()?;
            if ends.iter().any(|(other, _, _)| *other != of) {
                return None;
            }
            if of == pid {
                said += &format!(", which waits for file descriptor {end} of this process");
                return Some(said + ": a circle");
            }
            if step > 0 {
                said += &format!(", which waits for {}", process(of));
            }
            (at, number) = (of, waits_at(of)?);
        }
        None
    }

    fn of(&self, name: &str) -> impl Iterator<Item = &End> {
        self.0.get(name).into_iter().flatten()
    }

    fn with(&self, name: &str, wanted: u64) -> impl Iterator<Item = &End> {
        self.of(name).filter(move |(_, _, access)| *access == wanted)
    }

    fn access(&self, pid: u32, number: i32, name: &str) -> Option<u64> {
        let own = self.of(name).find(|(of, end, _)| (*of, *end) == (pid, number));
        own.map(|(_, _, access)| *access)
    }

    /// Says who has the other end of a pipe or a socket: "written by file descriptor 4 of this
    /// process". `None` if that is not known, or the descriptor is neither.
    pub fn other(&self, pid: u32, number: i32) -> Option<String> {
        Some(self.seen_from(pid, pid, number)? + &self.circle(pid, number).unwrap_or_default())
    }

    /// The same for any process's descriptor. `this` is the process that the text calls "this
    /// process".
    pub fn seen_from(&self, this: u32, pid: u32, number: i32) -> Option<String> {
        let name = target(pid, number)?;
        match of_socket(&name) {
            Some(inode) => self.of_socket(this, pid, inode),
            None => self.of_pipe(this, (pid, number), &name),
        }
    }

    fn of_pipe(&self, this: u32, (pid, number): (u32, i32), name: &str) -> Option<String> {
        let (wanted, does) = match self.access(pid, number, name)? {
            READS => (WRITES, "written"),
            WRITES => (READS, "read"),
            _ => return None,
        };
        Some(format!("{does} by {}", named(this, self.with(name, wanted))?))
    }

    fn of_socket(&self, this: u32, pid: u32, inode: u64) -> Option<String> {
        match sockets::peer(pid, inode)? {
            Peer::Listens(at) => Some(format!("listening at {at}")),
            Peer::Elsewhere(at) => Some(format!("connected to {at}")),
            Peer::Socket(other) => {
                let by = named(this, self.of(&format!("socket:[{other}]")))?;
                Some(format!("its other end is {by}"))
            }
        }
    }
}

/// The kernel's number of the socket with this name.
fn of_socket(name: &str) -> Option<u64> {
    name.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
}

/// The descriptor at which a process waits, if all its threads sleep and one of them waits at a
/// descriptor.
fn waits_at(pid: u32) -> Option<i32> {
    let all: Vec<Registers> = threads(pid)?.collect::<Option<_>>()?;
    let number = |registers: &Registers| {
        calls::descriptor(registers, &calls::name(calls::in_call(registers)?))
    };
    all.iter().find_map(number)
}

/// Whether a thread of the process sleeps in a call that reads from its descriptor.
pub fn reads_at(pid: u32, number: i32) -> bool {
    let reads = |registers: &Registers| {
        let name = calls::name(calls::in_call(registers)?);
        calls::is_read(&name).then(|| calls::descriptor(registers, &name))?
    };
    threads(pid).into_iter().flatten().flatten().any(|thread| reads(&thread) == Some(number))
}

pub(super) fn process(pid: u32) -> String {
    match name(pid) {
        Some(name) => format!("process {pid} ('{name}')"),
        None => format!("process {pid}"),
    }
}

/// The processes that hold some ends, in words.
fn named<'a>(pid: u32, ends: impl Iterator<Item = &'a End>) -> Option<String> {
    let mut by: Vec<String> = Vec::new();
    for (of, end, _) in ends {
        let one = match *of == pid {
            true => format!("file descriptor {end} of this process"),
            false if is_stopped(*of) => process(*of) + ", which a signal has stopped",
            false => process(*of),
        };
        if !by.contains(&one) {
            by.push(one);
        }
    }
    let more = by.len().saturating_sub(MOST_NAMED);
    by.truncate(MOST_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!by.is_empty()).then(|| by.join(", ") + &more)
}
