//! Who has the other end of a pipe, or of a socket.

use std::collections::HashMap;

use super::sockets::{self, Peer};
use super::{field, info, name, numbers, processes, target};

/// Descriptors of all processes that are looked at.
const MOST_OF_ALL: usize = 1 << 16;
/// Ends that are named.
const MOST_NAMED: usize = 3;
/// The part of a descriptor's flags that says whether it reads, writes, or does both.
const ACCESS: u64 = 3;
const READS: u64 = 0;
const WRITES: u64 = 1;

/// An end: process, descriptor, and for a pipe's the access part of its flags.
type End = (u32, i32, u64);

/// The pipes and sockets of all processes that we may look at, by what their descriptors are
/// called.
pub struct Ends(HashMap<String, Vec<End>>);

impl Ends {
    /// Those of `pid`, then of the others.
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

    /// Who has the other end of a pipe or a socket: "written by file descriptor 4 of this process".
    /// `None` where that is not known, or the descriptor is of neither.
    pub fn other(&self, pid: u32, number: i32) -> Option<String> {
        let name = target(pid, number)?;
        match name.strip_prefix("socket:[").and_then(|rest| rest.strip_suffix(']')) {
            Some(inode) => self.of_socket(pid, inode.parse().ok()?),
            None => self.of_pipe(pid, number, &name),
        }
    }

    fn of_pipe(&self, pid: u32, number: i32, name: &str) -> Option<String> {
        let ends = self.0.get(name)?;
        let (_, _, own) = ends.iter().find(|(of, end, _)| (*of, *end) == (pid, number))?;
        let (wanted, does) = match *own {
            READS => (WRITES, "written"),
            WRITES => (READS, "read"),
            _ => return None,
        };
        let others = ends.iter().filter(|(_, _, access)| *access == wanted);
        Some(format!("{does} by {}", named(pid, others)?))
    }

    fn of_socket(&self, pid: u32, inode: u64) -> Option<String> {
        match sockets::peer(pid, inode)? {
            Peer::Listens(at) => Some(format!("listening at {at}")),
            Peer::Elsewhere(at) => Some(format!("connected to {at}")),
            Peer::Socket(other) => {
                let by = named(pid, self.0.get(&format!("socket:[{other}]"))?.iter())?;
                Some(format!("its other end is {by}"))
            }
        }
    }
}

/// The holders of some ends, in words.
fn named<'a>(pid: u32, ends: impl Iterator<Item = &'a End>) -> Option<String> {
    let mut by: Vec<String> = Vec::new();
    for (of, end, _) in ends {
        let one = match name(*of) {
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
    (!by.is_empty()).then(|| by.join(", ") + &more)
}
