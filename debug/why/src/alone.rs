//! Finds things that no thread will ever give back: the lock of a thread that has ended, a lock
//! that was held when the process forked, the turn of an iteration that never comes.

use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};

use crate::graph::{Blocker, Graph};
use crate::{Finding, cycle, graph, progress, words};

pub fn find(graph: &Graph<'_>, before: Option<&Snapshot>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for (at, edges) in graph.edges.iter().enumerate() {
        let thread = graph.thread(at);
        let is_gone = |edge: &Blocker| matches!(edge, Blocker::Gone | Blocker::Idle(_));
        if !edges.iter().any(is_gone) || progress::moved(graph.snapshot, thread, before) {
            continue;
        }
        let Some(wait) = &thread.waits else { continue };
        if let Wait::Barrier { missing, .. } = wait {
            let ended = thread.team.map_or_else(Vec::new, |team| graph.ended(team, wait));
            member(graph, thread, missing, &ended, &mut found);
            continue;
        }
        let object = cycle::object(graph.snapshot, wait);
        // One lock is one cause, however many threads wait for it.
        if let Some(known) = found.iter_mut().find(|known| known.summary.contains(&object)) {
            known.details.push(format!("{} waits too{}", words::thread(thread), words::at(thread)));
            known.threads.push(thread.lwp);
            continue;
        }
        let idle = edges.iter().find_map(|edge| match edge {
            Blocker::Idle(at) => Some(graph.thread(*at)),
            _ => None,
        });
        found.push(finding(graph.snapshot, thread, idle, &object));
    }
    found
}

/// The finding for a team with a member that has ended without the runtime's knowledge: the team's
/// barrier is never complete.
fn member(
    graph: &Graph<'_>,
    thread: &Thread,
    missing: &[u32],
    ended: &[u32],
    found: &mut Vec<Finding>,
) {
    let name = words::thread(thread);
    let at = words::at(thread);
    if let Some(known) = found.iter_mut().find(|known| known.kind == "member-gone") {
        known.details.push(format!("{name} waits too{at}"));
        known.threads.push(thread.lwp);
        return;
    }
    let members = thread.team.map_or_else(Vec::new, |team| graph.members(team));
    let gone = members
        .into_iter()
        .filter(|(number, at)| missing.contains(number) && graph::has_ended(graph.thread(*at)));
    let mut gone: Vec<String> = gone
        .map(|(number, at)| {
            let thread = graph.thread(at);
            format!("member {number} ({}, LWP {})", words::thread(thread), thread.lwp)
        })
        .collect();
    gone.extend(ended.iter().map(|number| format!("member {number}")));
    let teams = || graph.snapshot.teams.iter();
    let team = thread.team.and_then(|address| teams().find(|team| team.address == address));
    let of = team.and_then(|team| team.location.as_ref());
    let of = of.map_or_else(String::new, |region| format!(" of the {region}"));
    let summary = format!(
        "{name} waits{at} at a barrier for {}{of}, which has ended: somebody ended that thread \
         alone (the system call exit, pthread_exit), and it can never come.",
        gone.join(" and ")
    );
    let mut finding = Finding::new("member-gone", summary);
    finding.details.extend(words::brings(thread));
    finding.threads.push(thread.lwp);
    found.push(finding);
}

fn finding(snapshot: &Snapshot, thread: &Thread, idle: Option<&Thread>, object: &str) -> Finding {
    let holder = match &thread.waits {
        Some(Wait::Lock { lock }) => {
            let known = snapshot.locks.iter().find(|known| known.address == *lock);
            known.and_then(|lock| lock.holder).map(words::numbered)
        }
        Some(
            Wait::Mutex { owner: Some(owner), .. }
            | Wait::Loader { owner: Some(owner) }
            | Wait::Interpreter { owner: Some(owner) },
        ) => Some(format!("LWP {owner}")),
        _ => None,
    };
    let holder = holder.unwrap_or_else(|| "its holder".to_owned());
    let (name, at) = (words::thread(thread), words::at(thread));
    let address = match thread.waits {
        Some(Wait::Lock { lock }) => lock,
        Some(Wait::Mutex { mutex, .. }) => mutex,
        _ => 0,
    };
    let known = snapshot.locks.iter().find(|known| known.address == address);
    let is_shared = known.is_some_and(|lock| lock.shared);
    let is_copy = words::may_be_copy(snapshot, thread);
    let mut finding = match idle.map(words::thread) {
        Some(holder) if is_copy => Finding::new(
            "holder-idle",
            format!(
                "{name} waits{at} for {object}, whose memory says that {holder} holds it, and \
                 that thread is idle."
            ),
        ),
        Some(holder) => Finding::new(
            "holder-idle",
            format!(
                "{name} waits{at} for {object}, which {holder} holds, and that thread is idle: it \
                 left the region in which it took it, and has not given it back."
            ),
        ),
        None if is_shared => Finding::new(
            "holder-gone",
            format!(
                "{name} waits{at} for {object}, which processes share and which {holder} held when \
                 it ended: nobody can give it back."
            ),
        ),
        None if snapshot.forked.is_some() => Finding::new(
            "holder-gone",
            format!(
                "{name} waits{at} for {object}, which {holder} held when this process was forked: \
                 nobody here can give it back."
            ),
        ),
        None => Finding::new(
            "holder-gone",
            format!(
                "{name} waits{at} for {object}, which {holder} held when it ended: nobody can give \
                 it back."
            ),
        ),
    };
    if let Some(takers) = known.and_then(words::takers) {
        finding.details.push(format!("{}.", takers.replacen("the", "The", 1)));
    }
    if !is_shared {
        finding.details.extend(unforked_holder(snapshot));
    }
    finding.threads.push(thread.lwp);
    finding
}

/// The reason why no thread of a forked process has a lock that is taken: the lock's holder is a
/// thread of the parent.
pub fn unforked_holder(snapshot: &Snapshot) -> Option<String> {
    match snapshot.forked {
        Some(parent) => Some(format!(
            "This process was forked from process {parent}, and has executed no program since: a \
             thread of its parent held the lock then, which does not exist here."
        )),
        None if snapshot.threads.len() == 1 => Some(
            "This process has one thread. If it was forked, the lock was held by a thread of its \
             parent, which does not exist here."
                .to_owned(),
        ),
        None => None,
    }
}
