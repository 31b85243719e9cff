//! Adds to findings the threads that would end a wait if they went on.

use omphalos_ompd_view::snapshot::{Snapshot, Thread};

use crate::{Finding, words};

/// Says which threads would come to a place that ends the wait of `thread`. Also says what these
/// threads wait for, if the finding does not name that yet.
pub fn add(snapshot: &Snapshot, thread: &Thread, finding: &mut Finding) {
    let Some(brings) = &thread.brings else { return };
    let by_lwp = |lwp: u32| snapshot.threads.iter().find(|other| other.lwp == lwp);
    let mut groups: Vec<(&str, Vec<&Thread>)> = Vec::new();
    for comer in &brings.comers {
        let Some(other) = by_lwp(comer.lwp) else { continue };
        match groups.iter_mut().find(|(place, _)| *place == comer.place) {
            Some((_, group)) => group.push(other),
            None => groups.push((&comer.place, vec![other])),
        }
    }
    for (place, group) in &groups {
        let who = words::threads(group);
        let (on, wait) = match group.len() {
            1 => ("it goes on", "waits for it itself"),
            _ => ("they go on", "wait for it themselves"),
        };
        finding.details.push(match group.iter().all(|other| other.waits == thread.waits) {
            true => format!("{who} may come to {place} once {on}, and {wait}."),
            false => format!("{who} may come to {place} once {on}."),
        });
    }
    let new = groups.iter().flat_map(|(_, group)| group);
    let new = new.filter(|other| !finding.threads.contains(&other.lwp));
    let new: Vec<&Thread> = new.copied().collect();
    finding.details.extend(words::lines(snapshot, &new));
    finding.threads.extend(new.iter().map(|other| other.lwp));
}

/// Whether all threads that would end the wait of `thread` wait for the same thing.
pub fn are_peers(snapshot: &Snapshot, thread: &Thread) -> bool {
    let Some(brings) = thread.brings.as_ref().filter(|it| !it.comers.is_empty()) else {
        return false;
    };
    let other = |lwp: u32| snapshot.threads.iter().find(|other| other.lwp == lwp);
    brings.comers.iter().all(|it| other(it.lwp).is_some_and(|it| it.waits == thread.waits))
}
