//! Finds causes at waits that no other thread of the program is known to end.

use omphalos_ompd_view::asleep::is_lock_of_python;
use omphalos_ompd_view::snapshot::{InheritedEnd, Lock, Snapshot, Thread, Wait};

use crate::graph::Graph;
use crate::{
    Finding, alone, circles, comers, job, library, progress, readers, sinks, stays, words,
};

/// Returns the cause for `thread`, which is at the end of a chain of waits. `waiting`: the number
/// of threads that wait for it.
pub fn find(graph: &Graph<'_>, thread: &Thread, waiting: usize) -> Option<Finding> {
    let (name, at) = (words::thread(thread), words::at(thread));
    let others = match waiting {
        0 => String::new(),
        1 => format!("; another thread waits for {name}"),
        more => format!("; {more} threads wait for {name}"),
    };
    let library = || library::find(graph.snapshot, thread, &others);
    let readers = || readers::find(graph.snapshot, thread, &others);
    let mut finding =
        library().or_else(readers).or_else(|| cause(graph, thread, &name, &at, &others))?;
    let calls = words::python_calls(thread);
    finding.details.extend(calls.map(|calls| format!("It waits within {calls}.")));
    finding.details.extend(words::came(thread));
    let is_taken = matches!(&thread.waits, Some(Wait::Unknown { what }) if is_lock_of_python(what));
    if is_taken && graph.snapshot.forked.is_some() {
        finding.details.extend(alone::unforked_holder(graph.snapshot));
    }
    let awaits = thread.awaits.as_ref().filter(|_| finding.kind == "spins");
    let now = awaits.filter(|it| it.what.starts_with("the variable")).and_then(|it| it.now);
    let compared = awaits.and_then(|awaits| words::compared(&awaits.compared));
    let now = || now.map(|now| format!("That variable is {now} now."));
    finding.details.extend(compared.or_else(now));
    finding.details.extend(words::own_copies(graph.snapshot, thread));
    finding.details.extend(words::brings(thread));
    finding.details.extend(end_of_pipe(thread));
    finding.details.extend(thread.inherited.iter().map(inherited_end));
    finding.details.extend(words::file_lock_takers(graph.snapshot, thread));
    readers::add(graph.snapshot, thread, &mut finding);
    // The waits of the runtime and of MPI are waits for others, whatever system call sleeps in
    // them.
    let is_outside = match &thread.waits {
        Some(Wait::Call { what, .. }) => !words::is_message_passing(what),
        Some(Wait::Asks { .. } | Wait::Condition { .. } | Wait::Mutex { .. }) => true,
        _ => false,
    };
    let is_outside = is_outside && !["livelock", "spins"].contains(&&*finding.kind);
    if is_outside && thread.os.as_ref().is_some_and(|os| os.timed) {
        finding.details.push(BY_ITSELF.to_owned());
        finding.details.extend(words::time_left(thread));
    } else if is_outside
        && !is_own_affair(thread)
        && !is_in_circle(thread)
        && thread.os.as_ref().is_some_and(|os| os.outside)
    {
        finding.details.push(FROM_OUTSIDE.to_owned());
    }
    let is_shared = matches!(&thread.waits, Some(Wait::Unknown { what })
        if what.contains("of several processes"));
    if is_shared || is_outside && !is_own_affair(thread) {
        finding.details.extend(graph.snapshot.ended.iter().map(|other| said_of(other)));
    }
    Some(finding)
}

/// The line about a process whose end nobody has asked for yet.
fn said_of(ended: &str) -> String {
    format!("P{}.", ended.strip_prefix('p').unwrap_or(ended))
}

/// The line about a wait that ends after a time.
pub const BY_ITSELF: &str = "It goes on by itself when its time is over.";
/// The line about a wait that another process, or a person, may end.
pub const FROM_OUTSIDE: &str = "It goes on when something comes from outside of the program.";

fn cause(
    graph: &Graph<'_>,
    thread: &Thread,
    name: &str,
    at: &str,
    others: &str,
) -> Option<Finding> {
    let wait = thread.waits.as_ref();
    if thread.os.as_ref().is_some_and(|os| os.state == "t") {
        // The kernel shows a thread that was stopped at the end of a system call in the same way as
        // one that was stopped inside it.
        let summary = match wait {
            Some(Wait::Unknown { .. }) => {
                let doing = words::doing(graph.snapshot, thread);
                Some(format!("{name} is stopped{at}: it {doing}{others}."))
            }
            Some(Wait::Call { name: call, .. }) if !call.is_empty() => Some(format!(
                "{name} is stopped{at}, in the system call {call} or right behind it, by a program \
                 that traces it{others}."
            )),
            _ => None,
        };
        if let Some(summary) = summary {
            return Some(Finding::new("stopped", summary));
        }
    }
    if let Some(by) = thread.retries.as_ref().filter(|_| progress::tries_in_vain(thread)) {
        let awaits = thread.awaits.as_ref().filter(|it| it.what.starts_with("the variable"));
        let or = awaits.map_or_else(String::new, |awaits| {
            format!(" or waits for {}", progress::awaited(awaits))
        });
        let lock = words::tried_lock(graph.snapshot, thread);
        let summary = format!(
            "{name} gets nowhere (a livelock){at}: it tries for {lock} by {by} again and \
             again{or}, and no thread runs that could give the lock back{others}."
        );
        return Some(Finding::new("livelock", summary));
    }
    if progress::tries_in_vain(thread) {
        let calls: Vec<&str> = thread.calls.iter().map(String::as_str).collect();
        let lock = words::tried_lock(graph.snapshot, thread);
        let summary = format!(
            "{name} runs, but gets nowhere (a livelock){at}: in {} looks it tried for {lock} by {} \
             and did nothing else, and no other thread runs that could give the lock back{others}.",
            thread.tried,
            calls.join(" and ")
        );
        return Some(Finding::new("livelock", summary));
    }
    if let Some(summary) = circles::summary(thread, others) {
        return Some(Finding::new("spins", summary));
    }
    if progress::is_endless(thread) && thread.awaits.is_none() {
        let summary = format!(
            "{name} is in a loop that has no end{at}: no instruction of it leads out of it{others}."
        );
        return Some(Finding::new("spins", summary));
    }
    if let Some(awaits) = thread.awaits.as_ref().filter(|_| progress::awaits(thread)) {
        let summary = match &*awaits.what {
            "" => match &awaits.once {
                Some(once) => format!(
                    "{name} is in a loop that has no end{at}: the code reads {once} once before it \
                     and never again, as a compiler may do with what is neither atomic nor \
                     volatile{others}."
                ),
                None => format!("{name} is in a loop that has no end{at}{others}."),
            },
            what if awaits.exchanges => {
                let read = awaits.place.as_ref().map_or_else(String::new, |at| format!(" at {at}"));
                format!(
                    "{name} is in a loop{at} that ends only if {what}, read{read}, changes: in {} \
                     looks each round was like the last one, and no thread runs that could change \
                     it{others}.",
                    thread.unchanged
                )
            }
            _ => format!(
                "{name} waits{at} in a loop of the program's own for {}: in {} looks it stayed as \
                 it was, and no thread runs that could change it{others}.",
                progress::awaited(awaits),
                awaits.looks
            ),
        };
        return Some(Finding::new("spins", summary));
    }
    if progress::spins(thread) {
        if let Some(why) = stays::deferred(thread) {
            let summary = format!(
                "{name} spins{at}: in {} looks each round of its loop was like the last one, and \
                 {why}{others}.",
                thread.unchanged
            );
            return Some(Finding::new("spins", summary));
        }
        let reads = match stays::polled(thread) {
            Some(stays) => format!("for it looks at {}", stays::looked_at(stays)),
            None => "if the loop reads what others write".to_owned(),
        };
        let summary = format!(
            "{name} spins{at}: in {} looks its registers and its stack were as they had been \
             before, so each round of its loop is like the last one. Only another thread's store \
             could end it, {reads}, and no other one runs{others}.",
            thread.unchanged
        );
        return Some(Finding::new("spins", summary));
    }
    Some(match wait? {
        Wait::Condition { .. } => {
            let doing = words::doing_at(graph.snapshot, thread);
            let is_late = thread.there || thread.unchecked;
            let nobody = match comers::are_peers(graph.snapshot, thread) && !is_late {
                true => "those who may come to a signal wait for it themselves",
                false => "nobody signals it",
            };
            let summary = format!("{name} {doing}, and {nobody}{others}.");
            Finding::new("condition-not-signalled", summary)
        }
        Wait::Call { what, .. } if words::is_message_passing(what) => {
            let (missing, question) = words::messages::of(what);
            let of = thread.envelope.as_ref().map_or_else(String::new, |of| format!(" ({of})"));
            let summary = format!("{name} is in {what}{at}: {missing}{of}{others}.");
            let mut finding = Finding::new("message-not-sent", summary);
            finding.details.push(format!("{} (`omphalos why --all`): {question}", job::LOOK));
            finding
        }
        Wait::Call { name: call, what } => {
            let of = if what.is_empty() { String::new() } else { format!(" ({what})") };
            let circle = words::circle_of_processes(what);
            let by = match is_own_affair(thread) && circle.is_none() {
                true => ", and none of its threads goes on that could end that",
                false => "",
            };
            let circle =
                circle.map_or_else(String::new, |who| format!("{who} wait for each other: "));
            let summary =
                format!("{circle}{name} sleeps in the system call {call}{of}{at}{by}{others}.");
            Finding::new("system-call", summary)
        }
        Wait::Asks { by, what } => {
            let summary = format!(
                "{name} asks again and again for {what}: {by}, in a loop that does nothing \
                 else{others}."
            );
            Finding::new("asks-again", summary)
        }
        Wait::Ordered { .. } => {
            let summary = format!(
                "{name} waits{at} for its turn in an ordered region, and the iteration before its \
                 own has never executed its ordered region{others}."
            );
            Finding::new("ordered-not-reached", summary)
        }
        Wait::Sink { never, sources, .. } => {
            let doing = words::doing_at(graph.snapshot, thread);
            let (so, advice) = match never.as_deref() {
                Some("own") => (": that can not come while it waits", SINKS),
                Some("later") => (NO_SOURCE, "A sink must name an iteration that comes earlier."),
                _ => (NO_SOURCE, SINKS),
            };
            let summary = format!("{name} {doing}{so}{others}.");
            let mut finding = Finding::new("sink-never-comes", summary);
            finding.details.push(advice.to_owned());
            finding.details.extend(sinks::left(graph, thread));
            if !sources.is_empty() {
                let sources = sources.join(" and at ");
                finding.details.push(format!("The code comes to sources at {sources}."));
            }
            finding
        }
        Wait::Copyprivate { .. } => {
            let summary = format!(
                "{name} waits{at} for the values of single copyprivate, and no thread is about to \
                 give them out{others}."
            );
            Finding::new("copyprivate", summary)
        }
        Wait::Barrier { .. } => return barrier(thread, others),
        Wait::Lock { lock } | Wait::Mutex { mutex: lock, .. }
            if graph.lock(*lock).is_some_and(is_no_threads) =>
        {
            let known = graph.lock(*lock)?;
            return Some(of_no_thread(known, name, at, others));
        }
        Wait::Lock { lock } => {
            let lock = words::lock_at(graph.snapshot, *lock);
            let summary = format!(
                "{name} waits{at} for {lock}, and no thread of the program is known to hold \
                 it{others}."
            );
            Finding::new("lock-without-holder", summary)
        }
        Wait::Mutex { .. }
        | Wait::Once { .. }
        | Wait::Loader { .. }
        | Wait::Interpreter { .. }
        | Wait::Join { .. }
        | Wait::Unknown { .. } => {
            let doing = words::doing_at(graph.snapshot, thread);
            let of_queue = words::queue_wait(thread).map(|(_, remedy)| remedy);
            let remedy = of_queue.unwrap_or(words::remedy(wait?));
            let summary = format!("{name} {doing}, and no other thread {remedy}{others}.");
            Finding::new("waits-for-ever", summary)
        }
        _ => return None,
    })
}

/// Says, for a thread that reads from a pipe, who can still write there and so keeps the end of the
/// input from coming.
fn end_of_pipe(thread: &Thread) -> Option<String> {
    let Some(Wait::Call { name, what }) = &thread.waits else { return None };
    let (_, by) = what.split_once(", written by ").filter(|_| name.starts_with("read"))?;
    let by = by.split([',', ')']).next().filter(|_| !by.contains("a circle"))?;
    let by = if by.contains('(') { format!("{by})") } else { by.to_owned() };
    Some(format!("What it reads has an end only when nobody can write there any more: {by} can."))
}

/// Says which process has the end of a pipe that another one waits for, and how to keep it from
/// having it.
fn inherited_end(end: &InheritedEnd) -> String {
    let InheritedEnd { reader, keeper, descriptor, executes, made_at } = end;
    let at = match made_at.is_empty() {
        true => String::new(),
        false => format!(" at {}", made_at.join(" or ")),
    };
    let mend = match executes {
        true => format!("make the pipe{at} with O_CLOEXEC (pipe2), or close it there before exec"),
        false => format!("it should close it after the fork (the code makes pipes{at})"),
    };
    format!(
        "{reader} reads until nobody can write to its pipe any more, and {keeper} can: it has \
         inherited that end, as its file descriptor {descriptor}; {mend}."
    )
}

/// Whether the object of a system call's wait is the process's own: a lock of a file that it has by
/// another descriptor, or the other end of a socket.
fn is_own_affair(thread: &Thread) -> bool {
    const WORDS: [&str; 4] = [
        "its lock held by this process, by",
        "its other end is file descriptor",
        "written by file descriptor",
        "read by file descriptor",
    ];
    let Some(Wait::Call { what, .. }) = &thread.waits else { return false };
    const OTHERS: [&str; 2] = ["which it shares with", ", process "];
    let says = |words: &[&str]| words.iter().any(|words| what.contains(words));
    // Of several descriptors, one may be for others.
    let is_open = thread.os.as_ref().is_some_and(|os| os.outside) && !says(&WORDS[..1]);
    says(&WORDS) && !says(&OTHERS) && !is_open
}

/// Whether the wait is part of a circle of processes, which nothing from outside ends.
fn is_in_circle(thread: &Thread) -> bool {
    matches!(&thread.waits, Some(Wait::Call { what, .. })
        if words::circle_of_processes(what).is_some())
}

const NO_SOURCE: &str = ", and no thread comes to that iteration's source";
const SINKS: &str =
    "A sink must name an earlier iteration, and that one must come to its source on every way.";

/// Whether the lock itself shows that no thread of the process is known to be its holder.
fn is_no_threads(lock: &Lock) -> bool {
    lock.damaged || lock.elsewhere.is_some() || lock.shared && !is_mutex(lock)
}

/// Whether the lock is a mutex, which names its holder by a number that is unique among all
/// processes.
fn is_mutex(lock: &Lock) -> bool {
    ["pthread mutex", "lock of a stream", "lock of a Fortran unit", "read-write lock"]
        .contains(&&*lock.kind)
}

fn of_no_thread(known: &Lock, name: &str, at: &str, others: &str) -> Finding {
    let lock = words::lock(known);
    if known.damaged && !known.shared {
        let by = match &*known.kind {
            "pthread mutex" => "pthread_mutex_init",
            _ => "omp_init_lock",
        };
        let summary = format!(
            "{name} waits{at} for {lock}, but what stands there names a holder that never \
             was{others}: nobody initialised the lock ({by}), or something has overwritten it."
        );
        return Finding::new("lock-damaged", summary);
    }
    let holder = known.elsewhere.as_deref().unwrap_or("one of them");
    let summary = format!(
        "{name} waits{at} for {lock}, which stands in memory that other processes share: {holder} \
         holds it{others}."
    );
    Finding::new("holder-elsewhere", summary)
}

fn barrier(thread: &Thread, others: &str) -> Option<Finding> {
    let name = words::thread(thread);
    let at = words::at(thread);
    let Some(Wait::Barrier { missing, .. }) = &thread.waits else { return None };
    if missing.is_empty() {
        return None;
    }
    let summary = format!(
        "{name} waits{at} at a barrier for {}, which no thread is{others}.",
        words::members(missing)
    );
    Some(Finding::new("barrier-not-met", summary))
}

/// Returns the finding for a runtime that does not tell which threads a barrier waits for. If all
/// its threads sleep at barriers, but not all at the same barrier, their places show that a barrier
/// is not met.
pub fn untold(graph: &Graph<'_>, before: Option<&Snapshot>) -> Option<Finding> {
    let mut groups: Vec<(String, Vec<&Thread>)> = Vec::new();
    let mut lwps = Vec::new();
    let mut is_inside = false;
    for (place, thread) in graph.snapshot.threads.iter().enumerate() {
        let at = match &thread.waits {
            Some(Wait::Work) => {
                "in no code of the program's (at the end of its region, or without one)".to_owned()
            }
            _ if !words::is_of_program(graph.snapshot, thread) => continue,
            Some(Wait::Barrier { kind, .. }) if graph.is_untold(place) && kind == "region" => {
                format!("waiting for the end of a region{}", words::at(thread))
            }
            Some(Wait::Barrier { .. }) if graph.is_untold(place) => {
                is_inside = true;
                format!("at a barrier{}", words::at(thread))
            }
            _ => return None,
        };
        // A thread that is awake may have been released.
        let sleeps = thread.os.as_ref().is_some_and(|os| os.state == "S");
        if !sleeps || progress::moved(graph.snapshot, thread, before) {
            return None;
        }
        lwps.push(thread.lwp);
        match groups.iter_mut().find(|(known, _)| *known == at) {
            Some((_, group)) => group.push(thread),
            None => groups.push((at, vec![thread])),
        }
    }
    // If all threads are at one barrier, they are about to pass it. The same holds for a region's
    // end, where workers are in no code of the program's.
    if groups.len() < 2 || !is_inside {
        return None;
    }
    let group = |(at, group): &(String, Vec<&Thread>)| format!("{} {at}", words::threads(group));
    let each: Vec<String> = groups.iter().map(group).collect();
    let summary = format!(
        "A barrier is not met by all: {}. The runtime does not tell who is missing: every member \
         of a team must come to each barrier.",
        each.join("; ")
    );
    Some(Finding { threads: lwps, ..Finding::new("barrier-not-met", summary) })
}
