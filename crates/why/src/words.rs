//! How threads, locks and places are called in sentences for the user.

mod brings;
mod frames;
mod handlers;
mod lines;
mod loops;
pub mod messages;
mod sinks;
mod taken;

use omphalos_ompd_view::snapshot::{Address, Lock, Snapshot, Task, Thread, Wait};

use crate::readers;
pub use brings::brings;
pub use frames::{
    inner_frame, is_of_headers, is_of_program, is_system, is_system_file, own_frame, place,
};
pub use handlers::{called, interrupted};
pub use lines::{MOST_NAMED, came, lines, numbers, of_several, some, threads};
pub use loops::of_loop;
pub use taken::{lock_of, taken, takers};

/// What Python's threads take turns with.
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

/// Where a thread stands in the program's own code: "file.c:12 in solve".
pub fn standing(thread: &Thread) -> Option<String> {
    let frame = own_frame(thread)?;
    Some(match place(frame) {
        Some(place) if frame.function.is_empty() => place,
        Some(place) => format!("{place} in {}", frame.function),
        None => frame.function.clone(),
    })
}

/// The end of a thread's region, where it stands in no code of the program's: "the end of the
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

/// " at file.c:12 in solve", or nothing; and whether that is in a signal's handler.
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

/// The same by the address.
pub fn lock_at(snapshot: &Snapshot, address: Address) -> String {
    match snapshot.locks.iter().find(|lock| lock.address == address) {
        Some(known) => lock(known),
        None => format!("the lock at {address:#x}"),
    }
}

/// What is done once: "the initialiser of the static variable 'cache'".
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

/// Where a thread began what is done once: " (begun at a.cpp:3)".
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

/// Where a task was made: "made at file.c:12 in main".
pub fn made(task: &Task) -> String {
    let place = task.location.as_deref();
    match place.map(|place| place.strip_prefix("task at ").unwrap_or(place)) {
        Some(place) => format!("made at {place}"),
        None => "made at a place that is not known".to_owned(),
    }
}

/// Who holds a lock.
pub fn holder(snapshot: &Snapshot, lock: &Lock) -> Option<String> {
    let number = lock.holder?;
    let known = snapshot.threads.iter().find(|thread| thread.number == Some(number));
    let name = known.map_or_else(|| numbered(number), thread);
    Some(if lock.holder_gone { format!("{name}, which has ended") } else { name })
}

/// What a thread does, and where: "waits at a.c:3 in solve for the lock 'a'", "runs at a.c:9".
pub fn doing_at(snapshot: &Snapshot, thread: &Thread) -> String {
    let (doing, at) = (doing(snapshot, thread), at(thread));
    match doing.strip_prefix("waits for ") {
        Some(what) => format!("waits{at} for {what}"),
        None => doing + &at,
    }
}

/// How a thread tries for a lock again and again, if its code does no more: the function, with the
/// line.
pub fn tries(thread: &Thread) -> Option<String> {
    let awaits = thread.awaits.as_ref()?;
    let (by, _) = awaits.tries.as_ref()?;
    Some(awaits.place.as_ref().map_or_else(|| by.clone(), |place| format!("{by}, {place}")))
}

/// What a thread does: "waits for the lock 'a', which thread 1 holds", "runs".
pub fn doing(snapshot: &Snapshot, thread: &Thread) -> String {
    match &thread.waits {
        Some(wait) => waiting(snapshot, thread, wait),
        None => match thread.os.as_ref().map(|os| &*os.state) {
            Some("Z" | "X") => "has ended".to_owned(),
            Some("T") => "stopped by a signal".to_owned(),
            Some("R") => "runs".to_owned(),
            Some("D") => "in the kernel, not to be interrupted".to_owned(),
            _ if thread.state_name.contains("_work_") => "works".to_owned(),
            _ if !thread.state_name.is_empty() => {
                let name = thread.state_name.strip_prefix("ompt_state_");
                name.unwrap_or(&thread.state_name).replace('_', " ")
            }
            _ => "sleeps".to_owned(),
        },
    }
}

fn waiting(snapshot: &Snapshot, thread: &Thread, wait: &Wait) -> String {
    let held = |other: &Thread| taken(snapshot, other, thread);
    let by_lwp = |lwp: u32| match snapshot.threads.iter().find(|other| other.lwp == lwp) {
        Some(other) if other.lwp == thread.lwp => format!("it holds itself{}", held(other)),
        Some(other) => format!("{} holds{}", self::thread(other), held(other)),
        None => format!("LWP {lwp}, which has ended, holds"),
    };
    match wait {
        Wait::Lock { lock: address } => {
            let known = snapshot.locks.iter().find(|lock| lock.address == *address);
            // A number in shared memory may be one of another process.
            let own = known.filter(|lock| !lock.shared);
            let by = |lock: &Lock| snapshot.threads.iter().find(|it| it.number == lock.holder);
            let by = own.filter(|lock| lock.holder.is_some()).and_then(by);
            let holder = own.and_then(|lock| holder(snapshot, lock));
            let name = lock_at(snapshot, *address);
            let held = by.map_or_else(String::new, held);
            match holder {
                Some(holder) if holder == self::thread(thread) => {
                    format!("waits for {name}, which it holds itself{held}")
                }
                Some(holder) => format!("waits for {name}, which {holder} holds{held}"),
                None => format!("waits for {name}"),
            }
        }
        Wait::Barrier { kind, missing, for_tasks, .. } => {
            let barrier = match &**kind {
                "region" => match region_end(snapshot, thread) {
                    Some(end) => format!("at {end}"),
                    None if is_league(snapshot, thread) => {
                        "at the end of the teams construct".to_owned()
                    }
                    None => "at the end of its region".to_owned(),
                },
                "implicit" => "at the implicit barrier of a construct".to_owned(),
                "explicit" | "" => "at a barrier".to_owned(),
                other => format!("at the {other} barrier"),
            };
            match (missing.is_empty(), for_tasks) {
                (_, true) => format!("waits {barrier} for tasks"),
                (true, _) => format!("waits {barrier}"),
                (false, _) => format!("waits {barrier} for {}", members(missing)),
            }
        }
        Wait::Taskwait { .. } => "waits in taskwait for the children of its task".to_owned(),
        Wait::Taskgroup { .. } => "waits at the end of a taskgroup".to_owned(),
        Wait::Dependences { on } if on.len() == 1 => "waits for a task that it depends on".into(),
        Wait::Dependences { .. } => "waits for tasks that it depends on".to_owned(),
        Wait::Ordered { turn: Some(turn), own: Some(own), .. } => {
            format!("waits for its turn in an ordered region: it is {turn}'s, its own is {own}")
        }
        Wait::Ordered { .. } => "waits for its turn in an ordered region".to_owned(),
        Wait::Sink { iteration, own, never, .. } => {
            sinks::waiting(iteration, *own, never.as_deref())
        }
        Wait::Copyprivate { .. } => "waits for the values of single copyprivate".to_owned(),
        Wait::Event { .. } => "waits for the event of a detached task".to_owned(),
        Wait::Work => "has no work".to_owned(),
        Wait::Unknown { what } => format!("waits for {what}"),
        Wait::Mutex { mutex, owner, .. } => {
            let name = lock_at(snapshot, *mutex);
            let waits = match tries(thread) {
                Some(by) => format!("tries again and again ({by}) for {name}"),
                None => format!("waits for {name}"),
            };
            let known = snapshot.locks.iter().find(|lock| lock.address == *mutex);
            match owner {
                Some(_) if known.is_some_and(|lock| lock.elsewhere.is_some()) => {
                    let other = known.and_then(|lock| lock.elsewhere.as_deref());
                    format!("{waits}, which {} holds", other.unwrap_or_default())
                }
                Some(owner) if !known.is_some_and(|lock| lock.damaged) => {
                    format!("{waits}, which {}", by_lwp(*owner))
                }
                _ => format!("{waits}{}", known.map_or_else(String::new, readers::said)),
            }
        }
        Wait::Condition { condition } => {
            format!("waits for {} to be signalled", lock_at(snapshot, *condition))
        }
        Wait::Join { lwp: Some(lwp) } => {
            let other = snapshot.threads.iter().find(|other| other.lwp == *lwp);
            let name = other.map_or_else(|| format!("LWP {lwp}"), self::thread);
            format!("waits for the end of {name} (pthread_join)")
        }
        Wait::Join { lwp: None } => "in pthread_join".to_owned(),
        Wait::Once { flag, of_static, owner } => {
            let name = once(snapshot, *flag, *of_static);
            let by = owner.and_then(|owner| {
                let by = snapshot.threads.iter().find(|other| other.lwp == owner)?;
                Some(match by.lwp == thread.lwp {
                    true => ", which it does itself".to_owned(),
                    false => format!(", which {} does{}", self::thread(by), begun(by)),
                })
            });
            format!("waits for {name}{}", by.unwrap_or_default())
        }
        Wait::Loader { owner: Some(owner) } => {
            format!("waits for the dynamic linker's lock, which {}", by_lwp(*owner))
        }
        Wait::Loader { owner: None } => "waits for the dynamic linker's lock".to_owned(),
        Wait::Interpreter { owner: Some(owner) } => {
            format!("waits for {INTERPRETER}, which {}", by_lwp(*owner))
        }
        Wait::Interpreter { owner: None } => format!("waits for {INTERPRETER}"),
        Wait::Call { name, what } if what.is_empty() => format!("in the system call {name}"),
        Wait::Call { name, what } if name.is_empty() => format!("in {what}"),
        Wait::Call { name, what } if is_message_passing(what) => {
            format!("in {what} (system call {name})")
        }
        Wait::Call { name, what } => format!("in the system call {name}: {what}"),
    }
}

/// What somebody else would do if the wait were to end: "is about to set it".
pub fn remedy(wait: &Wait) -> &'static str {
    let what = match wait {
        Wait::Mutex { read_write: true, .. } => return "is about to give it back",
        Wait::Unknown { what } => what,
        _ => return "is about to change that",
    };
    const REMEDIES: [(&str, &str); 5] = [
        ("std::future", "is about to set it (a promise's set_value, the end of a packaged task)"),
        ("std::latch", "is about to count it down"),
        ("barrier", "is about to arrive at it"),
        ("semaphore", "is about to release it"),
        ("std::atomic", "is about to change it and to notify"),
    ];
    let known = REMEDIES.iter().find(|(part, _)| what.contains(part));
    known.map_or("is about to change that", |(_, remedy)| remedy)
}

/// Whether it is a function of MPI's.
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
