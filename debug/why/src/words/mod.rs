//! Makes the words for threads, locks and places in sentences for the user.

mod brings;
mod copies;
mod deadlines;
mod doing;
mod file_locks;
mod frames;
mod handlers;
mod lines;
mod lock_taken;
mod loops;
pub mod messages;
mod processes;
mod sinks;

use omphalos_ompd_view::snapshot::{Address, Lock, Snapshot, Task, Thread, Wait};

pub use brings::{brings, left_unread};
pub use copies::own_copies;
pub use deadlines::time_left;
pub use doing::{doing, doing_at};
pub use file_locks::file_lock_takers;
pub use frames::{
    calls_to, inner_frame, is_interpreter_file, is_of_headers, is_of_program, is_placed, is_system,
    is_system_file, own_frame, place, python_calls, queue_call, queue_wait, within_exit,
};
pub use handlers::{called, interrupted};
pub use lines::{MOST_NAMED, called_at, came, lines, numbers, of_several, some, threads};
pub use lock_taken::{lock_of, may_be_copy, takers, where_taken};
pub use loops::{compared, of_loop};
pub use processes::circle_of_processes;

/// The lock by which Python's threads take turns.
pub const INTERPRETER: &str = "Python's interpreter lock (the GIL)";

/// "thread 3", or "LWP 1234" for one that OpenMP does not know.
pub fn thread(thread: &Thread) -> String {
    match thread.number {
        Some(number) => numbered(number),
        None => format!("LWP {}", thread.lwp),
    }
}

/// "thread 3", or "helper thread 1": hidden helper threads have negative numbers.
pub fn numbered(number: i32) -> String {
    match number {
        0.. => format!("thread {number}"),
        _ => format!("helper thread {}", number.unsigned_abs()),
    }
}

/// The thread as the head of a paragraph.
pub fn title(thread: &Thread) -> String {
    match (thread.number, &*thread.kind) {
        (Some(number), "" | "worker" | "helper") => numbered(number),
        (Some(number), kind) => format!("{}, {kind}", numbered(number)),
        (None, "") => "a thread that OpenMP does not know".to_owned(),
        (None, kind) if kind.starts_with("of ") => format!("a thread {kind}"),
        (None, _) => "a thread".to_owned(),
    }
}

/// The place of a thread in the program's own code: "file.c:12 in solve".
pub fn standing(thread: &Thread) -> Option<String> {
    let frame = own_frame(thread)?;
    Some(match place(frame) {
        Some(place) if frame.function.is_empty() => place,
        Some(place) => format!("{place} in {}", frame.function),
        None => frame.function.clone(),
    })
}

/// The end of a thread's region, if the thread is in no code of the program's: "the end of the
/// region at file.c:9 in solve".
pub fn region_end(snapshot: &Snapshot, thread: &Thread) -> Option<String> {
    let Some(Wait::Barrier { kind, team, .. }) = &thread.waits else { return None };
    if kind != "region" || standing(thread).is_some() {
        return None;
    }
    let team = snapshot.teams.iter().find(|known| known.address == *team)?;
    Some(format!("the end of the {}", team.location.as_ref()?))
}

/// Whether a thread is in the region behind a `teams` construct, and in none of its teams.
fn is_league(snapshot: &Snapshot, thread: &Thread) -> bool {
    thread.team.is_some() && snapshot.teams.iter().any(|team| team.league == thread.team)
}

/// " at file.c:12 in solve", or nothing; and whether the place is in a signal's handler.
pub fn at(thread: &Thread) -> String {
    let Some(place) = standing(thread) else { return String::new() };
    match own_frame(thread).map(|own| handlers::is_interrupted(thread, own)) {
        Some(true) => format!(" in a signal's handler (the signal came at {place})"),
        _ if interrupted(thread).is_some() => format!(" at {place} (in a signal's handler)"),
        _ => format!(" at {place}"),
    }
}

/// A lock as its author knows it: "the lock 'a'", "the critical section 'update'".
pub fn lock(lock: &Lock) -> String {
    let kind = match &*lock.kind {
        "critical" => "critical section",
        "ordered" => "lock of an ordered region",
        "atomic" => "lock of an atomic",
        "" => "lock",
        kind => kind,
    };
    match &lock.name {
        Some(name) if lock.kind == "critical" && is_nameless(name) => {
            "the critical section without a name".to_owned()
        }
        Some(name) => match &lock.function {
            Some(function) => format!("the {kind} '{name}' of {function}"),
            None => format!("the {kind} '{name}'"),
        },
        None => format!("the {kind} at {:#x}", lock.address),
    }
}

fn is_nameless(name: &str) -> bool {
    name.is_empty() || name.starts_with("gomp_critical") || name.contains("omphalos")
}

/// The lock at an address, as its author knows it.
pub fn lock_at(snapshot: &Snapshot, address: Address) -> String {
    match snapshot.locks.iter().find(|lock| lock.address == address) {
        Some(known) => lock(known),
        None => format!("the lock at {address:#x}"),
    }
}

/// An action that is done once: "the initialiser of the static variable 'cache'".
pub fn once(snapshot: &Snapshot, flag: Address, of_static: bool) -> String {
    let known = snapshot.locks.iter().find(|lock| lock.address == flag);
    let name = known.and_then(|lock| lock.name.as_deref());
    match (of_static, name.map(|name| name.strip_prefix("guard variable for ").unwrap_or(name))) {
        (true, Some(name)) => format!("the initialiser of the static variable '{name}'"),
        (true, None) => "the initialiser of a static variable".to_owned(),
        (false, Some(name)) => format!("what is done once by the flag '{name}' (call_once)"),
        (false, None) => format!("what is done once by the flag at {flag:#x} (call_once)"),
    }
}

/// Where a thread began an action that is done once: " (begun at a.cpp:3)".
pub fn begun(thread: &Thread) -> String {
    let is_once = |by: &str| by.contains("__cxa_guard") || by.contains("once");
    let begun = thread.taken.iter().find(|taken| is_once(&taken.by));
    begun.map_or_else(String::new, |taken| format!(" (begun at {})", taken.place))
}

/// A task: "the task at file.c:12".
pub fn task(task: &Task) -> String {
    match &task.location {
        Some(location) => format!("the {location}"),
        None => format!("the task {:#x}", task.address),
    }
}

/// The place where a task was made: "made at file.c:12 in main".
pub fn made(task: &Task) -> String {
    let place = task.location.as_deref();
    match place.map(|place| place.strip_prefix("task at ").unwrap_or(place)) {
        Some(place) => format!("made at {place}"),
        None => "made at a place that is not known".to_owned(),
    }
}

/// The holder of a lock.
pub fn holder(snapshot: &Snapshot, lock: &Lock) -> Option<String> {
    let number = lock.holder?;
    let known = snapshot.threads.iter().find(|thread| thread.number == Some(number));
    let name = known.map_or_else(|| numbered(number), thread);
    Some(if lock.holder_gone { format!("{name}, which has ended") } else { name })
}

/// The function by which a thread tries for a lock again and again, with the line, if its code does
/// nothing else.
pub fn tries(thread: &Thread) -> Option<String> {
    let awaits = thread.awaits.as_ref()?;
    let (by, _) = awaits.tries.as_ref()?;
    Some(awaits.place.as_ref().map_or_else(|| by.clone(), |place| format!("{by}, {place}")))
}

/// The lock that a thread tries for again and again: "the lock 'a'", or "a lock" where its code
/// does not show which one.
pub fn tried_lock(snapshot: &Snapshot, thread: &Thread) -> String {
    let tries = thread.awaits.as_ref().and_then(|awaits| awaits.tries.as_ref());
    tries.map_or_else(|| "a lock".to_owned(), |(_, lock)| lock_at(snapshot, *lock))
}

/// The action of somebody else that would end the wait: "is about to set it".
pub fn remedy(wait: &Wait) -> &'static str {
    let what = match wait {
        Wait::Mutex { read_write: true, .. } => return "is about to give it back",
        Wait::Unknown { what } if what.contains("is no longer") => return "is about to notify it",
        Wait::Unknown { what } => what,
        _ => return "is about to change that",
    };
    const REMEDIES: [(&str, &str); 6] = [
        ("a lock of Python's", "is about to release it"),
        ("std::future", "is about to set it (a promise's set_value, the end of a packaged task)"),
        ("std::latch", "is about to count it down"),
        ("barrier", "is about to arrive at it"),
        ("semaphore", "is about to release it"),
        ("std::atomic", "is about to change it and to notify"),
    ];
    let known = REMEDIES.iter().find(|(part, _)| what.contains(part));
    known.map_or("is about to change that", |(_, remedy)| remedy)
}

/// Whether the name is that of an MPI function.
pub fn is_message_passing(name: &str) -> bool {
    let rest = name.strip_prefix("MPI_").or_else(|| name.strip_prefix("PMPI_"));
    rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()))
}

/// "member 3", "members 1, 2 and 5".
pub fn members(numbers: &[u32]) -> String {
    let shown: Vec<String> = numbers.iter().take(8).map(u32::to_string).collect();
    match (numbers.len(), shown.split_last()) {
        (1, _) => format!("member {}", shown[0]),
        (more, _) if more > shown.len() => {
            format!("members {} and {} others", shown.join(", "), more - shown.len())
        }
        (_, Some((last, rest))) => format!("members {} and {last}", rest.join(", ")),
        _ => "nobody".to_owned(),
    }
}
