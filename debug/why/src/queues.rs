//! Finds threads that all send to one full message queue, or all take from an empty one.
//!
//! What must hold, as for all causes: no other thread that goes on could end these waits.

use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};

use crate::{Finding, comers, words};

/// The finding for the first of the causes that wait at one queue, if there are several of them.
pub fn find(snapshot: &Snapshot, causes: &[&Thread]) -> Option<Finding> {
    let of_queue = |wanted: (bool, &str)| -> Vec<&Thread> {
        causes.iter().copied().filter(|thread| queue(thread) == Some(wanted)).collect()
    };
    let each = causes.iter().filter_map(|thread| queue(thread));
    let ((sends, name), all) =
        each.map(|queue| (queue, of_queue(queue))).find(|(_, all)| all.len() > 1)?;
    let (waits, brings) = match sends {
        true => ("sends to", "takes messages from it"),
        false => ("wants a message of", "sends one to it"),
    };
    let first = all[0];
    let comes = |thread: &&Thread| {
        let known = all.iter().filter_map(|other| other.brings.as_ref());
        known.flat_map(|brings| &brings.comers).any(|comer| comer.lwp == thread.lwp)
    };
    let end = match all.iter().all(comes) {
        true => format!("and {brings} only behind that"),
        false => format!("and no thread goes on that {brings}"),
    };
    let mut places: Vec<String> = Vec::new();
    for place in all.iter().filter_map(|thread| words::standing(thread)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let (who, places) = (words::threads(&all), words::some(&places));
    let wait = if all.iter().all(comes) { "wait for each other" } else { "wait" };
    let summary = format!("{who} {wait}: each {waits} {name}, {end}: {places}.");
    let kind = if all.iter().all(comes) { "cycle" } else { "system-call" };
    let mut finding = Finding::new(kind, summary);
    finding.threads = all.iter().map(|thread| thread.lwp).collect();
    finding.details.extend(words::lines(snapshot, &all));
    finding.details.extend(words::brings(first));
    if all.iter().any(|thread| thread.os.as_ref().is_some_and(|os| os.outside)) {
        let outside = "Another program that opens the queue could end it too.";
        finding.details.push(outside.to_owned());
    }
    comers::add(snapshot, first, &mut finding);
    Some(finding)
}

/// The queue at which a thread waits, and whether it sends.
fn queue(thread: &Thread) -> Option<(bool, &str)> {
    let Some(Wait::Call { name, what }) = &thread.waits else { return None };
    let sends = match &**name {
        "mq_timedsend" | "msgsnd" => true,
        "mq_timedreceive" | "msgrcv" => false,
        _ => return None,
    };
    Some((sends, &what[what.find("the message queue ")?..]))
}

#[cfg(test)]
mod tests {
    use omphalos_ompd_view::snapshot::{Brings, Comer};

    use super::*;

    fn thread(lwp: u32, name: &str, comers: &[u32]) -> Thread {
        let what = "the message queue '/a', which is full".to_owned();
        let comer = |lwp: &u32| Comer { lwp: *lwp, place: "a.c:7".to_owned() };
        let comers = comers.iter().map(comer).collect();
        let waits = Some(Wait::Call { name: name.to_owned(), what });
        Thread {
            lwp,
            waits,
            brings: Some(Brings { comers, ..Brings::default() }),
            ..Thread::default()
        }
    }

    #[test]
    fn who_would_take_and_sends_first_waits_for_the_others() {
        let found = |threads: Vec<Thread>| {
            let snapshot = Snapshot { threads, ..Snapshot::default() };
            find(&snapshot, &snapshot.threads.iter().collect::<Vec<_>>())
        };
        let send = "mq_timedsend";
        let both = found(vec![thread(1, send, &[2]), thread(2, send, &[1])]).unwrap();
        assert_eq!((&*both.kind, &both.threads[..]), ("cycle", &[1, 2][..]));
        let none = found(vec![thread(1, send, &[]), thread(2, send, &[])]).unwrap();
        assert_eq!(none.kind, "system-call");
        assert_eq!(found(vec![thread(1, send, &[2]), thread(2, "mq_timedreceive", &[1])]), None);
    }
}
