//! Compares two looks at one program: what has moved between them.

use omphalos_ompd_view::snapshot::{Awaits, Compared, Os, Snapshot, Thread, Wait};

use crate::graph::Graph;
use crate::{Finding, circles, woken, words};

/// CPU time in nanoseconds above which a thread did more than sleep and be looked at.
const AWAKE: u64 = 20_000_000;

/// Whether the thread has gone on since the first look.
pub fn moved(now: &Snapshot, thread: &Thread, before: Option<&Snapshot>) -> bool {
    let Some(before) = before else { return false };
    let old = before.threads.iter().find(|old| old.lwp == thread.lwp);
    let counts = thread.waits.is_none() || is_uncounted(now, thread);
    changed(now, thread, before) || counts && old.is_some_and(|old| ran(old, thread) > AWAKE)
}

/// Whether the thread's wait, place or counts have changed since the first look. The time that it
/// ran does not count.
fn changed(now: &Snapshot, thread: &Thread, before: &Snapshot) -> bool {
    let known = |old: &&Thread| old.lwp == thread.lwp;
    let Some(old) = before.threads.iter().find(known) else { return true };
    let stands = |thread: &Thread| words::standing(thread);
    // Rounds look alike: the region's number distinguishes them.
    let region = |snapshot: &Snapshot| {
        let team = snapshot.teams.iter().find(|team| Some(team.address) == thread.team);
        team.map(|team| (team.region, team.arrived.clone()))
    };
    // A thread that wants the interpreter wakes now and then, asks, and sleeps again.
    let wakes = |thread: &Thread| matches!(thread.waits, Some(Wait::Interpreter { .. }));
    // A thread that asks again and again is now in one of its calls, now in another.
    let asks = |thread: &Thread| {
        let of_kernel = matches!(thread.waits, Some(Wait::Asks { .. }));
        of_kernel || tries(thread) || asks_for_message(thread)
    };
    old.waits != thread.waits && !wakes(thread) && !asks_for_message(thread)
        || (old.team, old.task, old.barriers) != (thread.team, thread.task, thread.barriers)
        || stands(old) != stands(thread) && !asks(thread)
        || region(before) != region(now)
        // Between the two looks the thread was seen in other calls too.
        || thread.calls.len() > 1
            && !(wakes(thread) || asks(thread))
            && !rests_in_message(thread)
        || tries(thread) && !awaits(thread) && may_have(now, thread)
        || woken::again_and_again(thread) && !tries(thread)
        || woken::goes_on_behind_runtime(old, thread)
}

/// Whether the thread runs in a loop that changes neither its registers nor its stack: only a store
/// by another thread ends such a loop. (If the memory that the loop reads is known, [`awaits`]
/// tells more.)
pub fn spins(thread: &Thread) -> bool {
    let is_silent = thread.awaits.is_none() && !circles::walks(thread);
    thread.waits.is_none() && thread.unchanged >= LOOKS && is_silent
}

/// Whether the thread runs in a loop that no instruction leads out of.
pub fn is_endless(thread: &Thread) -> bool {
    thread.waits.is_none() && thread.stays_in.iter().any(|stays| stays.endless)
}

/// Whether the thread asks MPI in each round of a loop whether a message has come.
fn asks_for_message(thread: &Thread) -> bool {
    matches!(&thread.waits, Some(Wait::Call { what, .. }) if words::messages::is_question(what))
}

/// Whether the thread is in an MPI function that looks for messages and pauses in between. Open MPI
/// does so in `MPI_Finalize`, by `sched_yield` and `usleep`.
fn rests_in_message(thread: &Thread) -> bool {
    let is_in = matches!(&thread.waits, Some(Wait::Call { what, .. })
        if words::is_message_passing(what));
    is_in && thread.calls.iter().all(|call| is_pause(call))
}

/// Whether the thread may just have got the lock that it tries for. It may if the snapshot names it
/// as the lock's holder, or if the runtime does not tell holders.
fn may_have(now: &Snapshot, thread: &Thread) -> bool {
    let itself = Some(thread.lwp);
    !now.tells() || matches!(thread.waits, Some(Wait::Mutex { owner, .. }) if owner == itself)
}

/// Whether the thread waits for a lock by trying for it again and again.
pub fn tries(thread: &Thread) -> bool {
    words::tries(thread).is_some() && matches!(thread.waits, Some(Wait::Mutex { .. }))
}

/// Whether the thread is in a loop that only waits for memory to change, and the memory stays as it
/// is.
pub fn awaits(thread: &Thread) -> bool {
    let is_alike = |awaits: &Awaits| !awaits.exchanges || thread.unchanged >= LOOKS;
    let stays = |awaits: &Awaits| awaits.looks >= LOOKS && !awaits.changes;
    thread.awaits.as_ref().is_some_and(|awaits| stays(awaits) && is_alike(awaits))
}

/// Returns the finding for a livelock. All these threads are in loops that wait for memory that the
/// others write in their loops, and each round begins with the same values. If the threads meet by
/// numbers that grow, only these numbers differ from round to round.
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
    // The memory that decides must not have the numbers that grow.
    let is_led = |loops: &Vec<&Awaits>| {
        loops.iter().all(|one| loops.iter().all(|other| one.is_led_by(other)))
    };
    let meet = || all(|thread| thread.round.as_ref()).filter(is_led);
    let loops = all(|thread| thread.awaits.as_ref()).or_else(meet)?;
    Some(polite(threads, &loops))
}

/// Whether the thread sleeps for a short time of its own, and then goes on. Only the program's
/// author knows whether such a thread gets anywhere. (Libraries have threads that do nothing else.)
pub fn naps(now: &Snapshot, thread: &Thread) -> bool {
    let time = thread.os.as_ref().and_then(|os| os.at_most);
    sleeps_for_a_time(now, thread) && time.is_some_and(|time| time < SHORT_SLEEP)
}

/// Whether this is a thread of the program's in a system call that ends by itself.
pub fn sleeps_for_a_time(now: &Snapshot, thread: &Thread) -> bool {
    matches!(thread.waits, Some(Wait::Call { .. })) && is_timed(now, thread)
}

/// Whether this is a thread of the program's whose wait is outside the runtime and ends by itself.
/// (A wait in MPI does not count: the library looks for messages again and again, and sleeps in
/// between.)
pub fn is_timed(now: &Snapshot, thread: &Thread) -> bool {
    let is_outside = match &thread.waits {
        Some(Wait::Call { what, .. }) => !words::is_message_passing(what),
        Some(Wait::Condition { .. } | Wait::Mutex { .. } | Wait::Unknown { .. }) => true,
        _ => false,
    };
    let has_time = thread.os.as_ref().is_some_and(|os| os.timed);
    is_outside && has_time && words::is_of_program(now, thread)
}

/// Whether something outside the program is about to end the thread's wait.
pub fn is_brought(thread: &Thread) -> bool {
    thread.os.as_ref().is_some_and(|os| os.brought)
}

/// Whether the thread goes on, as far as can be seen, or only its author knows whether it does.
pub fn goes_on(now: &Snapshot, thread: &Thread, before: Option<&Snapshot>) -> bool {
    let sleeps = |os: &Os| ["S", "D", "T", "t"].contains(&&*os.state);
    let sleeps = || thread.os.as_ref().is_some_and(sleeps);
    !spins(thread)
        && !is_endless(thread)
        && !circles::walks(thread)
        && !awaits(thread)
        && !tries_in_vain(thread)
        && (moved(now, thread, before)
            || naps(now, thread)
            || is_brought(thread)
            || thread.waits.is_none() && (!sleeps() || was_awake(thread)))
}

/// Whether the thread's registers are from a moment at which it was in no system call, although it
/// sleeps: it has fallen asleep later.
pub fn was_awake(thread: &Thread) -> bool {
    let slept = |os: &Os| os.state == "S" && os.call.is_none();
    thread.os.as_ref().is_some_and(slept) && !thread.stack.is_empty()
}

/// A sleep shorter than this is short, in nanoseconds.
const SHORT_SLEEP: u64 = 10_000_000_000;

/// Whether the thread was seen to try for a lock again and again, and to call nothing else, except
/// functions that let some time pass.
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

/// Whether all threads with work wait, and some of them are awake in a runtime that tells nothing.
/// Nobody can see whether the threads that are awake execute tasks between the looks.
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

/// Whether the thread is awake in a wait of a runtime that tells nothing. Such a thread may be
/// between two tasks, and a busy machine may not have let it run between the looks.
fn may_execute(now: &Snapshot, thread: &Thread) -> bool {
    use Wait::{Barrier, Dependences, Taskgroup, Taskwait};
    let executes = matches!(
        thread.waits,
        Some(Barrier { .. } | Dependences { .. } | Taskgroup { .. } | Taskwait { .. })
    );
    executes && !now.tells() && thread.os.as_ref().is_some_and(|os| os.state != "S")
}

/// The number of successive looks that must show the same.
pub const LOOKS: u32 = 5;

/// Whether the thread waits at a barrier of a runtime that does not count barriers. A thread that
/// stays at one barrier does not compute; a thread that passes barrier after barrier does.
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

/// Returns the findings about a program that computes: whether the program gets anywhere, as far as
/// can be seen.
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

/// Returns the threads that try for a lock again and again in both looks, if all running threads do
/// so.
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
    // A thread whose code only tries has no lock that it could give back.
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

/// Whether a function lets some time pass.
pub fn is_pause(call: &str) -> bool {
    ["sleep", "yield", "poll", "select"].iter().any(|part| call.contains(part))
}

/// The number of barriers, regions and tasks that were passed between two looks.
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

/// The finding for threads that wait for each other in loops of the program's own.
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
        None => {
            let is_other = |it: &&Compared| !awaits.what.ends_with(&format!("'{}'", it.name));
            let other = awaits.compared.iter().find(is_other);
            let or = other.map_or_else(String::new, |it| format!(", or '{}'", it.name));
            format!("{} to change{or}{place}", awaits.what)
        }
    }
}

/// The progress of a program: "it does make progress: 12 barriers a second".
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
