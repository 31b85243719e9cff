//! A live process.
//!
//! Its threads stand still only while their registers, the used part of their stacks and what the runtime knows are
//! copied. What was read then is kept, page by page, and later reads see the same moment; only what nobody had asked
//! for is read from the running process.

mod memory;
mod process;
mod stop;

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::{Duration, Instant};

use omphalos_ompd_view::snapshot::Os;
use omphalos_ompd_view::{Fault, Registers, Target};

use super::{Mapping, Space, mapping};
use memory::Memory;
pub use process::{Identity, file, processes};
use stop::{Known, Stopped};

/// Most of a stack that is copied while its thread stands still.
const STACK: u64 = 1 << 20;
/// Most of all stacks.
const STACKS: u64 = 64 << 20;

/// How a process may be looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// Its threads stand still for a moment.
    #[default]
    Stopping,
    /// Nothing is stopped: registers of threads that sleep in the kernel only.
    Running,
}

/// See the module.
pub struct Live {
    identity: Identity,
    mappings: Vec<Mapping>,
    memory: Memory,
    /// Threads with their registers, where the kernel gives them.
    threads: Vec<Known>,
    os: RefCell<HashMap<u32, (String, Option<Os>)>>,
    /// How long the threads stood still.
    pub stood_still: Duration,
    /// What could not be done.
    pub notes: Vec<String>,
}

impl Live {
    /// Looks at `pid`. `meanwhile` runs while the threads stand still: what it reads is of one moment.
    pub fn look<R>(
        pid: u32,
        way: Way,
        meanwhile: impl FnOnce(&Live) -> R,
    ) -> Result<(Live, R), Fault> {
        let identity = Identity::of(pid)?;
        let mut notes = Vec::new();
        // A thread that is stopped has no other state: the kernel is asked before.
        let os: HashMap<_, _> =
            process::threads(pid)?.into_iter().map(|lwp| (lwp, process::os(pid, lwp))).collect();
        let (stopped, began) = match way {
            Way::Stopping => {
                let began = Instant::now();
                match Stopped::all(pid, &mut notes) {
                    Ok(stopped) => (Some(stopped), began),
                    Err(stop::Refused::Traced(lwp)) => {
                        notes.push(format!(
                            "{} traces this process: looked at without stopping it",
                            process::tracer(lwp)
                        ));
                        (None, began)
                    }
                    Err(stop::Refused::Fault(fault)) => return Err(fault),
                }
            }
            Way::Running => (None, Instant::now()),
        };
        let threads = match &stopped {
            Some(stopped) => stopped.registers(),
            None => process::threads(pid)?
                .into_iter()
                .map(|lwp| Known { lwp, registers: process::registers(pid, lwp), print: None })
                .collect(),
        };
        let mappings = process::mappings(pid)?;
        let memory = Memory::of(pid);
        let os = RefCell::new(os);
        let stood_still = Duration::ZERO;
        let mut live = Live { identity, mappings, memory, threads, os, stood_still, notes };
        live.copy_stacks();
        let result = meanwhile(&live);
        let was_stopped = stopped.is_some();
        drop(stopped);
        if was_stopped {
            live.stood_still = began.elapsed();
        }
        match Identity::of(pid) {
            Ok(now) if now == live.identity => Ok((live, result)),
            Ok(_) => Err(Fault::Unknown(format!(
                "answer: process {pid} has become another program meanwhile"
            ))),
            Err(_) => Err(Fault::Gone),
        }
    }

    fn copy_stacks(&self) {
        let mut left = STACKS;
        let mut ranges = Vec::new();
        for registers in self.threads.iter().filter_map(|known| known.registers) {
            let Some(mapping) = self.mapping(registers.rsp) else { continue };
            // The red zone is below the stack pointer.
            let from = registers.rsp.saturating_sub(128).max(mapping.start);
            let end = mapping.end.min(from.saturating_add(STACK.min(left)));
            left = left.saturating_sub(end - from);
            ranges.push((from, end));
        }
        self.memory.copy(&ranges);
    }

    fn mapping(&self, address: u64) -> Option<&Mapping> {
        let next = self.mappings.partition_point(|mapping| mapping.start <= address);
        self.mappings.get(next.checked_sub(1)?).filter(|mapping| address < mapping.end)
    }
}

impl Target for Live {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        self.memory.read(address, into)
    }

    fn symbol(&self, name: &str, library: Option<&str>) -> Result<u64, Fault> {
        super::exported(self, name, library)
    }

    fn threads(&self) -> Result<Vec<u32>, Fault> {
        Ok(self.threads.iter().map(|known| known.lwp).collect())
    }

    fn registers(&self, lwp: u32) -> Result<Registers, Fault> {
        self.threads
            .iter()
            .find(|known| known.lwp == lwp)
            .and_then(|known| known.registers)
            .ok_or_else(|| Fault::Unknown(format!("registers of thread {lwp}")))
    }
}

impl Space for Live {
    fn mappings(&self) -> &[Mapping] {
        &self.mappings
    }

    fn pid(&self) -> Option<u32> {
        Some(self.identity.pid)
    }

    fn command(&self) -> Vec<String> {
        process::command(self.identity.pid)
    }

    fn rank(&self) -> Option<(u32, u32)> {
        process::rank(self.identity.pid)
    }

    fn os(&self, lwp: u32) -> (String, Option<Os>) {
        let pid = self.identity.pid;
        self.os.borrow_mut().entry(lwp).or_insert_with(|| process::os(pid, lwp)).clone()
    }

    fn descriptor(&self, number: i32) -> Option<String> {
        process::descriptor(self.identity.pid, number)
    }

    fn file_lock_holder(&self, number: i32) -> Option<u32> {
        process::file_lock_holder(self.identity.pid, number)
    }

    fn tracer(&self, lwp: u32) -> Option<String> {
        process::tracer_number(lwp).map(|_| process::tracer(lwp))
    }

    fn print(&self, lwp: u32) -> Option<u64> {
        self.threads.iter().find(|known| known.lwp == lwp)?.print
    }

    fn process_name(&self, pid: u32) -> Option<String> {
        process::name(pid)
    }

    fn file(&self, module: &mapping::Module) -> String {
        process::file(self.identity.pid, module)
    }

    fn as_target(&self) -> &dyn Target {
        self
    }
}
