//! Finds ways past an operation that would end a wait outside the runtime, such as a signal. Also
//! finds waits for a condition variable without a loop that checks the condition again.

use omphalos_ompd_view::snapshot::{Bringing, Brings, Bypass, Snapshot, Thread, Wait};
use omphalos_program::{Names, Owner, Standing};
use omphalos_why::words::is_of_headers;

use super::super::{Stack, place};
use super::{DEEPEST, MOST, is_loop, past_calls, start};
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
    }
    let is_body = functions.iter().any(|one| one.construct.is_some());
    if found.is_empty() && !is_body && depth < DEEPEST {
        let callers = names.calls_to(start).into_iter();
        found = callers.flat_map(|call| past_call(names, call, (&[], stands), depth + 1)).collect();
    }
    found
}

/// Returns the ways past sources, for threads that wait for the source of another iteration.
pub fn past_sources(named: &Named<'_>, stack: &Stack) -> Option<Brings> {
    const CALLS: [&str; 3] =
        ["GOMP_doacross_post", "GOMP_doacross_ull_post", "__kmpc_doacross_post"];
    let names = named.names();
    let mut own = stack.raw.iter().filter(|raw| names.owner(raw.lookup) == Owner::User);
    let own = own.next()?;
    let calls = names.calls_around(own.lookup).into_iter();
    let posts = calls.filter(|call| CALLS.contains(&&*call.callee)).map(|call| call.after);
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
    let read = |address: u64, length: usize| {
        let mut bytes = [0; 8];
        space.read(address, bytes.get_mut(..length)?).ok()?;
        Some(u64::from_le_bytes(bytes))
    };
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
