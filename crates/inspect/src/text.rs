//! What was seen, as text for a person.

mod tasks;

use std::fmt::Write;

use omphalos_ompd_view::snapshot::{Frame, Lock, Snapshot, Task, Thread, Wait};
use omphalos_why::words::MOST_NAMED;
use omphalos_why::{Finding, words};

use crate::joined::joined;
use crate::look::{Look, place_of};

/// A name from the target, with nothing in it that a terminal would obey.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let steers = character.is_control()
            || ('\u{200e}'..='\u{200f}').contains(&character)
            || ('\u{2028}'..='\u{202e}').contains(&character)
            || ('\u{2066}'..='\u{2069}').contains(&character);
        match character {
            _ if !steers => out.push(character),
            _ => out.extend(character.escape_unicode()),
        }
    }
    out
}

/// The whole look: a block for each thread. `all`: also frames that are no business of the
/// program's author.
pub fn threads(look: &Look, all: bool) -> String {
    let snapshot = &look.snapshot;
    let mut out = head(look);
    for thread in &snapshot.threads {
        let _ = write!(out, "\n{}", block(snapshot, thread, all));
    }
    out.push_str(&tasks::tasks(snapshot));
    out.push_str(&notes(snapshot));
    out
}

/// One line: what was looked at, and what that cost it.
pub fn head(look: &Look) -> String {
    let snapshot = &look.snapshot;
    let mut out = match snapshot.pid {
        Some(pid) => format!("process {pid}"),
        None => "a program".to_owned(),
    };
    let command: Vec<String> = snapshot.command.iter().map(|word| plain(word)).collect();
    if !command.is_empty() {
        let _ = write!(out, " ({})", command.join(" "));
    }
    if let Some((rank, ranks)) = snapshot.rank {
        let _ = write!(out, ", rank {rank} of {ranks}");
    }
    if !snapshot.runtime.is_empty() {
        let _ = write!(out, " on {}", plain(&snapshot.runtime));
    }
    let ours = snapshot.threads.iter().filter(|thread| thread.number.is_some()).count();
    let all = snapshot.threads.len();
    let _ = match ours {
        0 => write!(out, ": {}", count(all, "thread")),
        _ if ours == all => write!(out, ": {}", count(all, "OpenMP thread")),
        _ => write!(out, ": {}, {} in all", count(ours, "OpenMP thread"), all),
    };
    if let Some(group) = &snapshot.frozen {
        let _ = write!(out, "; frozen by its control group '{}'", plain(group));
    }
    if let Some(time) = look.stood_still {
        let _ = write!(out, "; it stood still for {:.1} ms", time.as_secs_f64() * 1e3);
    }
    out.push('\n');
    out
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// What could not be read.
pub fn notes(snapshot: &Snapshot) -> String {
    let mut out = String::new();
    for note in &snapshot.notes {
        let _ = write!(out, "\nnote: {}", plain(note));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Findings as text: the summary, then what supports it.
pub fn findings(found: &[Finding]) -> String {
    let mut out = String::new();
    for (number, finding) in found.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let _ = writeln!(out, "{}", plain(&finding.summary));
        for detail in &finding.details {
            let _ = writeln!(out, "  {}", plain(detail));
        }
    }
    out
}

/// The answer to "why?": what blocks, or that nothing does, and what is going on then.
pub fn why(found: &[Finding], before: Option<&Snapshot>, now: &Snapshot, seconds: f64) -> String {
    if !found.is_empty() {
        return findings(found);
    }
    let mut out = String::new();
    match before {
        Some(before) if omphalos_why::all_wait(now, before) => {
            out.push_str("All threads wait, and none is seen to go on:\n");
        }
        Some(before) => {
            out.push_str("Nothing blocks the program for good, as far as can be seen.\n");
            if let Some(pace) = omphalos_why::pace(now, before, seconds) {
                let _ = writeln!(out, "{pace}");
            }
        }
        None => out.push_str("No thread waits for what never comes, as far as can be seen.\n"),
    }
    for reason in omphalos_why::reasons(now) {
        let _ = writeln!(out, "{}", plain(&reason));
    }
    for thread in now.threads.iter().filter(|thread| thread.waits.is_none()).take(4) {
        let at = words::at(thread);
        if !at.is_empty() {
            let ends = ends(thread, before.is_none());
            let doing = format!("{}{at}{}{ends}", words::doing(now, thread), same(thread));
            let _ = writeln!(out, "{} {}.", plain(&words::thread(thread)), plain(&doing));
        }
    }
    let waiting = waiting(now);
    for (doing, who) in waiting.iter().take(MOST_NAMED) {
        let doing = if who.len() > 1 { words::of_several(doing) } else { doing.clone() };
        let _ = writeln!(out, "{}: {}.", plain(&words::threads(who)), plain(&doing));
    }
    if let Some(more) = waiting.get(MOST_NAMED..).filter(|more| !more.is_empty()) {
        let who: Vec<&Thread> = more.iter().flat_map(|(_, who)| who).copied().collect();
        let _ = writeln!(out, "and {} more: {}.", who.len(), plain(&words::threads(&who)));
    }
    out
}

/// Of a thread in a loop that no round of its own ends: what does. One look cannot tell whether
/// that comes.
fn ends(thread: &Thread, once: bool) -> String {
    let Some(awaits) = thread.awaits.as_ref().filter(|awaits| !awaits.what.is_empty()) else {
        return String::new();
    };
    let read = awaits.place.as_ref().map_or_else(String::new, |at| format!(" (read at {at})"));
    let tells = if once { "; whether it does, one look cannot tell" } else { "" };
    format!(", in a loop that ends only if {} changes{read}{tells}", awaits.what)
}

/// Of a thread that runs: how often it was seen as it had been before, and in which call. Whether
/// it gets anywhere its author must say.
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

/// What threads wait for, each thing once, with those that do.
fn waiting(now: &Snapshot) -> Vec<(String, Vec<&Thread>)> {
    let mut found: Vec<(String, Vec<&Thread>)> = Vec::new();
    let waits = |thread: &&Thread| !matches!(thread.waits, None | Some(Wait::Work));
    for thread in now.threads.iter().filter(waits) {
        // The end of a region stands in no code of the program's.
        let region = || team_of(now, thread)?.location.clone();
        let doing = match (&thread.waits, region()) {
            (Some(Wait::Barrier { kind, .. }), Some(region)) if kind == "region" => {
                words::doing(now, thread).replacen("its region", &format!("the {region}"), 1)
            }
            _ => words::doing_at(now, thread),
        };
        match found.iter_mut().find(|(known, _)| *known == doing) {
            Some((_, who)) => who.push(thread),
            None => found.push((doing, vec![thread])),
        }
    }
    found
}

fn block(snapshot: &Snapshot, thread: &Thread, all: bool) -> String {
    let mut out = plain(&words::title(thread));
    let mut facts: Vec<String> = Vec::new();
    if let Some(number) = thread.thread_num
        && let Some(team) = team_of(snapshot, thread)
    {
        facts.push(format!("{number} of {}", team.size));
    }
    facts.push(format!("LWP {}", thread.lwp));
    if !thread.name.is_empty() {
        facts.push(format!("'{}'", plain(&thread.name)));
    }
    let _ = write!(out, " ({})", facts.join(", "));
    let _ = writeln!(out, ": {}", plain(&words::doing(snapshot, thread)));
    if let Some(task) = task_of(snapshot, thread)
        && let Some(place) = &task.location
    {
        let _ = writeln!(out, "    in the {}", plain(place));
    }
    if let Some(team) = team_of(snapshot, thread)
        && let Some(place) = &team.location
    {
        let _ = writeln!(out, "    in the {}", plain(place));
    }
    if let Some(within) = &thread.in_loop {
        let _ = writeln!(out, "    in {}", plain(&words::of_loop(within)));
    }
    let frames: Vec<&Frame> = match all {
        true => thread.stack.iter().collect(),
        false => joined(snapshot, thread),
    };
    for (number, frame) in frames.iter().enumerate().take(SHOWN) {
        let _ = writeln!(out, "    #{number:<2} {}", line(frame));
    }
    if frames.len() > SHOWN {
        let _ = writeln!(out, "    ... {} more", frames.len() - SHOWN);
    }
    out
}

/// Frames of one thread that are shown.
const SHOWN: usize = 64;

fn line(frame: &Frame) -> String {
    let mut out = match frame.function.is_empty() {
        true => format!("{:#x}", frame.address),
        false => plain(&frame.function),
    };
    if let Some(construct) = &frame.construct {
        let _ = write!(out, " [{}]", plain(construct));
    }
    match place_of(frame) {
        Some(place) => {
            let _ = write!(out, " at {}", plain(&place));
        }
        None if !frame.module.is_empty() && !frame.function.contains("+0x") => {
            let _ = write!(out, " in {}", plain(&frame.module));
        }
        None => {}
    }
    if words::is_system(frame) { out } else { out + if frame.inlined { " (inlined)" } else { "" } }
}

fn team_of<'a>(
    snapshot: &'a Snapshot,
    thread: &Thread,
) -> Option<&'a omphalos_ompd_view::snapshot::Team> {
    snapshot.teams.iter().find(|team| Some(team.address) == thread.team)
}

fn task_of<'a>(snapshot: &'a Snapshot, thread: &Thread) -> Option<&'a Task> {
    snapshot.tasks.iter().find(|task| Some(task.address) == thread.task)
}

/// Locks that somebody waits for or holds, a line each.
pub fn locks(snapshot: &Snapshot) -> String {
    let mut out = String::new();
    for lock in &snapshot.locks {
        let waiting = snapshot.threads.iter().filter(|thread| is_for(thread, lock)).count();
        let holder = words::holder(snapshot, lock).unwrap_or_else(|| "nobody".to_owned());
        let name = plain(&words::lock(lock));
        let _ = writeln!(out, "{name}: held by {holder}, {} waiting", count(waiting, "thread"));
    }
    out
}

fn is_for(thread: &Thread, lock: &Lock) -> bool {
    match thread.waits {
        Some(Wait::Lock { lock: address }) => address == lock.address,
        Some(Wait::Mutex { mutex, .. }) => mutex == lock.address,
        Some(Wait::Once { flag, .. }) => flag == lock.address,
        _ => false,
    }
}
