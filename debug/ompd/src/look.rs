//! The look that `omphalos inspect` takes, at what a debugger has stopped.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use omphalos_inspect::space::core::Core;
use omphalos_inspect::space::debugged::{Debugged, Known};
use omphalos_inspect::space::{Module, Space, modules, of_maps};
use omphalos_inspect::{All, Unwinder, look};
use omphalos_ompd_view::snapshot::Snapshot;
use omphalos_ompd_view::{Registers, Target};
use omphalos_program::{ConstructKind, Mapped, Names};
use serde::{Deserialize, Serialize};

/// What a debugger knows of a process.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Seen {
    /// The process, if it lives on this machine.
    pid: Option<u32>,
    /// What is mapped, as `/proc/PID/maps` has it.
    maps: String,
    threads: Vec<Stopped>,
}

/// A thread.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Stopped {
    lwp: u32,
    name: String,
    cpu: Option<u64>,
    /// Of a thread that stands still.
    registers: Option<Given>,
}

/// See [`Registers`].
#[derive(Default, Deserialize)]
#[serde(default)]
struct Given {
    rip: u64,
    rsp: u64,
    saved: [u64; 6],
    call: [u64; 8],
    lost: Option<[u64; 2]>,
    fs_base: u64,
}

impl From<Given> for Registers {
    fn from(given: Given) -> Registers {
        let Given { rip, rsp, saved, call, lost, fs_base } = given;
        Registers { rip, rsp, saved, call, lost, fs_base }
    }
}

/// A thread's stack as the unwinding tables have it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Innermost {
    /// As in [`Seen`].
    maps: String,
    /// The innermost frame's registers, as DWARF numbers them.
    registers: All,
}

/// The frames of a stack, innermost first: where each goes on, an address in the call that it
/// stands in, the stack pointer behind its return address.
pub fn stack(target: &dyn Target, from: &Innermost) -> Vec<[u64; 3]> {
    let space = Debugged::new(target, None, &from.maps, Vec::new());
    let modules = modules(space.mappings());
    let frames = Unwinder::new(&space, &modules).walk_from(from.registers, |_, _| true);
    frames.iter().map(|raw| [raw.address, raw.lookup, raw.cfa]).collect()
}

/// A construct, by what is known of it: a number that is 0 is not.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// As in [`Seen`].
    maps: String,
    /// Where its call of the runtime returns to.
    codeptr: u64,
    /// Where its outlined function starts.
    function: u64,
    /// "region", "task", or anything for another call.
    kind: String,
}

/// Where a construct stands.
#[derive(Serialize)]
pub struct Place {
    function: String,
    file: Option<String>,
    line: u32,
}

/// Where it stands by the program's files.
pub fn construct(asked: &Asked) -> Place {
    let Asked { maps, codeptr, function, kind } = asked;
    let is_asked = |module: &Module| {
        let addresses = [codeptr.saturating_sub(1), *function];
        addresses.iter().any(|address| (module.base..module.end).contains(address))
    };
    let mapped = |module: &Module| Mapped {
        base: module.base,
        end: module.end,
        file: module.place().to_owned(),
        wanted: is_asked(module),
    };
    let files: Vec<Mapped> = modules(&of_maps(maps)).iter().map(mapped).collect();
    let names = opened(files);
    let kind = match &**kind {
        "region" => ConstructKind::Region,
        "task" => ConstructKind::Task,
        _ => ConstructKind::Place,
    };
    let found = names.construct_known_by(*codeptr, kind, *function);
    let file = found.file.map(|file| file.to_string());
    Place { function: found.function.to_string(), file, line: found.line }
}

/// The names in these files, which stay open: the next question is most often about the same ones.
fn opened(files: Vec<Mapped>) -> Rc<Names> {
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

/// The system calls that the threads of a core file were in, by the threads' numbers.
pub fn calls_in_core(path: &Path) -> Option<HashMap<u32, u64>> {
    let core = Core::open(path, None).ok()?;
    let call = |lwp: u32| Some((lwp, core.registers(lwp).ok()?.call[1]));
    Some(core.threads().ok()?.into_iter().filter_map(call).collect())
}

/// Adds the threads' stacks to a snapshot, and what else the runtime does not know: what they wait
/// for, names and places.
pub fn fill(target: &dyn Target, snapshot: &mut Snapshot, seen: Seen) {
    let known = |thread: Stopped| Known {
        lwp: thread.lwp,
        name: thread.name,
        cpu: thread.cpu,
        registers: thread.registers.map(Registers::from),
    };
    let threads = seen.threads.into_iter().map(known).collect();
    look::fill(&Debugged::new(target, seen.pid, &seen.maps, threads), snapshot);
}
