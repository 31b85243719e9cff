//! Takes looks at a program. A look finds the runtime's state, every thread's stack, and the facts
//! from the kernel, the C library and the code. `subjects.rs` opens the process or core file and
//! calls [`fill`]; `series.rs` takes several looks.

mod asks;
mod awaits;
mod brings;
mod bypasses;
mod circles;
mod code;
mod copies;
mod ended;
mod envelopes;
mod glance;
mod holders;
mod inherited;
mod jumped;
mod kernel;
mod labels;
mod locals;
mod locks;
mod locks_taken;
mod pairs;
mod python;
mod read_write;
mod semaphores;
mod series;
mod shared;
mod spin_locks;
mod stays;
mod streams;
mod subjects;
mod tails;
mod tries;
mod unsent;
mod untold;
mod withheld;

use std::time::Duration;

use omphalos_ompd_view::Registers;
use omphalos_ompd_view::asleep;
use omphalos_ompd_view::snapshot::{Frame, Snapshot, Thread, Wait};
use omphalos_why::words;

use crate::exports::Exports;
use crate::facts::still;
use crate::foreign;
use crate::names::Named;
use crate::space::{Space, modules};
use crate::unwind::{Raw, Unwinder};

pub use crate::space::live::job;
pub use series::{LOOKS, Series, twice, twice_beside};
pub use subjects::{asking, core, live, passing, with_openmp};
use subjects::{asking_again, in_turn};

/// The result of a look.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The program.
    pub snapshot: Snapshot,
    /// The time for which the threads stood still for the look; `None` if they did not.
    pub stood_still: Option<Duration>,
    /// The number of times that the threads were stopped.
    pub stops: u32,
}

/// `ompt_task_initial` and `ompt_task_implicit`.
const IMPLICIT: u32 = 3;

struct Stack {
    lwp: u32,
    registers: Registers,
    raw: Vec<Raw>,
}

/// Reads the stacks of all threads whose registers are known.
fn stacks(space: &dyn Space, unwinder: &Unwinder<'_>) -> Vec<Stack> {
    let target = space.as_target();
    let stack = |lwp| {
        let registers = target.registers(lwp).ok()?;
        Some(Stack { lwp, registers, raw: unwinder.walk(&registers) })
    };
    target.threads().unwrap_or_default().into_iter().filter_map(stack).collect()
}

/// Adds to a snapshot of the runtime's state the facts that the runtime cannot know.
pub fn fill(space: &dyn Space, snapshot: &mut Snapshot) {
    snapshot.pid = snapshot.pid.or(space.pid());
    snapshot.command = space.command();
    snapshot.rank = space.rank();
    snapshot.frozen = space.kernel().frozen();
    snapshot.handlers = space.kernel().handled_signals();
    snapshot.forked = space.kernel().forked_from();
    let modules = modules(space.mappings());
    let lwps = space.as_target().threads().unwrap_or_default();
    for lwp in &lwps {
        if !snapshot.threads.iter().any(|thread| thread.lwp == *lwp) {
            snapshot.threads.push(Thread { lwp: *lwp, ..Thread::default() });
        }
    }
    let unwinder = Unwinder::new(space.as_target(), &modules);
    let mut stacks = stacks(space, &unwinder);
    let codes = snapshot.teams.iter().flat_map(|team| [team.codeptr, team.function]);
    let codes = codes.chain(snapshot.teams.iter().flat_map(|t| t.sites.iter().flatten().copied()));
    let codes = codes.chain(snapshot.tasks.iter().flat_map(|task| [task.codeptr, task.function]));
    let locks = snapshot.locks.iter().map(|lock| lock.address);
    let words = stacks.iter().map(|stack| stack.registers.call[2]);
    let counters = stacks.iter().flat_map(|stack| stack.raw.iter().map(|raw| raw.lookup));
    let wanted: Vec<u64> = codes.chain(locks).chain(words).chain(counters).collect();
    let mut notes = Vec::new();
    let named = Named::open(space, &modules, wanted.into_iter(), &mut notes);
    snapshot.notes.append(&mut notes);

    let selves: Vec<(u32, u64)> =
        stacks.iter().map(|stack| (stack.lwp, stack.registers.fs_base)).collect();
    let loader = modules.iter().find(|module| module.name().starts_with("ld-linux"));
    let loader = loader.map(|module| (module.base, module.end));
    let known = asleep::Known { threads: &selves, loader };
    let exports = Exports::default();
    for stack in &mut stacks {
        let known = snapshot.threads.iter().find(|thread| thread.lwp == stack.lwp);
        let waits = known.and_then(|thread| thread.waits.as_ref());
        jumped::add(space, &named, &exports, waits, stack);
    }
    let locks = locks::Locks::new(named.names());
    let is_foreign = !snapshot.tells();
    if is_foreign {
        snapshot.cancellation = space.variable("OMP_CANCELLATION").map(|is| is_true(is.as_deref()));
    }
    let bodies = if is_foreign { untold::bodies(&named, &stacks) } else { Default::default() };
    let others = foreign::other_runtimes(space, &modules, &snapshot.runtime);
    for stack in &stacks {
        let Some(thread) = snapshot.threads.iter_mut().find(|thread| thread.lwp == stack.lwp)
        else {
            continue;
        };
        thread.stack = named.frames(&stack.raw);
        code::name_called(space, &named, &exports, &mut thread.stack);
        code::find_merged(&named, &mut thread.stack);
        code::find_barrier(&named, &mut thread.stack);
        if is_foreign {
            untold::add_regions(&named, &mut thread.stack);
        }
        locks.mark(&mut thread.stack);
        thread.taken = locks.locks_taken(&unwinder, &named, stack);
        thread.calls = code::own_call(&named, thread).into_iter().collect();
        thread.tries = code::tries(&named, stack);
        if snapshot.cancellation == Some(false) {
            thread.cancels = code::cancels(&named, stack);
        }
        if thread.pthread == 0 {
            thread.pthread = stack.registers.fs_base;
        }
        // The runtime knows its own waits best. It does not know that a signal's handler, in the
        // midst of such a wait, waits for a mutex.
        if words::interrupted(thread).is_some() {
            let (kernel, target) = (space.kernel(), space.as_target());
            let called = code::called(space, &named, &exports, stack);
            let registers = &stack.registers;
            let own = asleep::waits(target, kernel, &known, registers, &thread.stack, &called);
            if matches!(own, Some(Wait::Mutex { .. })) {
                thread.waits = own;
            }
        }
        if thread.waits.is_none() {
            let called = code::called(space, &named, &exports, stack);
            let is_others = foreign::of_thread(thread, &others).is_some();
            let tells = thread.number.is_some() && !is_foreign && !is_others;
            let left =
                is_foreign.then(|| untold::add_left(space, &named, thread, &bodies)).flatten();
            let entry = || code::by_entry(thread, &stack.registers);
            let in_runtime = || left.unwrap_or_else(|| (!tells).then(entry).flatten());
            thread.waits = in_runtime().or_else(|| {
                let (kernel, target) = (space.kernel(), space.as_target());
                let registers = &stack.registers;
                asleep::waits(target, kernel, &known, registers, &thread.stack, &called)
            });
        }
    }
    for stack in &stacks {
        let mut threads = snapshot.threads.iter_mut().filter(|thread| thread.lwp == stack.lwp);
        if let Some(Some(Wait::Sink { sources, .. })) = threads.next().map(|it| &mut it.waits) {
            *sources = code::sources(&named, stack);
        }
    }
    spin_locks::find(snapshot, &stacks);
    code::find_ordered(&named, &mut snapshot.threads);
    asleep::find_awake(&mut snapshot.threads);
    locks.find_doers(space.as_target(), snapshot, &stacks);
    kernel::fill(space, snapshot, &stacks, &unwinder, &named);
    tries::find(space, snapshot);
    if is_foreign {
        foreign::find_regions(snapshot);
        foreign::complete(snapshot);
        holders::find(snapshot, &unwinder, &named, &stacks);
        for stack in &stacks {
            let mut threads = snapshot.threads.iter_mut();
            let in_runtime = |it: &Thread| it.waits.as_ref().is_some_and(is_untold);
            let waits = |it: &&mut Thread| it.lwp == stack.lwp && in_runtime(it);
            if let Some(thread) = threads.find(waits) {
                thread.caller = still::caller(space, &unwinder, &named, &stack.registers);
            }
        }
    }
    for stack in &stacks {
        let known = snapshot.threads.iter_mut().find(|thread| thread.lwp == stack.lwp);
        if let Some(thread) = known.filter(|thread| thread.waits.is_none()) {
            still::fill(space, &stack.registers, thread);
        }
    }
    tails::find_regions(snapshot, &stacks, &named);
    unsent::find(space, snapshot, &stacks);
    inherited::find(space, snapshot, &named);
    ended::find(space, snapshot);
    withheld::find(space, snapshot, &named);
    envelopes::find(space, snapshot, &unwinder, (&stacks, &named));
    brings::find(space, snapshot, &stacks, &named);
    bypasses::find_unchecked(snapshot, &stacks, &named);
    bypasses::find_there(space, &unwinder, snapshot, (&stacks, &named));
    labels::name_all(snapshot, &named);
    streams::find(space, snapshot);
    read_write::find(space, snapshot);
    locals::name(snapshot, &unwinder, &named, &stacks);
    locals::name_of_threads(snapshot, space, &named);
    copies::find(snapshot, space, &named);
    locals::name_pointed(snapshot, space, &unwinder, (&stacks, &named));
    locals::name_others(snapshot, space, &unwinder, (&stacks, &named));
    bypasses::find_counts(space, &unwinder, snapshot, (&stacks, &named));
    labels::find_takers(snapshot, &locks);
    shared::find(space, snapshot);
    locks.find_bypasses(snapshot, &stacks);
    locks.find_bypasses_of_windows(snapshot);
    bypasses::find_of_teams(snapshot, &named);
    tails::add_encountering(snapshot, &named);
    tails::add_lines(snapshot, &named);
    for at in 0..snapshot.threads.len() {
        tails::add_body(snapshot, at, &named);
    }
    python::add_frames(space, snapshot);
    foreign::note_runtimes(snapshot, &others);
    if let Some(numbers) = space.numbers() {
        numbers.give(snapshot);
    }
    // Threads without a number stay in the target's order: the one that began first comes first.
    let order = |number: i32| (number < 0, number.unsigned_abs());
    snapshot.threads.sort_by_key(|thread| (thread.number.is_none(), thread.number.map(order)));
}

/// Whether a variable of the environment is true. Runtimes take an unknown value as false.
fn is_true(value: Option<&str>) -> bool {
    let value = value.unwrap_or_default().trim().to_ascii_lowercase();
    ["true", "1", "t", "yes", "on", ".true."].contains(&&*value)
}

/// Whether it is unknown when the wait ends, because the runtime tells nothing.
fn is_untold(wait: &Wait) -> bool {
    use Wait::{
        Barrier, Copyprivate, Dependences, Lock, Ordered, Sink, Taskgroup, Taskwait, Unknown,
    };
    match wait {
        Unknown { what } => what.starts_with("a lock ("),
        Lock { .. } | Barrier { .. } | Copyprivate { .. } | Dependences { .. } => true,
        Ordered { .. } | Sink { .. } | Taskgroup { .. } | Taskwait { .. } => true,
        _ => false,
    }
}

/// "file.c:3".
pub fn place(file: &Option<String>, line: u32) -> Option<String> {
    let file = file.as_ref()?;
    let file = file.rsplit('/').next().unwrap_or(file);
    (line > 0).then(|| format!("{file}:{line}"))
}

/// The place of a frame: "file.c:3".
pub fn place_of(frame: &Frame) -> Option<String> {
    place(&frame.file, frame.line.unwrap_or(0))
}
