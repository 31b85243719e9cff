//! One look at a program: the runtime's state, every thread's stack, what the kernel and the C
//! library say.

mod awaits;
mod brings;
mod code;
mod glance;
mod jumped;
mod kernel;
mod labels;
mod locals;
mod locks;
mod read_write;
mod series;
mod shared;
mod spin_locks;
mod streams;
mod tails;
mod taken;
mod tries;
mod untold;

use std::path::Path;
use std::time::Duration;

use omphalos_ompd_view::asleep;
use omphalos_ompd_view::snapshot::{FORMAT, Frame, Snapshot, Thread, Wait};
use omphalos_ompd_view::{Fault, Registers, Runtime};
use omphalos_report::library;

use crate::exports::Exports;
use crate::facts::still;
use crate::foreign::{self, Foreign, Ompd};
use crate::names::Named;
use crate::space::core::Core;
use crate::space::live::{Live, Way, processes, shown_by};
use crate::space::{Space, modules, of_maps};
use crate::unwind::{Raw, Unwinder};

pub use crate::space::live::job;
pub use series::{LOOKS, Series, twice};

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The program.
    pub snapshot: Snapshot,
    /// How long its threads stood still for that; `None` if they did not.
    pub stood_still: Option<Duration>,
}

/// Looks at a process.
pub fn live(pid: u32, way: Way) -> Result<Look, Fault> {
    asking(pid, way, &Ompd::default())
}

/// The same; where the program is on another runtime, that one's OMPD is asked.
pub fn asking(pid: u32, way: Way, ompd: &Ompd) -> Result<Look, Fault> {
    Ok(asking_again(pid, way, ompd, None)?.0)
}

/// Looks at a process that runs: of `those` threads, each that runs stands for a moment, so that it
/// is known where it is.
pub fn passing(pid: u32, those: Vec<u32>) -> Result<Look, Fault> {
    let mut foreign = foreign_of(pid, &Ompd::default());
    in_turn(move || {
        let read = |live: &Live| runtime(live, foreign.as_mut());
        let (live, mut snapshot) = Live::passing(pid, &those, read)?;
        fill(&live, &mut snapshot);
        Ok(Look { snapshot, stood_still: None })
    })
}

/// What is asked of another runtime, if the process is on one.
fn foreign_of(pid: u32, ompd: &Ompd) -> Option<Foreign> {
    let maps = std::fs::read(format!("/proc/{}/maps", shown_by(pid))).unwrap_or_default();
    let files = modules(&of_maps(&String::from_utf8_lossy(&maps)));
    Foreign::prepare(&files, |file| crate::space::live::file(pid, file), ompd)
}

/// A look, and the pages that mattered: those that will matter in a look that comes soon, and are
/// `expected` there.
fn asking_again(
    pid: u32,
    way: Way,
    ompd: &Ompd,
    expected: Option<Vec<u64>>,
) -> Result<(Look, Vec<u64>), Fault> {
    let mut foreign = foreign_of(pid, ompd);
    in_turn(move || {
        let (live, mut snapshot) = match &mut foreign {
            // Another runtime's OMPD is asked once, of memory that does not change meanwhile.
            Some(foreign) => Live::look(pid, way, |live| runtime(live, Some(foreign)))?,
            None => Live::look_briefly(pid, way, expected, |live| runtime(live, None))?,
        };
        let pages = live.pages();
        snapshot.notes.extend(live.notes.iter().cloned());
        fill(&live, &mut snapshot);
        let stood_still = Some(live.stood_still).filter(|time| !time.is_zero());
        Ok((Look { snapshot, stood_still }, pages))
    })
}

/// Looks in a thread of its own: what a thread traces goes free with it, also a thread of the
/// target that did not stop in time.
fn in_turn<R: Send + 'static>(
    look: impl FnOnce() -> Result<R, Fault> + Send + 'static,
) -> Result<R, Fault> {
    let look = std::thread::spawn(look);
    look.join().unwrap_or_else(|_| Err(Fault::Unknown("answer".to_owned())))
}

/// Looks at a core file; `program`: where the program lies, if not at its place.
pub fn core(path: &Path, program: Option<&Path>, ompd: &Ompd) -> Result<Look, Fault> {
    let core = Core::open(path, program)?;
    let mut foreign = Foreign::prepare(&modules(core.mappings()), |file| core.file(file), ompd);
    let mut snapshot = runtime(&core, foreign.as_mut());
    snapshot.notes.extend(core.notes.iter().cloned());
    fill(&core, &mut snapshot);
    Ok(Look { snapshot, stood_still: None })
}

/// What the OpenMP runtime in the target knows; nothing if there is none that can be read.
fn runtime(space: &dyn Space, foreign: Option<&mut Foreign>) -> Snapshot {
    if let Some(foreign) = foreign {
        return foreign.snapshot(space);
    }
    let mut empty = Snapshot { format: FORMAT, ..Snapshot::default() };
    match Runtime::find(space.as_target()) {
        Ok(runtime) => runtime.snapshot(),
        Err(Fault::Unknown(_)) => empty,
        Err(fault) => {
            empty.notes.push(format!("the OpenMP runtime's state: {fault}"));
            empty
        }
    }
}

/// Processes that we may look at and that have an OpenMP runtime loaded.
pub fn with_openmp() -> Vec<u32> {
    // SAFETY: has no preconditions.
    let user = unsafe { libc::geteuid() };
    let is_one = |pid: &u32| {
        let owner = std::os::unix::fs::MetadataExt::uid;
        let mine = std::fs::metadata(format!("/proc/{pid}")).is_ok_and(|data| owner(&data) == user);
        let maps = || std::fs::read(format!("/proc/{}/maps", shown_by(*pid))).unwrap_or_default();
        *pid != std::process::id()
            && mine
            && modules(&of_maps(&String::from_utf8_lossy(&maps())))
                .iter()
                .any(|module| library::is_one_of(module.name(), &library::RUNTIMES))
    };
    processes().into_iter().map(|(pid, _)| pid).filter(is_one).collect()
}

/// `ompt_task_initial` and `ompt_task_implicit`.
const IMPLICIT: u32 = 3;

struct Stack {
    lwp: u32,
    registers: Registers,
    raw: Vec<Raw>,
}

/// The stacks of the threads whose registers are known.
fn stacks(space: &dyn Space, unwinder: &Unwinder<'_>) -> Vec<Stack> {
    let target = space.as_target();
    let stack = |lwp| {
        let registers = target.registers(lwp).ok()?;
        Some(Stack { lwp, registers, raw: unwinder.walk(&registers) })
    };
    target.threads().unwrap_or_default().into_iter().filter_map(stack).collect()
}

/// Adds what the runtime cannot know.
pub fn fill(space: &dyn Space, snapshot: &mut Snapshot) {
    snapshot.pid = snapshot.pid.or(space.pid());
    snapshot.command = space.command();
    snapshot.rank = space.rank();
    snapshot.frozen = space.kernel().frozen();
    snapshot.handlers = space.kernel().handled_signals();
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
    let bodies = if is_foreign { untold::bodies(&named, &stacks) } else { Default::default() };
    let others = foreign::others(space, &modules, &snapshot.runtime);
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
        thread.taken = locks.taken(&named, stack);
        thread.calls = code::own_call(&named, thread).into_iter().collect();
        thread.tries = code::tries(&named, stack);
        if snapshot.cancellation == Some(false) {
            thread.cancels = code::cancels(&named, stack);
        }
        if thread.pthread == 0 {
            thread.pthread = stack.registers.fs_base;
        }
        // The runtime knows best what its own waits are for.
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
    }
    for stack in &stacks {
        let known = snapshot.threads.iter_mut().find(|thread| thread.lwp == stack.lwp);
        if let Some(thread) = known.filter(|thread| thread.waits.is_none()) {
            still::fill(space, &stack.registers, thread);
        }
    }
    tails::find_regions(snapshot, &stacks, &named);
    brings::find(snapshot, &stacks, &named);
    labels::name_all(snapshot, &named);
    streams::find(space, snapshot);
    read_write::find(space, snapshot);
    locals::name(snapshot, &unwinder, &named, &stacks);
    locals::name_of_threads(snapshot, space, &named);
    labels::find_takers(snapshot, &locks);
    shared::find(space, snapshot);
    tails::add_encountering(snapshot, &named);
    tails::add_lines(snapshot, &named);
    for at in 0..snapshot.threads.len() {
        tails::add_body(snapshot, at, &named);
    }
    foreign::tell(snapshot, &others);
    if let Some(numbers) = space.numbers() {
        numbers.give(snapshot);
    }
    // Those without a number stay in the target's order: the one that began first.
    let order = |number: i32| (number < 0, number.unsigned_abs());
    snapshot.threads.sort_by_key(|thread| (thread.number.is_none(), thread.number.map(order)));
}

/// "file.c:3".
pub fn place(file: &Option<String>, line: u32) -> Option<String> {
    let file = file.as_ref()?;
    let file = file.rsplit('/').next().unwrap_or(file);
    (line > 0).then(|| format!("{file}:{line}"))
}

/// Where a frame stands: "file.c:3".
pub fn place_of(frame: &Frame) -> Option<String> {
    place(&frame.file, frame.line.unwrap_or(0))
}
