//! Finds threads of one process that wait in system calls for each other: at the two ends of a
//! connection, for locks of files that the process has by other descriptors, or to open FIFOs.
//!
//! What must hold, as for all causes: no other thread that goes on could end these waits.

use omphalos_ompd_view::snapshot::{Bringing, Snapshot, Thread, Wait};

use crate::{Finding, comers, words};

/// The text for a lock that is already the process's own.
const OF_OWN_LOCK: &str = "its lock held by this process, by";
/// The texts for a socket or pipe whose other end is the process's.
const OTHER_ENDS: [&str; 3] = [
    "its other end is file descriptor ",
    "written by file descriptor ",
    "read by file descriptor ",
];

/// The words in front of the descriptors that a thread watches by `epoll`.
const WATCHES: &str = "which watches ";

/// Returns the finding for the first cause that waits in a pair with other causes, or else for the
/// causes that wait for locks of files that the process has by other descriptors. `None` if there
/// are no such causes.
pub fn find(snapshot: &Snapshot, causes: &[&Thread]) -> Option<Finding> {
    let first = causes.iter().copied().find(|one| causes.iter().any(|it| are_paired(one, it)));
    if let Some(first) = first {
        let is_it = |one: &&Thread| one.lwp == first.lwp || are_paired(first, one);
        let ends: Vec<&Thread> = causes.iter().copied().filter(is_it).collect();
        let what = "wait for each other, each at an end of what the other one has the other end of";
        return Some(finding(snapshot, &ends, what, "cycle"));
    }
    if let Some(finding) = openers(snapshot, causes) {
        return Some(finding);
    }
    let of_lock = |thread: &&&Thread| called(thread).is_some_and(|it| it.contains(OF_OWN_LOCK));
    let locks: Vec<&Thread> = causes.iter().filter(of_lock).copied().collect();
    let what = "wait, each for the lock of a file that this process has by another descriptor, and \
                no thread goes on that could give one back";
    (locks.len() > 1).then(|| finding(snapshot, &locks, what, "system-call"))
}

/// Returns the finding for the first two causes that wait to open FIFOs, if each may open what the
/// other one waits for, and does so only once it goes on.
fn openers(snapshot: &Snapshot, causes: &[&Thread]) -> Option<Finding> {
    let brings = |thread: &Thread, other: &Thread| {
        let brings = thread.brings.as_ref().filter(|brings| brings.what == Bringing::Open);
        brings.is_some_and(|brings| brings.comers.iter().any(|comer| comer.lwp == other.lwp))
    };
    let meets = |one: &Thread, other: &Thread| brings(one, other) && brings(other, one);
    let mut each = causes.iter().copied();
    let other = |one: &Thread| causes.iter().copied().find(|other| meets(one, other));
    let pair = each.find_map(|one| Some([one, other(one)?]))?;
    let what = "wait in open, each until somebody opens the other end of its FIFO, and each may \
                open what the other one waits for only behind that wait";
    let mut finding = finding(snapshot, &pair, what, "cycle");
    pair.iter().for_each(|thread| comers::add(snapshot, thread, &mut finding));
    Some(finding)
}

fn called(thread: &Thread) -> Option<&str> {
    match &thread.waits {
        Some(Wait::Call { what, .. }) => Some(what),
        _ => None,
    }
}

/// Whether each thread waits at the other end of the other thread's descriptor. One of them may
/// watch its end of a socket by `epoll`.
fn are_paired(one: &Thread, other: &Thread) -> bool {
    let end = |text: &str, words: &[&str]| {
        let (_, rest) = words.iter().find_map(|words| text.split_once(words))?;
        Some(format!("file descriptor {} (", rest.split(' ').next()?))
    };
    let meets = |one: &str, other: &str| {
        end(one, &OTHER_ENDS).is_some_and(|descriptor| other.starts_with(&descriptor))
    };
    let is_watched = |one: &str, other: &str| {
        let watched = other.split_once(WATCHES).map(|(_, watched)| watched);
        let is_in = |descriptor: String| watched.is_some_and(|all| all.contains(&descriptor));
        end(one, &OTHER_ENDS[..1]).is_some_and(is_in)
    };
    let both = called(one).zip(called(other)).filter(|_| one.lwp != other.lwp);
    both.is_some_and(|(here, there)| {
        meets(here, there) && meets(there, here)
            || is_watched(here, there)
            || is_watched(there, here)
    })
}

fn finding(snapshot: &Snapshot, threads: &[&Thread], what: &str, kind: &str) -> Finding {
    let mut places: Vec<String> = Vec::new();
    for place in threads.iter().filter_map(|thread| words::standing(thread)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let mut summary = format!("{} {what}: {}.", words::threads(threads), words::some(&places));
    let unread = threads.iter().find_map(|thread| Some((thread, words::left_unread(thread)?)));
    if let Some((thread, left)) = unread {
        summary += &format!(
            " {} has left {left} unread, and epoll does not tell of them again (EPOLLET): a \
             reader must read until nothing is left.",
            words::thread(thread)
        );
    }
    let mut finding = Finding::new(kind, summary);
    finding.details.extend(words::lines(snapshot, threads));
    finding.details.extend(threads.first().and_then(|first| words::brings(first)));
    for line in threads.iter().flat_map(|thread| words::file_lock_takers(snapshot, thread)) {
        if !finding.details.contains(&line) {
            finding.details.push(line);
        }
    }
    finding.threads = threads.iter().map(|thread| thread.lwp).collect();
    finding
}
