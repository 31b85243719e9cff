//! Names addresses: code by file, line and function, data by variables.

mod calls;
mod debug;
mod lines;
mod places;
mod variables;

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::rc::Rc;

use libc::{pid_t, user_regs_struct};
use object::{Object, ObjectSegment, ObjectSymbol};
use omphalos_inspect::Unwinder;
use omphalos_inspect::space::{self, Module, live};
use omphalos_program::{ConstructKind, Mapped, NamedFunction, Names, Owner, library};

use crate::finding::Place;
use crate::trace::tracee::{Memory, for_unwinder};
use debug::{Files, Variable};
pub use places::Frame;
pub use variables::Named;

/// The number of bytes before an instruction without a line in which a line is searched.
const NEAR: u64 = 128;

/// The number of frames in which variables are searched, from the construct's outwards.
const FRAMES: usize = 6;

/// The variables of a function, and those of all functions of its file.
type Scope = (Vec<Variable>, Vec<Variable>);

/// The names of one process.
pub struct Namer {
    pid: pid_t,
    modules: Vec<Module>,
    names: Option<Names>,
    files: Files,
    /// The variables of the code at an address, and those of its whole file.
    variables: HashMap<u64, Rc<Scope>>,
}

impl Namer {
    pub fn new(pid: pid_t) -> Namer {
        let (modules, files, variables) = Default::default();
        Namer { pid, modules, names: None, files, variables }
    }

    /// Reads the mappings again, since there may be new files.
    pub fn refresh(&mut self) {
        let text = std::fs::read_to_string(format!("/proc/{}/maps", self.pid)).unwrap_or_default();
        let modules = space::modules(&space::of_maps(&text));
        if modules == self.modules && self.names.is_some() {
            return;
        }
        self.modules = modules;
        let files: Vec<Mapped> = self
            .modules
            .iter()
            .map(|module| Mapped {
                base: module.base,
                end: module.end,
                file: file(self.pid, module),
                wanted: is_programs(module),
            })
            .collect();
        self.names = Some(Names::open(&files, &mut Vec::new()));
        self.variables.clear();
    }

    fn module(&self, address: u64) -> Option<&Module> {
        let next = self.modules.partition_point(|module| module.base <= address);
        self.modules.get(next.checked_sub(1)?).filter(|module| address < module.end)
    }

    fn names_at(&mut self, address: u64) -> Option<&Names> {
        if self.module(address).is_none() {
            self.refresh();
        }
        self.names.as_ref()
    }

    /// Returns the owner of the code.
    pub fn owner(&mut self, pc: u64) -> Owner {
        self.names_at(pc).map_or(Owner::User, |names| names.owner(pc))
    }

    /// Returns the place of code.
    pub fn place(&mut self, pc: u64) -> Place {
        let Some(names) = self.names_at(pc) else { return Place::default() };
        let functions = names.functions(pc);
        let Some(inner) = functions.first() else { return Place::default() };
        // Instructions to which the compiler gives no line may be among others.
        let is_same = |found: &[NamedFunction]| {
            found.first().is_some_and(|it| it.line > 0 && it.file.is_some())
                && found.last().map(|it| &it.name) == functions.last().map(|it| &it.name)
        };
        if inner.line == 0 {
            let before = (1..=NEAR).map(|back| names.functions(pc.wrapping_sub(back)));
            if let Some(found) = before.into_iter().find(|found| is_same(found)) {
                let inner = &found[0];
                return place(inner.file.as_deref(), inner.line, &inner.name);
            }
        }
        let named = functions.iter().find(|function| !function.name.is_empty()).unwrap_or(inner);
        place(inner.file.as_deref(), inner.line, &named.name)
    }

    /// Returns the place of the construct whose call of the runtime returns to `code`.
    pub fn construct(&mut self, code: u64) -> Place {
        let Some(names) = self.names_at(code) else { return Place::default() };
        let found = names.construct(code, ConstructKind::Place);
        match &found.file {
            Some(file) => place(Some(file), found.line, &found.function),
            None => place(None, 0, &found.label),
        }
    }

    /// Finds the variable that contains `address`, for the function that calls the runtime and
    /// those around it.
    pub fn variable(&mut self, address: u64, frames: &[Frame], memory: &Memory) -> Option<Named> {
        let mut best = None;
        for (depth, frame) in frames.iter().enumerate() {
            let Some((all, bias)) = self.variables_at(frame.lookup) else { continue };
            let of_frame = variables::find(address, &all.0, Some(frame), bias, memory);
            let of_file = variables::find(address, &all.1, None, bias, memory);
            for ((kind, far), named) in of_frame.into_iter().chain(of_file) {
                // A name in the function itself is nearer than one in its callers.
                let rank = (kind, depth, far);
                if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                    best = Some((rank, named));
                }
            }
        }
        if let Some((_, named)) = best {
            return Some(named);
        }
        let name = self.names_at(address)?.datum(address)?;
        Some(Named { name, start: address, ..Named::default() })
    }

    fn variables_at(&mut self, lookup: u64) -> Option<(Rc<Scope>, u64)> {
        let module = self.module(lookup)?.clone();
        let file = file(self.pid, &module);
        let debug = self.files.get(&file)?;
        let bias = module.base.wrapping_sub(debug.lowest);
        let all = match self.variables.get(&lookup) {
            Some(known) => known.clone(),
            None => {
                let all = Rc::new(debug.variables(lookup.wrapping_sub(bias)));
                self.variables.insert(lookup, all.clone());
                all
            }
        };
        Some((all, bias))
    }

    /// Returns the program's frames of a thread, from the one to which `code` returns outwards, or
    /// from the first one.
    pub fn frames(
        &mut self,
        registers: &user_regs_struct,
        code: u64,
        memory: &Memory,
    ) -> Vec<Frame> {
        if self.names.is_none() || self.module(registers.rip).is_none() {
            self.refresh();
        }
        let mut frames: Vec<Frame> = Vec::new();
        let (modules, names) = (&self.modules, self.names.as_ref());
        let unwinder = Unwinder::new(memory, modules);
        let mut is_there = false;
        let mut is_first = true;
        let mut all = Vec::new();
        unwinder.walk_with(&for_unwinder(registers), |raw, registers| {
            all.push((*raw, *registers));
            all.len() < 64
        });
        let has_code = all.iter().any(|(raw, _)| raw.address == code);
        for (raw, registers) in all {
            let is_user = || names.is_none_or(|names| names.owner(raw.lookup) == Owner::User);
            is_there |= if has_code { raw.address == code } else { is_user() && !is_first };
            is_first = false;
            if is_there && is_user() && frames.len() < FRAMES {
                frames.push(Frame { lookup: raw.lookup, cfa: raw.cfa, registers });
            }
        }
        frames
    }

    /// Finds the return address of the program's call of the runtime, on a thread's stack.
    pub fn programs_caller(
        &mut self,
        registers: &user_regs_struct,
        memory: &Memory,
    ) -> Option<u64> {
        self.refresh();
        let (modules, names) = (&self.modules, self.names.as_ref()?);
        let mut found = None;
        Unwinder::new(memory, modules).walk_with(&for_unwinder(registers), |raw, _| {
            found = (names.owner(raw.lookup) == Owner::User).then_some(raw.address);
            found.is_none()
        });
        found
    }

    /// Returns the start addresses of functions of the C library.
    pub fn of_library(&mut self, names: &[&str]) -> Vec<Option<u64>> {
        self.refresh();
        let find = || {
            let is_libc = |module: &&Module| library::is_library(module.name(), "libc");
            let module = self.modules.iter().find(is_libc)?;
            let bytes = std::fs::read(file(self.pid, module)).ok()?;
            let elf = object::File::parse(&*bytes).ok()?;
            let lowest = elf.segments().map(|segment| segment.address()).min()? & !0xfff;
            let address = |name: &&str| {
                let found = elf.dynamic_symbols().find(|symbol| symbol.name() == Ok(*name))?;
                Some(module.base.wrapping_sub(lowest).wrapping_add(found.address()))
            };
            Some(names.iter().map(address).collect())
        };
        find().unwrap_or_else(|| vec![None; names.len()])
    }

    /// Finds the first address of the program's own on a thread's stack, from `registers` on: its
    /// current instruction, or the return address of its call; `None` if the runtime is in between.
    pub fn programs_own(&mut self, registers: &user_regs_struct, memory: &Memory) -> Option<u64> {
        self.programs_frame(registers, memory).map(|(at, _)| at)
    }

    /// As [`programs_own`](Self::programs_own), with the stack pointer there: the stack below it
    /// belongs to code that is not the program's own.
    pub fn programs_frame(
        &mut self,
        registers: &user_regs_struct,
        memory: &Memory,
    ) -> Option<(u64, u64)> {
        match self.owner(registers.rip) {
            Owner::User => return Some((registers.rip, registers.rsp)),
            Owner::Runtime | Owner::Tool => return None,
            Owner::System => {}
        }
        let (modules, names) = (&self.modules, self.names.as_ref()?);
        let (mut found, mut count, mut below) = (None, 0, 0);
        Unwinder::new(memory, modules).walk_with(&for_unwinder(registers), |raw, _| {
            count += 1;
            match names.owner(raw.lookup) {
                Owner::System => {
                    below = raw.cfa;
                    count < 64
                }
                Owner::User => {
                    found = Some((raw.lookup, below));
                    false
                }
                Owner::Runtime | Owner::Tool => false,
            }
        });
        found
    }
}

/// Returns the path by which this process finds a file of the traced process. A file without a name
/// is still open there.
fn file(pid: pid_t, module: &Module) -> String {
    if module.path.starts_with("/memfd:") {
        let folder = format!("/proc/{pid}/fd");
        let open = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let inode = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |it| it.ino());
        let mut paths = open.map(|entry| entry.path());
        if let Some(found) = paths.find(|path| inode(path) == module.inode) {
            return found.display().to_string();
        }
    }
    live::file(pid as u32, module).unwrap_or_else(|| module.place().to_owned())
}

/// Whether the names in this file's code are useful; those of the system's libraries are not.
fn is_programs(module: &Module) -> bool {
    !is_systems(module.name())
}

/// Whether a file, by its name without folders, is the system's or Omphalos's.
pub fn is_systems(name: &str) -> bool {
    let others = ["libm", "libomphalos", "libomphalos_agent", "libomphalos_recorder"];
    let is_library =
        library::is_one_of(name, &library::SYSTEM) || library::is_one_of(name, &others);
    is_library || name.starts_with("[v")
}

/// Makes a place of the source.
pub fn place(file: Option<&str>, line: u32, function: &str) -> Place {
    let short = file.map(|file| file.rsplit('/').next().unwrap_or(file));
    let text = match (short, line) {
        (Some(file), 1..) => format!("{file}:{line} in {function}"),
        _ => function.to_owned(),
    };
    Place { text, file: file.map(str::to_owned), line, function: function.to_owned() }
}
