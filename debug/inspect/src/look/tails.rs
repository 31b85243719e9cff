//! Restores functions that ended in a jump to the runtime (a tail call): such a function is on no
//! stack, and the return address on the stack is in its caller. The runtime knows the address of a
//! construct's body, and the body's address may determine the missing function. Other functions are
//! not put back, and no line is shown with the name of another function.

use omphalos_ompd_view::snapshot::{Address, Frame, Snapshot, Task, Team, Wait};
use omphalos_program::entries::{self, Part};
use omphalos_program::{Construct, ConstructKind, Names, Owner};
use omphalos_why::words::is_system;

use super::{IMPLICIT, Stack, code, jumped};
use crate::facts;
use crate::facts::left::{self, NEAR};
use crate::names::Named;
use crate::unwind::Raw;

/// Fills in the return addresses of the calls that began regions. The runtime keeps them for tools
/// only, but the primary thread's stack has them.
pub fn find_regions(snapshot: &mut Snapshot, stacks: &[Stack], named: &Named<'_>) {
    let names = named.names();
    let (threads, tasks) = (&snapshot.threads, &snapshot.tasks);
    // The thread that began a league is in one of its teams.
    let teams = snapshot.teams.iter().filter(|team| team.level == 0);
    let firsts: Vec<(Address, Address)> =
        teams.filter_map(|team| Some((team.parent?, team.address))).collect();
    let is_league = |team: &Team| firsts.iter().any(|(league, _)| *league == team.address);
    let is_region = |team: &&mut Team| team.parent.is_some() && (team.level > 0 || is_league(team));
    for team in snapshot.teams.iter_mut().filter(|team| team.codeptr == 0).filter(is_region) {
        let first = team.members.first().copied().unwrap_or(0);
        let primary = threads.iter().find(|thread| thread.record == first && first != 0);
        let Some(primary) = primary else { continue };
        let Some(stack) = stacks.iter().find(|stack| stack.lwp == primary.lwp) else { continue };
        let is_own = |raw: &&Raw| names.owner(raw.lookup) == Owner::User;
        let is_body = |raw: &&Raw| {
            let start = names.functions(raw.lookup).last().and_then(|function| function.start);
            team.function != 0 && start == Some(team.function)
        };
        let body = stack.raw.iter().position(|raw| is_own(&raw) && is_body(&raw));
        let of_league = firsts.iter().filter(|(league, _)| *league == team.address);
        let mut within = of_league.map(|(_, first)| *first).chain([team.address]);
        let cfas = stack.raw.iter().map(|raw| raw.cfa);
        let left = within.find_map(|address| left::outside(cfas.clone(), tasks, address));
        let outside = match (body, left) {
            (_, Some(outside)) => &stack.raw[outside..],
            (Some(body), None) => &stack.raw[body + 1..],
            // The primary waits at the region's end, or the body ended in a jump to the runtime.
            _ if primary.team == Some(team.address) => &stack.raw[..],
            _ => continue,
        };
        // A body in two halves is on the stack twice.
        let is_half = |raw: &&Raw| {
            let functions = names.functions(raw.lookup);
            functions.last().is_some_and(|function| function.construct.is_some() || function.body)
        };
        let mut own = outside.iter().filter(is_own);
        let caller = match body {
            Some(_) if outside.first().is_some_and(|raw| is_own(&raw) && is_half(&raw)) => {
                own.nth(1)
            }
            _ => own.next(),
        };
        team.codeptr = caller.map_or(0, |raw| raw.address);
    }
}

/// Adds the functions that contain a region and ended in a jump to the runtime that began it.
pub fn add_encountering(snapshot: &mut Snapshot, named: &Named<'_>) {
    for team in &snapshot.teams {
        if team.codeptr == 0 || team.function == 0 || team.parent.is_none() {
            continue;
        }
        let construct = region(named.names(), team);
        let body = named.names().functions(team.function);
        let is_named = body.last().is_some_and(|body| body.named && !body.name.is_empty());
        if !construct.tail_called || construct.line == 0 && !is_named {
            continue;
        }
        let first = team.members.first().copied().unwrap_or(0);
        let primary = snapshot.threads.iter_mut().find(|thread| thread.record == first);
        let Some(stack) = primary.map(|thread| &mut thread.stack) else { continue };
        let Some(at) = stack.iter().position(|frame| frame.address == team.codeptr) else {
            continue;
        };
        let called = &stack[at];
        if *called.function == *construct.function {
            continue;
        }
        let module = named.module(team.function).map_or("", |module| module.name()).to_owned();
        let (address, cfa) = (called.address, called.cfa);
        stack.insert(at, Frame { address, cfa, module, ..standing(&construct) });
    }
}

/// Gives calls of the runtime the line of their region if they have none, or if they have the line
/// of a function that is inlined in front of them. A compiler merges the calls at the ends of two
/// branches into one, and the body that the call passes shows which one it was.
pub fn add_lines(snapshot: &mut Snapshot, named: &Named<'_>) {
    for team in snapshot.teams.iter().filter(|team| team.codeptr != 0 && team.parent.is_some()) {
        let first = team.members.first().copied().unwrap_or(0);
        let primary = snapshot.threads.iter_mut().find(|thread| thread.record == first);
        let Some(stack) = primary.map(|thread| &mut thread.stack) else { continue };
        let is_call = |frame: &Frame| frame.address == team.codeptr;
        let has_none = |frame: &Frame| frame.inlined || frame.line.is_none();
        // For `teams` no body is known. The construct's function may have ended in a jump; then its
        // frame comes first.
        let is_teams = team.function == 0;
        let is_first = |frame: &Frame| is_call(frame) && (!is_teams || has_none(frame));
        let Some(from) = stack.iter().position(is_first) else { continue };
        if !has_none(&stack[from]) {
            continue;
        }
        let construct = match is_teams {
            true => region(named.names(), team),
            false => named.names().construct_of_body(team.function, ConstructKind::Region),
        };
        let encounters = |frame: &Frame| *construct.function == *frame.function;
        let calls = stack[from..].iter().take_while(|frame| is_call(frame));
        let Some(inlined) = calls.into_iter().position(encounters) else { continue };
        let own = &mut stack[from + inlined];
        if construct.line > 0 && (inlined > 0 || own.line.is_none()) {
            own.file = construct.file.as_ref().map(|file| file.to_string());
            own.line = Some(construct.line);
            stack.drain(from..from + inlined);
        }
    }
}

/// The construct of a team's region.
pub fn region(names: &Names, team: &Team) -> Construct {
    names.construct_known_by(team.codeptr, ConstructKind::Region, team.function)
}

fn standing(construct: &Construct) -> Frame {
    Frame {
        function: construct.function.to_string(),
        file: construct.file.as_ref().map(|file| file.to_string()),
        line: Some(construct.line).filter(|line| *line > 0),
        ..Frame::default()
    }
}

/// Adds the body that a thread executes, if the body ended in a jump, for example to the runtime or
/// to `pthread_mutex_lock`. The body gets the line of the jump if only one jump is possible,
/// otherwise the line of its construct.
pub fn add_body(snapshot: &mut Snapshot, at: usize, named: &Named<'_>) {
    let names = named.names();
    let thread = &snapshot.threads[at];
    match &thread.waits {
        Some(Wait::Barrier { kind, .. }) if kind == "region" => return,
        Some(Wait::Work) | None => return,
        Some(_) => {}
    }
    let teams = || snapshot.teams.iter();
    let Some(own) = teams().find(|team| Some(team.address) == thread.team) else { return };
    // The code of a league is known from the league.
    let league = own.league.filter(|_| own.level == 0);
    let team = teams().find(|team| Some(team.address) == league).unwrap_or(own);
    let task = snapshot.tasks.iter().find(|task| Some(task.address) == thread.task);
    let Some(place) = task.and_then(|task| left_for(&thread.stack, task)) else { return };
    let task = task.filter(|task| task.flags & IMPLICIT == 0);
    let body = task.map_or(team.function, |task| task.function);
    if body == 0 || task.is_none() && team.parent.is_none() {
        return;
    }
    let inner = &thread.stack[..place];
    let is_body = |frame: &Frame| {
        let functions = names.functions(frame.address.wrapping_sub(1));
        frame.construct.is_some() || functions.last().is_some_and(|last| last.start == Some(body))
    };
    if inner.iter().any(|frame| !frame.runtime && is_body(frame)) {
        return;
    }
    let construct = match task {
        Some(_) => names.construct_of_body(body, ConstructKind::Task),
        None => region(names, team),
    };
    let kind = if task.is_some() { "task" } else { "parallel" };
    // The body jumped to the function of the next frame inside, if that is one of the program's.
    let next = inner.iter().rev().find(|frame| !frame.runtime).filter(|frame| !is_system(frame));
    let start = |frame: &Frame| {
        let functions = names.functions(frame.address.wrapping_sub(1));
        functions.last().and_then(|function| function.start)
    };
    let mut frames = match next {
        Some(next) => {
            let jumps = start(next).map_or_else(Default::default, |to| names.jumps_to(body, to));
            frames_of_way(named, &jumped::only(named, &jumps))
        }
        None => by_jump(thread.waits.as_ref(), named, body),
    };
    if frames.is_empty() {
        let module = named.module(body).map_or("", |module| module.name()).to_owned();
        frames.push(Frame { module, ..standing(&construct) });
        frames[0].construct = Some(kind.to_owned());
    }
    for frame in &mut frames {
        frame.construct = frame.construct.take().map(|_| kind.to_owned());
    }
    snapshot.threads[at].stack.splice(place..place, frames);
}

/// The frame of a thread's stack at which the runtime called the code of the task that the thread
/// executes.
fn left_for(stack: &[Frame], task: &Task) -> Option<usize> {
    if task.exit_frame != 0 {
        return stack.iter().position(|frame| frame.cfa > task.exit_frame.saturating_add(NEAR));
    }
    // An undeferred task, executed where it was made.
    let explicit = task.flags & IMPLICIT == 0;
    stack.iter().position(|frame| {
        explicit && frame.runtime && entries::part(&frame.function) == Some(Part::Task)
    })
}

/// Returns the frames of the jump by which the function that starts at `body` came to the thread's
/// wait. Empty if several jumps at different places may have led there.
fn by_jump(waits: Option<&Wait>, named: &Named<'_>, body: u64) -> Vec<Frame> {
    use Wait::{Call, Condition, Join, Loader, Mutex, Once, Unknown};
    let is_outside = matches!(
        waits,
        Some(
            Call { .. }
                | Condition { .. }
                | Join { .. }
                | Loader { .. }
                | Mutex { .. }
                | Once { .. }
                | Unknown { .. }
        )
    );
    let may_be = |callee: &str| match facts::in_runtime(callee, Some(0)) {
        Some(wait) => {
            let is_alike = |waits| std::mem::discriminant(waits) == std::mem::discriminant(&wait);
            waits.is_some_and(is_alike)
        }
        None => is_outside,
    };
    frames_of_jump(named, body, may_be)
}

/// The frames of the jump to a barrier with which the body of a region ended.
pub fn jump_to_barrier(named: &Named<'_>, team: &Team) -> Vec<Frame> {
    let may_be =
        |callee: &str| matches!(facts::in_runtime(callee, Some(0)), Some(Wait::Barrier { .. }));
    frames_of_jump(named, team.function, may_be)
}

/// The frames of the one jump from the function that starts at `body` to a function for which
/// `may_be` is true.
pub(super) fn frames_of_jump(
    named: &Named<'_>,
    body: u64,
    may_be: impl Fn(&str) -> bool,
) -> Vec<Frame> {
    let mut jumps = named.names().jumps(body);
    jumps.found.retain(|jump| may_be(&jump.callee));
    frames_of_way(named, &jumped::only(named, &jumps))
}

/// The frames of a chain of jumps.
fn frames_of_way(named: &Named<'_>, way: &[u64]) -> Vec<Frame> {
    let raw = |&after: &u64| Raw { address: after, lookup: after - 1, cfa: 0, signal: false };
    let mut frames = named.frames(&way.iter().map(raw).collect::<Vec<_>>());
    code::find_barrier(named, &mut frames);
    for frame in &mut frames {
        frame.address = 0;
    }
    frames
}
