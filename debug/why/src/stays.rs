//! Says in which loops threads stay that run and get nowhere, as far as can be seen. None of this
//! is a cause: such a loop may end by itself, and only the program's author knows whether it does.

use omphalos_ompd_view::snapshot::{Snapshot, StaysIn, Thread, Wait};

use crate::graph::Graph;
use crate::progress::{self, LOOKS};
use crate::{bypasses, words};

/// The looks at a thread that ran between them, for a line that claims nothing. On a busy machine a
/// thread hardly runs between most looks.
const SEVERAL: u32 = 2;

/// The outermost loop that the thread never left, if the memory that decides its end stayed as it
/// is and each round was like the last one.
pub fn polled(thread: &Thread) -> Option<&StaysIn> {
    let outermost = StaysIn::outermost(&thread.stays_in)?;
    let stays = outermost.polls.looks >= SEVERAL && !outermost.polls.changes;
    (stays && thread.unchanged >= SEVERAL && thread.waits.is_none()).then_some(outermost)
}

/// The lines about a program whose running threads all go round loops whose ends do not come
/// nearer, while no other thread is about to go on. Empty for any other program.
pub fn polling(now: &Snapshot) -> Vec<String> {
    let rests = |thread: &Thread| {
        thread.waits.is_some() && !progress::is_timed(now, thread) && !progress::is_brought(thread)
    };
    let polling: Vec<&Thread> =
        now.threads.iter().filter(|thread| polled(thread).is_some()).collect();
    let all = now.threads.iter().all(|thread| polled(thread).is_some() || rests(thread));
    if !all || polling.is_empty() {
        return Vec::new();
    }
    let mut groups: Vec<(String, Vec<&Thread>)> = Vec::new();
    let mut ways: Vec<String> = Vec::new();
    for thread in polling {
        let Some(stays) = polled(thread) else { continue };
        let doing = polls(thread, stays);
        match groups.iter_mut().find(|(known, _)| *known == doing) {
            Some((_, group)) => group.push(thread),
            None => groups.push((doing, vec![thread])),
        }
        let new = bypasses::of_brings(now, thread).into_iter();
        ways.extend(new.filter(|line| !ways.contains(line)).collect::<Vec<_>>());
    }
    let line = |(doing, group): (String, Vec<&Thread>)| {
        let doing = if group.len() > 1 { words::of_several(&doing) } else { doing };
        format!("{} {doing}.", words::threads(&group))
    };
    let copies = of_copies(now, SEVERAL);
    groups.into_iter().map(line).chain(ways).chain(of_futures(now)).chain(copies).collect()
}

fn polls(thread: &Thread, stays: &StaysIn) -> String {
    let brings = words::brings(thread).map_or_else(String::new, |code| {
        format!("; the{}", code.trim_start_matches("The").trim_end_matches('.'))
    });
    format!("polls{} for {} to change{brings}", words::at(thread), looked_at(stays))
}

/// Says that a loop of the thread looks at a `std::future` whose task nobody executes meanwhile.
pub fn deferred(thread: &Thread) -> Option<&'static str> {
    thread.stays_in.iter().any(|stays| stays.deferred).then_some(
        "it looks at a std::future whose task is deferred (std::launch::deferred): wait_for and \
         wait_until never say that such a future is ready, and no thread executes the task before \
         get() or wait() is called",
    )
}

/// The lines about running threads in loops that look at such a future.
fn of_futures(now: &Snapshot) -> Vec<String> {
    let line = |thread: &Thread| {
        let why = deferred(thread).filter(|_| thread.waits.is_none())?;
        let (name, at) = (words::thread(thread), words::at(thread));
        Some(format!("{name} goes round a loop{at}: {why}."))
    };
    now.threads.iter().filter_map(line).collect()
}

/// The lines about running threads in loops that look at their own copies of a variable, while a
/// thread that waits has another value in its copy. `looks`: the fewest looks in which that stayed.
fn of_copies(now: &Snapshot, looks: u32) -> Vec<String> {
    let waits = |lwp: u32| now.threads.iter().any(|it| it.lwp == lwp && it.waits.is_some());
    let mut groups: Vec<(String, Vec<&Thread>)> = Vec::new();
    for thread in now.threads.iter().filter(|thread| thread.waits.is_none()) {
        let Some(stays) = StaysIn::outermost(&thread.stays_in) else { continue };
        let Some(own) = thread.own_copy.as_ref() else { continue };
        let value = own.copies.iter().find(|(lwp, _)| *lwp == thread.lwp).map(|(_, value)| *value);
        let differs = own.copies.iter().any(|(lwp, it)| Some(*it) != value && waits(*lwp));
        let stayed = stays.polls.looks >= looks && !stays.polls.changes;
        let Some(copies) = words::own_copies(now, thread).filter(|_| differs && stayed) else {
            continue;
        };
        let at =
            stays.polls.place.as_ref().map_or_else(String::new, |at| format!(", read at {at}"));
        let line = format!("loop that looks at its own '{}'{at}. {copies}", own.name);
        match groups.iter_mut().find(|(known, _)| *known == line) {
            Some((_, group)) => group.push(thread),
            None => groups.push((line, vec![thread])),
        }
    }
    let line = |(line, group): (String, Vec<&Thread>)| match group.len() {
        1 => format!("{} goes round a {line}", words::threads(&group)),
        _ => format!("{} each go round a {line}", words::threads(&group)),
    };
    groups.into_iter().map(line).collect()
}

/// "the variable 'open' (now 1, read at a.c:3)".
pub fn looked_at(stays: &StaysIn) -> String {
    let now = stays.now.map(|now| format!("now {now}"));
    let read = stays.polls.place.as_ref().map(|at| format!("read at {at}"));
    let facts: Vec<String> = now.into_iter().chain(read).collect();
    match facts.is_empty() {
        true => stays.polls.what.clone(),
        false => format!("{} ({})", stays.polls.what, facts.join(", ")),
    }
}

/// The lines about running threads that never left the rounds of a loop which store nothing and
/// call nothing, all the time in one call, while other threads wait for them.
pub fn silent(now: &Snapshot) -> Vec<String> {
    let graph = Graph::new(now);
    let line = |(at, thread): (usize, &Thread)| {
        let stays = thread.stays_in.first().filter(|it| it.polls.looks >= LOOKS)?;
        let rounds = stays.silent.as_ref().filter(|rounds| rounds.same)?;
        let behind: Vec<&Thread> =
            graph.behind_those(&[at]).into_iter().map(|at| graph.thread(at)).collect();
        let at_barrier = |other: &&Thread| matches!(other.waits, Some(Wait::Barrier { .. }));
        let in_runtime = |other: &&Thread| at_barrier(other) || other.waits == Some(Wait::Work);
        let others = match behind.len() {
            _ if thread.waits.is_some() => return None,
            0 if !now.tells() && now.threads.iter().any(|other| at_barrier(&other)) => {
                let those: Vec<&Thread> = now.threads.iter().filter(in_runtime).collect();
                let waits = if those.len() == 1 { "waits" } else { "wait" };
                format!(
                    ", while {} {waits} in the runtime, which does not tell for whom",
                    words::threads(&those)
                )
            }
            0 => return None,
            1 => format!(", and {} waits for it", words::threads(&behind)),
            _ => format!(", and {} wait for it", words::threads(&behind)),
        };
        let of = words::own_frame(thread).map_or("", |frame| &frame.function);
        Some(format!(
            "{} goes round the loop at {} in {of}{others}. In all {} looks it was in one call \
             there, as far as its registers and its stack show, and in rounds that store nothing \
             and call nothing. Whether they end depends on what they read at {}.",
            words::thread(thread),
            rounds.lines,
            stays.polls.looks,
            words::some(&rounds.compared)
        ))
    };
    let silent = now.threads.iter().enumerate().filter_map(line);
    of_futures(now).into_iter().chain(silent).chain(of_copies(now, LOOKS)).collect()
}
