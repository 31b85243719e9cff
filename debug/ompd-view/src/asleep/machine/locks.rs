//! Finds who holds the lock of a file, or of a part of it, that a thread waits for.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::super::{Holder, Wanted};
use super::{field, info, name, numbers, processes};

/// A lock as the kernel lists it.
struct Held<'a> {
    kind: &'a str,
    writes: bool,
    /// The process that took it; negative for a lock that belongs to an open file.
    pid: i64,
    file: &'a str,
    /// The first byte, and the last one.
    span: (u64, u64),
}

/// Reads "1: FLOCK ADVISORY WRITE 4711 08:01:17 0 EOF". Returns `None` for a lock that is waited
/// for: such a line has an arrow.
fn held(line: &str) -> Option<Held<'_>> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let [_, kind, _, access, pid, file, first, last] = words[..] else { return None };
    let last = if last == "EOF" { u64::MAX } else { last.parse().ok()? };
    let (pid, first) = (pid.parse().ok()?, first.parse().ok()?);
    Some(Held { kind, writes: access == "WRITE", pid, file, span: (first, last) })
}

/// Returns the bytes that a record lock is wanted for: the first and the last one.
fn span(pid: u32, number: i32, wanted: &Wanted, size: u64) -> Option<(u64, u64)> {
    let &Wanted::Record { whence, start, length, .. } = wanted else { return Some((0, u64::MAX)) };
    let from = match whence {
        0 => 0,
        1 => field(&info(pid, number)?, "pos", 10)?,
        2 => size,
        _ => return None,
    };
    let start = i64::try_from(from).ok()?.checked_add(start)?;
    // A negative length counts the bytes in front of the start.
    let (first, last) = match length {
        0 => (start, i64::MAX),
        1.. => (start, start.saturating_add(length - 1)),
        _ => (start.checked_add(length)?, start - 1),
    };
    let last = if last == i64::MAX { u64::MAX } else { u64::try_from(last).ok()? };
    Some((u64::try_from(first).ok()?, last))
}

/// The most descriptors, of all processes together, whose locks are read.
const MOST_OF_ALL: usize = 1 << 16;
/// The most processes that are named as holders.
const MOST_NAMED: usize = 3;

/// The locks that belong to open files, of all processes that we may look at. Every process with a
/// descriptor of such a file has its lock, whichever process took it. The locks of the process in
/// question come first.
pub struct OfFiles(Vec<(u32, i32, String)>);

impl OfFiles {
    /// Collects the locks of `pid`, then those of other processes.
    pub fn of_all(pid: u32) -> OfFiles {
        let others = processes().into_iter().filter(|other| *other != pid);
        let all = std::iter::once(pid).chain(others);
        let each = all.flat_map(|pid| numbers(pid).map(move |number| (pid, number)));
        let mut found = Vec::new();
        for (pid, number) in each.take(MOST_OF_ALL) {
            let info = info(pid, number).unwrap_or_default();
            let locks = info.lines().filter_map(|line| line.strip_prefix("lock:"));
            found.extend(locks.map(|lock| (pid, number, lock.to_owned())));
        }
        OfFiles(found)
    }
}

/// Returns who holds a lock that is in the way of the wanted one, on the file behind a descriptor.
pub fn holder<'a>(
    pid: u32,
    number: i32,
    wanted: &Wanted,
    of_files: impl FnOnce() -> &'a OfFiles,
) -> Option<Holder> {
    let data = fs::metadata(format!("/proc/{pid}/fd/{number}")).ok()?;
    // The kernel and the C library make the device's number out of two in different ways.
    let device = data.dev();
    let major = (device >> 8) & 0xfff | (device >> 32) & !0xfff;
    let minor = device & 0xff | (device >> 12) & !0xff & 0xffff_ffff;
    let file = format!("{major:02x}:{minor:02x}:{}", data.ino());
    let (kinds, writes, of_process): (&[&str], bool, bool) = match *wanted {
        Wanted::Whole { writes } => (&["FLOCK"], writes, false),
        Wanted::Record { writes, of_file, .. } => (&["POSIX", "OFDLCK"], writes, !of_file),
    };
    let (first, last) = span(pid, number, wanted, data.len())?;
    let is_in_the_way = |held: &Held<'_>| {
        kinds.contains(&held.kind)
            && held.file == file
            && (writes || held.writes)
            && held.span.0 <= last
            && first <= held.span.1
            // The locks of one process are never in each other's way.
            && !(of_process && held.kind == "POSIX" && held.pid == i64::from(pid))
    };
    // In a container the list leaves out locks that were taken by a process that is gone.
    let text = fs::read_to_string("/proc/locks").unwrap_or_default();
    let found: Vec<Held<'_>> = text.lines().filter_map(held).filter(is_in_the_way).collect();
    let is_process = |held: &&Held<'_>| held.kind == "POSIX" && held.pid > 0;
    let by_process = found.iter().find(is_process).and_then(|held| u32::try_from(held.pid).ok());
    if let Some(other) = by_process.filter(|other| *other != pid) {
        return Some(Holder { descriptor: None, processes: vec![other] });
    }
    let mut holder = Holder::default();
    for (of, other, lock) in &of_files().0 {
        let Some(held) = held(lock).filter(|held| is_in_the_way(held)) else { continue };
        // A lock of an open file is not in the way of that same open file.
        if held.kind != "POSIX" && is_same_file((pid, number), (*of, *other)) {
            continue;
        }
        if *of == pid {
            // A lock that the process holds itself is listed at each of its descriptors of the
            // file.
            let is_better = holder.descriptor.is_none_or(|known| known == number);
            holder.descriptor = if is_better { Some(*other) } else { holder.descriptor };
        } else if !holder.processes.contains(of) && holder.processes.len() < MOST_NAMED {
            holder.processes.push(*of);
        }
    }
    // We may not look at the holder. The kernel knows who took the lock, if that process still
    // exists.
    if holder == Holder::default() {
        let taker = found.iter().filter_map(|held| u32::try_from(held.pid).ok());
        let is_there = |taker: &u32| *taker > 0 && *taker != pid && name(*taker).is_some();
        holder.processes.extend(taker.filter(is_there).take(1));
    }
    (holder != Holder::default()).then_some(holder)
}

/// Whether two descriptors are of one open file: copies of each other.
fn is_same_file((pid, number): (u32, i32), (of, other): (u32, i32)) -> bool {
    const FILE: i32 = 0;
    // SAFETY: a call without memory; the kernel checks the numbers.
    let order = unsafe { libc::syscall(libc::SYS_kcmp, pid, of, FILE, number, other) };
    (pid, number) == (of, other) || order == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_list_is_read() {
        let all = held("3: OFDLCK ADVISORY  READ -1 fe:01:17 5 9").map(|held| {
            (held.kind.to_owned(), held.writes, held.pid, held.file.to_owned(), held.span)
        });
        assert_eq!(all, Some(("OFDLCK".to_owned(), false, -1, "fe:01:17".to_owned(), (5, 9))));
        assert!(held("3: -> POSIX ADVISORY WRITE 5 fe:01:17 0 EOF").is_none());
    }

    #[test]
    fn a_span_counts_from_where_it_is_told() {
        let wanted = |whence, start, length| Wanted::Record {
            writes: true,
            of_file: false,
            whence,
            start,
            length,
        };
        let span = |wanted: Wanted| span(0, -1, &wanted, 100);
        assert_eq!(span(wanted(0, 5, 10)), Some((5, 14)));
        assert_eq!(span(wanted(2, -10, 0)), Some((90, u64::MAX)));
        assert_eq!(span(wanted(2, 0, -10)), Some((90, 99)));
        assert_eq!(span(wanted(0, 5, -10)), None);
        assert_eq!(span(wanted(9, 5, 1)), None);
        assert_eq!(span(wanted(0, i64::MAX, i64::MAX)), Some((i64::MAX as u64, u64::MAX)));
    }
}
