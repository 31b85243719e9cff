//! A live process.
//!
//! Its threads stand still only while their registers, the used part of their stacks and the
//! runtime's facts are copied. Memory that was read then is kept, page by page, so later reads see
//! the same moment. Only memory that nobody had asked for is read from the running process.

pub(crate) mod ends;
mod memory;
mod pass;
pub(crate) mod process;
pub(crate) mod standing;
mod stop;
pub(crate) mod tracee;

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::{Duration, Instant};

use omphalos_ompd_view::asleep::{Kernel, Machine};
use omphalos_ompd_view::snapshot::Os;
use omphalos_ompd_view::{Fault, Registers, Target};

use super::numbers::Numbers;
use super::{Mapping, Space, mapping};
use memory::{Expected, Memory};
pub use memory::{peek, poke};
pub use process::{Identity, command, file, job, processes, shown_by};
use standing::Known;
use stop::Stopped;

/// Bytes of a stack that are copied while its thread stands still, at most.
const STACK: u64 = 1 << 20;
/// The same for a thread that stands alone: the frames around its current line.
const PASSING_STACK: u64 = 16 << 10;
/// Bytes of all stacks together, at most.
const STACKS: u64 = 64 << 20;

/// The greatest number of times that a program is stopped for one look.
const ATTEMPTS: u32 = 2;
/// The time to wait for another look at the same process, which takes milliseconds, and the time
/// until the next attempt. (A debugger may stay for hours; nobody waits for it.)
const OTHER_LOOK: Duration = Duration::from_secs(2);
const AGAIN: Duration = Duration::from_millis(2);

/// The way to look at a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// Its threads stand still for a moment.
    #[default]
    Stopping,
    /// Nothing is stopped: only threads that sleep in the kernel have registers.
    Running,
}

/// See the module.
pub struct Live {
    identity: Identity,
    mappings: Vec<Mapping>,
    memory: Memory,
    /// Threads with their registers, if the kernel gives them; by the numbers that the program
    /// sees, like everything here.
    threads: Vec<Known>,
    numbers: Numbers,
    os: RefCell<HashMap<u32, (String, Option<Os>)>>,
    /// The kernel's facts about its descriptors.
    machine: Machine,
    /// The time for which the threads stood still.
    pub stood_still: Duration,
    /// The number of times that the threads were stopped.
    pub stops: u32,
    /// Steps that could not be done.
    pub notes: Vec<String>,
}

impl Live {
    /// Looks at `pid`. `meanwhile` runs while the threads stand still, so everything that it reads
    /// is from one moment.
    pub fn look<R>(
        pid: u32,
        way: Way,
        meanwhile: impl FnOnce(&Live) -> R,
    ) -> Result<(Live, R), Fault> {
        Live::at(pid, |identity| match way {
            Way::Running => Live::running(identity).map(|live| {
                let result = meanwhile(&live);
                (live, result)
            }),
            Way::Stopping => {
                let (live, result) = Live::stopped(identity, &[], Some(meanwhile))?;
                Ok((live, result.ok_or(Fault::Gone)?))
            }
        })
    }

    /// Looks at a running process, as [`Way::Running`]. But each running thread of `those` is
    /// stopped for a moment.
    pub fn passing<R>(
        pid: u32,
        those: &[u32],
        reads: impl FnOnce(&Live) -> R,
    ) -> Result<(Live, R), Fault> {
        Live::at(pid, |identity| {
            let mut live = Live::running(identity)?;
            let mut stood = Vec::new();
            pass::each(pid, those, |known| {
                live.copy(known.registers.iter(), PASSING_STACK);
                stood.push(known);
            });
            for known in stood {
                let seen = live.numbers.seen(known.lwp);
                if let Some(thread) = live.threads.iter_mut().find(|thread| thread.lwp == seen) {
                    thread.registers = known.registers;
                }
            }
            let result = reads(&live);
            Ok((live, result))
        })
    }

    /// The same for a `reads` that only reads, so that it may run several times. It runs first on
    /// the running program, which shows the pages that matter. These are copied while the threads
    /// stand still, and `reads` runs again afterwards. If the program has changed so much meanwhile
    /// that other pages matter, `reads` runs while it stands still. `expected`: the pages that
    /// mattered in a look shortly before, so that nothing is read ahead.
    pub fn look_briefly<R>(
        pid: u32,
        way: Way,
        expected: Option<Vec<u64>>,
        reads: impl Fn(&Live) -> R,
    ) -> Result<(Live, R), Fault> {
        match way {
            Way::Running => Live::look(pid, way, reads),
            Way::Stopping => Live::at(pid, |identity| Live::still(identity, expected, reads)),
        }
    }

    /// Looks, and checks that the process stayed the same program.
    fn at<R>(
        pid: u32,
        look: impl FnOnce(&Identity) -> Result<(Live, R), Fault>,
    ) -> Result<(Live, R), Fault> {
        let identity = Identity::of(pid)?;
        let seen = look(&identity)?;
        match Identity::of(pid) {
            Ok(now) if now == identity => Ok(seen),
            // Its initial thread has ended meanwhile: the kernel tells less of such a process.
            Ok(_) if process::os(pid, pid).1.is_some_and(|os| os.state == "Z") => Ok(seen),
            Ok(_) => Err(Fault::Unknown(format!(
                "answer: process {pid} has become another program meanwhile"
            ))),
            Err(_) => Err(Fault::Gone),
        }
    }

    fn still<R>(
        identity: &Identity,
        expected: Option<Vec<u64>>,
        reads: impl Fn(&Live) -> R,
    ) -> Result<(Live, R), Fault> {
        let mut expected = match expected {
            Some(pages) => pages,
            None => {
                let ahead = Live::running(identity)?;
                reads(&ahead);
                ahead.memory.known()
            }
        };
        let mut stood_still = Duration::ZERO;
        for attempt in 1.. {
            let is_last = attempt == ATTEMPTS;
            let (mut live, result) = Live::stopped(identity, &expected, is_last.then_some(&reads))?;
            stood_still += live.stood_still;
            (live.stood_still, live.stops) = (stood_still, attempt);
            if let Some(result) = result {
                return Ok((live, result));
            }
            live.memory.has_missed();
            let result = reads(&live);
            if !live.memory.has_missed() {
                return Ok((live, result));
            }
            expected = live.memory.known();
        }
        Err(Fault::Gone)
    }

    /// The pages that were read.
    pub fn pages(&self) -> Vec<u64> {
        self.memory.known()
    }

    /// Makes one that stops nothing.
    fn running(identity: &Identity) -> Result<Live, Fault> {
        let pid = identity.pid;
        let os = all_os(pid, Instant::now())?;
        let threads = process::threads(pid)?.into_iter();
        let threads = threads.map(|lwp| {
            let registers = process::registers(pid, lwp);
            Known { lwp, registers, print: None, may_wake: false }
        });
        let numbers = Numbers::of(pid, os.keys().copied());
        let live = Live::with(identity, os, threads.collect(), numbers)?;
        live.copy_stacks();
        Ok(live)
    }

    fn with(
        identity: &Identity,
        mut os: HashMap<u32, (String, Option<Os>)>,
        mut threads: Vec<Known>,
        mut numbers: Numbers,
    ) -> Result<Live, Fault> {
        if numbers.differ() {
            numbers.add(identity.pid, threads.iter().map(|known| known.lwp));
            threads.iter_mut().for_each(|known| known.lwp = numbers.seen(known.lwp));
            os = os.into_iter().map(|(lwp, os)| (numbers.seen(lwp), os)).collect();
        }
        let shown = process::shown_by(identity.pid);
        Ok(Live {
            identity: identity.clone(),
            mappings: process::mappings(identity.pid)?,
            memory: Memory::of(shown),
            threads,
            numbers,
            os: RefCell::new(os),
            machine: Machine::of(Some(shown)),
            stood_still: Duration::ZERO,
            stops: 1,
            notes: Vec::new(),
        })
    }

    /// Makes one whose threads stand still while the pages `expected` and its stacks are copied,
    /// and while `reads` reads.
    fn stopped<R>(
        identity: &Identity,
        expected: &[u64],
        reads: Option<impl FnOnce(&Live) -> R>,
    ) -> Result<(Live, Option<R>), Fault> {
        let pid = identity.pid;
        let expected = Expected::new(expected.to_vec());
        let mut notes = Vec::new();
        let asked = Instant::now();
        let (os, began, stopped) = loop {
            // A stopped thread has no other state, so the kernel is asked before.
            let os = all_os(pid, asked)?;
            let began = Instant::now();
            let is_busy = |lwp| asked.elapsed() < OTHER_LOOK && process::is_about_to_be_free(lwp);
            match Stopped::all(pid, &mut notes) {
                Err(stop::Refused::Traced(lwp)) if is_busy(lwp) => std::thread::sleep(AGAIN),
                result => break (os, began, result),
            }
        };
        let numbers = Numbers::of(pid, os.keys().copied());
        let stopped = match stopped {
            Ok(stopped) => stopped,
            Err(stop::Refused::Traced(lwp)) => {
                let mut live = Live::running(identity)?;
                live.notes.push(format!(
                    "{} traces this process: looked at without stopping it",
                    process::tracer(lwp)
                ));
                let result = reads.map(|reads| reads(&live));
                return Ok((live, result));
            }
            Err(stop::Refused::Fault(fault)) => return Err(fault),
        };
        let mut live = Live::with(identity, os, stopped.registers(), numbers)?;
        live.memory.fetch(expected);
        live.copy_stacks();
        let result = reads.map(|reads| reads(&live));
        live.forget_woken(&stopped);
        drop(stopped);
        live.stood_still = began.elapsed();
        live.notes = notes;
        Ok((live, result))
    }

    /// Drops the facts about threads that nothing stopped and that have woken meanwhile.
    fn forget_woken(&mut self, stopped: &Stopped) {
        let pid = self.identity.pid;
        // `known` has the program's own numbers, in the same order.
        let known = self.threads.iter_mut().zip(stopped.registers());
        for (known, own) in known.filter(|(known, _)| known.may_wake) {
            let now = process::registers(pid, own.lwp);
            let same = |now: &Registers, then: &Registers| {
                (now.rsp, now.rip, now.call) == (then.rsp, then.rip, then.call)
            };
            if !now.zip(known.registers).is_some_and(|(now, then)| same(&now, &then)) {
                known.registers = None;
                if let Some((_, Some(os))) = self.os.borrow_mut().get_mut(&known.lwp) {
                    os.state = "R".to_owned();
                }
            }
        }
    }

    fn copy_stacks(&self) {
        self.copy(self.threads.iter().filter_map(|known| known.registers.as_ref()), STACK);
    }

    /// Copies the inner part of stacks, each of `most` bytes at most.
    fn copy<'a>(&self, all: impl Iterator<Item = &'a Registers>, most: u64) {
        let mut left = STACKS;
        let mut ranges = Vec::new();
        for registers in all {
            let Some(mapping) = self.mapping(registers.rsp) else { continue };
            // The red zone is below the stack pointer.
            let from = registers.rsp.saturating_sub(128).max(mapping.start);
            let end = mapping.end.min(from.saturating_add(most.min(left)));
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

/// Name and state of all threads. A thread that another look of this program has stopped shows no
/// other state, so that look's end is awaited, until [`OTHER_LOOK`] after `asked`.
fn all_os(pid: u32, asked: Instant) -> Result<HashMap<u32, (String, Option<Os>)>, Fault> {
    loop {
        let os = process::all_os(pid)?;
        let is_stopped = |os: &Option<Os>| os.as_ref().is_some_and(|os| os.state == "t");
        let mut stopped = os.iter().filter(|(_, (_, os))| is_stopped(os)).map(|(lwp, _)| *lwp);
        if asked.elapsed() > OTHER_LOOK || !stopped.any(process::is_about_to_be_free) {
            return Ok(os);
        }
        std::thread::sleep(AGAIN);
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

    fn variable(&self, name: &str) -> Option<Option<String>> {
        process::known_variable(self.identity.pid, name)
    }

    fn os(&self, lwp: u32) -> (String, Option<Os>) {
        let (pid, ours) = (self.identity.pid, self.numbers.ours(lwp));
        self.os.borrow_mut().entry(lwp).or_insert_with(|| process::os(pid, ours)).clone()
    }

    fn kernel(&self) -> &dyn Kernel {
        &self.machine
    }

    fn tracer(&self, lwp: u32) -> Option<String> {
        let lwp = self.numbers.ours(lwp);
        process::tracer_number(lwp).map(|_| process::tracer(lwp))
    }

    fn numbers(&self) -> Option<&Numbers> {
        Some(&self.numbers)
    }

    fn print(&self, lwp: u32) -> Option<u64> {
        self.threads.iter().find(|known| known.lwp == lwp)?.print
    }

    fn file(&self, module: &mapping::Module) -> Option<String> {
        process::file(self.identity.pid, module)
    }

    fn as_target(&self) -> &dyn Target {
        self
    }
}
