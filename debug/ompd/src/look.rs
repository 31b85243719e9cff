//! Takes the same look as `omphalos inspect`, at a process that a debugger has stopped.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use omphalos_inspect::space::core::Core;
use omphalos_inspect::space::debugged::{Debugged, Known};
use omphalos_inspect::space::{Module, Space, modules, of_maps};
use omphalos_inspect::{All, Unwinder, look};
use omphalos_ompd_view::snapshot::Snapshot;
use omphalos_ompd_view::{Registers, Target};
use omphalos_program::{ConstructKind, Mapped, Names, Standing};
use serde::{Deserialize, Serialize};

/// The facts that a debugger knows about a process.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Seen {
    /// The process, if it lives on this machine.
    pid: Option<u32>,
    /// The core file, if the debugger does not know the threads' system calls in it.
    core: Option<PathBuf>,
    /// The mapped files and memory, in the form of `/proc/PID/maps`.
    maps: String,
    threads: Vec<Stopped>,
}

/// A thread.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Stopped {
    lwp: u32,
    name: String,
    /// The registers, if the thread stands still.
    registers: Option<Given>,
}

/// A thread's [`Registers`], as far as the debugger knows them. Only the system call's number, the
/// second one of `call`, may be missing: the kernel's files have it, too.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Given {
    rip: u64,
    rsp: u64,
    saved: [u64; 6],
    call: [Option<u64>; 8],
    lost: Option<[u64; 2]>,
    fs_base: u64,
}

impl Given {
    fn with_call(self, number: impl FnOnce() -> Option<u64>) -> Option<Registers> {
        let Given { rip, rsp, saved, call: mut given, lost, fs_base } = self;
        given[1] = given[1].or_else(number);
        let mut call = [0; 8];
        for (register, value) in call.iter_mut().zip(given) {
            *register = value?;
        }
        Some(Registers { rip, rsp, saved, call, lost, flags: None, fs_base })
    }
}

/// A frame of a stack.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Frame {
    /// The mappings of the target, as in [`Seen`].
    maps: String,
    /// The frame's registers, by their numbers in DWARF.
    registers: All,
}

/// The frames of a stack from the unwinding tables, from the innermost one outwards. Each has the
/// address at which it goes on, an address inside its current call, and the stack pointer behind
/// its return address.
pub fn stack(target: &dyn Target, innermost: &Frame) -> Vec<[u64; 3]> {
    let space = Debugged::new(target, None, &innermost.maps, Vec::new());
    let modules = modules(space.mappings());
    let frames = Unwinder::new(&space, &modules).walk_from(innermost.registers, |_, _| true);
    frames.iter().map(|raw| [raw.address, raw.lookup, raw.cfa]).collect()
}

/// The first two arguments of the call that a frame is in, as far as the code shows them.
pub fn arguments(target: &dyn Target, frame: &Frame) -> [Option<u64>; 2] {
    let register = |number: usize| frame.registers.get(number).copied().flatten();
    let Some(after) = register(RETURN_ADDRESS) else { return [None; 2] };
    let read = |address: u64, length: usize| {
        let mut bytes = [0; 8];
        target.read(address, bytes.get_mut(..length)?).ok()?;
        Some(u64::from_le_bytes(bytes))
    };
    let names = names_at(&frame.maps, [after.saturating_sub(1); 2]);
    names.arguments_handed(after, after, &Standing { register: &register, read: &read })
}

/// The number of the return address in DWARF.
const RETURN_ADDRESS: usize = 16;

/// A construct, by its known facts: a number that is 0 is unknown.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// The mappings of the target, as in [`Seen`].
    maps: String,
    /// The return address of its call of the runtime.
    codeptr: u64,
    /// The start of its outlined function.
    function: u64,
    /// "region", "task", or anything for another call.
    kind: String,
}

/// The place of a construct in the source.
#[derive(Serialize)]
pub struct Place {
    function: String,
    file: Option<String>,
    line: u32,
}

/// Finds a construct's place from the program's files.
pub fn construct(asked: &Asked) -> Place {
    let Asked { maps, codeptr, function, kind } = asked;
    let names = names_at(maps, [codeptr.saturating_sub(1), *function]);
    let kind = match &**kind {
        "region" => ConstructKind::Region,
        "task" => ConstructKind::Task,
        _ => ConstructKind::Place,
    };
    let found = names.construct_known_by(*codeptr, kind, *function);
    let file = found.file.map(|file| file.to_string());
    Place { function: found.function.to_string(), file, line: found.line }
}

/// The names in the files that are mapped at these addresses. The files stay open, since the next
/// question is most often about the same ones.
fn names_at(maps: &str, addresses: [u64; 2]) -> Rc<Names> {
    let mapped = |module: &Module| Mapped {
        base: module.base,
        end: module.end,
        file: module.place().to_owned(),
        wanted: addresses.iter().any(|address| (module.base..module.end).contains(address)),
    };
    let files: Vec<Mapped> = modules(&of_maps(maps)).iter().map(mapped).collect();
    thread_local! {
        static LAST: RefCell<Option<(Vec<Mapped>, Rc<Names>)>> = const { RefCell::new(None) };
    }
    LAST.with_borrow_mut(|last| match last {
        Some((known, names)) if *known == files => names.clone(),
        _ => {
            let names = Rc::new(Names::open(&files, &mut Vec::new()));
            *last = Some((files, names.clone()));
            names
        }
    })
}

/// Adds to a snapshot the threads' stacks and the other facts that the runtime does not know: waits
/// outside the runtime, names and places.
pub fn fill(target: &dyn Target, snapshot: &mut Snapshot, seen: Seen) {
    let Seen { pid, core, maps, threads } = seen;
    let core = core.and_then(|path| Core::open(&path, None).ok());
    let number_of_call = |lwp: u32| match (pid, &core) {
        (Some(pid), _) => {
            let first = first_word(pid, lwp, "syscall")?;
            // The kernel says `running` for a thread in no call.
            Some(first.parse().map_or(NO_CALL, |number: i64| number as u64))
        }
        (None, Some(core)) => Some(core.registers(lwp).ok()?.call[1]),
        (None, None) => None,
    };
    let known = |thread: Stopped| Known {
        lwp: thread.lwp,
        name: thread.name,
        cpu: pid.and_then(|pid| first_word(pid, thread.lwp, "schedstat")?.parse().ok()),
        registers: thread.registers.and_then(|it| it.with_call(|| number_of_call(thread.lwp))),
    };
    let threads = threads.into_iter().map(known).collect();
    look::fill(&Debugged::new(target, pid, &maps, threads), snapshot);
}

/// The number that means no system call.
const NO_CALL: u64 = u64::MAX;

/// The first word of a thread's file in `/proc`: in `syscall` its system call, in `schedstat` its
/// CPU time in nanoseconds.
fn first_word(pid: u32, lwp: u32, file: &str) -> Option<String> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/task/{lwp}/{file}")).ok()?;
    Some(text.split_whitespace().next()?.to_owned())
}
