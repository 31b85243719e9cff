//! Waits of threads that sleep outside the runtime, from what a debugger read of their registers.

use std::fs;

use omphalos_ompd_view::asleep::{self, Kernel, Known, calls};
use omphalos_ompd_view::snapshot::{Os, Snapshot};
use omphalos_ompd_view::{Registers, Target};
use serde::Deserialize;

/// What a debugger saw of a process.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Seen {
    /// The process, if it lives on this machine.
    pid: Option<u32>,
    /// Where the dynamic linker lies: from, to.
    loader: Option<(u64, u64)>,
    threads: Vec<Stopped>,
}

/// A thread that stands still.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Stopped {
    lwp: u32,
    /// [`Registers::call`].
    call: [u64; 8],
    /// [`Registers::fs_base`].
    fs_base: u64,
    /// Functions that it is in, as their callers name them, from inside outwards.
    called: Vec<String>,
}

/// The process in /proc, where it is on this machine.
struct Proc(Option<u32>);

impl Kernel for Proc {
    fn descriptor(&self, number: i32) -> Option<String> {
        let target = fs::read_link(format!("/proc/{}/fd/{number}", self.0?)).ok()?;
        Some(target.to_string_lossy().into_owned())
    }

    fn process_name(&self, pid: u32) -> Option<String> {
        self.0?;
        let name = fs::read(format!("/proc/{pid}/comm")).ok()?;
        Some(String::from_utf8_lossy(&name).trim_end().to_owned())
    }
}

/// Fills in waits that the runtime does not know, and whether a thread sleeps.
pub fn fill(target: &dyn Target, snapshot: &mut Snapshot, seen: &Seen) {
    let bases: Vec<(u32, u64)> = seen.threads.iter().map(|seen| (seen.lwp, seen.fs_base)).collect();
    let known = Known { threads: &bases, loader: seen.loader };
    for each in &seen.threads {
        let thread = snapshot.threads.iter_mut().find(|thread| thread.lwp == each.lwp);
        let Some(thread) = thread else { continue };
        let registers =
            Registers { call: each.call, fs_base: each.fs_base, ..Registers::default() };
        if thread.pthread == 0 {
            thread.pthread = each.fs_base;
        }
        // The runtime knows best what its own waits are for.
        if thread.waits.is_none() {
            let kernel = Proc(seen.pid);
            thread.waits =
                asleep::waits(target, &kernel, &known, &registers, &thread.stack, &each.called);
        }
        let call = calls::in_call(&registers).map(calls::name);
        let timed = call.as_ref().is_some_and(|name| calls::is_timed(&registers, name));
        let at_most = |name: &str| calls::at_most(target, &registers, name);
        let os = thread.os.get_or_insert_with(Os::default);
        if os.state.is_empty() {
            os.state = if call.is_some() { "S" } else { "R" }.to_owned();
        }
        os.at_most = call.as_ref().filter(|_| timed).and_then(|name| at_most(name));
        (os.call, os.timed) = (call, timed);
    }
}
