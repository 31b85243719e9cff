//! One look at a program: the runtime's state, every thread's stack, what the kernel and the C library say.

use std::path::Path;
use std::time::Duration;

use omphalos_ompd_view::snapshot::{FORMAT, Frame, Lock, Snapshot, Thread, Wait};
use omphalos_ompd_view::{Fault, Registers, Target};
use omphalos_report::ConstructKind;
use omphalos_why::words::is_system;

use crate::facts::{self, calls};
use crate::names::Named;
use crate::space::core::Core;
use crate::space::live::{Live, Way};
use crate::space::{Space, modules};
use crate::unwind::{Raw, Unwinder};

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
    let (live, mut snapshot) = Live::look(pid, way, |live| runtime(live))?;
    snapshot.notes.extend(live.notes.iter().cloned());
    fill(&live, &mut snapshot);
    let stood_still = Some(live.stood_still).filter(|time| !time.is_zero());
    Ok(Look { snapshot, stood_still })
}

/// Looks at a core file; `program`: where the program lies, if not at its place.
pub fn core(path: &Path, program: Option<&Path>) -> Result<Look, Fault> {
    let core = Core::open(path, program)?;
    let mut snapshot = runtime(&core);
    snapshot.notes.extend(core.notes.iter().cloned());
    fill(&core, &mut snapshot);
    Ok(Look { snapshot, stood_still: None })
}

/// What the OpenMP runtime knows.
fn runtime(_target: &dyn Target) -> Snapshot {
    Snapshot { format: FORMAT, ..Snapshot::default() }
}

struct Stack {
    lwp: u32,
    registers: Registers,
    raw: Vec<Raw>,
}

/// Adds what the runtime cannot know.
pub fn fill(space: &dyn Space, snapshot: &mut Snapshot) {
    snapshot.pid = snapshot.pid.or(space.pid());
    snapshot.command = space.command();
    let modules = modules(space.mappings());
    let target = space.as_target();
    let unwinder = Unwinder::new(target, &modules);
    let lwps = target.threads().unwrap_or_default();
    let mut stacks = Vec::new();
    for lwp in &lwps {
        if !snapshot.threads.iter().any(|thread| thread.lwp == *lwp) {
            snapshot.threads.push(Thread { lwp: *lwp, ..Thread::default() });
        }
        if let Ok(registers) = target.registers(*lwp) {
            let raw = unwinder.walk(&registers);
            stacks.push(Stack { lwp: *lwp, registers, raw });
        }
    }
    let codes = snapshot.teams.iter().flat_map(|team| [team.codeptr, team.function]);
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
    let known = facts::Known { threads: &selves, loader };
    for stack in &stacks {
        let Some(thread) = snapshot.threads.iter_mut().find(|thread| thread.lwp == stack.lwp)
        else {
            continue;
        };
        thread.stack = named.frames(&stack.raw);
        if thread.pthread == 0 {
            thread.pthread = stack.registers.fs_base;
        }
        // The runtime knows best what its own waits are for.
        if thread.waits.is_none() {
            let called = called(&named, stack);
            thread.waits = by_entry(thread, &stack.registers)
                .or_else(|| facts::waits(space, &known, &stack.registers, &thread.stack, &called));
        }
    }
    for thread in &mut snapshot.threads {
        let (name, os) = space.os(thread.lwp);
        thread.name = name;
        thread.os = os;
        let stack = stacks.iter().find(|stack| stack.lwp == thread.lwp);
        if let (Some(os), Some(stack)) = (&mut thread.os, stack) {
            os.call = calls::in_call(&stack.registers).map(calls::name);
        }
    }
    name_all(snapshot, &named);
    snapshot.threads.sort_by_key(|thread| (thread.number.is_none(), thread.number, thread.lwp));
}

/// Of a runtime that tells nothing: what the program called of it.
fn by_entry(thread: &Thread, registers: &Registers) -> Option<Wait> {
    let entry = thread.stack.iter().take_while(|frame| frame.runtime || is_system(frame));
    let entry = entry.filter(|frame| frame.runtime).last()?;
    if thread.number.is_some() {
        return None;
    }
    let call = calls::in_call(registers).map(calls::name);
    let word = call.filter(|name| name == "futex").map(|_| registers.call[2]);
    if thread.stack.iter().all(|frame| frame.runtime || is_system(frame)) {
        return Some(Wait::Work);
    }
    facts::in_runtime(&entry.function, word)
}

/// What the frames of the C library and of MPI are called by those who call them, from inside outwards.
fn called(named: &Named<'_>, stack: &Stack) -> Vec<String> {
    let callers = stack.raw.iter().skip(1).take(16);
    callers.filter_map(|raw| named.names().callee(raw.address)).take(4).collect()
}

/// Gives locks, tasks and constructs their names and places in the source.
fn name_all(snapshot: &mut Snapshot, named: &Named<'_>) {
    let names = named.names();
    for lock in &mut snapshot.locks {
        if lock.name.is_none() {
            lock.name = names.datum(lock.address).map(|name| plain_name(&name));
        }
    }
    let mut mutexes: Vec<Lock> = Vec::new();
    for thread in &snapshot.threads {
        let (address, kind) = match thread.waits {
            Some(Wait::Mutex { mutex, .. }) => (mutex, "pthread mutex"),
            Some(Wait::Condition { condition }) => (condition, "condition variable"),
            _ => continue,
        };
        let known = snapshot.locks.iter().chain(&mutexes);
        if known.into_iter().all(|lock| lock.address != address) {
            let name = names.datum(address).map(|name| plain_name(&name));
            mutexes.push(Lock { address, kind: kind.to_owned(), name, ..Lock::default() });
        }
    }
    snapshot.locks.append(&mut mutexes);
    for task in snapshot.tasks.iter_mut().filter(|task| task.location.is_none()) {
        if task.codeptr != 0 {
            task.location =
                Some(names.construct(task.codeptr, ConstructKind::Task).label.to_string());
        } else if task.function != 0 {
            let function = &names.functions(task.function)[0];
            task.location = place(&function.file, function.line).map(|at| format!("task at {at}"));
        }
    }
    // gcc's name of a body does not tell a region from a task.
    let tasks: Vec<u64> = snapshot.tasks.iter().map(|task| task.function).collect();
    for frame in snapshot.threads.iter_mut().flat_map(|thread| &mut thread.stack) {
        if frame.construct.as_deref() != Some("construct") {
            continue;
        }
        let functions = names.functions(frame.address.wrapping_sub(1));
        let start = functions.last().and_then(|function| function.start);
        let is_task = start.is_some_and(|start| tasks.contains(&start));
        frame.construct = Some(if is_task { "task" } else { "parallel" }.to_owned());
    }
}

/// `gcc` and `clang` name the word of a critical section after it.
fn plain_name(name: &str) -> String {
    let name = name.strip_prefix(".gomp_critical_user_").unwrap_or(name);
    name.strip_suffix(".var").unwrap_or(name).to_owned()
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
