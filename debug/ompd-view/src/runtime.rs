//! A runtime inside a target: every read begins here.

use crate::layout::{Field, Layout};
use crate::target::{Fault, Target};
use crate::task::Task;
use crate::team::Team;
use crate::thread::Thread;
use std::collections::HashSet;
use std::sync::Arc;

/// The most threads that are looked for.
const MOST_THREADS: usize = 1 << 16;

/// See the module. Reads a few bytes for each question; keeps nothing but the layout.
#[derive(Clone)]
pub struct Runtime<'t> {
    target: &'t dyn Target,
    layout: Arc<Layout>,
}

/// An order to the runtime, which it finds in its word `enable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Ask {
    /// Ends the tools.
    Off = 1,
    /// Keeps the state that debuggers need.
    Keep = 2,
    /// Keeps that state, and lets the inquiry functions of 2013 answer.
    On = 3,
    /// Brings a tool in, as other words of the runtime describe it.
    Tool = 4,
}

/// Reads `bytes` as a number in the byte order of x86-64.
pub(crate) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte))
}

impl<'t> Runtime<'t> {
    /// Finds the runtime in a target.
    pub fn find(target: &'t dyn Target) -> Result<Runtime<'t>, Fault> {
        Ok(Runtime { target, layout: Layout::of(target)? })
    }

    /// The runtime whose layout is already known.
    pub fn with(target: &'t dyn Target, layout: Arc<Layout>) -> Runtime<'t> {
        Runtime { target, layout }
    }

    /// The layout, for [`Runtime::with`].
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The target that is read.
    pub fn target(&self) -> &'t dyn Target {
        self.target
    }

    /// The runtime's name and version: "Omphalos 0.1.0".
    pub fn version(&self) -> &str {
        self.layout.runtime()
    }

    /// The version of OpenMP that the runtime offers, as `_OPENMP` has it.
    pub fn openmp(&self) -> Result<i64, Fault> {
        Ok(self.value("OpenMP.VERSION")? as i64)
    }

    /// Reads a number of up to eight bytes.
    pub fn number(&self, address: u64, size: u64) -> Result<u64, Fault> {
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..(size as usize).clamp(1, 8)];
        if address == 0 {
            return Err(Fault::Nonsense("a null pointer where there must be something".into()));
        }
        self.target.read(address, bytes)?;
        Ok(number(bytes))
    }

    pub(crate) fn word(&self, address: u64) -> Result<u64, Fault> {
        self.number(address, 8)
    }

    /// A field of the structure at `base`: `Structure.field`, a number of up to eight bytes.
    pub fn get(&self, base: u64, field: &str) -> Result<u64, Fault> {
        let Field { offset, size } = self.layout.field(field)?;
        if base == 0 {
            return Err(Fault::Nonsense(format!("a null pointer where {field} must be")));
        }
        self.number(base.wrapping_add(offset), size)
    }

    /// The address of a field in the structure at `base`.
    pub fn at(&self, base: u64, field: &str) -> Result<u64, Fault> {
        Ok(base.wrapping_add(self.layout.field(field)?.offset))
    }

    pub(crate) fn value(&self, name: &str) -> Result<u64, Fault> {
        self.layout.value(name)
    }

    /// The text at an address up to a zero, at most `most` bytes of it.
    pub fn text(&self, address: u64, most: usize) -> Result<String, Fault> {
        let mut bytes = Vec::new();
        while bytes.len() < most {
            // A read does not cross the end of a page, since the next page may be missing.
            let at = address.wrapping_add(bytes.len() as u64);
            let step = (16 - at % 16).min((most - bytes.len()) as u64) as usize;
            let mut part = [0; 16];
            self.target.read(at, &mut part[..step])?;
            match part[..step].iter().position(|&byte| byte == 0) {
                Some(end) => {
                    bytes.extend(&part[..end]);
                    break;
                }
                None => bytes.extend(&part[..step]),
            }
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The records of all threads that ever existed, by rising number; and a fault that ended the
    /// list early.
    pub(crate) fn records(&self) -> Result<(Vec<u64>, Option<Fault>), Fault> {
        let (mut records, mut seen) = (Vec::new(), HashSet::new());
        let mut at = self.word(self.layout.root("threads")?)?;
        let mut fault = None;
        while at != 0 && records.len() < MOST_THREADS {
            if !seen.insert(at) {
                fault = Some(Fault::Nonsense("the list of threads goes in a circle".into()));
                break;
            }
            records.push(at);
            match self.get(at, "Thread.known_before") {
                Ok(before) => at = before,
                Err(why) => {
                    fault = Some(why);
                    break;
                }
            }
        }
        if records.len() >= MOST_THREADS {
            fault = Some(Fault::Nonsense(format!("more than {MOST_THREADS} threads")));
        }
        records.reverse();
        Ok((records, fault))
    }

    /// The living threads that OpenMP knows, by rising number.
    pub fn threads(&self) -> Result<Vec<Thread<'_>>, Fault> {
        let (records, fault) = self.records()?;
        let lives = |thread: &Thread<'_>| thread.lwp().is_ok_and(|lwp| lwp != 0);
        let threads: Vec<_> = records.iter().map(|&at| self.thread(at)).filter(lives).collect();
        match fault {
            Some(fault) if threads.is_empty() => Err(fault),
            _ => Ok(threads),
        }
    }

    fn thread_where(
        &self,
        is_it: impl Fn(&Thread<'_>) -> Result<bool, Fault>,
    ) -> Result<Option<Thread<'_>>, Fault> {
        for &at in &self.records()?.0 {
            let thread = self.thread(at);
            if is_it(&thread)? && thread.lwp()? != 0 {
                return Ok(Some(thread));
            }
        }
        Ok(None)
    }

    /// The thread with this kernel number.
    pub fn thread_by_lwp(&self, lwp: u32) -> Result<Option<Thread<'_>>, Fault> {
        self.thread_where(|thread| Ok(thread.lwp()? == lwp))
    }

    /// The thread with this `pthread_self()`.
    pub fn thread_by_pthread(&self, pthread: u64) -> Result<Option<Thread<'_>>, Fault> {
        self.thread_where(|thread| Ok(thread.pthread()? == pthread))
    }

    /// The thread whose record stands at `address`. Reads nothing: with a wrong address, later
    /// questions give faults or nonsense.
    pub fn thread(&self, address: u64) -> Thread<'_> {
        Thread { runtime: self, address }
    }

    /// The team whose record stands at `address`, likewise.
    pub fn team(&self, address: u64) -> Team<'_> {
        Team { runtime: self, address }
    }

    /// The task whose record stands at `address`, likewise.
    pub fn task(&self, address: u64) -> Task<'_> {
        Task { runtime: self, address }
    }

    /// Makes the runtime keep the state that costs time, and pass the places for breakpoints, from
    /// each thread's next construct on, as `OMP_DEBUG=enabled` does. Writes words of the target: a
    /// core file, or a target that must not be written, gives a fault.
    pub fn ask_for_places(&self) -> Result<(), Fault> {
        if self.keeps()? {
            return Ok(());
        }
        // The next region does all of this again, because the writes below may meet a thread that
        // changes the same words.
        self.ask_for(Ask::Keep)?;
        let attached = self.value("Tools.ATTACHED")?;
        for at in [self.debuggers()?, self.layout.root("mask")?] {
            self.target.write(at, &(self.word(at)? | attached).to_le_bytes())?;
        }
        for &thread in &self.records()?.0 {
            let words = self.get(thread, "Thread.watch")?;
            if words != 0 {
                let unwatched = words.wrapping_add(self.value("Watch.unwatched")?);
                self.target.write(unwatched, &0u64.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Asks the runtime for something that it does when its next region begins, or when it starts.
    pub fn ask_for(&self, what: Ask) -> Result<(), Fault> {
        self.target.write(self.layout.root("enable")?, &(what as u32).to_le_bytes())
    }

    /// Whether the runtime keeps, for debuggers, the state that costs time.
    pub fn keeps(&self) -> Result<bool, Fault> {
        Ok(self.word(self.debuggers()?)? != 0)
    }

    /// The address of the word that says whether the runtime keeps that state.
    fn debuggers(&self) -> Result<u64, Fault> {
        Ok(self.layout.root("tools")?.wrapping_add(self.value("Tools.DEBUGGERS")? * 8))
    }

    /// The slot of the first attached tool's words; `None` without a tool.
    pub fn tool_slot(&self) -> Result<Option<u64>, Fault> {
        let (masks, attached) = (self.layout.root("tools")?, self.value("Tools.ATTACHED")?);
        for slot in 0..self.value("Identity.SLOTS")?.min(64) {
            if self.word(masks + slot * 8)? & attached != 0 {
                return Ok(Some(slot));
            }
        }
        Ok(None)
    }

    /// The address of the first tool's `ompt_data_t` in the identity at `identity`, or `None`
    /// without a tool.
    pub(crate) fn tool_word(&self, identity: u64) -> Result<Option<u64>, Fault> {
        let Some(slot) = self.tool_slot()? else { return Ok(None) };
        Ok(Some(self.at(identity, "Identity.words")? + slot * 8))
    }
}
