//! Reads what the kernel of this machine says of a process, in `/proc` and about its sockets: what
//! its file descriptors stand for, who has the other end of a pipe or a socket, who holds a file's
//! lock. `inspect` uses it, and `libompd` for gdb and lldb.
//!
//! What must hold: the work is bounded, however many processes and descriptors there are. Facts
//! that the kernel does not let us see are left out.

mod chains;
mod ended;
mod ends;
mod files;
mod frozen;
mod locks;
mod openers;
mod prospects;
mod sharers;
mod signals;
mod sockets;
mod spaces;
mod system_v;
mod unread;

use std::cell::OnceCell;
use std::fs;
use std::time::Duration;

use super::{FileState, Holder, Kernel, Prospect, Wanted, calls};
use crate::snapshot::InheritedEnd;
use crate::target::word;
use crate::{Registers, Target};
use ends::Ends;
use locks::OfFiles;
pub use spaces::number_within;
use spaces::process_of;

/// The most descriptors of one process that are looked at.
const MOST_OF_ONE: usize = 4096;
/// The most descriptors that are named, of those that an event poll watches.
const MOST_WATCHED: usize = 4;

/// The kernel's view of one process on this machine.
pub struct Machine {
    /// The process; `None` where it is not on this machine.
    pid: Option<u32>,
    /// The ends of pipes and sockets, once somebody waits at one.
    ends: OnceCell<Ends>,
    /// The locks of open files, once somebody waits for one.
    locks: OnceCell<OfFiles>,
    /// The memory that other processes share, once a thread is in a loop.
    memory: OnceCell<sharers::Memory>,
}

impl Machine {
    /// Makes the view of the process `pid`. With `None` it says nothing.
    pub fn of(pid: Option<u32>) -> Machine {
        let (ends, locks, memory) = Default::default();
        Machine { pid, ends, locks, memory }
    }

    fn end(&self, pid: u32, number: i32) -> Option<String> {
        self.ends.get_or_init(|| Ends::of_all(pid)).other(pid, number)
    }
}

impl Kernel for Machine {
    fn descriptor(&self, number: i32) -> Option<String> {
        let pid = self.pid?;
        let target = target(pid, number)?;
        let more = match &*target {
            name if name.starts_with("pipe:") || name.starts_with("socket:") => {
                self.end(pid, number)
            }
            "anon_inode:[eventpoll]" => {
                let ends = || self.ends.get_or_init(|| Ends::of_all(pid));
                watched(pid, number, &|other| ends().seen_from(pid, pid, other))
            }
            "anon_inode:[eventfd]" => count(pid, number),
            _ => None,
        };
        Some(target + &more.map_or_else(String::new, |more| format!(", {more}")))
    }

    fn file_lock_holder(&self, number: i32, wanted: &Wanted) -> Option<Holder> {
        let pid = self.pid?;
        locks::holder(pid, number, wanted, || self.locks.get_or_init(|| OfFiles::of_all(pid)))
    }

    fn prospect(&self, target: &dyn Target, registers: &Registers, name: &str) -> Prospect {
        let Some(pid) = self.pid else { return Prospect::Stays };
        let descriptors = calls::descriptors(target, registers, name);
        let signals = || word(target, registers.call[2]).ok();
        let asleep = prospects::Asleep {
            pid,
            registers,
            name,
            descriptors: &descriptors,
            signals: (name == "rt_sigtimedwait").then(signals).flatten(),
            for_lock: calls::wanted_lock(target, registers, name).is_some(),
        };
        prospects::prospect(&asleep, &|| self.ends.get_or_init(|| Ends::of_all(pid)))
    }

    fn now(&self, is_real: bool) -> Option<Duration> {
        spaces::now(self.pid?, is_real)
    }

    fn is_written_elsewhere(&self, address: u64) -> bool {
        let Some(pid) = self.pid else { return false };
        let memory = self.memory.get_or_init(|| sharers::Memory::of(pid));
        !memory.writers(address).is_empty()
    }

    fn handled_signals(&self) -> Vec<String> {
        self.pid.map_or_else(Vec::new, signals::handled)
    }

    fn withheld_signals(&self) -> Vec<String> {
        self.pid.map_or_else(Vec::new, signals::withheld)
    }

    fn frozen(&self) -> Option<String> {
        frozen::by(self.pid?)
    }

    fn process_of(&self, seen: u32) -> Option<u32> {
        process_of(self.pid?, seen)
    }

    fn process_name(&self, pid: u32) -> Option<String> {
        self.pid?;
        name(pid)
    }

    fn waits_for(&self, pid: u32) -> String {
        let Some(this) = self.pid else { return String::new() };
        chains::of(this, pid, self.ends.get_or_init(|| Ends::of_all(this)))
    }

    fn children(&self) -> Vec<u32> {
        self.pid.map_or_else(Vec::new, prospects::children)
    }

    fn ended_processes(&self) -> Vec<String> {
        self.pid.map_or_else(Vec::new, ended::unasked)
    }

    fn inherited_ends(&self, first: u32) -> Vec<InheritedEnd> {
        let Some(this) = self.pid else { return Vec::new() };
        chains::inherited(this, first, self.ends.get_or_init(|| Ends::of_all(this)))
    }

    fn forked_from(&self) -> Option<u32> {
        spaces::forked_from(self.pid?)
    }

    fn other_ends(&self, number: i32) -> Vec<(u32, i32)> {
        let Some(pid) = self.pid else { return Vec::new() };
        self.ends.get_or_init(|| Ends::of_all(pid)).far_ends(pid, number)
    }

    fn reads_at(&self, pid: u32, number: i32) -> bool {
        self.pid.is_some() && ends::reads_at(pid, number)
    }

    fn is_stopped(&self, pid: u32) -> bool {
        self.pid.is_some() && is_stopped(pid)
    }

    fn semaphore(&self, set: i32, number: u16) -> Option<String> {
        system_v::semaphore(self.pid?, set, number)
    }

    fn message_queue(&self, queue: i32) -> Option<String> {
        system_v::message_queue(self.pid?, queue)
    }

    fn is_fifo(&self, path: &str) -> bool {
        self.pid.is_some_and(|pid| openers::is_fifo(pid, path))
    }

    fn file_state(&self, path: &str) -> Option<FileState> {
        files::state(self.pid?, path)
    }

    fn is_at_end(&self, number: i32) -> Option<&'static str> {
        let pid = self.pid?;
        unread::end_words(pid, number, &target(pid, number)?)
    }

    fn fifo_openers(&self) -> Vec<(u32, String, u64)> {
        self.pid.map_or_else(Vec::new, openers::of_fifos)
    }
}

/// The state of an event counter: "its count is 0, and one read takes all of it".
fn count(pid: u32, number: i32) -> Option<String> {
    let info = info(pid, number)?;
    let count = field(&info, "eventfd-count", 16)?;
    let takes = match field(&info, "eventfd-semaphore", 10) {
        Some(0) => ", and one read takes all of it",
        _ => "",
    };
    Some(format!("its count is {count}{takes}"))
}

/// Whether a signal has stopped the process.
fn is_stopped(pid: u32) -> bool {
    // The name of the process stands in brackets, and may have brackets in it.
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T'))
}

/// The name of a process.
fn name(pid: u32) -> Option<String> {
    let name = fs::read(format!("/proc/{pid}/comm")).ok()?;
    Some(String::from_utf8_lossy(&name).trim_end().to_owned())
}

/// The text of a descriptor's link in `/proc`: what the descriptor stands for.
fn target(pid: u32, number: i32) -> Option<String> {
    let target = fs::read_link(format!("/proc/{pid}/fd/{number}")).ok()?;
    Some(target.to_string_lossy().into_owned())
}

/// All processes that we may see.
fn processes() -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut all: Vec<u32> =
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    all.sort_unstable();
    all
}

/// The numbers of a process's descriptors.
fn numbers(pid: u32) -> impl Iterator<Item = i32> {
    let entries = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten();
    let names = entries.flatten().map(|entry| entry.file_name());
    names.filter_map(|name| name.to_str()?.parse().ok()).take(MOST_OF_ONE)
}

/// All that the kernel says of a descriptor.
fn info(pid: u32, number: i32) -> Option<String> {
    fs::read_to_string(format!("/proc/{pid}/fdinfo/{number}")).ok()
}

/// Returns the number that stands behind a name in the kernel's text about a descriptor.
fn field(info: &str, name: &str, base: u32) -> Option<u64> {
    let text = info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    u64::from_str_radix(text.trim(), base).ok()
}

/// The descriptors that an event poll watches, in words. `end`: says who has the other end of one.
fn watched(pid: u32, number: i32, end: &dyn Fn(i32) -> Option<String>) -> Option<String> {
    let mut all = watched_by(pid, number);
    let more = all.len().saturating_sub(MOST_WATCHED);
    all.truncate(MOST_WATCHED);
    let info = info(pid, number).unwrap_or_default();
    let each = all.iter().map(|other| {
        let left = unread::unread_words(pid, *other, &info);
        match target(pid, *other) {
            Some(what) => {
                let by = end(*other).map_or_else(String::new, |by| format!(", {by}"));
                format!("file descriptor {other} ({what}{by}){left}")
            }
            None => format!("file descriptor {other}{left}"),
        }
    });
    let each: Vec<String> = each.collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!each.is_empty()).then(|| format!("which watches {}{more}", each.join(", ")))
}

/// The numbers of the descriptors that an event poll watches; empty if the descriptor is no event
/// poll.
fn watched_by(pid: u32, number: i32) -> Vec<i32> {
    let info = info(pid, number).unwrap_or_default();
    let words = |line: &str| line.strip_prefix("tfd:")?.split_whitespace().next()?.parse().ok();
    let mut all: Vec<i32> = info.lines().filter_map(words).collect();
    all.sort_unstable();
    all
}
