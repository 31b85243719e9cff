//! Translates program counters to functions, lines and constructs.
//!
//! What must hold: every address gets an answer (`module+0x1234` at worst). A module whose file is
//! missing or has changed costs names, not the report, and a warning names it.

mod access;
mod align;
mod approaches;
mod arguments_handed;
mod around;
mod awaits;
mod body;
mod callers;
mod calls;
mod compilers;
mod construct;
mod construct_line;
mod copies;
mod counted;
mod datum;
mod debug_file;
mod directives;
mod disassembly;
mod elsewhere;
mod embedded;
mod enclosing;
mod ends;
mod flang;
mod flow;
mod functions;
mod handlers;
mod image;
mod inner;
mod jumps;
mod location;
mod macros;
mod makers;
mod members;
mod merged;
mod modules;
mod names;
mod nearest;
mod operand;
mod outlined;
mod outside;
mod partings;
mod python;
mod qualified;
mod regions;
mod resumed;
mod room;
mod rounds;
mod source;
mod split;
mod target;
mod users;
mod writers;

use std::cell::RefCell;
use std::rc::Rc;

use crate::entries::{self, Part};
use crate::maps::HashMap;

pub use elsewhere::find_elsewhere;
pub use functions::Function;
use image::Image;
use modules::Module;
pub use modules::{ModuleInfo, Owner};
pub use names::{NameParts, Role};
pub use operand::Access;

pub use approaches::Approaches;
pub use arguments_handed::FS_BASE;
pub use awaits::{Awaits, Called, Circle, LoopAround, SilentRounds, Standing, is_comparison};
pub use calls::Call;
pub use construct::{Construct, ConstructKind};
pub use counted::{Counted, Limit};
pub use datum::{FrameAt, Local};
pub use directives::Directive;
pub use disassembly::Disassembled;
pub use inner::{Inner, InnerSite, has_own_barrier};
pub use jumps::{Jump, Jumps};
pub use outlined::Site;
pub use outside::{Mapped, NamedFunction, Names, ProgramFile, RuntimeCall, Segment};
pub use partings::{Answer, Leaving, Parting, Ways};
pub use python::{Code as PythonCode, Codes as PythonCodes, PythonPlace, python_text};
pub use room::Room;
pub use users::Passed;

/// The begin of gcc's and clang's name for the word of `critical (NAME)`; clang appends `.var`.
pub const CRITICAL_PREFIX: &str = ".gomp_critical_user_";

/// All modules of a profile, and the results of look-ups so far.
pub struct Symbols {
    modules: Vec<Module>,
    /// Outlined functions by `codeptr_ra`, from samples.
    learned: HashMap<u64, u64>,
    /// Return addresses that several regions share: by the number that stands for one region, the
    /// region's return address and the start of its body.
    told_apart: HashMap<u64, (u64, u64)>,
    /// Python code, by its number.
    python: python::Codes,
    opened: RefCell<OpenedCaches>,
}

#[derive(Default)]
struct OpenedCaches {
    functions: HashMap<u64, Rc<[Function]>>,
    constructs: HashMap<(u64, ConstructKind), Rc<Construct>>,
    sources: source::Sources,
    /// The functions that units declare, keyed by module and unit.
    declared: HashMap<(u32, qualified::UnitKey), Rc<enclosing::Declared>>,
    /// The names of the functions that make tasks, keyed by the start of a task's body.
    makers: HashMap<u64, Option<Rc<str>>>,
    /// The matches in functions, keyed by the function's start.
    matched: HashMap<u64, Rc<inner::Matched>>,
}

impl Symbols {
    fn module(&self, pc: u64) -> Option<&Module> {
        self.modules.get(self.module_number(pc)? as usize)
    }

    /// The opened file that contains `pc`, and the number to add to its addresses.
    fn image(&self, pc: u64) -> Option<(&Image, u64)> {
        let module = self.module(pc)?;
        Some((module.image.as_ref()?, module.bias))
    }

    /// The program's own files, each with the number to add to its addresses.
    fn program_files(&self) -> impl Iterator<Item = (&Image, u64)> {
        let own = self.modules.iter().filter(|module| module.kind == Owner::User);
        own.filter_map(|module| Some((module.image.as_ref()?, module.bias)))
    }

    /// The number of the module that contains `pc`, in the order of their addresses.
    pub fn module_number(&self, pc: u64) -> Option<u32> {
        let next = self.modules.partition_point(|module| module.info.base <= pc);
        let number = next.checked_sub(1)?;
        (pc < self.modules[number].info.end).then_some(number as u32)
    }

    /// The interpreter whose program or library contains `pc`, by the name that is shown.
    pub fn interpreter(&self, pc: u64) -> Option<&'static str> {
        names::interpreter(&self.module(pc)?.short)
    }

    /// All modules, by number.
    pub fn into_modules(self) -> Vec<ModuleInfo> {
        self.modules.into_iter().map(|module| module.info).collect()
    }

    /// The kind of module that contains `pc`. Unknown code counts as the user's (it may be
    /// JIT-compiled).
    pub fn kind(&self, pc: u64) -> Owner {
        let Some(module) = self.module(pc) else { return Owner::User };
        // The code is on its way into the runtime.
        let stub =
            module.image.as_ref().and_then(|image| image.stub_target(pc.wrapping_sub(module.bias)));
        match stub {
            Some(callee) if entries::is_of_a_runtime(&callee) => Owner::Runtime,
            // Or into the system: then one function is one row, whether `pc` is in its stub or in
            // the function itself.
            Some(callee) if self.is_the_systems(&callee) => Owner::System,
            _ => module.kind,
        }
    }

    fn is_the_systems(&self, function: &str) -> bool {
        let has = |image: &Image| image.function_named(function).is_some();
        let systems = |module: &&Module| module.kind == Owner::System;
        self.modules.iter().filter(systems).any(|module| module.image.as_ref().is_some_and(has))
    }

    /// The functions that contain `pc`, innermost first, never empty. Subtract one from a return
    /// address before you pass it.
    pub fn functions(&self, pc: u64) -> Rc<[Function]> {
        if let Some(found) = self.opened.borrow().functions.get(&pc) {
            return found.clone();
        }
        let found: Rc<[Function]> = self.look_up(pc).into();
        self.opened.borrow_mut().functions.insert(pc, found.clone());
        found
    }

    /// The construct whose code called the runtime with return address `codeptr_ra`.
    pub fn construct(&self, codeptr_ra: u64, kind: ConstructKind) -> Rc<Construct> {
        let key = (codeptr_ra, kind);
        if let Some(found) = self.opened.borrow().constructs.get(&key) {
            return found.clone();
        }
        let found = Rc::new(construct::find(self, codeptr_ra, kind));
        self.opened.borrow_mut().constructs.insert(key, found.clone());
        found
    }

    /// The label of the region of `target` whose code starts there.
    pub fn kernel(&self, start: u64) -> Rc<str> {
        construct::of_kernel(self, start).label
    }

    /// The facts about a call that the code around its `codeptr_ra` shows.
    pub fn site(&self, codeptr_ra: u64) -> Site {
        if let Some(&(after, body)) = self.told_apart.get(&codeptr_ra) {
            // Only the body shows which of the regions it is.
            let body = Some(body);
            return Site { after, tail_called: true, is_unknown: true, is_direct: false, body };
        }
        let mut site = outlined::site(self, codeptr_ra);
        if site.body.is_none() {
            site.body = self.learned.get(&codeptr_ra).copied();
        }
        site
    }

    /// The outlined function that the function at `start` passes to a runtime when it leaves for it
    /// by a jump, if there is only one.
    pub fn handed_by_jump(&self, start: u64) -> Option<u64> {
        let (image, bias) = self.image(start)?;
        let (_, body) = outlined::tail_call(image, start.wrapping_sub(bias))?;
        body.map(|body| body.wrapping_add(bias))
    }

    /// The address one past the jump by which a region's body leaves for the barrier at its end.
    pub fn barrier_by_jump(&self, region: u64) -> Option<u64> {
        let jumps = jumps::of_function(self, self.site(region).body?);
        let is_barrier =
            |name: &str| entries::is_gccs(name) && entries::part(name) == Some(Part::Barrier);
        let barriers: Vec<_> = jumps.found.iter().filter(|jump| is_barrier(&jump.callee)).collect();
        let [only] = barriers[..] else { return None };
        only.after.first().copied()
    }

    /// The addresses one past each jump by which the body of a region or task leaves for a lock's
    /// function.
    pub fn locks_by_jump(&self, codeptr_ra: u64) -> Vec<u64> {
        let Some(body) = self.site(codeptr_ra).body else { return Vec::new() };
        let is_lock = |callee: &str| {
            let rest = callee.strip_prefix("omp_set_").or(callee.strip_prefix("omp_test_"));
            rest.is_some_and(|rest| rest.starts_with("lock") || rest.starts_with("nest_lock"))
        };
        let jumps = jumps::of_function(self, body);
        let locks = jumps.found.iter().filter(|jump| is_lock(&jump.callee));
        locks.filter_map(|jump| jump.after.first().copied()).collect()
    }

    /// Sets how to distinguish regions that share one return address.
    pub fn tell_apart(&mut self, bodies: HashMap<u64, (u64, u64)>) {
        self.told_apart = bodies;
    }

    /// Sets the starts of the outlined functions of constructs whose code does not show them.
    pub fn learn(&mut self, bodies: HashMap<u64, u64>) {
        self.learned = bodies;
        self.opened.get_mut().constructs.clear();
    }

    /// The name of the word of a critical section, with or without a name, that the code in front
    /// of the call loads.
    pub fn critical_word(&self, codeptr_ra: u64) -> Option<String> {
        outlined::critical_word(self, codeptr_ra)
    }

    /// The function of another module that the call which ends at `after` goes to.
    pub fn callee(&self, after: u64) -> Option<String> {
        let (image, bias) = self.image(after)?;
        let name = image.imported(after.wrapping_sub(bias))?;
        Some(name.to_string())
    }

    /// The name of the module at `pc`.
    pub fn module_name(&self, pc: u64) -> Option<Rc<str>> {
        self.module(pc).map(|module| module.short.clone())
    }
}
