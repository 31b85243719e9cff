//! The look that `omphalos inspect` takes, at what a debugger has stopped.

use omphalos_inspect::space::debugged::{Debugged, Known};
use omphalos_inspect::space::{Space, modules};
use omphalos_inspect::{All, Unwinder, look};
use omphalos_ompd_view::snapshot::Snapshot;
use omphalos_ompd_view::{Registers, Target};
use serde::Deserialize;

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
