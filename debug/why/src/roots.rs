//! Finds the threads that all others wait for, directly or through others, and what they do.

use std::collections::BTreeSet;

use omphalos_ompd_view::snapshot::{Snapshot, Thread, Wait};

use crate::graph::{Blocker, Graph};
use crate::{
    Finding, circles, comers, executors, outside, peers, pools, progress, queues, release,
    semaphores, woken, words,
};

/// Returns the findings about threads at the ends of chains of waits: these threads wait for no
/// thread, and others wait for them. If `already` has causes, a thread counts only if another
/// thread is known to wait for it.
pub fn find(graph: &Graph<'_>, before: Option<&Snapshot>, already: &[Finding]) -> Vec<Finding> {
    let mut ends: BTreeSet<usize> = BTreeSet::new();
    for (at, thread) in graph.snapshot.threads.iter().enumerate() {
        let on_others = graph.edges[at].iter().any(|edge| matches!(edge, Blocker::Thread(_)));
        let idle = matches!(thread.waits, Some(Wait::Work));
        if !on_others && !idle {
            ends.insert(at);
        }
    }
    let those: Vec<&Thread> = ends.iter().map(|at| graph.thread(*at)).collect();
    if let Some(livelock) = progress::deference(&those).filter(|_| already.is_empty()) {
        return vec![livelock];
    }
    // Several threads that spin may hand each other turns by what they write, also through spin
    // locks.
    let acts = |thread: &Thread| progress::spins(thread) || circles::walks_and_writes(thread);
    let spinning = those.iter().filter(|thread| acts(thread)).count();
    let for_locks = graph.snapshot.threads.iter().any(|thread| spins_for_lock(graph, thread));
    if spinning > 1 || spinning == 1 && for_locks {
        return Vec::new();
    }
    // While one of these threads computes, the program goes on, or only its author knows whether it
    // does.
    let goes_on = |at: &usize| progress::goes_on(graph.snapshot, graph.thread(*at), before);
    if ends.iter().any(goes_on) || woken::some_comes(graph, before) {
        return Vec::new();
    }
    let waited: BTreeSet<usize> = graph
        .edges
        .iter()
        .flatten()
        .filter_map(|edge| match edge {
            Blocker::Thread(at) => Some(*at),
            _ => None,
        })
        .collect();
    let is_known = |at: &usize| {
        let lwp = graph.thread(*at).lwp;
        !graph.edges[*at].is_empty() || already.iter().any(|known| known.threads.contains(&lwp))
    };
    let mut causes: Vec<usize> = match ends.iter().any(|at| waited.contains(at)) {
        _ if !already.is_empty() => {
            ends.intersection(&waited).copied().filter(|at| !is_known(at)).collect()
        }
        true => ends.intersection(&waited).copied().collect(),
        false => ends.iter().copied().collect(),
    };
    let beside = beside(graph, &ends, &causes);
    causes.extend(beside.into_iter().filter(|at| already.is_empty() || !is_known(at)));
    causes.sort_unstable();
    // An MPI library has threads of its own, which sleep until it needs them.
    let is_message = |at: &usize| match &graph.thread(*at).waits {
        Some(Wait::Call { what, .. }) => words::is_message_passing(what),
        _ => false,
    };
    let messages = causes.iter().any(is_message);
    let is_helper = |at: &usize| {
        let thread = graph.thread(*at);
        thread.number.is_none()
            && matches!(thread.waits, Some(Wait::Call { .. }))
            && !is_message(at)
    };
    // If the runtime does not tell for whom its threads wait, they may wait for any other thread,
    // except threads that a library keeps for itself.
    let is_cause = |at: &usize| {
        let is_known = || words::is_of_program(graph.snapshot, graph.thread(*at));
        let is_idle = executors::is_idle(graph.thread(*at));
        let is_helper = messages && is_helper(at) || is_idle;
        !(is_helper || graph.is_untold(*at) || is_behind_untold(graph, *at))
            && (graph.snapshot.tells() || is_known())
    };
    let mut causes: Vec<usize> = causes.into_iter().filter(is_cause).collect();
    // A library's own thread that nobody waits for usually waits for work.
    let is_of_program = |at: &usize| words::is_of_program(graph.snapshot, graph.thread(*at));
    if causes.iter().any(is_of_program) {
        causes.retain(|at| is_of_program(at) || waited.contains(at));
    }
    if causes.is_empty() && already.is_empty() {
        return outside::untold(graph, before).into_iter().collect();
    }
    // A thread that goes on by itself may end the others' waits, so it is named alone.
    let sleeps = |at: &usize| {
        let thread = graph.thread(*at);
        let in_vain = progress::awaits(thread) || progress::tries_in_vain(thread);
        progress::sleeps_for_a_time(graph.snapshot, thread) && !in_vain
    };
    // No thread waits in vain for something that somebody may bring.
    let is_brought = |at: &usize| release::may_come(graph, *at);
    // If a runtime does not tell for whom a thread waits, the thread may wait for one that goes on
    // by itself.
    let is_told = (0..graph.edges.len()).all(|at| !graph.is_untold(at));
    if causes.iter().any(|at| is_brought(at) || !is_told && sleeps(at)) {
        let acts = |at: &usize| release::may_act(graph.snapshot, graph.thread(*at));
        let stays = |at: &usize| waited.contains(at) || is_message(at) || !acts(at);
        causes.retain(|at| !is_brought(at) && stays(at));
    }
    if causes.iter().any(sleeps) {
        causes.retain(sleeps);
    }
    // If iterations wait for earlier ones, the first iteration's wait is the cause of the others'.
    // A wait for a later iteration is the cause, whatever the other iterations wait for.
    causes.sort_by_key(|at| match &graph.thread(*at).waits {
        Some(Wait::Sink { iteration, never, .. }) => (never.is_none(), iteration.clone()),
        _ => (false, Vec::new()),
    });
    // A thread that waits for an item of a Python queue is idle if another thread waits until all
    // items are done.
    let is_in = |at: &usize, call: &str| words::queue_call(graph.thread(*at)) == Some(call);
    if causes.iter().any(|at| is_in(at, "join")) {
        causes.retain(|at| !is_in(at, "get"));
    }
    let mut found: Vec<(&Thread, Finding)> = Vec::new();
    let has_another = |at: &usize| semaphores::semaphore_taken(graph.thread(*at)).is_some();
    let circle: Vec<&Thread> =
        causes.iter().copied().filter(has_another).map(|at| graph.thread(at)).collect();
    if circle.len() > 1 {
        found.push((circle[0], semaphores::finding(graph.snapshot, &circle)));
        causes.retain(|at| !has_another(at));
    }
    // Each pair is a circle of its own.
    let those = |causes: &[usize]| causes.iter().map(|at| graph.thread(*at)).collect::<Vec<_>>();
    let together = |causes: &[&Thread]| {
        peers::find(graph.snapshot, causes).or_else(|| queues::find(graph.snapshot, causes))
    };
    while let Some(mut circle) = together(&those(&causes)) {
        let is_in = |at: &usize| circle.threads.contains(&graph.thread(*at).lwp);
        let (inside, others): (Vec<usize>, _) = causes.into_iter().partition(is_in);
        let behind = graph.behind_those(&inside);
        let waiting: Vec<&Thread> = behind.into_iter().map(|at| graph.thread(at)).collect();
        circle.details.extend(words::lines(graph.snapshot, &waiting));
        circle.threads.extend(waiting.iter().map(|thread| thread.lwp));
        found.push((graph.thread(inside[0]), circle));
        causes = others;
    }
    let pool = pools::find(graph.snapshot, &those(&causes));
    if let Some(pool) = pool.or_else(|| executors::find(graph.snapshot, &those(&causes))) {
        let is_in = |at: &usize| pool.threads.contains(&graph.thread(*at).lwp);
        let (inside, others): (Vec<usize>, _) = causes.into_iter().partition(is_in);
        found.push((graph.thread(inside[0]), pool));
        causes = others;
    }
    for at in causes {
        let thread = graph.thread(at);
        // One object is one cause, however many threads wait for it.
        if let Some((_, known)) = found.iter_mut().find(|(first, _)| is_same_object(first, thread))
        {
            let name = words::thread(thread);
            let at = words::at(thread);
            let also = match &thread.waits {
                Some(Wait::Sink { .. }) => {
                    format!("{name}{at}: {}", words::doing(graph.snapshot, thread))
                }
                _ => format!("{name} waits for it too{at}{}", words::called_at(thread)),
            };
            // A thread that waits for a thread of the cause is in the details already.
            if !known.threads.contains(&thread.lwp) {
                known.details.push(also);
                known.threads.push(thread.lwp);
            }
        } else if let Some((_, known)) =
            found.iter_mut().find(|(first, _)| is_same_loop(first, thread))
        {
            let behind = graph.behind_those(&[at]);
            let waiting: Vec<&Thread> = behind.into_iter().map(|at| graph.thread(at)).collect();
            let awaited = thread.awaits.as_ref().map_or_else(String::new, |it| match it.tries {
                Some(_) => words::tried_lock(graph.snapshot, thread),
                None => progress::awaited(it),
            });
            let (name, place) = (words::thread(thread), words::at(thread));
            known.details.push(format!("{name} waits in that loop too{place}, for {awaited}"));
            let is_new = |other: &&Thread| !known.threads.contains(&other.lwp);
            let new: Vec<&Thread> = waiting.into_iter().filter(is_new).collect();
            known.details.extend(words::lines(graph.snapshot, &new));
            known.threads.push(thread.lwp);
            known.threads.extend(new.iter().map(|other| other.lwp));
        } else if let Some(finding) = end(graph, at) {
            found.push((thread, finding));
        }
    }
    found.truncate(8);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// Whether the thread that may end this thread's wait itself waits, in a runtime that does not tell
/// for whom. Then the other thread's wait may be the cause.
fn is_behind_untold(graph: &Graph<'_>, at: usize) -> bool {
    let comers = graph.thread(at).brings.as_ref().map_or(&[][..], |brings| &brings.comers[..]);
    let mut comers = comers.iter().filter_map(|comer| graph.by_lwp(comer.lwp));
    comers.any(|comer| graph.is_untold(comer))
}

/// Returns the threads of `ends` that are as stuck as one of the causes, though no thread waits for
/// them. Such a thread waits for the same thing as a cause, or has a semaphore and wants another
/// one, as the cause does.
fn beside(graph: &Graph<'_>, ends: &BTreeSet<usize>, causes: &[usize]) -> Vec<usize> {
    let has_another = |at: &usize| semaphores::semaphore_taken(graph.thread(*at)).is_some();
    let some_has = causes.iter().any(has_another);
    let is_alike = |at: &usize| {
        let same = |cause: &usize| is_same_object(graph.thread(*cause), graph.thread(*at));
        !causes.contains(at) && (some_has && has_another(at) || causes.iter().any(same))
    };
    ends.iter().copied().filter(is_alike).collect()
}

/// Whether both wait for the same thing outside the runtime.
fn is_same_object(one: &Thread, other: &Thread) -> bool {
    let at_one_place = || words::standing(one) == words::standing(other);
    if progress::awaits(one) && progress::awaits(other) {
        let lock = |thread: &Thread| thread.awaits.as_ref()?.tries.clone();
        if lock(one).is_some() || lock(other).is_some() {
            return lock(one) == lock(other);
        }
        let what = |thread: &Thread| thread.awaits.as_ref().map(|awaits| awaits.what.clone());
        // A loop without an end waits for nothing with a name.
        let tells = what(one).is_some_and(|what| !what.is_empty());
        return what(one) == what(other) && (tells || at_one_place());
    }
    match (&one.waits, &other.waits) {
        (Some(Wait::Unknown { what }), Some(Wait::Unknown { what: other })) => {
            // An object without name and address is the same if the threads are at one place.
            let tells = what.contains('\'') || what.contains("0x");
            what == other && (tells || at_one_place())
        }
        (Some(Wait::Sink { team: one, .. }), Some(Wait::Sink { team: other, .. })) => one == other,
        (Some(Wait::Lock { lock: one }), Some(Wait::Lock { lock: other })) => one == other,
        (Some(Wait::Mutex { mutex: one, .. }), Some(Wait::Mutex { mutex: other, .. })) => {
            one == other
        }
        (Some(Wait::Once { flag: one, .. }), Some(Wait::Once { flag: other, .. })) => one == other,
        (Some(Wait::Interpreter { .. }), Some(Wait::Interpreter { .. })) => true,
        (Some(Wait::Condition { condition: one }), Some(Wait::Condition { condition: other })) => {
            one == other
        }
        (Some(Wait::Call { name, what: one }), Some(Wait::Call { name: also, what: other })) => {
            name == "futex" && also == name && one == other
        }
        _ => false,
    }
}

/// Whether both threads wait in one loop of the program's, each for a variable of its own: for
/// elements of an array of flags, say.
fn is_same_loop(one: &Thread, other: &Thread) -> bool {
    let reads = |thread: &Thread| {
        let awaits = thread.awaits.as_ref().filter(|_| progress::awaits(thread))?;
        (!awaits.what.is_empty()).then(|| awaits.place.clone())?
    };
    reads(one).is_some() && reads(one) == reads(other)
}

/// Whether the thread waits for a lock and does not sleep.
fn spins_for_lock(graph: &Graph<'_>, thread: &Thread) -> bool {
    let Some(Wait::Mutex { mutex, .. }) = thread.waits else { return false };
    graph.lock(mutex).is_some_and(|lock| lock.kind == "spin lock")
}

fn end(graph: &Graph<'_>, at: usize) -> Option<Finding> {
    let thread = graph.thread(at);
    let waiting = graph.behind_those(&[at]);
    let mut finding = outside::find(graph, thread, waiting.len())?;
    finding.threads.push(thread.lwp);
    let waiting: Vec<&Thread> = waiting.into_iter().map(|other| graph.thread(other)).collect();
    finding.threads.extend(waiting.iter().map(|other| other.lwp));
    finding.details.extend(words::lines(graph.snapshot, &waiting));
    comers::add(graph.snapshot, thread, &mut finding);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use omphalos_ompd_view::snapshot::{Frame, Os};
    use progress::was_awake;

    fn asleep(call: Option<&str>, stack: usize) -> Thread {
        let os = Os { state: "S".into(), call: call.map(str::to_owned), ..Os::default() };
        Thread { os: Some(os), stack: vec![Frame::default(); stack], ..Thread::default() }
    }

    #[test]
    fn who_fell_asleep_between_two_questions_goes_on() {
        assert!(was_awake(&asleep(None, 1)));
        assert!(!was_awake(&asleep(Some("read"), 1)));
        assert!(!was_awake(&asleep(None, 0)));
        // A reader that waits for it is not the cause.
        let reads = Wait::Call { name: "recvfrom".into(), what: String::new() };
        let reader = Thread { lwp: 2, waits: Some(reads), ..asleep(Some("recvfrom"), 1) };
        let threads = |sleeper: Thread| vec![sleeper, reader.clone()];
        let found = |sleeper| {
            let snapshot = Snapshot { threads: threads(sleeper), ..Snapshot::default() };
            find(&Graph::new(&snapshot), None, &[]).len()
        };
        assert_eq!(found(asleep(None, 1)), 0);
        assert_eq!(found(asleep(None, 0)), 1);
    }
}
