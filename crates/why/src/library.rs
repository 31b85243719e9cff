//! Locks of the C library of which it does not tell who holds them: its own, and what readers hold.

use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};

use crate::{Finding, cycle, words};

/// How such a lock is called.
const OWN: &str = "lock of the C library";
/// Threads that are named.
const MOST_NAMED: usize = 8;

/// Where `thread` waits for one of the library's own locks, what may be known of it.
pub fn find(snapshot: &Snapshot, thread: &Thread, others: &str) -> Option<Finding> {
    let Some(Wait::Unknown { what }) = &thread.waits else { return None };
    if !what.contains(OWN) {
        return None;
    }
    let (name, at) = (words::thread(thread), words::at(thread));
    let signal = thread.stack.iter().position(|frame| frame.function == cycle::SIGNAL);
    let interrupted = signal.map(|signal| &thread.stack[signal + 1..]);
    if let Some(below) = interrupted.filter(|below| below.first().is_some_and(words::is_system)) {
        let summary = format!(
            "{name} waits{at}, in a signal's handler, for {what}: the signal came while it was in \
             the C library{}{others}.",
            cycle::standing_below(below)
        );
        let mut finding = Finding::new("lock-in-signal-handler", summary);
        let rule = "A handler may call no function that takes a lock, as malloc, free and printf \
                    do (man 7 signal-safety).";
        finding.details.push(rule.to_owned());
        return Some(finding);
    }
    let summary =
        format!("{name} waits for {what}{at}, and no other thread is known to hold it{others}.");
    let mut finding = Finding::new("waits-for-ever", summary);
    let is_inside = |other: &&Thread| {
        matches!(&other.waits, Some(Wait::Call { what, .. }) if !words::is_message_passing(what))
            && other.lwp != thread.lwp
            && other.stack.first().is_some_and(words::is_system)
    };
    for other in snapshot.threads.iter().filter(is_inside).take(MOST_NAMED) {
        finding.details.push(format!(
            "{} is in the C library, and may hold it{}: {}",
            words::thread(other),
            words::at(other),
            words::doing(snapshot, other)
        ));
    }
    Some(finding)
}

/// Who has taken a read-write lock, as far as its code tells, where readers may hold the one that
/// `thread` waits for.
pub fn add_readers(snapshot: &Snapshot, thread: &Thread, finding: &mut Finding) {
    match &thread.waits {
        Some(Wait::Unknown { what }) if what.contains("read-write lock") => {}
        _ => return,
    }
    let takes = |thread: &Thread| {
        let taken = thread.taken.iter().filter(|taken| taken.by.contains("rwlock"));
        taken.map(|taken| taken.place.clone()).next_back()
    };
    let each = snapshot.threads.iter().filter_map(|thread| Some((thread, takes(thread)?)));
    for (reader, place) in each.take(MOST_NAMED) {
        let name = words::thread(reader);
        finding.details.push(format!("{name} took a read-write lock at {place}, and has it still"));
    }
}
