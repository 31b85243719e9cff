//! Adds to findings the ways through the code that may have left threads waiting: ways that keep a
//! lock, or that leave out a barrier or a call that would wake a thread. The added lines describe
//! the code; nobody saw which way a thread took.

use omphalos_ompd_view::snapshot::{Bringing, Brings, Bypass, Counts, Snapshot, Thread, Wait};

use crate::{Finding, words};

/// Puts the lines about ways first in each finding whose threads wait for the lock, the barrier or
/// the call.
pub fn add(snapshot: &Snapshot, findings: &mut [Finding]) {
    for finding in findings {
        let about = || snapshot.threads.iter().filter(|it| finding.threads.contains(&it.lwp));
        let mut said: Vec<String> = Vec::new();
        for thread in about() {
            // Text that has come and is not read explains more than text that does not come.
            let is_left = about().any(|one| words::left_unread(one).is_some());
            let of_brings = if is_left { Vec::new() } else { of_brings(snapshot, thread) };
            let lines = of_lock(snapshot, thread).into_iter().chain(of_brings);
            said.extend(lines.filter(|line| !said.contains(line)).collect::<Vec<_>>());
        }
        let parted = finding.kind == "barrier-not-met";
        for thread in about().filter(|_| parted) {
            let lines = of_team(snapshot, thread).into_iter();
            said.extend(lines.filter(|line| !said.contains(line)).collect::<Vec<_>>());
        }
        said.truncate(MOST_SAID);
        finding.details.splice(0..0, said);
    }
}

/// Returns the lines about ways if no cause is known: for the locks, sources and events that
/// threads wait for.
pub fn of_locks(snapshot: &Snapshot) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    let is_of_event = |thread: &&Thread| {
        thread.brings.as_ref().is_some_and(|brings| brings.what == Bringing::Fulfil)
    };
    let of_events: Vec<&Thread> = snapshot.threads.iter().filter(is_of_event).collect();
    if !of_events.is_empty() {
        said.push(format!(
            "{} may wait for a detached task whose event is not fulfilled: the runtime does not \
             tell.",
            words::threads(&of_events)
        ));
    }
    for thread in &snapshot.threads {
        let is_told = |brings: &Brings| matches!(brings.what, Bringing::Source | Bringing::Fulfil);
        let brings = thread.brings.as_ref().filter(|brings| is_told(brings));
        let ways = brings.map_or_else(Vec::new, |_| of_brings(snapshot, thread));
        let places = brings.and_then(|_| words::brings(thread));
        for line in of_lock(snapshot, thread).into_iter().chain(ways).chain(places) {
            if !said.contains(&line) {
                said.push(line);
            }
        }
    }
    said.truncate(MOST_SAID);
    said
}

/// The lines about ways in one finding.
const MOST_SAID: usize = 6;

fn of_lock(snapshot: &Snapshot, thread: &Thread) -> Vec<String> {
    let Some(lock) = words::lock_of(snapshot, thread) else { return Vec::new() };
    if words::may_be_copy(snapshot, thread) {
        return vec![COPIED.to_owned()];
    }
    lock.bypasses.iter().map(keeps).collect()
}

const COPIED: &str = "No way through the code is seen that keeps such a lock. Perhaps its memory \
                      was copied while it was taken (memcpy, an assignment): nobody gives the copy \
                      back.";

/// The line about a way on which the lock stays taken.
fn keeps(way: &Bypass) -> String {
    let (function, at, of) = (&way.function, &way.at, &way.of);
    match (&*way.how, &way.thrown) {
        ("never", _) => format!(
            "No way of {function}'s code leads from {of}, where it takes it, to where it gives it \
             back."
        ),
        ("destroyed", _) => format!(
            "{function} destroys at {at} what it takes at {of}, and does not give it back before."
        ),
        ("jump", Some(thrown)) => format!(
            "{function} keeps what it takes at {of} if the call at {at} leaves by a longjmp, as \
             the code at {thrown} may do: nothing gives it back then."
        ),
        ("exception", Some(thrown)) => format!(
            "{function} keeps what it takes at {of} if the call at {at} throws, as the code at \
             {thrown} may do: nothing gives it back then."
        ),
        ("exit", _) => {
            format!("{function} may end its process at {at} while it holds what it takes at {of}.")
        }
        _ => format!(
            "{function} has a way out at {at} on which it does not give back what it takes at {of}."
        ),
    }
}

fn of_team(snapshot: &Snapshot, thread: &Thread) -> Vec<String> {
    let team = snapshot.teams.iter().find(|team| Some(team.address) == thread.team);
    let team = team.filter(|_| matches!(thread.waits, Some(Wait::Barrier { .. })));
    let ways = team.map_or(&[][..], |team| &team.bypasses[..]);
    ways.iter().map(|way| past(way, &format!("the barrier at {}", way.of))).collect()
}

/// Says for how many threads the object was made, and where.
fn made(snapshot: &Snapshot, thread: &Thread, brings: &Brings) -> Option<String> {
    let places = brings.made_at.join(" and at ");
    if places.is_empty() {
        return None;
    }
    let Some(Wait::Unknown { what }) = &thread.waits else { return None };
    let number = |noun: &str| Some(what.split_once(" of the ")?.1.split_once(noun)?.0);
    let wanted = number(" threads").or_else(|| number(" arrivals"));
    let count = snapshot.threads.len();
    let same = |other: &&Thread| {
        other.waits == thread.waits && words::standing(other) == words::standing(thread)
    };
    let here = snapshot.threads.iter().filter(same).count();
    Some(match wanted {
        Some(wanted) if what.contains("of several processes") => {
            format!("It was made for {wanted} threads, of several processes, at {places}.")
        }
        Some(wanted) => format!(
            "It was made for {wanted} threads at {places}; the process has {count} in all, those \
             that never come there included."
        ),
        None => format!(
            "It was made at {places}: does its count fit those that come there? Threads that wait \
             there now: {here}; threads of the process: {count}."
        ),
    })
}

/// The line about a comparison that decides whether threads come to an operation.
fn counted(counts: &Counts, what: &str) -> String {
    let Counts { function, at, of, counter, limit, made_at } = counts;
    let made =
        made_at.as_ref().map_or_else(String::new, |made| format!(" The latter is made at {made}."));
    format!(
        "{function} comes to {what} at {of} only if the comparison at {at} says so: it compares \
         {counter} with {limit}.{made}"
    )
}

/// The line about a way past an operation.
fn past(way: &Bypass, what: &str) -> String {
    let (function, at) = (&way.function, &way.at);
    match &*way.how {
        "loop" => format!(
            "{function} comes to {what} in a loop, which ends at {at}: whose loop ends sooner than \
             the others' comes there less often."
        ),
        "kept" => keeps(way),
        "turn" => format!(
            "{function} has a way out at {at} on which it does not write what would end the next \
             wait at {}.",
            way.of
        ),
        "handler" => format!(
            "{function} has a way past {what}: an exception leads to its handler at {at}, which \
             goes on without it."
        ),
        "raises" => format!(
            "{function} has a way past {what}: an exception between {at} and there leaves it."
        ),
        _ => format!("{function} has a way past {what}: it leaves at {at}."),
    }
}

pub fn of_brings(snapshot: &Snapshot, thread: &Thread) -> Vec<String> {
    let mut said = Vec::new();
    let place = words::standing(thread).unwrap_or_else(|| "its place".to_owned());
    if thread.unchecked {
        said.push(format!(
            "There is no loop around the wait at {place} that looks whether what it waits for is \
             there already: a signal that came before it is lost."
        ));
    }
    if thread.there {
        said.push(format!(
            "The loop around the wait at {place} would end now: what it waits for is there \
             already, and no signal came after that."
        ));
    }
    said.extend(words::within_exit(thread));
    let Some(brings) = &thread.brings else { return said };
    let same = |other: &&Thread| other.waits == thread.waits;
    let waiting = snapshot.threads.iter().filter(same).count();
    // Behind a call of `exit` nothing comes to a signal, however many threads a signal wakes.
    let some_exits =
        snapshot.threads.iter().filter(same).any(|other| words::within_exit(other).is_some());
    let mut stands: Vec<String> =
        snapshot.threads.iter().filter(same).filter_map(words::standing).collect();
    stands.sort_unstable();
    stands.dedup();
    let places = brings.places.join(" and at ");
    if brings.wakes_one && stands.len() > 1 {
        said.push(format!(
            "{waiting} threads wait for it at {}, each place for something of its own, and the \
             code at {places} wakes one thread only, maybe one that it does not let go on.",
            words::some(&stands)
        ));
    } else if brings.wakes_one && waiting > 1 && !brings.alike && !some_exits {
        said.push(format!(
            "{waiting} threads wait for it, and the code at {places} wakes one thread only, not \
             all."
        ));
    }
    // The threads that would read from the other end, or take a message, mostly wait themselves.
    if matches!(brings.what, Bringing::ReadFrom | Bringing::Take) {
        return said;
    }
    let what = match brings.what {
        Bringing::Signal => "the signal",
        Bringing::Post => "the post",
        Bringing::Release => "the release",
        Bringing::TaskDone => "where it says that an item of a queue is done (task_done),",
        Bringing::Fulfil => "where it fulfils the event,",
        Bringing::CountDown => "where it counts the latch down,",
        Bringing::Arrive => "the barrier",
        Bringing::Source => "the source",
        Bringing::Flush => "the flush",
        Bringing::Write => "the store",
        Bringing::Notify => "the notification",
        _ => "what would end that,",
    };
    said.extend(brings.counts.as_ref().map(|counts| counted(counts, what)));
    let made = made(snapshot, thread, brings);
    // A known fact says more than the end of a loop.
    let in_order = brings.what == Bringing::Source;
    let has_more = !said.is_empty() || made.is_some() || in_order;
    // The end of a loop says something only about an object to which many threads come together.
    let together = matches!(brings.what, Bringing::Arrive | Bringing::CountDown);
    let woken = brings.wakes_one && !said.is_empty();
    let is_guess = |way: &&Bypass| way.how == "loop" && (has_more || !together);
    // A way past the call by which a thread came to its wait leaves nothing out.
    let waiting = snapshot.threads.iter().filter(same).flat_map(words::calls_to);
    let calls: Vec<String> = waiting.filter_map(words::place).collect();
    let is_own = |way: &&Bypass| brings.what == Bringing::Signal && calls.contains(&way.of);
    let ways = brings.bypasses.iter().filter(|way| !(woken || is_guess(way) || is_own(way)));
    said.extend(ways.map(|way| past(way, &format!("{what} at {}", way.of))));
    said.extend(made);
    said
}
