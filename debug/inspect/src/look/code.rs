//! Reads facts from the code around the frames of a stack, above all the functions that this code
//! calls. The full look (`mod.rs`, `kernel.rs`) and the short one (`glance.rs`) use it.

use omphalos_ompd_view::Registers;
use omphalos_ompd_view::asleep::calls;
use omphalos_ompd_view::snapshot::{Frame, Thread, Wait};
use omphalos_program::entries::{self, Part};
use omphalos_program::{Names, Owner};
use omphalos_why::words::messages::is_question;
use omphalos_why::words::{self, is_of_headers, is_system, is_system_file};
use omphalos_why::{is_pause, is_try};

use super::{Stack, place};
use crate::exports::Exports;
use crate::facts;
use crate::names::Named;
use crate::space::Space;
use crate::unwind::Raw;

/// Frames of the program's own code that are looked at.
const INNERMOST: usize = 4;

/// The innermost frame of the program's own code.
fn own<'a>(named: &Named<'_>, stack: &'a Stack) -> Option<&'a Raw> {
    stack.raw.get(own_frame(named, stack)?)
}

fn own_frame(named: &Named<'_>, stack: &Stack) -> Option<usize> {
    let own = |raw: &Raw| {
        named.names().owner(raw.lookup) == Owner::User
            && named.module(raw.lookup).is_some_and(|module| !is_system_file(module.name()))
    };
    stack.raw.iter().position(own)
}

/// Returns the function that the thread's innermost function of the program calls. Libraries may
/// call further ones inside.
pub fn own_call(named: &Named<'_>, thread: &Thread) -> Option<String> {
    named.names().callee(words::inner_frame(thread)?.address)
}

/// Returns the functions that try for a lock and are called in the code of the program's innermost
/// function, each with its line.
pub fn tries(named: &Named<'_>, stack: &Stack) -> Vec<String> {
    calls_of(named, stack, is_try)
}

/// Calls of cancellation points and of `cancel` in the code of the program's innermost function.
pub fn cancels(named: &Named<'_>, stack: &Stack) -> Vec<String> {
    let is_cancel = |callee: &str| {
        matches!(entries::part(callee), Some(Part::Cancel | Part::CancellationPoint))
    };
    let is_user = |raw: &&Raw| named.names().owner(raw.lookup) == Owner::User;
    let callers = stack.raw.iter().filter(is_user).take(INNERMOST);
    // A function that a loop calls in each round may have no cancellation point: then one of its
    // callers has it.
    let own = callers.map(|raw| calls_in(named, raw.lookup, is_cancel));
    let Some(own) = own.into_iter().find(|calls| !calls.is_empty()) else { return Vec::new() };
    // The `cancel` that is to end the loop may be elsewhere in the program: all calls whose
    // argument with this number is not constant. That holds for every call of `cancel`.
    let argument = |callee: &str| {
        let number = if entries::is_gccs(callee) { 5 } else { 1 };
        (entries::part(callee) == Some(Part::Cancel)).then_some(number)
    };
    let names = named.names();
    let others = names.calls_with(None, &argument).into_iter();
    let others = others.filter_map(|after| at_line(names, names.callee(after)?, after));
    let mut all: Vec<String> = own.into_iter().chain(others).collect();
    for call in &mut all {
        let Some((callee, at)) = call.split_once(" (") else { continue };
        let what = if callee.contains("point") { "cancellation point" } else { "cancel" };
        *call = format!("'{what}' ({at}");
    }
    all.sort();
    all.dedup();
    all
}

/// A call of a function with its line: "GOMP_cancel (file.c:9)".
fn at_line(names: &Names, callee: String, after: u64) -> Option<String> {
    let function = names.functions(after - 1).into_iter().next()?;
    Some(format!("{callee} ({})", place(&function.file, function.line)?))
}

/// The places where the code comes to the source of an iteration (`ordered depend(source)`).
pub fn sources(named: &Named<'_>, stack: &Stack) -> Vec<String> {
    let is_source = |callee: &str| entries::part(callee) == Some(Part::Source);
    let found = calls_of(named, stack, is_source).into_iter();
    found.filter_map(|call| Some(call.split_once('(')?.1.strip_suffix(')')?.to_owned())).collect()
}

/// Returns the calls of wanted functions in the code of the program's innermost function.
fn calls_of(named: &Named<'_>, stack: &Stack, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    own(named, stack).map_or_else(Vec::new, |own| calls_in(named, own.lookup, is_wanted))
}

/// Returns the calls of wanted functions in the code of the function around an address.
fn calls_in(named: &Named<'_>, address: u64, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let names = named.names();
    let mut found: Vec<String> = Vec::new();
    for call in names.calls_around(address) {
        if is_wanted(&call.callee) {
            let place = at_line(names, call.callee.clone(), call.after);
            found.push(place.unwrap_or(call.callee));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// For a thread that runs, or sleeps for a while: the function that tries for a lock in each round
/// of its loop, if that loop does nothing else.
pub fn retries(named: &Named<'_>, stack: &Stack) -> Option<String> {
    let names = named.names();
    let (after, callee) = each_round(named, stack, &is_try)?;
    let function = names.functions(after - 1).into_iter().next();
    let place = function.and_then(|function| place(&function.file, function.line));
    Some(place.map_or_else(|| callee.clone(), |place| format!("{callee} ({place})")))
}

/// For a thread that runs, or sleeps for a while: the MPI function that asks in each round of its
/// loop whether a message has come, if that loop does nothing else.
pub fn asks_for_message(named: &Named<'_>, stack: &Stack) -> Option<String> {
    each_round(named, stack, &is_question).map(|(_, callee)| callee)
}

fn each_round(
    named: &Named<'_>,
    stack: &Stack,
    wanted: &dyn Fn(&str) -> bool,
) -> Option<(u64, String)> {
    let names = named.names();
    let own = stack.raw.iter().filter(|raw| names.owner(raw.lookup) == Owner::User);
    own.take(INNERMOST).find_map(|raw| names.each_round(raw.address, wanted, &is_pause))
}

/// The wait of a thread in a runtime that tells nothing, from the function that the program called.
pub fn by_entry(thread: &Thread, registers: &Registers) -> Option<Wait> {
    let entry = thread.stack.iter().take_while(|frame| frame.runtime || is_system(frame));
    let entry = entry.filter(|frame| frame.runtime).last()?;
    let call = calls::in_call(registers).map(calls::name);
    // A thread in any other call is in a function of the program's that ended in a jump to the C
    // library and left no frame.
    const OWN_CALLS: [&str; 2] = ["futex", "sched_yield"];
    if call.as_ref().is_some_and(|name| !OWN_CALLS.contains(&&**name)) {
        return None;
    }
    let word = call.filter(|name| name == "futex").map(|_| registers.call[2]);
    if thread.stack.iter().all(|frame| frame.runtime || is_system(frame)) {
        return Some(Wait::Work);
    }
    facts::in_runtime(&entry.function, word)
}

/// Gives the frames of system libraries the names by which the program called them. If a library's
/// function ended in a jump to another library, the frame gets the name of the library that exports
/// the called function.
pub fn name_called(space: &dyn Space, named: &Named<'_>, exports: &Exports, stack: &mut [Frame]) {
    for frame in stack.iter_mut().filter(|frame| is_system(frame) && !frame.inlined) {
        let Some(own) = named.module(frame.address.wrapping_sub(1)) else { continue };
        if !exports.has(space, own, &frame.function) {
            let system = named.modules().iter().filter(|module| is_system_file(module.name()));
            let mut others = system.filter(|module| module.base != own.base);
            if let Some(home) = others.find(|other| exports.has(space, other, &frame.function)) {
                frame.module = home.name().to_owned();
            }
        }
        frame.function = Names::written(&frame.function);
    }
}

/// The names of the functions of the C library and of MPI that the thread is in, from inside
/// outwards: first the names that the C library exports (the thread may have come there by a jump
/// from another library), then the names that the callers use.
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
    // The callers of the program's innermost frame only wait for that frame. An example is the
    // function that made a task which is executed at once.
    let outer = own_frame(named, stack).map_or(stack.raw.len(), |at| at + 1);
    let callers = stack.raw[..outer].iter().skip(1).take(16);
    let callers = callers.filter_map(|raw| named.names().callee(raw.address)).take(4);
    own.flatten().chain(callers).collect()
}

/// Adds the other lines that a thread's call may stand for, if the compiler merged several calls
/// into one.
pub fn find_merged(named: &Named<'_>, stack: &mut Vec<Frame>) {
    let is_own = |frame: &Frame| !frame.runtime && !is_system(frame) && !frame.module.is_empty();
    let Some(at) = stack.iter().position(is_own).filter(|at| *at > 0) else { return };
    // For code in a header, its caller's line is shown.
    if stack[at].file.is_none() || is_of_headers(stack[at].file.as_deref()) {
        return;
    }
    let address = stack[at].address;
    let mut lines = named.names().merged_lines(address);
    if stack[at].inlined && !lines.is_empty() {
        // The call may be from one of several inlined functions. So the function around them is
        // shown.
        let (file, line) = (stack[at].file.take(), stack[at].line);
        let mut calls = stack[at..].iter().take_while(|frame| frame.address == address);
        let inlined = calls.position(|frame| !frame.inlined).unwrap_or(0);
        stack.drain(at..at + inlined);
        (stack[at].file, stack[at].line) = (file, line);
    }
    let frame = &mut stack[at];
    let has_own = named.names().has_line(address.wrapping_sub(1));
    // If the call has no line, the line that is shown there is the construct's, or one nearby.
    if !has_own && !lines.is_empty() {
        frame.line = Some(lines.remove(0));
    }
    frame.or_lines = lines;
}

/// Gives gcc's call of a barrier that belongs to a construct the line of that construct, if the
/// line information has another line.
pub fn find_barrier(named: &Named<'_>, stack: &mut Vec<Frame>) {
    let is_own = |frame: &Frame| !frame.runtime && !is_system(frame) && !frame.module.is_empty();
    let Some(at) = stack.iter().position(is_own) else { return };
    let address = stack[at].address;
    let Some((line, function)) = named.names().directive_of_barrier(address) else { return };
    let mut group = stack[at..].iter().take_while(|frame| frame.address == address);
    let Some(inlined) = group.position(|frame| frame.function == function) else { return };
    stack.drain(at..at + inlined);
    stack[at].line = Some(line);
}

/// Gives threads that wait for their turn the line of the `ordered` directive.
pub fn find_ordered(named: &Named<'_>, threads: &mut [Thread]) {
    for thread in threads {
        if !matches!(thread.waits, Some(Wait::Ordered { .. })) {
            continue;
        }
        let own = thread.stack.iter_mut().find(|frame| !frame.runtime && !is_system(frame));
        let Some(frame) = own else { continue };
        let (Some(file), Some(line)) = (&frame.file, frame.line) else { continue };
        let found = named.names().ordered_line(frame.address, file, line);
        frame.line = found.or(frame.line);
    }
}
