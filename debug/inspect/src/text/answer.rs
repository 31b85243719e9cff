//! The answer to the question why a program makes no progress.

use std::fmt::Write;

use omphalos_ompd_view::snapshot::{Awaits, Snapshot, Thread, Wait};
use omphalos_why::words::MOST_NAMED;
use omphalos_why::{Finding, words};

use super::{findings, plain, team_of};

/// The answer to "why?": what blocks, or that nothing does, and what goes on then.
pub fn why(found: &[Finding], before: Option<&Snapshot>, now: &Snapshot, seconds: f64) -> String {
    if !found.is_empty() {
        return findings(found);
    }
    let mut out = String::new();
    match before {
        Some(before) if omphalos_why::all_wait(now, before) => {
            out.push_str(match omphalos_why::may_release(now).is_empty() {
                true => "All threads wait, and none is seen to go on:\n",
                false => "Nothing blocks the program for good: it is idle until something comes:\n",
            });
        }
        Some(before) if omphalos_why::some_wait_awake(now, before) => out.push_str(
            "All threads wait, some of them awake in a runtime that does not tell whether they \
             execute tasks meanwhile: look again, or for longer (--apart).\n",
        ),
        Some(_) if all_poll(now) => out.push_str(
            "All threads wait, some in loops of the program's own, which hardly ran between the \
             looks: look again, or for longer (--apart).\n",
        ),
        Some(_) if !omphalos_why::polling(now).is_empty() => {
            out.push_str(
                "The threads that run go round loops of the program's own, and what could end \
                 these stayed the same in all looks. Whether they get anywhere, only the \
                 program's author knows:\n",
            );
            for line in omphalos_why::polling(now) {
                let _ = writeln!(out, "{}", plain(&line));
            }
            listed(&mut out, ": ", &waiting(now));
            return out;
        }
        Some(before) => {
            let silent = omphalos_why::silent(now);
            for line in &silent {
                let _ = writeln!(out, "{}", plain(line));
            }
            out.push_str(match omphalos_why::reasons(now).is_empty() {
                true if !silent.is_empty() => {
                    "Whether it comes to an end, only the program's author knows.\n"
                }
                true => "Nothing blocks the program for good, as far as can be seen.\n",
                false => {
                    "A setting keeps the code from what it says; whether the program ends all the \
                     same cannot be seen.\n"
                }
            });
            if let Some(pace) = omphalos_why::pace(now, before, seconds) {
                let _ = writeln!(out, "{pace}");
            }
        }
        None => out.push_str("No thread waits for what never comes, as far as can be seen.\n"),
    }
    let reasons = omphalos_why::withheld(now).into_iter().chain(omphalos_why::reasons(now));
    for reason in reasons {
        let _ = writeln!(out, "{}", plain(&reason));
    }
    listed(&mut out, " ", &running(now, before.is_none()));
    listed(&mut out, ": ", &waiting(now));
    let waits =
        |before| omphalos_why::all_wait(now, before) || omphalos_why::some_wait_awake(now, before);
    if before.is_some_and(waits) {
        for line in omphalos_why::ways_that_keep_locks(now) {
            let _ = writeln!(out, "{}", plain(&line));
        }
    }
    for line in omphalos_why::may_release(now) {
        let _ = writeln!(out, "{}", plain(&line));
    }
    out
}

/// Whether all threads without a wait are in loops that wait for memory to change, while it has not
/// changed.
fn all_poll(now: &Snapshot) -> bool {
    let polls = |thread: &Thread| polled(thread).is_some_and(|awaits| !awaits.changes);
    let mut running = now.threads.iter().filter(|thread| thread.waits.is_none()).peekable();
    running.peek().is_some() && running.all(polls)
}

/// The loop in which a thread waits for memory to change. A loop that exchanges values may go on
/// without that.
fn polled(thread: &Thread) -> Option<&Awaits> {
    thread.awaits.as_ref().filter(|awaits| !awaits.what.is_empty() && !awaits.exchanges)
}

/// Activities of threads, each once, with the threads.
type Doing<'a> = Vec<(String, Vec<&'a Thread>)>;

fn add<'a>(found: &mut Doing<'a>, doing: String, thread: &'a Thread) {
    match found.iter_mut().find(|(known, _)| *known == doing) {
        Some((_, who)) => who.push(thread),
        None => found.push((doing, vec![thread])),
    }
}

/// A line for each activity. `between`: the text between the threads and their activity.
fn listed(out: &mut String, between: &str, found: &Doing<'_>) {
    for (doing, who) in found.iter().take(MOST_NAMED) {
        let doing = if who.len() > 1 { words::of_several(doing) } else { doing.clone() };
        let _ = writeln!(out, "{}{between}{}.", plain(&words::threads(who)), plain(&doing));
    }
    if let Some(more) = found.get(MOST_NAMED..).filter(|more| !more.is_empty()) {
        let who: Vec<&Thread> = more.iter().flat_map(|(_, who)| who).copied().collect();
        let _ = writeln!(out, "and {} more: {}.", who.len(), plain(&words::threads(&who)));
    }
}

/// The activities of threads without a wait that are in the program's code.
fn running(now: &Snapshot, once: bool) -> Doing<'_> {
    let mut found = Vec::new();
    for thread in now.threads.iter().filter(|thread| thread.waits.is_none()) {
        let at = words::at(thread);
        if !at.is_empty() {
            let doing = format!("{}{at}", words::doing(now, thread));
            add(&mut found, doing + &same(thread) + &ends(thread, once), thread);
        }
    }
    found
}

/// Says what ends the loop of a thread, if no round of the loop ends it. One look cannot tell
/// whether that comes.
fn ends(thread: &Thread, once: bool) -> String {
    let Some(awaits) = polled(thread) else { return String::new() };
    let read = awaits.place.as_ref().map_or_else(String::new, |at| format!(" (read at {at})"));
    let tells = if once { "; whether it does, one look cannot tell" } else { "" };
    let brings = words::brings(thread).map_or_else(String::new, |code| {
        let code = code.strip_prefix("The").unwrap_or(&code);
        format!("; the{}", code.trim_end_matches('.'))
    });
    format!(", in a loop that ends only if {} changes{read}{tells}{brings}", awaits.what)
}

/// Says, of a thread that runs, in how many looks it was as before, and in which call. Only the
/// program's author knows whether it gets anywhere.
fn same(thread: &Thread) -> String {
    let within = match &thread.calls[..] {
        [call] => format!(", in {call}"),
        _ => String::new(),
    };
    match thread.unchanged {
        0 => String::new(),
        1 => within + ": in a second look its registers and its stack were as before",
        more => format!("{within}: in {more} looks its registers and its stack were as before"),
    }
}

/// The waits of threads.
fn waiting(now: &Snapshot) -> Doing<'_> {
    let mut found = Vec::new();
    let waits = |thread: &&Thread| !matches!(thread.waits, None | Some(Wait::Work));
    // The wait of a library's own thread says nothing beside those of the program's threads.
    let is_of_program = |thread: &&Thread| words::is_of_program(now, thread);
    let is_alone = !now.threads.iter().any(|thread| is_of_program(&thread));
    let is_said = |thread: &&Thread| waits(thread) && (is_alone || is_of_program(thread));
    for thread in now.threads.iter().filter(is_said) {
        // The end of a region is in no code of the program's.
        let region = || team_of(now, thread)?.location.clone();
        let doing = match (&thread.waits, region()) {
            (Some(Wait::Barrier { kind, .. }), Some(region)) if kind == "region" => {
                words::doing(now, thread).replacen("its region", &format!("the {region}"), 1)
            }
            _ => words::doing_at(now, thread),
        };
        // Whether a circle blocks the program for good is a finding's affair.
        add(&mut found, doing.replace(": a circle", ""), thread);
    }
    found
}
