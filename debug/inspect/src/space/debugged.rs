//! A process that a debugger looks at: the debugger reads its memory and gives the registers of the
//! threads that it has stopped. The kernel is asked if the process is on this machine.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

use omphalos_ompd_view::asleep::{Kernel, Machine, calls};
use omphalos_ompd_view::snapshot::Os;
use omphalos_ompd_view::{Fault, Pages, Registers, Target};

use super::live::{command, file};
use super::numbers::Numbers;
use super::{Mapping, Module, Space, of_maps};

/// A thread as the debugger knows it.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The kernel's number.
    pub lwp: u32,
    /// The kernel's name for it.
    pub name: String,
    /// CPU time, in nanoseconds.
    pub cpu: Option<u64>,
    /// Its registers; `None` while it runs.
    pub registers: Option<Registers>,
}

/// See the module.
pub struct Debugged<'a> {
    memory: Pages<'a>,
    /// The process, if it is on this machine.
    pid: Option<u32>,
    mappings: Vec<Mapping>,
    /// The threads, by the numbers that the program sees.
    threads: Vec<Known>,
    numbers: Numbers,
    machine: Machine,
    /// Mapped files, as far as they were needed.
    files: RefCell<HashMap<String, Option<File>>>,
}

impl<'a> Debugged<'a> {
    /// Makes one whose memory and symbols come from `target`. `maps`: the mappings, in the form of
    /// `/proc/PID/maps`.
    pub fn new(
        target: &'a dyn Target,
        pid: Option<u32>,
        maps: &str,
        mut threads: Vec<Known>,
    ) -> Debugged<'a> {
        let lwps = || threads.iter().map(|known| known.lwp);
        let numbers = pid.map_or_else(Numbers::default, |pid| Numbers::of(pid, lwps()));
        threads.iter_mut().for_each(|known| known.lwp = numbers.seen(known.lwp));
        let (memory, machine) = (Pages::of(target), Machine::of(pid));
        let (mappings, files) = (of_maps(maps), RefCell::default());
        Debugged { memory, pid, mappings, threads, numbers, machine, files }
    }

    /// Reads bytes of a file that nobody may change in memory: core files need not have them.
    fn read_file(&self, address: u64, into: &mut [u8]) -> Option<()> {
        let end = address.checked_add(into.len() as u64)?;
        let around = |mapping: &&Mapping| mapping.start <= address && end <= mapping.end;
        let mapping = self.mappings.iter().find(around)?;
        if mapping.writable || !mapping.path.starts_with('/') {
            return None;
        }
        let mut files = self.files.borrow_mut();
        let file = files.entry(mapping.path.clone()).or_insert_with(|| open(&mapping.path));
        let at = mapping.offset.checked_add(address - mapping.start)?;
        file.as_ref()?.read_exact_at(into, at).ok()
    }

    fn known(&self, lwp: u32) -> Option<&Known> {
        self.threads.iter().find(|known| known.lwp == lwp)
    }
}

/// Opens a plain file. The debuggee names it, so a pipe or a device is not opened.
fn open(path: &str) -> Option<File> {
    std::fs::metadata(path).ok().filter(|data| data.is_file())?;
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path).ok()?;
    file.metadata().is_ok_and(|data| data.is_file()).then_some(file)
}

impl Target for Debugged<'_> {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        // lldb returns zeros for memory that a core file leaves out.
        if self.pid.is_none() && self.read_file(address, into).is_some() {
            return Ok(());
        }
        self.memory.read(address, into)
    }

    fn symbol(&self, name: &str, library: Option<&str>) -> Result<u64, Fault> {
        self.memory.symbol(name, library)
    }

    fn threads(&self) -> Result<Vec<u32>, Fault> {
        Ok(self.threads.iter().map(|known| known.lwp).collect())
    }

    fn registers(&self, lwp: u32) -> Result<Registers, Fault> {
        let known = self.known(lwp).and_then(|known| known.registers);
        known.ok_or_else(|| Fault::Unknown(format!("registers of thread {lwp}")))
    }
}

impl Space for Debugged<'_> {
    fn mappings(&self) -> &[Mapping] {
        &self.mappings
    }

    fn pid(&self) -> Option<u32> {
        self.pid
    }

    fn command(&self) -> Vec<String> {
        self.pid.map_or_else(Vec::new, command)
    }

    /// The state that the thread had before the debugger stopped it.
    fn os(&self, lwp: u32) -> (String, Option<Os>) {
        let Some(known) = self.known(lwp) else { return (String::new(), None) };
        let state = match known.registers.map(|registers| calls::in_call(&registers)) {
            Some(Some(_)) => "S",
            Some(None) => "R",
            None => "",
        };
        let os = Os { state: state.to_owned(), cpu: known.cpu, ..Os::default() };
        (known.name.clone(), Some(os))
    }

    fn kernel(&self) -> &dyn Kernel {
        &self.machine
    }

    fn numbers(&self) -> Option<&Numbers> {
        Some(&self.numbers)
    }

    fn file(&self, module: &Module) -> Option<String> {
        match self.pid {
            Some(pid) => file(pid, module),
            None => Some(module.path.clone()),
        }
    }

    fn as_target(&self) -> &dyn Target {
        self
    }
}
