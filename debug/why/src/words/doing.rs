//! Says in words what a thread does.

use omphalos_ompd_view::snapshot::{Frame, Lock, Snapshot, Thread, Wait};

use super::{
    INTERPRETER, at, begun, holder, is_league, is_message_passing, lock_at, members, once,
    queue_wait, region_end, sinks, tries, where_taken,
};
use crate::{executors, readers};

/// The activity of a thread with its place: "waits at a.c:3 in solve for the lock 'a'", "runs at
/// a.c:9".
pub fn doing_at(snapshot: &Snapshot, thread: &Thread) -> String {
    let (doing, at) = (doing(snapshot, thread), at(thread));
    if executors::is_idle(thread) {
        return doing;
    }
    match doing.strip_prefix("waits for ") {
        Some(what) => format!("waits{at} for {what}"),
        None => doing + &at,
    }
}

/// The activity of a thread: "waits for the lock 'a', which thread 1 holds", "runs".
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
    let held = |other: &Thread| where_taken(snapshot, other, thread);
    let by_lwp = |lwp: u32| match snapshot.threads.iter().find(|other| other.lwp == lwp) {
        Some(other) if other.lwp == thread.lwp => format!("it holds itself{}", held(other)),
        Some(other) => format!("{} holds{}", super::thread(other), held(other)),
        None => format!("LWP {lwp}, which has ended, holds"),
    };
    match wait {
        Wait::Lock { lock: address } => {
            let known = snapshot.locks.iter().find(|lock| lock.address == *address);
            // A number in shared memory may belong to another process.
            let own = known.filter(|lock| !lock.shared);
            let by = |lock: &Lock| snapshot.threads.iter().find(|it| it.number == lock.holder);
            let by = own.filter(|lock| lock.holder.is_some()).and_then(by);
            let holder = own.and_then(|lock| holder(snapshot, lock));
            let name = lock_at(snapshot, *address);
            let held = by.map_or_else(String::new, held);
            match holder {
                Some(holder) if holder == super::thread(thread) => {
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
                "implementation" => "at the barrier of a reduction or copyprivate".to_owned(),
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
        Wait::Unknown { .. } if executors::is_idle(thread) => {
            "is idle, a worker of a ThreadPoolExecutor".to_owned()
        }
        Wait::Unknown { what } => match queue_wait(thread) {
            Some((waits, _)) => format!("waits for {waits}"),
            None => format!("waits for {what}"),
        },
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
                _ => {
                    format!("{waits}{}", known.map_or_else(String::new, readers::held_for_reading))
                }
            }
        }
        Wait::Condition { condition } => {
            format!("waits for {} to be signalled", lock_at(snapshot, *condition))
        }
        Wait::Join { lwp: Some(lwp) } => {
            let other = snapshot.threads.iter().find(|other| other.lwp == *lwp);
            let name = other.map_or_else(|| format!("LWP {lwp}"), super::thread);
            // Python has a method of its own.
            let is_join = |frame: &Frame| frame.function.ends_with("Thread.join");
            let by = match thread.stack.iter().any(is_join) {
                true => "Thread.join",
                false => "pthread_join",
            };
            format!("waits for the end of {name} ({by})")
        }
        Wait::Join { lwp: None } => "in pthread_join".to_owned(),
        Wait::Once { flag, of_static, owner } => {
            let name = once(snapshot, *flag, *of_static);
            let by = owner.and_then(|owner| {
                let by = snapshot.threads.iter().find(|other| other.lwp == owner)?;
                Some(match by.lwp == thread.lwp {
                    true => ", which it does itself".to_owned(),
                    false => format!(", which {} does{}", super::thread(by), begun(by)),
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
        Wait::Asks { by, what } => format!("asks again and again for {what} ({by})"),
        Wait::Call { name, what } if what.is_empty() => format!("in the system call {name}"),
        Wait::Call { name, what } if name.is_empty() => format!("in {what}"),
        Wait::Call { name, what } if is_message_passing(what) => {
            format!("in {what} (system call {name})")
        }
        Wait::Call { name, what } => format!("in the system call {name}: {what}"),
    }
}
