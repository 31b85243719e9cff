//! Restores functions that are missing in the middle of a stack because they ended in a jump (a
//! tail call). If `a` calls `b`, and `b` ends in a jump to `c`, the stack shows `c` inside `a`,
//! though `a`'s code calls `b`. This module puts `b` back between them, if only one jump of `b`
//! leads to `c`.

use std::mem::discriminant;

use omphalos_ompd_view::snapshot::Wait;
use omphalos_program::{Jumps, NamedFunction, Owner};
use omphalos_why::words::is_of_headers;

use super::Stack;
use crate::exports::Exports;
use crate::facts;
use crate::names::Named;
use crate::space::Space;
use crate::unwind::Raw;

/// Puts the missing functions back. `waits`: the thread's wait in the runtime, if the runtime tells
/// it.
pub fn add(
    space: &dyn Space,
    named: &Named<'_>,
    exports: &Exports,
    waits: Option<&Wait>,
    stack: &mut Stack,
) {
    let is_own = |raw: &Raw| named.names().owner(raw.lookup) == Owner::User;
    let innermost = stack.raw.iter().position(is_own);
    for at in (1..stack.raw.len()).rev() {
        let (inner, outer) = (stack.raw[at - 1], stack.raw[at]);
        if outer.signal && !inner.signal {
            let handler = handler(space, named, exports, &inner);
            stack.raw.splice(at..at, handler.map(|after| raw(after, &inner)));
        }
        if inner.signal || outer.signal {
            continue;
        }
        let waits = waits.filter(|_| innermost == Some(at));
        let called = match is_own(&outer) {
            true => named.names().called(outer.address),
            false => main_of(named, &stack.raw[at..]),
        };
        let jumps = match called {
            Some(called) => way(space, named, exports, waits, (called, &inner)),
            None if innermost == Some(at - 1) => into_header(named, &inner),
            None => continue,
        };
        stack.raw.splice(at..at, jumps.iter().map(|after| raw(*after, &inner)));
    }
}

/// Returns the start of `main`, if the frames `outside` are those of the C library that called
/// `main`. The outermost of them is the program's start code, which passes the address of `main`.
fn main_of(named: &Named<'_>, outside: &[Raw]) -> Option<u64> {
    let is_system = |raw: &Raw| named.names().owner(raw.lookup) == Owner::System;
    let (start, callers) = outside.split_last()?;
    let is_it = !callers.is_empty() && callers.iter().all(is_system) && !is_system(start);
    is_it.then(|| named.names().first_argument(start.address))?
}

/// Makes the frame of a function that jumped to the function of frame `inner`: its place on the
/// stack is that of `inner`.
fn raw(after: u64, inner: &Raw) -> Raw {
    Raw { address: after, lookup: after - 1, ..*inner }
}

/// Finds the jump by which a signal's handler ended and came to the system function of frame
/// `inner`. The kernel calls handlers of the program only, so a handler is missing. Returns the
/// address one past the jump; `None` if not exactly one jump of the program leads to the function.
fn handler(space: &dyn Space, named: &Named<'_>, exports: &Exports, inner: &Raw) -> Option<u64> {
    let is_system = named.names().owner(inner.lookup) == Owner::System;
    let module = named.module(inner.lookup).filter(|_| is_system)?;
    let name = exports.name(space, module, inner.lookup)?;
    match named.names().jumps_out_to(&name)[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// Finds the jump to a function of a header that seems to have been called through a pointer. The
/// pointer was to a function of the program's that ended in a jump to the header's function.
/// (Headers' methods that are really called through pointers have special names.) Returns the
/// address one past the jump; empty if it is not certain.
fn into_header(named: &Named<'_>, inner: &Raw) -> Vec<u64> {
    let names = named.names();
    let own = names.functions(inner.lookup).pop();
    let is_pointed_at =
        |name: &str| name.rsplit("::").next().is_some_and(|it| it.starts_with("_M_"));
    let own = own.filter(|own| is_of_headers(own.file.as_deref()) && !is_pointed_at(&own.name));
    let Some(start) = own.and_then(|own| own.start) else { return Vec::new() };
    let jumper = |after: u64| names.functions(after - 1).pop()?.start;
    let mut jumpers: Vec<u64> = names.calls_to(start).into_iter().filter_map(jumper).collect();
    jumpers.sort_unstable();
    jumpers.dedup();
    let mut all = Jumps::default();
    for jumps in jumpers.iter().map(|jumper| names.jumps_to(*jumper, start)) {
        all.found.extend(jumps.found);
        all.has_unknown |= jumps.has_unknown;
    }
    only(named, &all)
}

/// Returns the addresses one past each jump by which the function at `called` came to the function
/// of frame `inner`, the last jump first. Empty if both are the same function, or if the code does
/// not show the jumps.
fn way(
    space: &dyn Space,
    named: &Named<'_>,
    exports: &Exports,
    waits: Option<&Wait>,
    (called, inner): (u64, &Raw),
) -> Vec<u64> {
    let names = named.names();
    let outermost = |address: u64| names.functions(address).pop();
    let own = outermost(inner.lookup);
    let jumps = match names.owner(inner.lookup) {
        Owner::User => {
            let Some(start) = own.as_ref().and_then(|own| own.start) else { return Vec::new() };
            // A part of a function that lies elsewhere has a start of its own.
            let is_part = || {
                let name = |function: NamedFunction| function.name;
                own.map(name) == outermost(called).map(name)
            };
            match start == called || is_part() {
                true => return Vec::new(),
                false => names.jumps_to(called, start),
            }
        }
        Owner::System => {
            let module = named.module(inner.lookup);
            let name = module.and_then(|module| exports.name(space, module, inner.lookup));
            // The library's function may itself have jumped on, to one that has no name outside.
            let is_exported =
                |name: &str| module.is_some_and(|module| exports.has(space, module, name));
            let mut jumps = names.jumps(called);
            jumps.found.retain(|jump| match &name {
                Some(name) => jump.callee == *name,
                None => is_exported(&jump.callee),
            });
            jumps
        }
        // The runtime knows the thread's wait in it, and its code has names of its own.
        Owner::Runtime | Owner::Tool => {
            let is_it = |callee: &str| {
                let wait = facts::in_runtime(callee, Some(0))?;
                Some(waits.is_none_or(|waits| discriminant(waits) == discriminant(&wait)))
            };
            let mut jumps = names.jumps(called);
            jumps.found.retain(|jump| is_it(&jump.callee) == Some(true));
            jumps
        }
    };
    only(named, &jumps)
}

/// Returns the jumps of the only way, or of the first one if all ways jump at one place of the
/// source. Empty otherwise.
pub fn only(named: &Named<'_>, jumps: &Jumps) -> Vec<u64> {
    let place = |after: &Vec<u64>| -> Vec<Vec<NamedFunction>> {
        after.iter().map(|after| named.names().functions(after - 1)).collect()
    };
    let ways: Vec<&Vec<u64>> = jumps.found.iter().map(|jump| &jump.after).collect();
    match ways.split_first() {
        Some((first, others)) if !jumps.has_unknown => {
            let is_same = |other: &&Vec<u64>| place(other) == place(first);
            if others.iter().all(is_same) { (*first).clone() } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}
