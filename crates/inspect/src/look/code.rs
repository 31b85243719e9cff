//! What the code around the frames of a stack says: what it calls, which locks it takes.

use omphalos_ompd_view::Registers;
use omphalos_ompd_view::asleep::calls;
use omphalos_ompd_view::snapshot::{Taken, Thread, Wait};
use omphalos_report::Owner;
use omphalos_why::words::{self, is_of_headers, is_system, is_system_file};

use super::{Stack, place};
use crate::exports::Exports;
use crate::facts;
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

/// Functions that take a lock of one kind, by parts of their names, and those that give it back.
const KINDS: [(&[&str], &[&str]); 4] = [
    (&["omp_set_lock", "omp_test_lock"], &["omp_unset_lock"]),
    (&["omp_set_nest_lock", "omp_test_nest_lock"], &["omp_unset_nest_lock"]),
    (
        &["GOMP_critical_start", "GOMP_critical_name_start", "__kmpc_critical"],
        &["GOMP_critical_end", "GOMP_critical_name_end", "__kmpc_end_critical"],
    ),
    (
        &["mutex_lock", "mutex_timedlock", "mutex_clocklock", "mutex_trylock", "flockfile"],
        &["mutex_unlock", "funlockfile"],
    ),
];

/// Where the functions on the stack took the locks of each kind that they took last, as far as
/// their code shows: the call that stands before the one in which they are, and that no call which
/// gives a lock of that kind back follows. With the called function.
pub fn taken(named: &Named<'_>, stack: &Stack) -> Vec<Taken> {
    let names = named.names();
    let mut found: Vec<Taken> = Vec::new();
    for raw in &stack.raw {
        if found.len() >= MOST_TAKEN {
            break;
        }
        if names.owner(raw.lookup) != Owner::User || named.module(raw.lookup).is_none() {
            continue;
        }
        let calls = names.calls_before(raw.address);
        for (takes, gives) in KINDS {
            let mut open = Vec::new();
            for call in &calls {
                if gives.iter().any(|name| call.callee.contains(name)) {
                    open.pop();
                } else if takes.iter().any(|name| call.callee.contains(name)) {
                    open.push(call);
                }
            }
            let Some(last) = open.into_iter().rev().find(|call| call.after != raw.address) else {
                continue;
            };
            let functions = names.functions(last.after - 1);
            let own = functions.iter().find(|function| !is_of_headers(function.file.as_deref()));
            let place = own.or(functions.first()).and_then(|own| place(&own.file, own.line));
            let taken = place.map(|place| Taken { by: last.callee.clone(), place });
            found.extend(taken.filter(|taken| !found.contains(taken)));
        }
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

/// What the functions of the C library and of MPI are called that the thread is in, from inside
/// outwards: by the names that the C library exports (it may have been jumped to from another
/// library), then by those who call.
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
