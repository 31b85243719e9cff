//! Combines the stacks with the answers of a runtime's OMPD.

use omphalos_ompd_view::snapshot::{Frame, Lock, Snapshot, Thread, Wait};
use omphalos_program::entries::{self, Part};
use omphalos_why::words;

/// Nested regions that are followed.
const DEEPEST: usize = 64;

/// Fills in the place where each region was encountered: it is on the primary thread's stack,
/// behind the function that called the body.
pub fn find_regions(snapshot: &mut Snapshot) {
    for at in 0..snapshot.teams.len() {
        let team = &snapshot.teams[at];
        let first = team.members.first().copied().unwrap_or(0);
        if team.size < 2 || team.parent.is_none() || first == 0 {
            continue;
        }
        let Some(primary) = snapshot.threads.iter().find(|thread| thread.record == first) else {
            continue;
        };
        let Some(inner) = regions_inside(snapshot, primary, team.address) else { continue };
        let mut calls = primary.stack.iter().enumerate().filter(|(_, frame)| is_fork(frame));
        if let Some((call, _)) = calls.nth(inner) {
            let caller = primary.stack[call + 1..].iter().find(|frame| !frame.runtime);
            snapshot.teams[at].codeptr = caller.map_or(0, |frame| frame.address);
        }
    }
}

/// Whether the frame is of a runtime's function that calls the body of a region.
pub fn is_fork(frame: &Frame) -> bool {
    frame.runtime && is_name_of_fork(&frame.function)
}

/// The same for a function's name.
pub fn is_name_of_fork(function: &str) -> bool {
    entries::part(function).is_some_and(Part::is_fork)
}

/// The number of regions that the thread began inside this one.
fn regions_inside(snapshot: &Snapshot, thread: &Thread, team: u64) -> Option<usize> {
    let (mut at, mut inner) = (thread.team?, 0);
    for _ in 0..DEEPEST {
        if at == team {
            return Some(inner);
        }
        let known = snapshot.teams.iter().find(|known| known.address == at)?;
        inner += usize::from(known.size > 1 && known.members.first() == Some(&thread.record));
        at = known.parent?;
    }
    None
}

/// Fills in the threads' waits from their states, if the runtime keeps these. For a barrier, also
/// fills in the missing members.
pub fn complete(snapshot: &mut Snapshot) {
    for at in 0..snapshot.threads.len() {
        let thread = &snapshot.threads[at];
        if let Some(wait) = by_state(thread).or_else(|| at_end_of_region(snapshot, thread)) {
            snapshot.threads[at].waits = Some(wait);
        }
    }
    add_locks(snapshot);
    let places: Vec<Option<(u64, String, Option<String>)>> =
        snapshot.threads.iter().map(barrier_of).collect();
    for at in 0..snapshot.threads.len() {
        let Some(place) = &places[at] else { continue };
        let Some(team) = snapshot.teams.iter().find(|team| team.address == place.0) else {
            continue;
        };
        let record = |member: &u64| {
            snapshot.threads.iter().position(|thread| thread.record == *member && *member != 0)
        };
        // An unknown member may be anywhere.
        let is_missing = |member: &u64| {
            record(member).is_some_and(|other| places[other].as_ref() != Some(place))
        };
        let members = (0u32..).zip(&team.members);
        let absent = members.filter(|(_, member)| is_missing(member)).map(|(number, _)| number);
        let absent: Vec<u32> = absent.collect();
        if let Some(Wait::Barrier { team, missing, .. }) = &mut snapshot.threads[at].waits {
            (*team, *missing) = (place.0, absent);
        }
    }
}

/// Adds the locks that threads wait for, so that their names are looked up.
fn add_locks(snapshot: &mut Snapshot) {
    for thread in &snapshot.threads {
        let Some(Wait::Lock { lock: address }) = thread.waits else { continue };
        if snapshot.locks.iter().any(|lock| lock.address == address) {
            continue;
        }
        let kind = match thread.state {
            Some(0x042) => "critical",
            Some(0x043) => "atomic",
            _ => "lock",
        };
        snapshot.locks.push(Lock { address, kind: kind.to_owned(), ..Lock::default() });
    }
}

/// The barrier that a thread waits at: its team, its kind and its place in the source. The end of a
/// region has no place.
fn barrier_of(thread: &Thread) -> Option<(u64, String, Option<String>)> {
    let Some(Wait::Barrier { kind, .. }) = &thread.waits else { return None };
    let place = if kind == "region" { None } else { words::standing(thread) };
    Some((thread.team?, kind.clone(), place))
}

fn by_state(thread: &Thread) -> Option<Wait> {
    let barrier = |kind: &str| Wait::Barrier {
        kind: kind.to_owned(),
        team: 0,
        missing: Vec::new(),
        for_tasks: false,
    };
    let task = thread.task.unwrap_or(0);
    Some(match thread.state? {
        0x010 | 0x013 | 0x012 => barrier("implicit"),
        0x011 => barrier("region"),
        0x014 => barrier("explicit"),
        0x015 => barrier("implementation"),
        0x016 => barrier("teams"),
        0x020 => Wait::Taskwait { task },
        0x021 => Wait::Taskgroup { task, left: None },
        0x040..=0x043 if thread.wait_id != 0 => Wait::Lock { lock: thread.wait_id },
        0x044 => Wait::Ordered { team: thread.team.unwrap_or(0), turn: None, own: None, of: None },
        0x100 => Wait::Work,
        _ => return None,
    })
}

/// The wait of a worker that is in no code of the program's while its team's primary thread is
/// still in the region: it has come to the region's end.
fn at_end_of_region(snapshot: &Snapshot, thread: &Thread) -> Option<Wait> {
    if thread.waits != Some(Wait::Work) || thread.state.is_some() {
        return None;
    }
    let team = snapshot.teams.iter().find(|team| Some(team.address) == thread.team)?;
    let first = *team.members.first().filter(|first| **first != 0 && **first != thread.record)?;
    let primary = snapshot.threads.iter().find(|other| other.record == first)?;
    let is_inside = team.size > 1 && team.codeptr != 0 && primary.team == thread.team;
    let (kind, missing) = ("region".to_owned(), Vec::new());
    is_inside.then_some(Wait::Barrier { kind, team: team.address, missing, for_tasks: false })
}
