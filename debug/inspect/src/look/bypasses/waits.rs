//! Finds ways past an operation that would end a wait outside the runtime, such as a signal. Also
//! finds waits for a condition variable without a loop that checks the condition again.

use omphalos_ompd_view::snapshot::{Bringing, Brings, Bypass, Snapshot, Thread, Wait};
use omphalos_program::entries::{self, Part};
use omphalos_program::{Directive, NamedFunction, Names, Owner, Standing, Ways};
use omphalos_why::words::is_of_headers;

use super::super::{Stack, place};
use super::{DEEPEST, MOST, is_loop, past_calls, said, start};
use crate::names::Named;
use crate::space::Space;
use crate::unwind::Unwinder;

/// The innermost functions whose loops may check the condition again.
const INNERMOST: usize = 3;

/// Returns the ways past `calls` (return addresses). If each way through a call's function comes to
/// the call, these are the ways past the calls of that function. `stack`: the thread that waits. A
/// way that this thread must take to come to its wait does not count.
pub fn past(names: &Names, calls: &[u64], stack: Option<&Stack>) -> Vec<Bypass> {
    let raw = stack.map_or(&[][..], |stack| &stack.raw[..]);
    let stands: Vec<u64> = raw.iter().map(|raw| raw.address).collect();
    let mut found: Vec<Bypass> = Vec::new();
    for call in calls {
        let new = past_call(names, *call, (calls, &stands), 0);
        found.extend(new.into_iter().filter(|one| !found.contains(one)).collect::<Vec<_>>());
    }
    if found.iter().all(is_loop) {
        found.truncate(1);
    }
    found.truncate(MOST);
    found
}

fn past_call(
    names: &Names,
    call: u64,
    (alike, stands): (&[u64], &[u64]),
    depth: u32,
) -> Vec<Bypass> {
    let Some(pc) = call.checked_sub(1) else { return Vec::new() };
    let functions = names.functions(pc);
    let own = functions.iter().find(|one| !is_of_headers(one.file.as_deref()));
    let of = own.and_then(|own| Some((&*own.name, place(&own.file, own.line)?)));
    let Some(start) = start(names, pc) else { return Vec::new() };
    let mut found = Vec::new();
    if let Some((name, of)) = of {
        let same = |other: &&u64| super::start(names, **other - 1) == Some(start);
        let mut to: Vec<u64> = alike.iter().filter(same).copied().collect();
        to.push(call);
        found = past_calls(names, pc, &to, (name, &of), stands);
        found.retain(|way| !is_directive(own, &way.at));
        found.extend(handlers(names, pc, &to, own, &of));
    }
    let is_body = functions.iter().any(|one| one.construct.is_some());
    if found.is_empty() && !is_body && depth < DEEPEST {
        let callers = names.calls_to(start).into_iter();
        found = callers.flat_map(|call| past_call(names, call, (&[], stands), depth + 1)).collect();
    }
    found
}

/// Whether a place in the function's file is a directive's line: the construct gives its code to
/// one thread or to some, and the others pass it as they should.
fn is_directive(own: Option<&NamedFunction>, at: &str) -> bool {
    let digits = |rest: &str| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
    let line: Option<u32> = at.split_once(':').and_then(|(_, rest)| digits(rest));
    let path = own.and_then(|own| own.file.as_deref());
    let all = path.and_then(Directive::of_file).unwrap_or_default();
    line.is_some_and(|line| all.iter().any(|one| (one.line..=one.last).contains(&line)))
}

/// The handlers of exceptions that go on without the calls `to`, which are at the place `of` in the
/// function `own`.
fn handlers(
    names: &Names,
    pc: u64,
    to: &[u64],
    own: Option<&NamedFunction>,
    of: &str,
) -> Vec<Bypass> {
    let Some(own) = own else { return Vec::new() };
    let Some(path) = own.file.as_deref() else { return Vec::new() };
    let line = |after: u64| {
        let functions = names.functions(after - 1).into_iter();
        let mut here = functions.filter(|one| one.file == own.file && one.name == own.name);
        here.next().map(|one| one.line)
    };
    // A call within the block of the `try` lies behind the handler only in a loop: a thread comes
    // to it again in the next round.
    let is_round = |handler: u64, call: u64| {
        let lines = line(call).zip(line(handler));
        lines.is_some_and(|(call, handler)| names.is_tried(path, call, handler))
    };
    let found = names.handlers_past(pc, to, &is_round).into_iter().filter_map(line);
    let found = found.filter(|line| names.is_tried(path, own.line, *line));
    let bypass = |line: u32| {
        let (function, how) = (own.name.clone(), "handler".to_owned());
        let at = place(&own.file, line)?;
        Some(Bypass { function, at, of: of.to_owned(), how, thrown: None })
    };
    found.filter_map(bypass).collect()
}

/// The ways from behind one of the stores on which a function comes to none of its stores of other
/// lines to the same memory. `stores`: the addresses one past them.
pub fn past_others(names: &Names, stores: &[u64]) -> Vec<Bypass> {
    let mut found: Vec<Bypass> = Vec::new();
    for store in stores {
        let line = |after: u64| names.functions(after - 1).first().map(|one| one.line);
        let same = |other: &&u64| {
            line(**other) != line(*store) && start(names, **other - 1) == start(names, *store - 1)
        };
        let to: Vec<u64> = stores.iter().filter(same).copied().collect();
        let Some(other) = to.first() else { continue };
        let functions = names.functions(other - 1);
        let own = functions.iter().find(|one| !is_of_headers(one.file.as_deref()));
        let Some((own, of)) = own.and_then(|own| Some((own, place(&own.file, own.line)?))) else {
            continue;
        };
        // In a loop, a way that comes to the store again has left the other ones out.
        let (from, ends) = (Some(*store), [*store]);
        let ways = Ways { from, to: &to, ends: &ends, ..Ways::default() };
        let partings = names.partings(store - 1, &ways);
        let new = said(names, &partings, (&own.name, &of), &to).into_iter();
        let new = new.filter(|way| !is_loop(way) && !found.contains(way));
        found.extend(new.collect::<Vec<_>>());
    }
    found.truncate(MOST);
    found
}

/// Returns the ways past sources, for threads that wait for the source of another iteration.
pub fn past_sources(named: &Named<'_>, stack: &Stack) -> Option<Brings> {
    let names = named.names();
    let mut own = stack.raw.iter().filter(|raw| names.owner(raw.lookup) == Owner::User);
    let own = own.next()?;
    let calls = names.calls_around(own.lookup).into_iter();
    let posts = calls.filter(|call| entries::part(&call.callee) == Some(Part::Source));
    let posts = posts.map(|call| call.after);
    let bypasses = past(names, &posts.collect::<Vec<_>>(), Some(stack));
    let what = Bringing::Source;
    (!bypasses.is_empty()).then(|| Brings { what, bypasses, ..Brings::default() })
}

/// Marks threads that wait for a condition variable outside any loop.
pub fn find_unchecked(snapshot: &mut Snapshot, stacks: &[Stack], named: &Named<'_>) {
    let waits = |thread: &&mut Thread| matches!(thread.waits, Some(Wait::Condition { .. }));
    for thread in snapshot.threads.iter_mut().filter(waits) {
        let stack = stacks.iter().find(|stack| stack.lwp == thread.lwp);
        thread.unchecked = stack.is_some_and(|stack| is_unchecked(named, stack));
    }
}

/// Marks threads that wait for a condition variable although the loop around the wait would end
/// with the values that memory has at this look.
pub fn find_there(
    space: &dyn Space,
    unwinder: &Unwinder<'_>,
    snapshot: &mut Snapshot,
    (stacks, named): (&[Stack], &Named<'_>),
) {
    let read = |address: u64, length: usize| space.number(address, length);
    let waits = |thread: &&mut Thread| matches!(thread.waits, Some(Wait::Condition { .. }));
    for thread in snapshot.threads.iter_mut().filter(waits) {
        let Some(stack) = stacks.iter().find(|stack| stack.lwp == thread.lwp) else { continue };
        let mut left = INNERMOST;
        unwinder.walk_with(&stack.registers, |raw, all| {
            if named.names().owner(raw.lookup) != Owner::User {
                return true;
            }
            left -= 1;
            let register = |number: usize| all.get(number).copied().flatten();
            let standing = Standing { register: &register, read: &read };
            thread.there = named.names().would_end(raw.address, &standing) == Some(true);
            // The innermost loop is the one that checks.
            let has_loop = named.names().leads_to(raw.address, raw.address, &[]) == Some(true);
            !has_loop && left > 0
        });
    }
}

fn is_unchecked(named: &Named<'_>, stack: &Stack) -> bool {
    let names = named.names();
    let is_own = |raw: &u64| names.owner(raw.wrapping_sub(1)) == Owner::User;
    let own: Vec<u64> = stack.raw.iter().map(|raw| raw.address).filter(is_own).collect();
    let own = &own[..own.len().min(INNERMOST)];
    !own.is_empty() && own.iter().all(|at| names.leads_to(*at, *at, &[]) == Some(false))
}
