//! Gives one verdict on the processes of an MPI job: it names the rank that keeps the others
//! waiting.

use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};

use crate::outside::BY_ITSELF;
use crate::words::messages::ROOT;
use crate::{FROM_OUTSIDE, Finding, progress, words};

/// A process of the job.
#[derive(Clone, Copy, Debug)]
pub struct Rank<'a> {
    /// The rank's number.
    pub number: u32,
    /// The look at the process.
    pub snapshot: &'a Snapshot,
    /// The findings about the process.
    pub findings: &'a [Finding],
    /// Whether no thread of the process is known to wait for ever.
    pub goes_on: bool,
}

/// Says what keeps the job of `size` processes from going on, or which processes go on. `ranks`:
/// the processes that were looked at.
pub fn verdict(size: u32, ranks: &[Rank<'_>]) -> String {
    let name = |numbers: &[u32]| words::numbers("rank", numbers);
    let waiting: Vec<(u32, String)> =
        ranks.iter().filter_map(|rank| Some((rank.number, in_message(rank.snapshot)?))).collect();
    let is_waiting = |rank: &&Rank<'_>| waiting.iter().any(|(number, _)| *number == rank.number);
    let goes_on = |rank: &&Rank<'_>| rank.goes_on;
    let mut said: Vec<String> = Vec::new();
    let going: Vec<&Rank<'_>> = ranks.iter().filter(goes_on).collect();
    let all = ranks.iter().filter_map(|rank| Some((rank, own_cause(rank)?)));
    let (linked, causes): (Vec<_>, Vec<_>) =
        all.partition(|(rank, _)| waits_for(ranks, rank).is_some());
    let causes: Vec<(u32, &Finding)> =
        causes.into_iter().map(|(rank, cause)| (rank.number, cause)).collect();
    let mut in_circle: Vec<u32> = Vec::new();
    let mut holders: Vec<&Rank<'_>> = Vec::new();
    for holder in linked.iter().filter_map(|(rank, _)| waits_for(ranks, rank)) {
        if holders.iter().all(|known| known.number != holder.number) {
            holders.push(holder);
        }
    }
    for holder in holders {
        let of_holder = |(rank, _): &&(&Rank<'_>, &Finding)| {
            waits_for(ranks, rank).is_some_and(|it| it.number == holder.number)
        };
        let behind: Vec<u32> =
            linked.iter().filter(of_holder).map(|(rank, _)| rank.number).collect();
        let Some((_, cause)) = linked.iter().find(of_holder) else { continue };
        let wait = if behind.len() == 1 { "waits" } else { "wait" };
        let at = waiting.iter().find(|(number, _)| *number == holder.number);
        // A collective operation is not complete before the others come to it.
        let at = at.filter(|(_, at)| words::messages::is_collective(function(at)));
        let at = at.filter(|(_, at)| {
            let is_there = |number: u32| waiting.contains(&(number, at.clone()));
            ranks.iter().all(|it| behind.contains(&it.number) || is_there(it.number))
        });
        said.push(match at.filter(|_| going.is_empty()) {
            Some((_, at)) => {
                in_circle.push(holder.number);
                format!(
                    "{} and rank {} wait for each other: {} Rank {} is in {at}.",
                    words::numbers("Rank", &behind),
                    holder.number,
                    cause.summary,
                    holder.number,
                )
            }
            None => format!(
                "{} {wait} for rank {}: {}",
                words::numbers("Rank", &behind),
                holder.number,
                cause.summary
            ),
        });
    }
    for (number, cause) in &causes {
        said.push(match cause.details.iter().any(|line| line == BY_ITSELF) {
            true => format!("The job waits for rank {number}: {} {BY_ITSELF}", cause.summary),
            false => format!("Rank {number} hangs by itself: {}", cause.summary),
        });
    }
    let mut doing: Vec<(String, Vec<u32>)> = Vec::new();
    let mut add = |what: String, number: u32| match doing.iter_mut().find(|(it, _)| *it == what) {
        Some((_, numbers)) => numbers.push(number),
        None => doing.push((what, vec![number])),
    };
    for rank in &going {
        add(is_doing(rank.snapshot), rank.number);
    }
    let is_said = |number: u32| {
        in_circle.contains(&number)
            || causes.iter().any(|it| it.0 == number)
            || linked.iter().any(|it| it.0.number == number)
    };
    let silent = |rank: &&Rank<'_>| !rank.goes_on && !is_said(rank.number);
    for rank in ranks.iter().filter(silent) {
        let known = waiting.iter().find(|(number, _)| *number == rank.number);
        let does = known.map_or_else(|| "waits".to_owned(), |(_, at)| format!("is in {at}"));
        add(does, rank.number);
    }
    // The messages may differ where the operation is one.
    let operation = |what: &str| what.split(" (").next().map(str::to_owned);
    let is_apart = doing.iter().any(|(what, _)| operation(what) != operation(&doing[0].0));
    let each = doing.iter().map(|(what, numbers)| match numbers.len() {
        1 => format!("{} {what}", name(numbers)),
        _ => format!("{} {}", name(numbers), words::of_several(what)),
    });
    let each: Vec<String> = each.collect();
    let ended: Vec<u32> = waiting.iter().filter(|it| is_end(&it.1)).map(|it| it.0).collect();
    let missing: Vec<u32> = (0..size.min(MOST_RANKS))
        .filter(|number| ranks.iter().all(|rank| rank.number != *number))
        .collect();
    let locks = |(_, at): &&(u32, String)| words::messages::locks_window(function(at));
    let locking: Vec<u32> = waiting.iter().filter(locks).map(|(number, _)| *number).collect();
    let all_in_messages = ranks.iter().all(|rank| is_waiting(&rank));
    let timed = |rank: &Rank<'_>| {
        let mut threads = rank.snapshot.threads.iter();
        let thread = threads.find(|thread| progress::is_timed(rank.snapshot, thread))?;
        let name = words::thread(thread);
        let doing = words::doing_at(rank.snapshot, thread);
        Some(format!("{name} of rank {} {doing}", rank.number))
    };
    let asleep: Vec<String> = ranks.iter().filter_map(timed).collect();
    if !each.is_empty() {
        let each = each.join("; ");
        said.push(match () {
            _ if !going.is_empty() => {
                format!("The job of {size} ranks goes on, as far as can be seen: {each}.")
            }
            _ if !causes.is_empty() || !linked.is_empty() => {
                format!("The others wait for that: {each}.")
            }
            _ if !asleep.is_empty() => {
                let asleep = asleep.join("; ");
                format!(
                    "No rank of the job of {size} is seen to go on, but some threads go on by \
                     themselves when their time is over: {asleep}. The ranks: {each}."
                )
            }
            _ if is_apart && all_in_messages => format!(
                "No rank of the job of {size} goes on, and they are not in one operation: {each}."
            ),
            _ => format!("No rank of the job of {size} goes on: {each}."),
        });
        if going.is_empty() && !is_apart && all_in_messages && name_other_roots(&waiting) {
            said.push(
                "They name different roots: the ranks of a communicator have to name the same one."
                    .to_owned(),
            );
        }
        if going.is_empty() && !locking.is_empty() {
            said.push(of_window(
                &locking,
                &ranks.iter().map(|rank| rank.number).collect::<Vec<_>>(),
            ));
        }
        if going.is_empty() && causes.is_empty() && missing.is_empty() && all_send(ranks) {
            said.push(
                "Each of them waits until its message is received, and no rank receives: let some \
                 ranks receive first, or all by MPI_Sendrecv or MPI_Irecv."
                    .to_owned(),
            );
        }
        if !ended.is_empty() && ended.len() < ranks.len() {
            let come = match ended.len() {
                1 => "has come to its end: it brings",
                _ => "have come to their end: they bring",
            };
            let name = words::numbers("Rank", &ended);
            said.push(format!("{name} {come} the others nothing any more."));
        }
    }
    if !missing.is_empty() {
        let are = if missing.len() == 1 { "is" } else { "are" };
        said.push(format!("{} {are} not seen here.", words::numbers("Rank", &missing)));
    }
    said.join(" ")
}

/// The first finding about a rank that is not about messages of MPI.
fn own_cause<'a>(rank: &Rank<'a>) -> Option<&'a Finding> {
    rank.findings.iter().find(|finding| !is_of_message(finding))
}

/// The rank whose process has what a thread of this rank's causes waits for.
fn waits_for<'a>(ranks: &'a [Rank<'a>], rank: &Rank<'_>) -> Option<&'a Rank<'a>> {
    let cause = own_cause(rank)?;
    let of_cause = rank.snapshot.threads.iter().filter(|it| cause.threads.contains(&it.lwp));
    let calls = of_cause.filter_map(|thread| match &thread.waits {
        Some(Wait::Call { what, .. }) => Some(what),
        _ => None,
    });
    let mut numbers = calls
        .flat_map(|what| what.split("process ").skip(1))
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok());
    numbers.find_map(|pid| {
        let mut others = ranks.iter().filter(|other| other.number != rank.number);
        others.find(|other| other.snapshot.pid == Some(pid))
    })
}

/// Gives the processes that a finding about a rank names their ranks, by their numbers. Such a wait
/// is no affair of the outside.
pub fn name_ranks(finding: &mut Finding, ranks: &[(u32, u32)]) {
    let mut is_named = false;
    for text in std::iter::once(&mut finding.summary).chain(&mut finding.details) {
        for (pid, number) in ranks {
            let name = format!("process {pid} (");
            is_named |= text.contains(&name);
            *text = text.replace(&name, &format!("rank {number} (process {pid}, "));
        }
    }
    finding.details.retain(|line| !is_named || line != FROM_OUTSIDE);
}

/// "MPI_Recv", of "MPI_Recv at a.c:9 in main".
fn function(at: &str) -> &str {
    at.split(' ').next().unwrap_or(at)
}

/// Whether ranks that wait in an operation with a root do not all name the same one.
fn name_other_roots(waiting: &[(u32, String)]) -> bool {
    let roots = waiting.iter().filter_map(|(_, at)| at.split_once(&format!("({ROOT}")));
    let mut roots = roots.map(|(_, root)| root);
    let first = roots.next();
    roots.any(|root| Some(root) != first)
}

/// Says which ranks may have the lock of a window that the ranks `locking` wait for.
fn of_window(locking: &[u32], all: &[u32]) -> String {
    let others: Vec<u32> = all.iter().copied().filter(|number| !locking.contains(number)).collect();
    let wait = if locking.len() == 1 { "waits" } else { "wait" };
    let who = words::numbers("Rank", locking);
    let rule = "which the rank that has it gives back by MPI_Win_unlock";
    match others.len() {
        0 => format!("{who} {wait} for the lock of a window, {rule}: one of them has it."),
        1 => format!(
            "{who} {wait} for the lock of a window, {rule}: {} does not wait for it, so it is the \
             one that may have it.",
            words::numbers("rank", &others)
        ),
        _ => format!(
            "{who} {wait} for the lock of a window, {rule}: one of {} may have it.",
            words::numbers("rank", &others)
        ),
    }
}

/// Whether each thread of the ranks that passes messages is in a function that only sends.
fn all_send(ranks: &[Rank<'_>]) -> bool {
    let threads = ranks.iter().flat_map(|rank| &rank.snapshot.threads);
    let called = threads.filter_map(|thread| match &thread.waits {
        Some(Wait::Call { what, .. }) if words::is_message_passing(what) => Some(&**what),
        _ => None,
    });
    let called: Vec<&str> = called.collect();
    !called.is_empty() && called.iter().all(|function| words::messages::only_sends(function))
}

/// The begin of the advice to look at the other ranks.
pub const LOOK: &str = "Look at the other processes of the job too";

/// Leaves out the advice to look at the other ranks, for a look at all of them.
pub fn without_advice(finding: &mut Finding) {
    finding.details.retain(|line| !line.starts_with(LOOK));
}

/// Ranks of one job that are checked for being absent.
const MOST_RANKS: u32 = 1 << 16;

/// Whether the finding is about MPI messages that other ranks may bring.
pub fn is_of_message(finding: &Finding) -> bool {
    finding.kind == "message-not-sent"
}

/// "MPI_Recv at a.c:9 in main (tag 3, from rank 1 of its communicator)": the first MPI function
/// that a thread waits in, and its message.
fn in_message(snapshot: &Snapshot) -> Option<String> {
    snapshot.threads.iter().find_map(|thread| match &thread.waits {
        Some(Wait::Call { what, .. }) if words::is_message_passing(what) => {
            let of = thread.envelope.as_ref().map_or_else(String::new, |of| format!(" ({of})"));
            Some(format!("{what}{}{of}", words::at(thread)))
        }
        _ => None,
    })
}

/// Whether a rank in this function has done everything that it does for others.
fn is_end(at: &str) -> bool {
    at.trim_start_matches('P').starts_with("MPI_Finalize")
}

/// The activity of a process that goes on: "runs at a.c:9 in main".
fn is_doing(snapshot: &Snapshot) -> String {
    let threads =
        || snapshot.threads.iter().filter(|thread| words::is_of_program(snapshot, thread));
    let is_asleep = |thread: &&Thread| matches!(thread.waits, Some(Wait::Call { .. }));
    let runs = threads().find(|thread| thread.waits.is_none());
    let going = runs.or_else(|| threads().find(is_asleep));
    going.map_or_else(
        || "goes on".to_owned(),
        |thread| match &thread.waits {
            Some(_) => format!("is {}", words::doing_at(snapshot, thread)),
            None => words::doing_at(snapshot, thread),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_ompd_view::snapshot::{Frame, Os};

    fn program(line: u32, waits: Option<Wait>) -> Snapshot {
        let frame = Frame {
            module: "app".into(),
            function: "main".into(),
            file: Some("a.c".into()),
            line: Some(line),
            ..Frame::default()
        };
        let os = Some(Os { state: "R".into(), ..Os::default() });
        let thread = Thread { number: Some(0), stack: vec![frame], waits, os, ..Thread::default() };
        Snapshot { threads: vec![thread], ..Snapshot::default() }
    }

    fn message(line: u32, function: &str) -> Snapshot {
        let (name, what) = (String::new(), function.to_owned());
        program(line, Some(Wait::Call { name, what }))
    }

    fn said(size: u32, seen: &[(&Snapshot, Option<&str>)]) -> String {
        let findings: Vec<Vec<Finding>> = seen
            .iter()
            .map(|(_, kind)| kind.iter().map(|kind| Finding::new(kind, "Why.".into())).collect())
            .collect();
        let ranks: Vec<Rank<'_>> = (0..)
            .zip(seen.iter().zip(&findings))
            .map(|(number, ((snapshot, kind), findings))| Rank {
                number,
                snapshot,
                findings,
                goes_on: kind.is_none(),
            })
            .collect();
        verdict(size, &ranks)
    }

    #[test]
    fn the_rank_that_keeps_the_others_waiting_is_named() {
        let (barrier, receive) = (message(9, "MPI_Barrier"), message(5, "MPI_Recv"));
        let runs = program(7, None);
        let waits = Some("message-not-sent");
        assert_eq!(
            said(3, &[(&receive, waits), (&barrier, waits), (&barrier, waits)]),
            "No rank of the job of 3 goes on, and they are not in one operation: rank 0 is in \
             MPI_Recv at a.c:5 in main; ranks 1, 2 are in MPI_Barrier at a.c:9 in main."
        );
        assert_eq!(
            said(4, &[(&runs, None), (&barrier, waits)]),
            "The job of 4 ranks goes on, as far as can be seen: rank 0 runs at a.c:7 in main; rank \
             1 is in MPI_Barrier at a.c:9 in main. Ranks 2, 3 are not seen here."
        );
        let ends = message(11, "MPI_Finalize");
        assert_eq!(
            said(3, &[(&receive, waits), (&ends, waits), (&ends, waits)]),
            "No rank of the job of 3 goes on, and they are not in one operation: rank 0 is in \
             MPI_Recv at a.c:5 in main; ranks 1, 2 are in MPI_Finalize at a.c:11 in main. Ranks 1, \
             2 have come to their end: they bring the others nothing any more."
        );
        assert_eq!(
            said(2, &[(&barrier, waits), (&barrier, Some("lock-cycle"))]),
            "Rank 1 hangs by itself: Why. The others wait for that: rank 0 is in MPI_Barrier at \
             a.c:9 in main."
        );
    }
}
