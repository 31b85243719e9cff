//! Makes a thread's stack as the program's author thinks of it: a worker's stack continues with the
//! stack of the thread that encountered the region, down to main, and without the runtime's own
//! frames.

use omphalos_ompd_view::snapshot::{Frame, Snapshot, Team, Thread};
use omphalos_why::words::is_system;

use crate::facts::left;

/// Nested regions that are followed.
const FOLLOWED_REGIONS: usize = 64;

/// The user's frames of one stack, and the functions of the C library that the program itself
/// called.
pub fn visible(stack: &[Frame]) -> Vec<&Frame> {
    let mut seen = Vec::new();
    // From the outermost frame inwards. Functions of the C library that the runtime calls are left
    // out as the runtime's, and so are the frames that start a thread, which nobody calls.
    let mut inside = Caller::Nobody;
    for frame in stack.iter().rev() {
        if frame.runtime {
            inside = Caller::Runtime;
            continue;
        }
        if is_system(frame) {
            // Only the function that the program called, not the functions that it calls inside the
            // library.
            if inside == Caller::User && !frame.inlined {
                seen.push(frame);
                inside = Caller::System;
            }
            continue;
        }
        if frame.function == "_start" && inside == Caller::Nobody {
            continue;
        }
        inside = Caller::User;
        seen.push(frame);
    }
    seen.reverse();
    without_neighbours(seen)
}

/// Leaves out inlined functions that seem to call a construct's body and do not. The call of the
/// runtime is in the construct's own function. But compilers may give that call the place of
/// another function, which is inlined right in front of it.
fn without_neighbours(frames: Vec<&Frame>) -> Vec<&Frame> {
    let mut kept: Vec<&Frame> = Vec::with_capacity(frames.len());
    for (at, frame) in frames.iter().enumerate() {
        let body = kept.last().filter(|inner| inner.construct.is_some());
        if let Some(body) = body
            && frame.inlined
            && frame.function != body.function
            && frames[at..]
                .iter()
                .take_while(|outer| outer.address == frame.address)
                .any(|outer| outer.function == body.function)
        {
            continue;
        }
        kept.push(frame);
    }
    kept
}

#[derive(PartialEq)]
enum Caller {
    Nobody,
    User,
    System,
    Runtime,
}

/// The user's frames of a thread, innermost first, down to main if known.
pub fn joined<'a>(snapshot: &'a Snapshot, thread: &'a Thread) -> Vec<&'a Frame> {
    let mut frames = visible(&thread.stack);
    let mut at = thread;
    for _ in 0..FOLLOWED_REGIONS {
        let Some((above, rest)) = encountering(snapshot, at) else { break };
        frames.extend(visible(rest));
        at = above;
    }
    frames
}

/// The thread that encountered the outermost region on this thread's stack, and its stack from
/// there outwards.
fn encountering<'a>(
    snapshot: &'a Snapshot,
    thread: &'a Thread,
) -> Option<(&'a Thread, &'a [Frame])> {
    let by_team = outermost(snapshot, thread).map(|team| by_team(snapshot, thread, team));
    by_team.unwrap_or_else(|| by_body(snapshot, thread))
}

/// The team of the outermost region on the thread's own stack, if another thread encountered it.
fn outermost<'a>(snapshot: &'a Snapshot, thread: &Thread) -> Option<&'a Team> {
    let find = |address| snapshot.teams.iter().find(|team| team.address == address);
    let mut team = find(thread.team?)?;
    for _ in 0..FOLLOWED_REGIONS {
        if team.members.first() != Some(&thread.record) {
            return Some(team);
        }
        team = find(team.parent?)?;
    }
    None
}

fn by_team<'a>(
    snapshot: &'a Snapshot,
    thread: &Thread,
    team: &Team,
) -> Option<(&'a Thread, &'a [Frame])> {
    let first = *team.members.first()?;
    let above = snapshot.threads.iter().find(|other| other.record == first)?;
    if above.lwp == thread.lwp {
        return None;
    }
    let task = snapshot.tasks.iter().find(|task| Some(task.address) == team.encountering_task);
    let entered = task.map_or(0, |task| task.enter_frame);
    let by_frame = |frame: &Frame| entered != 0 && frame.cfa > entered && !frame.runtime;
    let parent = snapshot.teams.iter().find(|known| Some(known.address) == team.parent);
    // The region of a league has its place from one of its teams.
    let mut teams = snapshot.teams.iter().filter(|known| known.parent == Some(team.address));
    let codeptr = match team.codeptr {
        0 => teams.find(|known| known.level == 0).map_or(0, |known| known.codeptr),
        known => known,
    };
    let by_call = |frame: &Frame| codeptr != 0 && frame.address == codeptr;
    // A function that calls itself may have encountered several regions by one call.
    let teams = snapshot.teams.iter().filter(|known| known.league == Some(team.address));
    let mut teams = teams.map(|known| known.address).chain([team.address]);
    let cfas = above.stack.iter().map(|frame| frame.cfa);
    let at = teams.find_map(|team| left::outside(cfas.clone(), &snapshot.tasks, team));
    let at = at.or_else(|| above.stack.iter().position(by_call));
    let at = at.or_else(|| above.stack.iter().position(by_frame));
    // In a team of a league, the function that met the region may have left by a jump, without a
    // frame. Then nothing of that thread's stack belongs here.
    let of_league = parent.is_some_and(|parent| parent.level == 0 && parent.parent.is_some());
    let at = at.or(of_league.then_some(above.stack.len()))?;
    Some((above, &above.stack[at..]))
}

/// The same for a runtime that tells nothing: another thread has the same construct's body on its
/// stack, with a caller.
fn by_body<'a>(snapshot: &'a Snapshot, thread: &Thread) -> Option<(&'a Thread, &'a [Frame])> {
    let mine = *visible(&thread.stack).last()?;
    mine.construct.as_ref()?;
    let is_it = |frame: &Frame| {
        frame.construct == mine.construct
            && frame.function == mine.function
            && frame.file == mine.file
    };
    snapshot.threads.iter().filter(|other| other.lwp != thread.lwp).find_map(|other| {
        let at = other.stack.iter().rposition(is_it)?;
        let rest = &other.stack[at + 1..];
        let has_caller = visible(rest).len() > visible(&other.stack[at..at]).len();
        has_caller.then_some((other, rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, module: &str, address: u64) -> Frame {
        let runtime = module == "libomphalos.so";
        let (function, module) = (function.to_owned(), module.to_owned());
        Frame { function, module, address, runtime, ..Frame::default() }
    }

    #[test]
    fn a_worker_goes_on_where_its_region_was_encountered() {
        let stack = |inner: &[(&str, &str, u64)]| {
            inner.iter().map(|(f, m, a)| frame(f, m, *a)).collect::<Vec<_>>()
        };
        let first = Thread {
            lwp: 1,
            record: 100,
            team: Some(7),
            stack: stack(&[
                ("syscall", "libc.so.6", 1),
                ("wait", "libomphalos.so", 2),
                ("body", "app", 3),
                ("GOMP_parallel", "libomphalos.so", 4),
                ("solve", "app", 50),
                ("main", "app", 60),
                ("__libc_start_main", "libc.so.6", 70),
                ("_start", "app", 80),
            ]),
            ..Thread::default()
        };
        let second = Thread {
            lwp: 2,
            record: 200,
            team: Some(7),
            stack: stack(&[
                ("read", "libc.so.6", 9),
                ("body", "app", 3),
                ("worker", "libomphalos.so", 4),
                ("start_thread", "libc.so.6", 5),
            ]),
            ..Thread::default()
        };
        let team = Team {
            address: 7,
            members: vec![100, 200],
            codeptr: 50,
            parent: Some(6),
            ..Team::default()
        };
        let initial = Team { address: 6, members: vec![100], ..Team::default() };
        let snapshot = Snapshot {
            threads: vec![first, second],
            teams: vec![team, initial],
            ..Snapshot::default()
        };
        let names = |thread: usize| -> Vec<&str> {
            let frames = joined(&snapshot, &snapshot.threads[thread]);
            frames.into_iter().map(|frame| &*frame.function).collect()
        };
        assert_eq!(names(0), ["body", "solve", "main"]);
        assert_eq!(names(1), ["read", "body", "solve", "main"]);
    }
}
