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
        let on = if group.len() > 1 { "they go on" } else { "it goes on" };
        finding.details.push(format!("{who} may come to {place} once {on}."));
    }
    let new = groups.iter().flat_map(|(_, group)| group);
    let new = new.filter(|other| !finding.threads.contains(&other.lwp));
    let new: Vec<&Thread> = new.copied().collect();
    finding.details.extend(words::lines(snapshot, &new));
    finding.threads.extend(new.iter().map(|other| other.lwp));
}
