//! Completes stacks on a runtime that tells nothing of its regions. There the stack alone shows the
//! body that a thread executes, and the call that began the region.

use std::collections::BTreeSet;

use omphalos_ompd_view::snapshot::{Frame, Thread, Wait};
use omphalos_program::{ConstructKind, Owner};
use omphalos_why::words::is_system;

use super::Stack;
use super::tails::frames_of_jump;
use crate::facts;
use crate::foreign::is_fork;
use crate::names::Named;
use crate::space::Space;

/// The bodies of regions that threads are in, from the calls of the runtime on their stacks.
pub fn bodies(named: &Named<'_>, stacks: &[Stack]) -> BTreeSet<u64> {
    let names = named.names();
    let calls = stacks.iter().flat_map(|stack| stack.raw.windows(2));
    let calls = calls.filter(|two| {
        let of_user = names.owner(two[1].lookup) == Owner::User;
        of_user && named.is_runtimes(two[0].lookup)
    });
    calls.filter_map(|two| names.body_of_call(two[1].address)).collect()
}

/// Puts back the body of a region that the runtime called and that ended in a jump. A worker's
/// stack does not show the body: if all threads are in one body (`bodies`), the worker is in that
/// one. Returns the thread's wait if the jump was to the runtime, `Some(None)` if it was not.
/// `None` if no body is missing.
pub fn add_left(
    space: &dyn Space,
    named: &Named<'_>,
    thread: &mut Thread,
    bodies: &BTreeSet<u64>,
) -> Option<Option<Wait>> {
    let names = named.names();
    let is_outside = |frame: &&Frame| frame.runtime || is_system(frame);
    let by_runtime = thread.stack.first()?.runtime;
    let mut inner = thread.stack.iter().take_while(is_outside);
    let at = match by_runtime {
        // The runtime's functions call each other.
        true => inner.collect::<Vec<_>>().iter().rposition(|frame| frame.runtime),
        false => inner.position(|frame| frame.runtime),
    };
    let at = at.filter(|at| *at > 0)?;
    let left = &thread.stack[at];
    let caller = thread.stack[at..].iter().find(|frame| !is_outside(frame));
    if by_runtime && caller.is_some() && !is_fork(left) {
        return None;
    }
    // The runtime calls bodies through a register: `call *%reg` is these two bytes.
    let mut call = [0; 2];
    space.read(left.address.wrapping_sub(2), &mut call).ok()?;
    if !matches!(call, [0xff, 0xd0..=0xd7]) {
        return None;
    }
    let body = match caller {
        Some(caller) => names.body_of_call(caller.address),
        None => bodies.first().copied().filter(|_| bodies.len() == 1),
    };
    let wait = |callee: &str| facts::in_runtime(callee, None);
    let may_be = |callee: &str| wait(callee).is_some() == by_runtime;
    let frames = body.map_or_else(Vec::new, |body| frames_of_jump(named, body, may_be));
    if !by_runtime {
        thread.stack.splice(at..at, frames);
        return Some(None);
    }
    let waits = names.jumps(body?).found.iter().find_map(|jump| wait(&jump.callee));
    let waits = waits.filter(|_| !frames.is_empty())?;
    thread.stack.splice(at..at, frames);
    Some(Some(waits))
}

/// Gives frames that called the runtime to begin a region the line of that region. Compilers give
/// the call a line nearby, or the line of a function that is inlined in front of the call.
pub fn add_regions(named: &Named<'_>, stack: &mut Vec<Frame>) {
    for at in (1..stack.len()).filter(|at| is_fork(&stack[at - 1])).collect::<Vec<_>>() {
        let Some(address) = stack.get(at).filter(|frame| !frame.runtime).map(|it| it.address)
        else {
            continue;
        };
        let construct = named.names().construct(address, ConstructKind::Region);
        let mut calls = stack[at..].iter().take_while(|frame| frame.address == address);
        let encounters = |frame: &Frame| *construct.function == *frame.function;
        let Some(inlined) = calls.position(encounters).filter(|_| construct.line > 0) else {
            continue;
        };
        let own = &mut stack[at + inlined];
        own.file = construct.file.as_ref().map(|file| file.to_string()).or(own.file.take());
        own.line = Some(construct.line);
        stack.drain(at..at + inlined);
    }
}
