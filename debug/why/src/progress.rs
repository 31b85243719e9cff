//! Two looks at one program: what has moved between them.

use omphalos_ompd_view::snapshot::{Awaits, Os, Snapshot, Thread, Wait};

use crate::graph::Graph;
use crate::{Finding, woken, words};

/// CPU time of a thread that sleeps but for what looking at it costs, nanoseconds.
const AWAKE: u64 = 20_000_000;

/// Whether the thread has gone on since.
pub fn moved(now: &Snapshot, thread: &Thread, before: Option<&Snapshot>) -> bool {
    let Some(before) = before else { return false };
    let old = before.threads.iter().find(|old| old.lwp == thread.lwp);
    let counts = thread.waits.is_none() || is_uncounted(now, thread);
    changed(now, thread, before) || counts && old.is_some_and(|old| ran(old, thread) > AWAKE)
}

/// The same, but for the time that it ran.
fn changed(now: &Snapshot, thread: &Thread, before: &Snapshot) -> bool {
    let known = |old: &&Thread| old.lwp == thread.lwp;
    let Some(old) = before.threads.iter().find(known) else { return true };
    let stands = |thread: &Thread| words::standing(thread);
    // Rounds look alike: the region's number tells them apart.
    let region = |snapshot: &Snapshot| {
        let team = snapshot.teams.iter().find(|team| Some(team.address) == thread.team);
        team.map(|team| (team.region, team.arrived.clone()))
    };
    // Who wants the interpreter wakes now and then, asks, and sleeps again.
    let asks = |thread: &Thread| matches!(thread.waits, Some(Wait::Interpreter { .. }));
    old.waits != thread.waits && !asks(thread) && !asks_for_message(thread)
        || (old.team, old.task, old.barriers) != (thread.team, thread.task, thread.barriers)
        || stands(old) != stands(thread) && !tries(thread) && !asks_for_message(thread)
        || region(before) != region(now)
        // Between the two it was seen in other calls too.
        || thread.calls.len() > 1
            && !(asks(thread) || tries(thread) || asks_for_message(thread))
            && !rests_in_message(thread)
        || tries(thread) && !awaits(thread) && may_have(now, thread)
        || woken::again_and_again(thread) && !tries(thread)
        || woken::goes_on_behind_runtime(old, thread)
}

/// It runs in a loop that changes neither its registers nor its stack: nothing but another thread's
/// store ends that. (Where it is known what the loop reads, that tells more: [`awaits`].)
pub fn spins(thread: &Thread) -> bool {
    thread.waits.is_none() && thread.unchanged >= LOOKS && thread.awaits.is_none()
}

/// It asks MPI in each round of a loop whether a message has come.
fn asks_for_message(thread: &Thread) -> bool {
    matches!(&thread.waits, Some(Wait::Call { what, .. }) if words::messages::is_question(what))
}

/// It is in a function of MPI's that looks for messages, and pauses between its looks: Open MPI
/// does so in `MPI_Finalize`, by `sched_yield` and `usleep`.
fn rests_in_message(thread: &Thread) -> bool {
    let is_in = matches!(&thread.waits, Some(Wait::Call { what, .. })
        if words::is_message_passing(what));
    is_in && thread.calls.iter().all(|call| is_pause(call))
}

/// Who tries for a lock may have got it just now, where it is said to hold it itself; and where the
/// runtime does not tell, another one need not hold it.
fn may_have(now: &Snapshot, thread: &Thread) -> bool {
    let itself = Some(thread.lwp);
    !now.tells() || matches!(thread.waits, Some(Wait::Mutex { owner, .. }) if owner == itself)
}

/// It waits for a lock, and does so by trying for it again and again.
pub fn tries(thread: &Thread) -> bool {
    words::tries(thread).is_some() && matches!(thread.waits, Some(Wait::Mutex { .. }))
}

/// It is in a loop that only waits for memory to change, and that stays as it is.
pub fn awaits(thread: &Thread) -> bool {
    thread.awaits.as_ref().is_some_and(|awaits| awaits.looks >= LOOKS && !awaits.changes)
}

/// The livelock of threads that are all in loops that wait for what the others write there, and
/// begin again: as they were, or, where they meet by numbers that grow, but for those numbers.
pub fn deference(threads: &[&Thread]) -> Option<Finding> {
    let all = |pick: fn(&Thread) -> Option<&Awaits>| {
        let loops: Vec<&Awaits> =
            threads.iter().map(|thread| pick(thread)).collect::<Option<_>>()?;
        let defers = |at: usize| {
            let mut others = loops.iter().enumerate().filter(|(other, _)| *other != at);
            loops[at].looks >= LOOKS && others.any(|(_, other)| loops[at].looks_at(other))
        };
        (loops.len() > 1 && (0..loops.len()).all(defers)).then_some(loops)
    };
    // What decides must not be one of the numbers that grow.
    let is_led = |loops: &Vec<&Awaits>| {
        loops.iter().all(|one| loops.iter().all(|other| one.is_led_by(other)))
    };
    let meet = || all(|thread| thread.round.as_ref()).filter(is_led);
    let loops = all(|thread| thread.awaits.as_ref()).or_else(meet)?;
    Some(polite(threads, &loops))
}

/// It sleeps for a time of its own that is soon over, and goes on then: whether it gets anywhere
/// its author must say. (Libraries have threads that do no more.)
pub fn naps(now: &Snapshot, thread: &Thread) -> bool {
    let time = thread.os.as_ref().and_then(|os| os.at_most);
    sleeps_for_a_time(now, thread) && time.is_some_and(|time| time < SHORT_SLEEP)
}

/// A thread of the program's is in a system call that ends by itself.
pub fn sleeps_for_a_time(now: &Snapshot, thread: &Thread) -> bool {
    matches!(thread.waits, Some(Wait::Call { .. })) && is_timed(now, thread)
}

/// It is the program's, and what it sleeps in outside of the runtime ends by itself. (A library of
/// MPI looks for messages again and again, sleeping in between.)
pub fn is_timed(now: &Snapshot, thread: &Thread) -> bool {
    let is_outside = match &thread.waits {
        Some(Wait::Call { what, .. }) => !words::is_message_passing(what),
        Some(Wait::Condition { .. } | Wait::Mutex { .. } | Wait::Unknown { .. }) => true,
        _ => false,
    };
    let has_time = thread.os.as_ref().is_some_and(|os| os.timed);
    is_outside && has_time && words::is_of_program(now, thread)
}

/// The end of its wait is under way, outside of the program.
pub fn is_brought(thread: &Thread) -> bool {
    thread.os.as_ref().is_some_and(|os| os.brought)
}

/// Whether the thread goes on, as far as can be seen, or its author must say whether it does.
pub fn goes_on(now: &Snapshot, thread: &Thread, before: Option<&Snapshot>) -> bool {
    let sleeps = |os: &Os| ["S", "D", "T", "t"].contains(&&*os.state);
    let sleeps = || thread.os.as_ref().is_some_and(sleeps);
    !spins(thread)
        && !awaits(thread)
        && !tries_in_vain(thread)
        && (moved(now, thread, before)
            || naps(now, thread)
            || is_brought(thread)
            || thread.waits.is_none() && (!sleeps() || was_awake(thread)))
}

/// Its registers are of a moment in which it was in no system call: it has gone to sleep since.
pub fn was_awake(thread: &Thread) -> bool {
    let slept = |os: &Os| os.state == "S" && os.call.is_none();
    thread.os.as_ref().is_some_and(slept) && !thread.stack.is_empty()
}

/// Nanoseconds.
const SHORT_SLEEP: u64 = 10_000_000_000;

/// It was seen to try for a lock again and again, and to call nothing else but what lets some time
/// go by.
pub fn tries_in_vain(thread: &Thread) -> bool {
    if thread.retries.is_some() {
        return thread.calls.iter().all(|call| is_try(call) || is_pause(call));
    }
    let only_tries = || thread.calls.iter().all(|call| is_try(call));
    let often = thread.tried >= LOOKS || thread.tried > 0 && spins(thread);
    thread.waits.is_none() && often && only_tries()
}

/// Whether no thread goes on by itself, as far as can be seen, and some have work.
pub fn all_wait(now: &Snapshot, before: &Snapshot) -> bool {
    let works = |thread: &&Thread| !matches!(thread.waits, Some(Wait::Work));
    let waits = |thread: &Thread| {
        thread.waits.is_some()
            && !is_timed(now, thread)
            && !is_brought(thread)
            && !moved(now, thread, Some(before))
            && !may_execute(now, thread)
    };
    let mut all = now.threads.iter().filter(works).peekable();
    all.peek().is_some() && all.all(waits)
}

/// Whether all threads with work wait, and some are awake in a runtime that tells nothing: whether
/// those execute tasks between the looks cannot be seen.
pub fn some_wait_awake(now: &Snapshot, before: &Snapshot) -> bool {
    let works = |thread: &&Thread| !matches!(thread.waits, Some(Wait::Work));
    let waits = |thread: &Thread| {
        thread.waits.is_some()
            && !is_timed(now, thread)
            && !is_brought(thread)
            && !changed(now, thread, before)
    };
    let awake = now.threads.iter().any(|thread| may_execute(now, thread));
    awake && now.threads.iter().filter(works).all(waits)
}

/// It is awake in a wait of a runtime that tells nothing: it may be between two tasks, and a busy
/// machine need not have let it run between the looks.
fn may_execute(now: &Snapshot, thread: &Thread) -> bool {
    use Wait::{Barrier, Dependences, Taskgroup, Taskwait};
    let executes = matches!(
        thread.waits,
        Some(Barrier { .. } | Dependences { .. } | Taskgroup { .. } | Taskwait { .. })
    );
    executes && !now.tells() && thread.os.as_ref().is_some_and(|os| os.state != "S")
}

/// So many looks, one after the other, must show the same.
const LOOKS: u32 = 5;

/// It waits at a barrier of a runtime that does not say which one: who stands still there does not
/// compute, and who passes one after the other does.
fn is_uncounted(now: &Snapshot, thread: &Thread) -> bool {
    let team = now.teams.iter().find(|team| Some(team.address) == thread.team);
    matches!(thread.waits, Some(Wait::Barrier { .. }))
        && team.is_none_or(|team| team.arrived.is_empty())
}

fn ran(old: &Thread, new: &Thread) -> u64 {
    let cpu = |thread: &Thread| thread.os.as_ref().and_then(|os| os.cpu);
    match (cpu(old), cpu(new)) {
        (Some(old), Some(new)) => new.saturating_sub(old),
        _ => 0,
    }
}

/// The program computes: whether it gets anywhere, as far as can be seen.
pub fn find(graph: &Graph<'_>, before: &Snapshot) -> Vec<Finding> {
    let now = graph.snapshot;
    let trying = retries(now, before);
    if !trying.is_empty() {
        return vec![livelock(now, &trying)];
    }
    Vec::new()
}

/// Threads that run, or wake up again and again.
fn awake<'a>(now: &'a Snapshot, before: &Snapshot) -> Vec<&'a Thread> {
    now.threads
        .iter()
        .filter(|thread| {
            let old = before.threads.iter().find(|old| old.lwp == thread.lwp);
            old.is_none_or(|old| ran(old, thread) > AWAKE || !is_stuck(thread))
        })
        .filter(|thread| !matches!(thread.waits, Some(Wait::Work)))
        .collect()
}

/// Threads that try for a lock again and again, in both looks, if all that run do.
fn retries<'a>(now: &'a Snapshot, before: &Snapshot) -> Vec<&'a Thread> {
    let awake = awake(now, before);
    let tries = |thread: &&Thread| {
        let old = before.threads.iter().find(|old| old.lwp == thread.lwp);
        let same = old.is_some_and(|old| {
            let functions = |thread: &Thread| -> Vec<String> {
                let frames = thread.stack.iter();
                let own = frames.filter(|frame| !frame.runtime && !words::is_system(frame));
                own.take(3).map(|frame| frame.function.clone()).collect()
            };
            let (old, new) = (functions(old), functions(thread));
            old.iter().any(|function| new.contains(function))
        });
        same && !thread.tries.is_empty()
    };
    let seen = |thread: &&Thread| thread.calls.iter().any(|call| is_try(call));
    // Who does no more than to try gives nothing up.
    let gives = |thread: &&Thread| thread.retries.is_none() && words::tries(thread).is_none();
    let all = awake.len() > 1 && awake.iter().all(tries) && awake.iter().any(seen);
    let all = all && awake.iter().all(gives);
    if all { awake } else { Vec::new() }
}

fn is_stuck(thread: &Thread) -> bool {
    thread.waits.as_ref().is_some_and(|wait| !matches!(wait, Wait::Call { .. }))
}

/// Whether a function tries for a lock and does not wait for it.
pub fn is_try(call: &str) -> bool {
    call.contains("test_lock") || call.contains("test_nest_lock") || call.contains("trylock")
}

/// Whether a function lets some time go by.
pub fn is_pause(call: &str) -> bool {
    ["sleep", "yield", "poll", "select"].iter().any(|part| call.contains(part))
}

/// Barriers, regions and tasks that were passed between two looks.
pub fn events(now: &Snapshot, before: &Snapshot) -> u64 {
    let mut sum = 0;
    for team in &now.teams {
        let Some(old) = before.teams.iter().find(|old| old.address == team.address) else {
            continue;
        };
        if team.region != old.region {
            sum += team.region.saturating_sub(old.region);
            continue;
        }
        let most = |list: &[u64]| list.iter().copied().max().unwrap_or(0);
        sum += most(&team.arrived).saturating_sub(most(&old.arrived));
    }
    sum
}

fn livelock(now: &Snapshot, threads: &[&Thread]) -> Finding {
    let names: Vec<String> = threads.iter().map(|thread| words::thread(thread)).collect();
    let (last, rest) = names
        .split_last()
        .map_or_else(Default::default, |(last, rest)| (last.clone(), rest.join(", ")));
    let places: Vec<String> = threads.iter().filter_map(|thread| words::standing(thread)).collect();
    let summary = format!(
        "{rest} and {last} run, but get nowhere (a livelock): each tries for a lock again and \
         again and gives up what it holds: {}.",
        places.join("; ")
    );
    let mut finding = Finding::new("livelock", summary);
    for thread in threads {
        let held: Vec<String> = now
            .locks
            .iter()
            .filter(|lock| lock.holder.is_some() && lock.holder == thread.number)
            .map(words::lock)
            .collect();
        let calls: Vec<&str> = thread.tries.iter().map(String::as_str).collect();
        finding.details.push(format!(
            "{} calls {}{}{}",
            words::thread(thread),
            calls.join(" and "),
            words::at(thread),
            if held.is_empty() { String::new() } else { format!(", holds {}", held.join(" and ")) }
        ));
        finding.threads.push(thread.lwp);
    }
    finding
}

/// Threads that wait for each other in loops of the program's own.
fn polite(threads: &[&Thread], loops: &[&Awaits]) -> Finding {
    let names: Vec<String> = threads.iter().map(|thread| words::thread(thread)).collect();
    let (last, rest) = names
        .split_last()
        .map_or_else(Default::default, |(last, rest)| (last.clone(), rest.join(", ")));
    let summary = format!(
        "{rest} and {last} run, but get nowhere (a livelock): each looks at what the others wrote, \
         writes what it wrote in the round before, and begins anew."
    );
    let mut finding = Finding::new("livelock", summary);
    for (thread, awaits) in threads.iter().zip(loops) {
        let name = words::thread(thread);
        let at = words::at(thread);
        let reads = awaited(awaits);
        finding.details.push(format!("{name} waits{at} in a loop for {reads}"));
        finding.threads.push(thread.lwp);
    }
    finding
}

/// "the variable 'flag' to change (read at a.c:3)".
pub fn awaited(awaits: &Awaits) -> String {
    let place = awaits.place.as_ref().map_or_else(String::new, |at| format!(" (read at {at})"));
    match awaits.what.strip_prefix("the cancellation of ") {
        Some(construct) => format!("{construct} to be cancelled{place}"),
        None => format!("{} to change{place}", awaits.what),
    }
}

/// What a program does that makes progress: "it does make progress: 12 barriers a second".
pub fn pace(now: &Snapshot, before: &Snapshot, seconds: f64) -> Option<String> {
    let events = events(now, before);
    if events == 0 || seconds <= 0.0 {
        return None;
    }
    let rate = events as f64 / seconds;
    let regions = now.teams.iter().any(|team| {
        let old = before.teams.iter().find(|old| old.address == team.address);
        old.is_some_and(|old| old.region != team.region)
    });
    let what = if regions { "parallel regions" } else { "barriers" };
    Some(format!("It does make progress: {rate:.1} {what} a second."))
}
