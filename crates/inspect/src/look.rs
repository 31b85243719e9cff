//! One look at a program: the runtime's state, every thread's stack, what the kernel and the C library say.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use omphalos_ompd_view::snapshot::{FORMAT, Frame, Lock, Os, Snapshot, Thread, Wait};
use omphalos_ompd_view::{Fault, Registers, Runtime};
use omphalos_report::{ConstructKind, Owner};
use omphalos_why::words::{self, is_system, is_system_file};

use crate::exports::Exports;
use crate::facts::still;
use crate::facts::{self, calls};
use crate::foreign::{self, Foreign, Ompd};
use crate::joined;
use crate::names::Named;
use crate::space::core::Core;
use crate::space::live::{Live, Way, processes};
use crate::space::{Space, modules, of_maps};
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
    asking(pid, way, &Ompd::default())
}

/// The same; where the program is on another runtime, that one's OMPD is asked.
pub fn asking(pid: u32, way: Way, ompd: &Ompd) -> Result<Look, Fault> {
    let maps = std::fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
    let files = modules(&of_maps(&String::from_utf8_lossy(&maps)));
    let mut foreign = Foreign::prepare(&files, |file| crate::space::live::file(pid, file), ompd);
    // What a thread traces goes free with it, also a thread of the target that did not stop in time.
    let look = std::thread::spawn(move || {
        let (live, mut snapshot) = Live::look(pid, way, |live| runtime(live, foreign.as_mut()))?;
        snapshot.notes.extend(live.notes.iter().cloned());
        fill(&live, &mut snapshot);
        let stood_still = Some(live.stood_still).filter(|time| !time.is_zero());
        Ok(Look { snapshot, stood_still })
    });
    look.join().unwrap_or_else(|_| Err(Fault::Unknown("answer".to_owned())))
}

/// Several looks at one process: the first, and the last, which has what was seen between.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The first look.
    pub first: Look,
    /// The last.
    pub last: Look,
    /// Looks in all.
    pub count: u32,
}

impl Series {
    /// Adds a look.
    pub fn add(&mut self, mut look: Look) {
        for thread in &mut look.snapshot.threads {
            let old = self.last.snapshot.threads.iter().find(|old| old.lwp == thread.lwp);
            if let Some(old) = old.filter(|old| old.print == thread.print && old.print != 0) {
                thread.unchanged = old.unchanged + 1;
            }
            let old = old.map_or(&[][..], |old| &old.calls[..]);
            let new: Vec<String> =
                old.iter().filter(|call| !thread.calls.contains(call)).cloned().collect();
            thread.calls.extend(new);
        }
        if self.count == 0 {
            self.first = look.clone();
        }
        self.last = look;
        self.count += 1;
    }
}

/// Looks at a process for as long as `apart`.
pub fn twice(pid: u32, way: Way, apart: Duration, ompd: &Ompd) -> Result<Series, Fault> {
    let mut series = Series::default();
    series.add(asking(pid, way, ompd)?);
    for _ in 0..LOOKS {
        std::thread::sleep(apart / LOOKS);
        series.add(asking(pid, way, ompd)?);
    }
    Ok(series)
}

/// Looks after the first of those that are compared.
pub const LOOKS: u32 = 8;

/// Looks at a core file; `program`: where the program lies, if not at its place.
pub fn core(path: &Path, program: Option<&Path>, ompd: &Ompd) -> Result<Look, Fault> {
    let core = Core::open(path, program)?;
    let mut foreign = Foreign::prepare(&modules(core.mappings()), |file| core.file(file), ompd);
    let mut snapshot = runtime(&core, foreign.as_mut());
    snapshot.notes.extend(core.notes.iter().cloned());
    fill(&core, &mut snapshot);
    Ok(Look { snapshot, stood_still: None })
}

/// What the OpenMP runtime in the target knows: nothing, if there is none that tells.
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
    const RUNTIMES: [&str; 4] = ["libomphalos.so", "libgomp", "libomp.so", "libiomp5"];
    // SAFETY: has no preconditions.
    let user = unsafe { libc::geteuid() };
    let is_one = |pid: &u32| {
        let owner = std::os::unix::fs::MetadataExt::uid;
        let mine = std::fs::metadata(format!("/proc/{pid}")).is_ok_and(|data| owner(&data) == user);
        let maps = || std::fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
        *pid != std::process::id()
            && mine
            && modules(&of_maps(&String::from_utf8_lossy(&maps())))
                .iter()
                .any(|module| RUNTIMES.iter().any(|name| module.name().starts_with(name)))
    };
    processes().into_iter().map(|(pid, _)| pid).filter(is_one).collect()
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
    snapshot.rank = space.rank();
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
    let exports = Exports::default();
    let is_foreign = !snapshot.runtime.is_empty() && !snapshot.runtime.starts_with("Omphalos");
    for stack in &stacks {
        let Some(thread) = snapshot.threads.iter_mut().find(|thread| thread.lwp == stack.lwp)
        else {
            continue;
        };
        thread.stack = named.frames(&stack.raw);
        thread.taken = taken(&named, stack);
        // What the program calls, and not how a library does it.
        let own = words::own_frame(thread);
        thread.calls = own.and_then(|own| named.names().callee(own.address)).into_iter().collect();
        thread.tries = tries(&named, stack);
        if thread.pthread == 0 {
            thread.pthread = stack.registers.fs_base;
        }
        // The runtime knows best what its own waits are for.
        if thread.waits.is_none() {
            let called = called(space, &named, &exports, stack);
            let tells = thread.number.is_some() && !is_foreign;
            let entry = || by_entry(thread, &stack.registers);
            thread.waits = (!tells)
                .then(entry)
                .flatten()
                .or_else(|| facts::waits(space, &known, &stack.registers, &thread.stack, &called));
        }
    }
    for thread in &mut snapshot.threads {
        let (name, os) = space.os(thread.lwp);
        thread.name = name;
        thread.os = os;
        // The runtime still believes in a thread that was ended behind its back.
        if thread.os.is_none() && !lwps.contains(&thread.lwp) {
            thread.os = Some(Os { state: "X".to_owned(), call: None, cpu: None });
            thread.waits = None;
        }
        let stack = stacks.iter().find(|stack| stack.lwp == thread.lwp);
        if let (Some(os), Some(stack)) = (&mut thread.os, stack) {
            os.call = calls::in_call(&stack.registers).map(calls::name);
        }
    }
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
    find_regions(snapshot, &stacks, &named);
    name_all(snapshot, &named);
    for at in 0..snapshot.threads.len() {
        add_body(snapshot, at, &named);
    }
    snapshot.threads.sort_by_key(|thread| (thread.number.is_none(), thread.number, thread.lwp));
}

/// The innermost frame of the program's own code.
fn own<'a>(named: &Named<'_>, stack: &'a Stack) -> Option<&'a Raw> {
    let own = |raw: &&Raw| {
        named.names().owner(raw.lookup) == Owner::User && named.module(raw.lookup).is_some()
    };
    stack.raw.iter().find(own)
}

/// Functions that try for a lock in the code of the innermost function of the program's.
fn tries(named: &Named<'_>, stack: &Stack) -> Vec<String> {
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
fn taken(named: &Named<'_>, stack: &Stack) -> Vec<String> {
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
fn by_entry(thread: &Thread, registers: &Registers) -> Option<Wait> {
    let entry = thread.stack.iter().take_while(|frame| frame.runtime || is_system(frame));
    let entry = entry.filter(|frame| frame.runtime).last()?;
    let call = calls::in_call(registers).map(calls::name);
    // In any other call is a function of the program's that ended in a jump to the C library, and left no frame.
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
fn called(space: &dyn Space, named: &Named<'_>, exports: &Exports, stack: &Stack) -> Vec<String> {
    let own = stack.raw.iter().take(16).map_while(|raw| {
        let module = named.module(raw.lookup)?;
        is_system_file(module.name()).then(|| exports.name(space, module, raw.lookup))
    });
    let callers = stack.raw.iter().skip(1).take(16);
    let callers = callers.filter_map(|raw| named.names().callee(raw.address)).take(4);
    own.flatten().chain(callers).collect()
}

/// Where the regions were encountered: the runtime keeps that for tools only, but the primary thread's stack has it.
fn find_regions(snapshot: &mut Snapshot, stacks: &[Stack], named: &Named<'_>) {
    let names = named.names();
    let threads = &snapshot.threads;
    for team in snapshot.teams.iter_mut().filter(|team| team.codeptr == 0 && team.parent.is_some())
    {
        let first = team.members.first().copied().unwrap_or(0);
        let primary = threads.iter().find(|thread| thread.record == first && first != 0);
        let Some(primary) = primary else { continue };
        let Some(stack) = stacks.iter().find(|stack| stack.lwp == primary.lwp) else { continue };
        let is_own = |raw: &&Raw| names.owner(raw.lookup) == Owner::User;
        let is_body = |raw: &&Raw| {
            let start = names.functions(raw.lookup).last().and_then(|function| function.start);
            team.function != 0 && start == Some(team.function)
        };
        let body = stack.raw.iter().position(|raw| is_own(&raw) && is_body(&raw));
        let outside = match body {
            Some(body) => &stack.raw[body + 1..],
            // It waits at the region's end, or the body ended in a jump to the runtime.
            None if primary.team == Some(team.address) => &stack.raw[..],
            None => continue,
        };
        // A body in two halves stands on the stack twice.
        let is_half = |raw: &&Raw| {
            let functions = names.functions(raw.lookup);
            functions.last().is_some_and(|function| function.construct.is_some() || function.body)
        };
        let mut own = outside.iter().filter(is_own);
        let caller = match body {
            Some(_) if outside.first().is_some_and(|raw| is_own(&raw) && is_half(&raw)) => {
                own.nth(1)
            }
            _ => own.next(),
        };
        team.codeptr = caller.map_or(0, |raw| raw.address);
    }
}

/// A body that ended in a jump (into the runtime, to pthread_mutex_lock) is on no stack: it is put back, with the line
/// of that jump if it has one only, else that of its construct.
fn add_body(snapshot: &mut Snapshot, at: usize, named: &Named<'_>) {
    let names = named.names();
    let thread = &snapshot.threads[at];
    let in_runtime = match &thread.waits {
        Some(Wait::Barrier { kind, .. }) if kind == "region" => return,
        Some(Wait::Work) | None => return,
        Some(
            Wait::Mutex { .. } | Wait::Condition { .. } | Wait::Join { .. } | Wait::Call { .. },
        ) => false,
        Some(_) => true,
    };
    let Some(team) = snapshot.teams.iter().find(|team| Some(team.address) == thread.team) else {
        return;
    };
    let task = snapshot.tasks.iter().find(|task| Some(task.address) == thread.task);
    let task = task.filter(|task| task.flags & IMPLICIT == 0);
    let body = task.map_or(team.function, |task| task.function);
    let stands = joined::visible(&thread.stack).into_iter().find(|frame| !is_system(frame));
    let is_outside = stands.is_none_or(|frame| team.codeptr != 0 && frame.address == team.codeptr);
    let Some(first) = thread.stack.iter().position(|frame| frame.runtime) else { return };
    if body == 0 || !is_outside || task.is_none() && team.parent.is_none() {
        return;
    }
    let mut jumps = names.jumps(body);
    jumps.retain(|jump| facts::may_wait(&jump.callee) == in_runtime);
    let by_jump = match &jumps[..] {
        [only] => names.functions(only.after - 1).into_iter().next(),
        _ => None,
    };
    let function = names.functions(body).into_iter().next_back();
    let (kind, codeptr) = match task {
        Some(_) => (ConstructKind::Task, 0),
        None => (ConstructKind::Region, team.codeptr),
    };
    let construct = match codeptr {
        0 => names.construct_of_body(body, kind),
        code => names.construct(code, kind),
    };
    let by_construct = (construct.file.map(|file| file.to_string()), construct.line);
    let (file, line) = by_jump
        .map(|function| (function.file, function.line))
        .filter(|(_, line)| *line > 0)
        .unwrap_or(by_construct);
    let frame = Frame {
        function: function.map_or_else(String::new, |function| function.name),
        construct: Some(if task.is_some() { "task" } else { "parallel" }.to_owned()),
        file,
        line: Some(line).filter(|line| *line > 0),
        module: named.module(body).map_or("", |module| module.name()).to_owned(),
        ..Frame::default()
    };
    let place = if in_runtime { first + 1 } else { first };
    snapshot.threads[at].stack.insert(place, frame);
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
    // A program may have a hundred thousand tasks, of few constructs.
    let mut places: HashMap<(u64, u64), String> = HashMap::new();
    for task in snapshot.tasks.iter_mut().filter(|task| task.location.is_none()) {
        if task.flags & IMPLICIT != 0 || task.codeptr == 0 && task.function == 0 {
            continue;
        }
        let place = places.entry((task.codeptr, task.function));
        let find = || match task.codeptr {
            0 => names.construct_of_body(task.function, ConstructKind::Task).label.to_string(),
            code => names.construct(code, ConstructKind::Task).label.to_string(),
        };
        task.location = Some(place.or_insert_with(find).clone());
    }
    for team in snapshot.teams.iter_mut().filter(|team| team.location.is_none()) {
        team.location = match (team.codeptr, team.function) {
            _ if team.parent.is_none() => None,
            (0, 0) => None,
            (0, body) => {
                Some(names.construct_of_body(body, ConstructKind::Region).label.to_string())
            }
            (code, _) => Some(names.construct(code, ConstructKind::Region).label.to_string()),
        };
    }
    // gcc's name of a body does not tell a region from a task.
    let explicit = snapshot.tasks.iter().filter(|task| task.flags & IMPLICIT == 0);
    let tasks: HashSet<u64> = explicit.map(|task| task.function).collect();
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

/// `ompt_task_initial` and `ompt_task_implicit`.
const IMPLICIT: u32 = 3;

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
