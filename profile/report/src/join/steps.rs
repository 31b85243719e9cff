//! A recorded stack, made ready for joining: outermost first, inlined functions expanded, frames of
//! the runtime reduced to "the runtime was here", thread and program start removed.

use std::collections::HashSet;
use std::rc::Rc;

use super::scripts::Scripts;
use crate::symbols::{Function, Owner, Role, Symbols};

/// One step of a recorded stack.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// One or more frames of the runtime.
    Runtime,
    Frame(Frame),
}

#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) role: Role,
    pub(super) shown: Rc<str>,
    /// Its name, where `shown` contains its place too.
    pub(super) name: Option<Rc<str>>,
    /// True for a machine function, not one inlined into it.
    pub(super) physical: bool,
    /// The start of the machine function, if known.
    pub(super) start: Option<u64>,
    pub(super) system: bool,
    pub(super) named: bool,
    pub(super) file: Option<Rc<str>>,
    pub(super) line: u32,
    pub(super) module: Option<u32>,
    /// For code of an interpreter: the name to show.
    pub(super) interpreter: Option<&'static str>,
}

impl Frame {
    fn new(function: &Function, system: bool, physical: bool) -> Frame {
        Frame {
            physical,
            module: None,
            interpreter: None,
            role: function.role,
            shown: function.shown.clone(),
            name: None,
            start: function.start,
            system,
            named: function.named,
            file: function.file.clone(),
            line: function.near,
        }
    }

    /// Makes the frame of a routine of the runtime that is shown as one of the system's.
    fn of_inquiry(name: &str) -> Frame {
        Frame { system: true, ..Frame::named(name) }
    }

    /// Makes the frame of a function whose name alone is known.
    pub(super) fn named(shown: &str) -> Frame {
        Frame {
            role: Role::User,
            shown: shown.into(),
            name: None,
            physical: true,
            start: None,
            system: false,
            named: true,
            file: None,
            line: 0,
            module: None,
            interpreter: None,
        }
    }
}

/// Returns the name of a routine that only answers the program, like `omp_get_wtime`: the time in
/// it belongs to the program's own work, not to the runtime.
fn inquiry(callee: &str) -> Option<&str> {
    const PREFIXES: [&str; 3] = ["omp_get_", "omp_in_", "omp_is_"];
    // Fortran's names end in an underscore.
    let name = callee.trim_end_matches('_');
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)).then_some(name)
}

/// Returns the addresses in runtimes at which a user's function was called: a body, or a function
/// that a body jumped to.
pub(super) fn entries(symbols: &Symbols, stacks: &[Box<[u64]>]) -> HashSet<u64> {
    let mut found = HashSet::new();
    for two in stacks.iter().flat_map(|pcs| pcs.windows(2)) {
        let [inner, outer] = [two[0].saturating_sub(1), two[1].saturating_sub(1)];
        if symbols.kind(outer) == Owner::Runtime
            && !found.contains(&outer)
            && symbols.kind(inner) == Owner::User
        {
            found.insert(outer);
        }
    }
    found
}

/// Returns the addresses of the program's frames in which the runtime's threads begin: a checker,
/// or the program itself, stands before `pthread_create`. `stacks` are those of such threads.
pub(super) fn beginnings<'a>(
    symbols: &Symbols,
    stacks: impl Iterator<Item = &'a [u64]>,
) -> HashSet<u64> {
    let mut found = HashSet::new();
    for pcs in stacks {
        let kinds = |pc: &u64| symbols.kind(pc.saturating_sub(1));
        let mut outer = pcs.iter().rev().peekable();
        // A stack that was cut off may begin anywhere.
        if outer.next_if(|pc| kinds(pc) == Owner::System).is_none() {
            continue;
        }
        while outer.next_if(|pc| kinds(pc) == Owner::System).is_some() {}
        let mut own = Vec::new();
        while let Some(pc) = outer.next_if(|pc| kinds(pc) == Owner::User) {
            own.push(*pc);
        }
        if outer.peek().is_some_and(|pc| kinds(pc) == Owner::Runtime) {
            found.extend(own);
        }
    }
    found
}

/// Returns the steps of one stack. `entries` and `beginnings` are those of all stacks; `pcs` are
/// innermost first, the first exact and the others return addresses.
pub(super) fn of_stack(
    symbols: &Symbols,
    entries: &HashSet<u64>,
    beginnings: &HashSet<u64>,
    pcs: &[u64],
) -> Vec<Step> {
    let physical: Vec<(u64, Owner)> = pcs
        .iter()
        .enumerate()
        .map(|(i, pc)| if i == 0 { *pc } else { pc.saturating_sub(1) })
        .map(|pc| (pc, symbols.kind(pc)))
        .rev()
        .collect();
    let mut steps: Vec<Step> = Vec::with_capacity(physical.len());
    let mut after_runtime = false;
    let mut enters_body = false;
    let mut within_inquiry = false;
    let mut called_from = None;
    let outermost = start_frames(&physical);
    let rest = &physical[outermost..];
    let begun = rest.iter().take_while(|(pc, _)| beginnings.contains(&(pc + 1))).count();
    let mut scripts = Scripts::of(symbols, &rest[begun..]);
    for (at, &(pc, kind)) in rest[begun..].iter().enumerate() {
        if let Some(of_python) = scripts.take(symbols, at, pc) {
            if let Some(frame) = of_python {
                (after_runtime, within_inquiry, called_from) = (false, false, None);
                steps.push(Step::Frame(frame));
            }
            continue;
        }
        if kind != Owner::Tool
            && let Some(frame) = scripts.pending()
        {
            steps.push(Step::Frame(frame));
        }
        let caller = std::mem::replace(&mut called_from, (kind == Owner::User).then_some(pc));
        match kind {
            // The agent's frames belong to the profiler, which is neither user nor runtime.
            Owner::Tool => {}
            Owner::Runtime if within_inquiry => {}
            Owner::Runtime => {
                let callee = caller.and_then(|pc| symbols.callee(pc.wrapping_add(1)));
                if let Some(name) = callee.as_deref().and_then(inquiry) {
                    // The runtime's functions further in belong to this routine.
                    (after_runtime, enters_body, within_inquiry) = (true, false, true);
                    steps.push(Step::Frame(Frame::of_inquiry(name)));
                    continue;
                }
                if !matches!(steps.last(), Some(Step::Runtime)) {
                    steps.push(Step::Runtime);
                }
                after_runtime = true;
                enters_body = entries.contains(&pc);
            }
            // A call of libc by the runtime is the runtime's work, except one that a body jumped
            // to.
            Owner::System if after_runtime && !enters_body => {}
            Owner::System | Owner::User => {
                (after_runtime, within_inquiry) = (false, false);
                let system = kind == Owner::System;
                let functions = around_call(symbols, pc);
                let module = symbols.module_number(pc);
                let interpreter = symbols.interpreter(pc);
                for (level, function) in functions.iter().rev().enumerate() {
                    let frame = Frame::new(function, system, level == 0);
                    steps.push(Step::Frame(Frame { module, interpreter, ..frame }));
                }
            }
        }
    }
    steps.extend(scripts.pending().map(Step::Frame));
    // gfortran makes a C `main` that only calls the main program.
    if let [Step::Frame(first), Step::Frame(second), ..] = &steps[..]
        && &*first.shown == "main"
        && &*second.shown == "main program"
    {
        steps.remove(0);
    }
    steps
}

/// Returns the functions around the call before `pc + 1`. gcc may give the call of a region the
/// place of the code before it, in an inlined function. Then the region's body tells which function
/// it belongs to; if that is another inlined function, the code after the call has the right place.
fn around_call(symbols: &Symbols, pc: u64) -> Rc<[Function]> {
    let before = symbols.functions(pc);
    let after = pc.wrapping_add(1);
    if before.len() < 2 || !symbols.callee(after).is_some_and(|name| name.starts_with("GOMP_")) {
        return before;
    }
    let body = symbols.site(after).body.map(|start| symbols.functions(start));
    let Some(body) = body.as_ref().and_then(|all| all.last()).filter(|body| body.named) else {
        return before;
    };
    let own = |around: &[Function]| around.iter().position(|one| one.shown == body.shown);
    if let Some(at) = own(&before) {
        return before[at..].into();
    }
    let behind = symbols.functions(after);
    if own(&behind).is_some() { behind } else { before }
}

/// Returns how many of the outermost frames are libc's (and the program's `_start` outside them).
fn start_frames(physical: &[(u64, Owner)]) -> usize {
    let is_system = |i: usize| matches!(physical.get(i), Some((_, Owner::System)));
    let mut count = usize::from(!is_system(0) && is_system(1));
    let from = count;
    while is_system(count) {
        count += 1;
    }
    if count == from {
        return 0;
    }
    // A stack of libc frames alone was cut off: only its leaf is known.
    if count == physical.len() { count - 1 } else { count }
}
