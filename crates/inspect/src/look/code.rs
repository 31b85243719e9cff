//! What the code around the frames of a stack says: what it calls, which locks it takes.

use omphalos_ompd_view::Registers;
use omphalos_ompd_view::snapshot::{Thread, Wait};
use omphalos_report::Owner;
use omphalos_why::words::{self, is_system, is_system_file};

use super::{Stack, place};
use crate::exports::Exports;
use crate::facts::{self, calls};
use crate::names::Named;
use crate::space::Space;
use crate::unwind::Raw;

/// The innermost frame of the program's own code.
fn own<'a>(named: &Named<'_>, stack: &'a Stack) -> Option<&'a Raw> {
    let own = |raw: &&Raw| {
        named.names().owner(raw.lookup) == Owner::User && named.module(raw.lookup).is_some()
    };
    stack.raw.iter().find(own)
}

/// What the program is calling, and not how a library does it.
pub fn own_call(named: &Named<'_>, thread: &Thread) -> Option<String> {
    named.names().callee(words::own_frame(thread)?.address)
}

/// Functions that try for a lock in the code of the innermost function of the program's.
pub fn tries(named: &Named<'_>, stack: &Stack) -> Vec<String> {
    let Some(own) = own(named, stack) else { return Vec::new() };
    let names = named.names();
    let mut found: Vec<String> = Vec::new();
    for call in names.calls_around(own.lookup) {
        if omphalos_why::is_try(&call.callee) {
            let function = names.functions(call.after - 1).into_iter().next();
            let place = function.and_then(|function| place(&function.file, function.line));
            found.push(match place {
                Some(place) => format!("{} ({place})", call.callee),
                None => call.callee,
            });
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Functions that take a lock, and those that give one back, by parts of their names.
const TAKES: [&str; 6] = [
    "omp_set_lock",
    "omp_set_nest_lock",
    "_critical_",
    "__kmpc_critical",
    "mutex_lock",
    "omp_test_",
];
const GIVES: [&str; 5] = [
    "omp_unset_lock",
    "omp_unset_nest_lock",
    "GOMP_critical_",
    "__kmpc_end_critical",
    "mutex_unlock",
];

/// Where the functions on the stack took the lock that they took last, as far as their code shows: the call that
/// stands before the one in which they are, and that no call which gives a lock back follows.
pub fn taken(named: &Named<'_>, stack: &Stack) -> Vec<String> {
    let names = named.names();
    let mut found = Vec::new();
    for raw in &stack.raw {
        if found.len() >= MOST_TAKEN {
            break;
        }
        if names.owner(raw.lookup) != Owner::User || named.module(raw.lookup).is_none() {
            continue;
        }
        let mut open: Vec<u64> = Vec::new();
        for call in names.calls_before(raw.address) {
            let is_end = call.callee.contains("_end");
            if !is_end && TAKES.iter().any(|name| call.callee.contains(name)) {
                open.push(call.after);
            } else if GIVES.iter().any(|name| call.callee.contains(name)) {
                open.pop();
            }
        }
        let last = open.into_iter().rev().find(|after| *after != raw.address);
        let place = last.and_then(|after| {
            let functions = names.functions(after - 1);
            functions.first().and_then(|function| place(&function.file, function.line))
        });
        found.extend(place.filter(|place| !found.contains(place)));
    }
    found
}

/// Places where a thread took locks that are named.
const MOST_TAKEN: usize = 3;

/// Of a runtime that tells nothing: what the program called of it.
pub fn by_entry(thread: &Thread, registers: &Registers) -> Option<Wait> {
    let entry = thread.stack.iter().take_while(|frame| frame.runtime || is_system(frame));
    let entry = entry.filter(|frame| frame.runtime).last()?;
    let call = calls::in_call(registers).map(calls::name);
    // In any other call is a function of the program's that ended in a jump to the C library, and
    // left no frame.
    const OWN_CALLS: [&str; 5] =
        ["futex", "sched_yield", "nanosleep", "clock_nanosleep", "restart_syscall"];
    if call.as_ref().is_some_and(|name| !OWN_CALLS.contains(&&**name)) {
        return None;
    }
    let word = call.filter(|name| name == "futex").map(|_| registers.call[2]);
    if thread.stack.iter().all(|frame| frame.runtime || is_system(frame)) {
        return Some(Wait::Work);
    }
    facts::in_runtime(&entry.function, word)
}

/// What the functions of the C library and of MPI are called that the thread is in, from inside outwards: by the names
/// that the C library exports (it may have been jumped to from another library), then by those who call.
pub fn called(
    space: &dyn Space,
    named: &Named<'_>,
    exports: &Exports,
    stack: &Stack,
) -> Vec<String> {
    let own = stack.raw.iter().take(16).map_while(|raw| {
        let module = named.module(raw.lookup)?;
        is_system_file(module.name()).then(|| exports.name(space, module, raw.lookup))
    });
    let callers = stack.raw.iter().skip(1).take(16);
    let callers = callers.filter_map(|raw| named.names().callee(raw.address)).take(4);
    own.flatten().chain(callers).collect()
}
