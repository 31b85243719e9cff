//! Finds causes at the C library's own locks. The library does not tell who holds them.
//! `outside.rs` calls it for one thread, `graph` for the holders.

use omphalos_ompd_view::asleep::calls;
use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};

use crate::{Finding, cycle, is_pause, words};

/// The name of such a lock in texts.
const OWN: &str = "lock of the C library";

/// Returns the known facts about the wait of `thread`, if it waits for one of the library's own
/// locks. `others`: the end of the sentence, about threads that wait for this one.
pub fn find(snapshot: &Snapshot, thread: &Thread, others: &str) -> Option<Finding> {
    let what = wanted(thread)?;
    let (name, at) = (words::thread(thread), words::at(thread));
    let within =
        words::called(&thread.stack).map_or_else(String::new, |call| format!(", in {call}"));
    if let Some(below) = words::interrupted(thread).filter(|_| may_hold(thread)) {
        let summary = format!(
            "{name} waits{at} for {what}{within}: the signal came while it was in {}{}{others}.",
            words::called(below).unwrap_or("the C library"),
            cycle::standing_below(below)
        );
        let mut finding = Finding::new("lock-in-signal-handler", summary);
        let rule = "A handler may call no function that takes a lock, as malloc, free and printf \
                    do (man 7 signal-safety).";
        finding.details.push(rule.to_owned());
        return Some(finding);
    }
    let summary = format!(
        "{name} waits for {what}{within}{at}, and no other thread is known to hold it{others}."
    );
    let mut finding = Finding::new("waits-for-ever", summary);
    let is_inside = |other: &&Thread| {
        matches!(&other.waits, Some(Wait::Call { what, .. }) if !words::is_message_passing(what))
            && other.lwp != thread.lwp
            && other.stack.first().is_some_and(words::is_system)
    };
    let inside: Vec<&Thread> = snapshot.threads.iter().filter(is_inside).collect();
    for other in inside.iter().take(words::MOST_NAMED) {
        finding.details.push(format!(
            "{} is in the C library, and may hold it{}: {}",
            words::thread(other),
            words::at(other),
            words::doing(snapshot, other)
        ));
    }
    if let Some(more) = inside.len().checked_sub(words::MOST_NAMED).filter(|more| *more > 0) {
        finding.details.push(format!("and {more} more"));
    }
    Some(finding)
}

/// The text about the library's own lock that a thread waits for, if it waits for one.
fn wanted(thread: &Thread) -> Option<&str> {
    match &thread.waits {
        Some(Wait::Unknown { what }) if what.contains(OWN) => Some(what),
        _ => None,
    }
}

/// Whether the thread waits for one of the library's own locks in a signal's handler, and may hold
/// the lock itself. It may if the signal came in a function of the library, except a function that
/// only lets time pass or waits for others.
fn may_hold(thread: &Thread) -> bool {
    const WITHOUT: [&str; 5] = ["pthread_", "sem_", "sig", "raise", "futex"];
    let holds_none = |name: &str| {
        let is_one = WITHOUT.iter().any(|begin| name.starts_with(begin));
        is_one || is_pause(name) || calls::is_name(name)
    };
    let Some(below) = words::interrupted(thread) else { return false };
    wanted(thread).is_some()
        && below.first().is_some_and(words::is_system)
        && !words::called(below).is_some_and(holds_none)
}

/// Whether the thread waits in a signal's handler for one of the library's own locks, and may hold
/// the lock itself.
pub fn is_in_handler(thread: &Thread) -> bool {
    words::interrupted(thread).is_some() && may_hold(thread)
}

/// Returns the other thread that may hold the lock of the library's for which `thread` waits. That
/// thread was in the library when a signal came, and its handler waits for the same lock.
pub fn holder(snapshot: &Snapshot, thread: &Thread) -> Option<usize> {
    let what = wanted(thread).filter(|_| !may_hold(thread))?;
    let holds = |other: &Thread| wanted(other) == Some(what) && may_hold(other);
    snapshot.threads.iter().position(holds)
}
