//! A traced process: its devices' memory, and the findings about it.

use std::collections::HashSet;
use std::rc::Rc;

use libc::{pid_t, user_regs_struct};
use omphalos_inspect::space;

use super::heap::Heap;
use super::messages::Routine;
use super::pages::Pages;
use super::tracee::Memory;
use crate::finding::{Finding, Kind, Place};
use crate::model::{Model, Problem, Site, SiteId, quoted};
use crate::names::{self, Frame, Named, Namer};
use crate::ranges::Ranges;

/// A traced process.
pub struct Process {
    pub pid: pid_t,
    pub memory: Rc<Memory>,
    pub names: Namer,
    pub model: Model,
    pub pages: Pages,
    /// The traps at functions that allocate and free; `None` until they are wanted.
    pub heap: Option<Heap>,
    /// The findings that were reported already.
    said: HashSet<(Kind, Option<String>, Option<SiteId>)>,
    /// Whether it ends because of a finding: anything left on a device then is no leak.
    pub ends: bool,
}

impl Process {
    pub fn new(pid: pid_t) -> std::io::Result<Process> {
        let memory = Rc::new(Memory::of(pid)?);
        let (model, pages, said) = Default::default();
        let (names, heap, ends) = (Namer::new(pid), None, false);
        Ok(Process { pid, memory, names, model, pages, heap, said, ends })
    }

    /// Returns the construct whose call returns to `code`.
    pub fn site(
        &mut self,
        what: &'static str,
        code: u64,
        device: i32,
        said: Option<Place>,
    ) -> SiteId {
        let known = |site: &Site| site.code == code && site.what == what && site.device == device;
        if let Some(at) = self.model.sites.iter().position(known) {
            return at;
        }
        let place = match (said, code) {
            (Some(said), _) => said,
            (None, 0) => Place::default(),
            (None, code) => self.names.construct(code),
        };
        self.model.meet(Site { what, place, code, device })
    }

    /// Returns the name of an item of a construct.
    pub fn name(
        &mut self,
        (code, number): (u64, u64),
        address: u64,
        registers: &user_regs_struct,
    ) -> Option<Named> {
        if let Some(Some(known)) = self.model.names.get(&(code, number)).cloned() {
            // The same variable, at its current place: in another call of the function, or in the
            // next round of a loop, which may have another element.
            let moved = self.named(address, registers, code);
            return moved
                .filter(|moved| is_of_one(&moved.name, &known.name))
                .or(Some(Named { start: address, ..known.clone() }));
        }
        let named = self.named(address, registers, code);
        self.model.names.insert((code, number), named.clone());
        named
    }

    /// Returns the name of an address, from the variables of the functions around.
    pub fn named(
        &mut self,
        address: u64,
        registers: &user_regs_struct,
        code: u64,
    ) -> Option<Named> {
        let frames: Vec<Frame> = self.names.frames(registers, code, &self.memory);
        self.names.variable(address, &frames, &self.memory)
    }

    /// Returns the host's memory to which the program's pointers may point: writable data, except
    /// the system's libraries.
    pub fn usable(&self) -> Ranges {
        let text = std::fs::read_to_string(format!("/proc/{}/maps", self.pid)).unwrap_or_default();
        let mut usable = Ranges::default();
        let mut guard = 0;
        for mapping in space::of_maps(&text) {
            // The stack of another thread follows pages that nothing may use.
            let is_closed = !mapping.writable && !mapping.executable && mapping.path.is_empty();
            let is_stack = mapping.path.is_empty() && mapping.start == guard;
            guard = if is_closed { mapping.end } else { 0 };
            if is_stack {
                continue;
            }
            let file = mapping.path.rsplit('/').next().unwrap_or("");
            if mapping.writable && !names::is_systems(file) {
                usable.add(mapping.start, mapping.end);
            }
        }
        // Closed pages are the program's, too.
        self.pages.closed.iter().for_each(|(from, to)| usable.add(from, to));
        for block in self.model.blocks.values() {
            usable.remove(block.pages.0, block.pages.1);
        }
        usable
    }

    /// Returns the bounds of a thread's stack, if both its stack pointer and an address are on it.
    /// `own`: the address of the thread's storage, which is at the end of such a stack.
    pub fn stack(&self, pointer: u64, address: u64, own: u64) -> Option<(u64, u64)> {
        /// The longest stack, in bytes.
        const LONGEST: u64 = 1 << 26;
        if pointer == 0 || address <= pointer || address - pointer > LONGEST {
            return None;
        }
        let text = std::fs::read_to_string(format!("/proc/{}/maps", self.pid)).ok()?;
        let mut bounds = (0, 0);
        for mapping in space::of_maps(&text) {
            // A closed page was one mapping with its neighbours.
            let is_data = mapping.writable || self.pages.closed.around(mapping.start).is_some();
            if is_data && mapping.start == bounds.1 {
                bounds.1 = mapping.end;
            } else if is_data {
                bounds = (mapping.start, mapping.end);
            } else {
                bounds = (0, 0);
            }
            let is_stack = mapping.path == "[stack]" || bounds.0 <= own && own < bounds.1;
            let has = |at: u64| bounds.0 <= at && at < bounds.1;
            if is_stack && has(pointer) && has(address) {
                return Some(bounds);
            }
        }
        None
    }

    /// Reports an error, once.
    pub fn say(&mut self, problem: Problem, access: Option<Place>, found: &mut dyn FnMut(Finding)) {
        let Problem { kind, variable, device, what, construct, others, advice } = problem;
        if !self.said.insert((kind, variable.clone(), construct)) {
            return;
        }
        let place = |at: SiteId| self.model.site(at).place.clone();
        let what_is = |at: SiteId| self.model.site(at).what;
        let construct = construct.map(|at| (what_is(at), place(at)));
        let others = others
            .into_iter()
            .filter(|(_, at)| !self.model.site(*at).place.text.is_empty())
            .map(|(how, at)| (format!("{how} {}", what_is(at)), place(at)))
            .collect();
        found(Finding { kind, variable, device, construct, access, what, others, advice });
    }

    /// Checks, when a routine begins to work on memory, that the memory belongs where the program
    /// assumes it.
    pub fn routine_begins(
        &mut self,
        routine: Routine,
        site: SiteId,
        found: &mut dyn FnMut(Finding),
    ) {
        let Routine { source, destination, bytes, on, .. } = routine;
        if !routine.copies() || bytes == 0 {
            return;
        }
        let ends = [(source, on.0, "from"), (destination, on.1, "to")];
        for (address, device, way) in ends {
            let block = self.model.block(address);
            let is_memset = routine.op == super::messages::MEMSET;
            if is_memset && way == "from" {
                continue;
            }
            let mut kind = Kind::WrongCopy;
            let what = match block {
                Some(block) if !block.live => {
                    kind = Kind::UseAfterUnmap;
                    format!("use after free: a copy {way} memory of device {device} that was freed")
                }
                Some(block) if block.device != device => format!(
                    "wrong copy: {way} what is said to be on device {device} and is on device {}",
                    block.device
                ),
                Some(block)
                    if address < block.base || address + bytes > block.base + block.bytes =>
                {
                    format!(
                        "wrong copy: {bytes} bytes {way} device {device}, where the block has {}",
                        block.bytes
                    )
                }
                None if self.is_device(device) => {
                    let where_said = format!("said to be on device {device}");
                    format!("wrong copy: {way} memory of the host, which is {where_said}")
                }
                _ => continue,
            };
            let variable = block.and_then(|block| block.named.as_ref().map(|it| it.name.clone()));
            let (device, construct) = (Some(device), Some(site));
            let released = block.filter(|it| !it.live).and_then(|it| it.released);
            let others = released.map(|at| ("released:".to_owned(), at)).into_iter().collect();
            let advice = None;
            let problem = Problem { kind, variable, device, what, construct, others, advice };
            self.say(problem, None, found);
        }
    }

    /// Whether a number is that of a device with blocks.
    fn is_device(&self, device: i32) -> bool {
        self.model.blocks.values().any(|block| block.device == device)
    }

    /// Handles the end of a routine.
    pub fn routine_ended(&mut self, routine: Routine, site: SiteId, named: Option<Named>) {
        let Routine { op, source, destination, bytes, on } = routine;
        let memory = self.memory.clone();
        use super::messages::{ASSOCIATE, DISASSOCIATE, MEMSET, RECTANGLE};
        match op {
            MEMSET => self.model.wrote(destination, bytes),
            RECTANGLE => self.model.wrote_all(destination),
            ASSOCIATE => {
                let section = (source, source + bytes);
                self.model.associated(on.1, section, destination, named, site);
            }
            DISASSOCIATE => self.model.section_goes(on.1, source, site),
            _ if !routine.copies() => {}
            _ if self.model.block(source).is_some() && self.model.block(destination).is_none() => {
                self.model.copied_from_device(source, destination, bytes, site, &memory);
            }
            _ => self.model.copied_to_device(destination, source, bytes, site, &memory),
        }
    }

    /// Reports everything that is still on a device when the program has ended.
    pub fn leaks(&mut self, found: &mut dyn FnMut(Finding)) {
        // A program that ends in a construct leaves the construct's mappings.
        if self.ends || self.model.races.goes_on() {
            return;
        }
        let orphans = self.model.entries.values().filter(|it| it.is_orphan);
        let known: HashSet<SiteId> = orphans.map(|it| it.came).collect();
        let entries: Vec<Problem> = self
            .model
            .entries
            .iter()
            .filter(|(_, entry)| !entry.is_helper && !known.contains(&entry.came))
            .filter(|(_, entry)| self.model.blocks.get(&entry.block).is_some_and(|it| !it.given))
            .map(|((device, start), entry)| {
                let variable = entry.named.as_ref().map(|named| named.name.clone());
                let name = quoted(variable.as_deref(), "memory");
                let bytes = entry.end - start;
                let what = format!(
                    "never unmapped: {bytes} bytes of {name} are on device {device} when the \
                     program ends"
                );
                let advice = Some("`target exit data` unmaps it".to_owned());
                let (kind, device) = (Kind::NeverUnmapped, Some(*device));
                let (construct, others) = (Some(entry.came), Vec::new());
                Problem { kind, variable, device, what, construct, others, advice }
            })
            .collect();
        let given = self.model.blocks.values().filter(|it| it.given && it.live).map(|block| {
            let variable = block.named.as_ref().map(|named| named.name.clone());
            let name = variable.as_ref().map(|name| format!(", `{name}`,")).unwrap_or_default();
            let what = format!(
                "never freed: {} bytes of device {}{name} are in use when the program ends",
                block.bytes, block.device
            );
            let advice = Some("`omp_target_free` frees it".to_owned());
            let (kind, device) = (Kind::NeverFreed, Some(block.device));
            let (construct, others) = (Some(block.made), Vec::new());
            Problem { kind, variable, device, what, construct, others, advice }
        });
        let all: Vec<Problem> = entries.into_iter().chain(given).collect();
        for problem in all {
            self.say(problem, None, found);
        }
    }
}

/// Whether names differ at most in numbers of elements.
fn is_of_one(one: &str, other: &str) -> bool {
    let without = |name: &str| -> String {
        let pieces = name.split('[').map(|piece| match piece.split_once(']') {
            Some((_, behind)) => behind.to_owned(),
            None => piece.to_owned(),
        });
        pieces.collect::<Vec<_>>().join("[")
    };
    one == other || without(one) == without(other)
}
