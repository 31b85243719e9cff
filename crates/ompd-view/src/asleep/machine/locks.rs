//! Who holds the lock of a file, or of a part of it, that a thread waits for.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::super::{Holder, Wanted};
use super::{field, info, numbers};

/// A lock as the kernel lists it.
struct Held<'a> {
    kind: &'a str,
    writes: bool,
    /// The process that took it; negative for those of open files.
    pid: i64,
    file: &'a str,
    /// The first byte, and the last one.
    span: (u64, u64),
}

/// "1: FLOCK ADVISORY WRITE 4711 08:01:17 0 EOF"; those who wait have an arrow before.
fn held(line: &str) -> Option<Held<'_>> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let [_, kind, _, access, pid, file, first, last] = words[..] else { return None };
    let last = if last == "EOF" { u64::MAX } else { last.parse().ok()? };
    let (pid, first) = (pid.parse().ok()?, first.parse().ok()?);
    Some(Held { kind, writes: access == "WRITE", pid, file, span: (first, last) })
}

/// The bytes that a record lock is wanted for: the first and the last one.
fn span(pid: u32, number: i32, wanted: &Wanted, size: u64) -> Option<(u64, u64)> {
    let &Wanted::Record { whence, start, length, .. } = wanted else { return Some((0, u64::MAX)) };
    let from = match whence {
        0 => 0,
        1 => field(&info(pid, number)?, "pos", 10)?,
        2 => size,
        _ => return None,
    };
    let start = i64::try_from(from).ok()?.checked_add(start)?;
    // What is before counts, where the length is negative.
    let (first, last) = match length {
        0 => (start, i64::MAX),
        1.. => (start, start.saturating_add(length - 1)),
        _ => (start.checked_add(length)?, start - 1),
    };
    let last = if last == i64::MAX { u64::MAX } else { u64::try_from(last).ok()? };
    Some((u64::try_from(first).ok()?, last))
}

/// Who holds a lock that is in the way of what is wanted of the file behind a descriptor.
pub fn holder(pid: u32, number: i32, wanted: &Wanted) -> Option<Holder> {
    let data = fs::metadata(format!("/proc/{pid}/fd/{number}")).ok()?;
    // The device's number as the kernel and the C library make one of two.
    let device = data.dev();
    let major = (device >> 8) & 0xfff | (device >> 32) & !0xfff;
    let minor = device & 0xff | (device >> 12) & !0xff & 0xffff_ffff;
    let file = format!("{major:02x}:{minor:02x}:{}", data.ino());
    let (kinds, writes): (&[&str], bool) = match wanted {
        Wanted::Whole { writes } => (&["FLOCK"], *writes),
        Wanted::Record { writes, .. } => (&["POSIX", "OFDLCK"], *writes),
    };
    let (first, last) = span(pid, number, wanted, data.len())?;
    let is_in_the_way = |held: &Held<'_>| {
        kinds.contains(&held.kind)
            && held.file == file
            && (writes || held.writes)
            && held.span.0 <= last
            && first <= held.span.1
    };
    let text = fs::read_to_string("/proc/locks").ok()?;
    let found = text.lines().filter_map(held).filter(is_in_the_way);
    let mut holders: Vec<i64> = found.map(|held| held.pid).collect();
    let by_whole = matches!(wanted, Wanted::Whole { .. });
    let is_own = |held: &Held<'_>| held.kind == "FLOCK" || held.kind == "OFDLCK";
    // A process is never in the way of its own locks by `fcntl`, but for those of open files.
    holders.retain(|holder| *holder > 0 && (by_whole || *holder != i64::from(pid)));
    // The kernel knows who took a lock. The descriptor may have come to others by a fork since.
    let own = || {
        let holds = |other: &i32| {
            let info = info(pid, *other).unwrap_or_default();
            let mut locks = info.lines().filter_map(|line| held(line.strip_prefix("lock:")?));
            locks.any(|held| is_in_the_way(&held) && is_own(&held))
        };
        numbers(pid).filter(|other| *other != number).find(holds)
    };
    match holders.iter().find(|holder| **holder != i64::from(pid)) {
        Some(other) => Some(Holder::Process(u32::try_from(*other).ok()?)),
        None => own().map(Holder::Descriptor),
    }
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
        let wanted = |whence, start, length| Wanted::Record { writes: true, whence, start, length };
        let span = |wanted: Wanted| span(0, -1, &wanted, 100);
        assert_eq!(span(wanted(0, 5, 10)), Some((5, 14)));
        assert_eq!(span(wanted(2, -10, 0)), Some((90, u64::MAX)));
        assert_eq!(span(wanted(2, 0, -10)), Some((90, 99)));
        assert_eq!(span(wanted(0, 5, -10)), None);
        assert_eq!(span(wanted(9, 5, 1)), None);
        assert_eq!(span(wanted(0, i64::MAX, i64::MAX)), Some((i64::MAX as u64, u64::MAX)));
    }
}
