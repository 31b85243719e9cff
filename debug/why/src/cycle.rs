//! Finds threads that wait for each other in a circle: none of them ever goes on.

use omphalos_ompd_view::snapshot::{Frame, Snapshot, Thread, Wait};

use crate::graph::Graph;
use crate::{Finding, parted, progress, words};

pub fn find(graph: &Graph<'_>, before: Option<&Snapshot>) -> Vec<Finding> {
    let cycles = graph.cycles().into_iter();
    // A thread that has moved since the first look is not stuck. Its circle only seemed to be one,
    // because a look does not see all threads at one moment.
    let stands = |cycle: &Vec<usize>| {
        !cycle.iter().any(|at| progress::moved(graph.snapshot, graph.thread(*at), before))
    };
    let mut each: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for cycle in cycles.filter(stands) {
        let alike = each.iter_mut().find_map(|(first, more)| {
            let other = in_the_same_place(graph, first, &cycle)?;
            Some((more, other))
        });
        match alike {
            Some((more, other)) => more.push(other),
            None => each.push((cycle, Vec::new())),
        }
    }
    each.iter().map(|(cycle, more)| finding(graph, cycle, more)).collect()
}

/// Returns the thread of `cycle` that is not in `first`, if the two circles differ in one thread
/// only and both of these threads wait for the same thing: then the circles are one cause.
fn in_the_same_place(graph: &Graph<'_>, first: &[usize], cycle: &[usize]) -> Option<usize> {
    let only = |some: &[usize], others: &[usize]| {
        let mut differ = some.iter().copied().filter(|at| !others.contains(at));
        differ.next().filter(|_| differ.next().is_none() && some.len() == others.len())
    };
    let (one, other) = (only(first, cycle)?, only(cycle, first)?);
    (graph.thread(one).waits == graph.thread(other).waits).then_some(other)
}

/// `more`: threads that wait for the same thing as one thread of the circle.
fn finding(graph: &Graph<'_>, cycle: &[usize], more: &[usize]) -> Finding {
    let threads = |of: &[usize]| of.iter().map(|at| graph.thread(*at)).collect::<Vec<&Thread>>();
    let all: Vec<usize> = cycle.iter().chain(more).copied().collect();
    let waiting = threads(&graph.behind_those(&all));
    let (threads, more) = (threads(cycle), threads(more));
    let mut finding = match threads[..] {
        [thread] => {
            let mut finding = with_itself(graph.snapshot, thread);
            finding.details.extend(words::came(thread));
            finding
        }
        _ if threads.iter().all(|thread| is_at_barrier(thread)) => apart(graph, &threads),
        _ => with_others(graph, &threads, &more),
    };
    finding.threads = threads.iter().chain(&more).map(|thread| thread.lwp).collect();
    let is_said = |thread: &&&Thread| match threads[..] {
        [_] => true,
        // The groups at one barrier contain all members of its team.
        _ => !threads.iter().all(|thread| is_at_barrier(thread)) || !is_at_barrier(thread),
    };
    let waiting: Vec<&Thread> = waiting.iter().filter(is_said).copied().collect();
    finding.details.extend(words::lines(graph.snapshot, &waiting));
    finding.threads.extend(waiting.iter().map(|thread| thread.lwp));
    finding
}

fn is_at_barrier(thread: &Thread) -> bool {
    matches!(thread.waits, Some(Wait::Barrier { .. }))
}

/// The finding for members of one team that are at different barriers.
fn apart(graph: &Graph<'_>, threads: &[&Thread]) -> Finding {
    let place = |thread: &Thread| {
        let what = match &thread.waits {
            Some(Wait::Barrier { kind, .. }) if kind == "region" => "the end of the region",
            Some(Wait::Barrier { kind, .. }) if kind == "explicit" => "a barrier",
            _ => "the barrier of a construct",
        };
        let region = || graph.snapshot.teams.iter().find(|team| Some(team.address) == thread.team);
        match (words::standing(thread), region().and_then(|team| team.location.as_ref())) {
            // At the end of its region a thread is in no code of the program's.
            (_, Some(region)) if what.starts_with("the end") => format!("the end of the {region}"),
            (Some(place), _) => format!("{what} at {place}"),
            (None, Some(region)) => format!("{what} in the {region}"),
            (None, None) => what.to_owned(),
        }
    };
    let team = threads[0].team;
    let members = graph.snapshot.threads.iter();
    let members = members.filter(|thread| thread.team == team && is_at_barrier(thread));
    let mut groups: Vec<(String, Vec<&Thread>)> = Vec::new();
    for thread in members {
        let at = place(thread);
        match groups.iter_mut().find(|(known, _)| *known == at) {
            Some((_, group)) => group.push(thread),
            None => groups.push((at, vec![thread])),
        }
    }
    groups.sort_by_key(|(_, group)| group[0].number);
    let each: Vec<String> =
        groups.iter().map(|(at, group)| format!("{} at {at}", words::threads(group))).collect();
    let parted = team.and_then(|team| parted::where_parted(graph.snapshot, team));
    let parted = parted.map_or_else(String::new, |said| format!(" {said}"));
    let summary = format!(
        "A barrier is not met by all members of its team: {}. Each side waits for the \
         other.{parted}",
        each.join("; ")
    );
    let mut finding = Finding::new("barrier-not-met", summary);
    for (_, group) in &groups {
        finding.details.extend(words::lines(graph.snapshot, group));
    }
    finding.details.push(
        "Every member of a team must come to each barrier, also to the hidden one at the end of a \
         worksharing construct."
            .to_owned(),
    );
    finding
}

fn with_itself(snapshot: &Snapshot, thread: &Thread) -> Finding {
    let name = words::thread(thread);
    let at = words::at(thread);
    let what = thread.waits.as_ref().map_or_else(String::new, |wait| object(snapshot, wait));
    if let Some(below) = words::interrupted(thread) {
        let interrupted = standing_below(below);
        let summary = format!(
            "{name} waits{at} for {what}, which it holds itself: the signal came while it \
             was{interrupted}."
        );
        let mut finding = Finding::new("lock-in-signal-handler", summary);
        finding
            .details
            .push("A handler may take no lock: the thread that it interrupts may hold it.".into());
        return finding;
    }
    if let Some(Wait::Once { .. }) = thread.waits {
        let summary = format!(
            "{name} waits{at} for {what}, which it is doing itself{}: nobody else ends that.",
            words::begun(thread)
        );
        return Finding::new("once-in-itself", summary);
    }
    let kind = words::lock_of(snapshot, thread).map_or("", |lock| &*lock.kind);
    let before = words::where_taken(snapshot, thread, thread);
    let waits = words::tries(thread).map_or_else(
        || format!("waits{at} for {what}"),
        |by| format!("tries{at} again and again ({by}) for {what}"),
    );
    let (kind, summary) = match kind {
        "critical" => (
            "critical-in-critical",
            format!(
                "{name} {waits}, in which it is already{before}: a critical section cannot be \
                 entered twice."
            ),
        ),
        "nest lock" => (
            "lock-taken-twice",
            format!(
                "{name} {waits}, which another one of its own tasks holds{before}: a nest lock can \
                 be taken again by the task that holds it, and by no other."
            ),
        ),
        _ => (
            "lock-taken-twice",
            format!(
                "{name} {waits}, which it holds already{before}: a lock of this kind cannot be \
                 taken twice by its holder."
            ),
        ),
    };
    Finding::new(kind, summary)
}

pub fn standing_below(stack: &[Frame]) -> String {
    let below = Thread { stack: stack.to_vec(), ..Thread::default() };
    words::at(&below)
}

fn with_others(graph: &Graph<'_>, threads: &[&Thread], more: &[&Thread]) -> Finding {
    let snapshot = graph.snapshot;
    let of_locks = |thread: &&Thread| {
        use Wait::{Interpreter, Loader, Lock, Mutex};
        matches!(
            thread.waits,
            Some(Lock { .. } | Mutex { .. } | Loader { .. } | Interpreter { .. })
        )
    };
    let has = |wanted: fn(&Wait) -> bool| {
        threads.iter().any(|thread| thread.waits.as_ref().is_some_and(wanted))
    };
    let locks = threads.iter().all(of_locks);
    let kind = match () {
        _ if locks => "lock-cycle",
        _ if has(|wait| matches!(wait, Wait::Barrier { .. })) => "barrier-in-cycle",
        _ if has(|wait| {
            matches!(
                wait,
                Wait::Taskwait { .. } | Wait::Taskgroup { .. } | Wait::Dependences { .. }
            )
        }) =>
        {
            "task-in-cycle"
        }
        _ if has(|wait| matches!(wait, Wait::Join { .. })) => "join-in-cycle",
        _ if has(|wait| matches!(wait, Wait::Once { .. })) => "once-in-cycle",
        _ => "cycle",
    };
    let all: Vec<&Thread> = threads.iter().chain(more).copied().collect();
    let names: Vec<String> = all.iter().map(|thread| words::thread(thread)).collect();
    let who = match names.split_last() {
        Some((last, rest)) if rest.len() < words::MOST_NAMED => {
            format!("{} and {last}", rest.join(", "))
        }
        _ => words::threads(&all),
    };
    let what = if locks { ", each for a lock that the next one holds" } else { "" };
    let place =
        |thread: &&Thread| words::standing(thread).or_else(|| words::region_end(snapshot, thread));
    let mut places: Vec<String> = Vec::new();
    for place in all.iter().filter_map(place) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let summary = format!(
        "{who} wait for each other{what}: {}.",
        if places.is_empty() { "none can go on".to_owned() } else { words::some(&places) }
    );
    let mut finding = Finding::new(kind, summary);
    finding.details.extend(words::lines(snapshot, &all));
    if threads.iter().any(|thread| words::interrupted(thread).is_some()) {
        let rule = "A handler may take no lock: the thread that it interrupts may hold one that \
                    others want.";
        finding.details.push(rule.to_owned());
    }
    finding
}

/// The object of a wait, as a noun.
pub fn object(snapshot: &Snapshot, wait: &Wait) -> String {
    match wait {
        Wait::Lock { lock } => words::lock_at(snapshot, *lock),
        Wait::Mutex { mutex, .. } => words::lock_at(snapshot, *mutex),
        Wait::Loader { .. } => "the dynamic linker's lock".to_owned(),
        Wait::Interpreter { .. } => words::INTERPRETER.to_owned(),
        Wait::Once { flag, of_static, .. } => words::once(snapshot, *flag, *of_static),
        Wait::Barrier { .. } => "the others at a barrier".to_owned(),
        Wait::Taskwait { .. } | Wait::Taskgroup { .. } => "tasks".to_owned(),
        _ => "something".to_owned(),
    }
}
