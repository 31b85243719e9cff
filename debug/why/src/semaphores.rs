//! Finds threads that each have a semaphore and want another one. A semaphore has no holder, but
//! the code of a thread shows that it has taken one and not released it.

use omphalos_ompd_view::snapshot::{Snapshot, Taken, Thread, Wait};

use crate::{Finding, words};

/// The place where the thread's code took a semaphore that it still has, if the thread waits for a
/// semaphore.
pub fn semaphore_taken(thread: &Thread) -> Option<&Taken> {
    match &thread.waits {
        Some(Wait::Unknown { what }) if what.contains("semaphore") => {
            thread.taken.iter().find(|taken| taken.by.contains("sem_"))
        }
        _ => None,
    }
}

/// Returns the finding for threads that each have a semaphore and want another one.
pub fn finding(snapshot: &Snapshot, threads: &[&Thread]) -> Finding {
    let mut places: Vec<String> = Vec::new();
    for place in threads.iter().filter_map(|thread| words::standing(thread)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let summary = format!(
        "{} wait for each other: each has taken a semaphore that it has not released, and waits \
         for another one: {}.",
        words::threads(threads),
        words::some(&places)
    );
    let mut finding = Finding::new("cycle", summary);
    finding.details.extend(words::lines(snapshot, threads));
    let mut taken_at: Vec<(&str, Vec<&Thread>)> = Vec::new();
    for thread in threads {
        let Some(taken) = semaphore_taken(thread) else { continue };
        match taken_at.iter_mut().find(|(place, _)| *place == taken.place) {
            Some((_, who)) => who.push(thread),
            None => taken_at.push((&taken.place, vec![thread])),
        }
    }
    for (place, who) in taken_at.iter().take(words::MOST_NAMED) {
        finding.details.push(format!("{} took a semaphore at {place}", words::threads(who)));
    }
    finding.threads = threads.iter().map(|thread| thread.lwp).collect();
    finding
}
