//! The result of a look, as text for a person.

mod answer;
mod groups;
mod tasks;

use std::fmt::Write;

use omphalos_ompd_view::snapshot::{Frame, Lock, Snapshot, Task, Thread, Wait};
use omphalos_why::{Finding, words};

pub use answer::why;

use crate::joined::joined;
use crate::look::{Look, place_of};

/// A name from the target, without anything that a terminal would obey.
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

/// The whole look: a block for each thread. `all`: also frames that do not concern the program's
/// author.
pub fn threads(look: &Look, all: bool) -> String {
    let snapshot = &look.snapshot;
    let mut out = head(look);
    for (who, body) in groups::groups(snapshot, all) {
        let _ = write!(out, "\n{who}{body}");
    }
    out.push_str(&tasks::tasks(snapshot));
    out.push_str(&notes(snapshot));
    out
}

/// The block of one thread: its activity and wait, and its stack joined down to main. `None` if
/// there is no such thread.
pub fn of_thread(look: &Look, lwp: u32) -> Option<String> {
    let snapshot = &look.snapshot;
    let thread = snapshot.threads.iter().find(|thread| thread.lwp == lwp)?;
    let (who, doing) = (title(snapshot, thread), plain(&words::doing(snapshot, thread)));
    Some(format!("{who}: {doing}\n{}{}", stands(snapshot, thread, false), notes(snapshot)))
}

/// The answer to "why?" for one thread: its activity, the causes that it has a part in, and the
/// answer for the whole program if there are other causes or none.
pub fn why_of(
    lwp: u32,
    found: &[Finding],
    before: Option<&Snapshot>,
    now: &Snapshot,
    seconds: f64,
) -> Option<String> {
    let thread = now.threads.iter().find(|thread| thread.lwp == lwp)?;
    let does = format!("{} {}", words::thread(thread), words::doing_at(now, thread));
    let mut out = plain(&does) + "\n\n";
    let part = |own: bool| -> Vec<Finding> {
        found.iter().filter(|found| found.threads.contains(&lwp) == own).cloned().collect()
    };
    let (own, others) = (part(true), part(false));
    out.push_str(&match own.is_empty() {
        true => why(&others, before, now, seconds),
        false => findings(&own),
    });
    if !own.is_empty() && !others.is_empty() {
        let _ = write!(out, "\nBesides, of other threads:\n{}", findings(&others));
    }
    Some(out + &notes(now))
}

/// One line: the subject of the look, and the cost to it.
pub fn head(look: &Look) -> String {
    let snapshot = &look.snapshot;
    let mut out = match snapshot.pid {
        Some(pid) => format!("process {pid}"),
        None => "a program".to_owned(),
    };
    let command = command(snapshot);
    if !command.is_empty() {
        let _ = write!(out, " ({command})");
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

/// The words of the command.
pub fn command(snapshot: &Snapshot) -> String {
    let words: Vec<String> = snapshot.command.iter().map(|word| plain(word)).collect();
    words.join(" ")
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The things that could not be read.
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

/// Findings as text: the summary, then its details.
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

/// The thread's heading, which identifies it.
fn title(snapshot: &Snapshot, thread: &Thread) -> String {
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
    format!("{} ({})", plain(&words::title(thread)), facts.join(", "))
}

/// The thread's place: its constructs, and its stack. `all`: each frame.
fn stands(snapshot: &Snapshot, thread: &Thread, all: bool) -> String {
    let mut out = String::new();
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
