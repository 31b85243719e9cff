//! From program counters to functions, lines and constructs.
//!
//! What must hold: every address gets an answer (`module+0x1234` at worst); a module whose file is
//! missing or has changed since costs names, not the report, and is named in a warning.

mod align;
mod calls;
mod construct;
mod debug_file;
mod directives;
mod embedded;
mod enclosing;
mod flang;
mod flow;
mod image;
mod inner;
mod jumps;
mod location;
mod macros;
mod names;
mod outlined;
mod outside;
mod qualified;
mod source;
mod target;
mod users;

use std::cell::RefCell;
use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

use image::{Image, ImageError};
pub(crate) use names::Role;
use omphalos_profile_format::module_flag;

pub use calls::Call;
pub use construct::{Construct, ConstructKind};
pub(crate) use inner::{Inner, InnerSite, has_own_barrier};
pub use jumps::{Jump, Jumps};
pub(crate) use outlined::Site;
pub use outside::{Mapped, NamedFunction, Names, Owner};

use crate::recording::ModuleInfo;
use crate::visible::visible_bytes;

/// What gcc and clang call the word of `critical (NAME)`; clang appends `.var`.
pub(crate) const CRITICAL_PREFIX: &str = ".gomp_critical_user_";

/// All code that the kernel puts into a process.
const VDSO: &str = "[vdso]";

/// What the joining needs to know about the module of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ModuleKind {
    /// An OpenMP runtime.
    Runtime,
    /// The agent.
    Agent,
    /// libc and the dynamic loader: what starts threads, and what a runtime calls.
    System,
    /// The program and its libraries.
    User,
}

/// A function on a stack, as shown.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) role: Role,
    /// The user's function: for a compiler-made one that in which the construct stands, where the
    /// name tells.
    pub(crate) shown: Rc<str>,
    /// False for `libfoo.so+0x1234`.
    pub(crate) named: bool,
    pub(crate) file: Option<Rc<str>>,
    pub(crate) line: u32,
    /// Address in the process at which the machine function starts, for the outermost of inlined
    /// functions; `None` for those inlined into it.
    pub(crate) start: Option<u64>,
}

struct Module {
    info: ModuleInfo,
    kind: ModuleKind,
    short: Rc<str>,
    image: Option<Image>,
    /// What to add to an address of the file to get one of the process.
    bias: u64,
}

/// All modules of a profile and what has been looked up so far.
pub(crate) struct Symbols {
    modules: Vec<Module>,
    /// Outlined functions by `codeptr_ra`, as samples showed them.
    learned: HashMap<u64, u64>,
    /// Return addresses of several regions, and what tells which one: by the name that it has.
    told_apart: HashMap<u64, (u64, u64)>,
    opened: RefCell<OpenedCaches>,
}

#[derive(Default)]
struct OpenedCaches {
    functions: HashMap<u64, Rc<[Function]>>,
    constructs: HashMap<(u64, ConstructKind), Rc<Construct>>,
    sources: source::Sources,
    /// By where a function starts.
    matched: HashMap<u64, Rc<inner::Matched>>,
}

impl Symbols {
    /// Opens the files of `modules` that `wanted` says are needed; messages go to `warnings`.
    pub(crate) fn open(
        modules: &[ModuleInfo],
        wanted: &dyn Fn(&ModuleInfo) -> bool,
        warnings: &mut Vec<String>,
        mut opened: impl FnMut(u64),
    ) -> Symbols {
        let mut list: Vec<Module> = Vec::with_capacity(modules.len());
        for info in modules {
            let name = visible_bytes(info.path.as_os_str().as_bytes());
            let short = name.rsplit('/').next().unwrap_or(&name);
            let (kind, short) = (kind_of(info, short), Rc::from(short));
            // No frame of the runtime or the agent is ever shown.
            let shown = matches!(kind, ModuleKind::User | ModuleKind::System);
            let from_memory = embedded::is_in_memory(info);
            let image = if shown && wanted(info) && from_memory {
                embedded::open(info, modules)
            } else if shown && wanted(info) && info.path.is_absolute() {
                match Image::open(&info.path, &info.build_id) {
                    Ok(image) => Some(image),
                    Err(ImageError::Unreadable) => {
                        warnings.push(format!("'{name}' cannot be read: no names from it"));
                        None
                    }
                    Err(ImageError::Changed) => {
                        warnings.push(format!(
                            "'{name}' is another build than the profiled one: no names from it \
                             (restore that build, or record again)"
                        ));
                        None
                    }
                }
            } else {
                None
            };
            let address =
                image.as_ref().and_then(|image| image.address_of_offset(info.file_offset));
            let bias = info.base.wrapping_sub(address.unwrap_or(info.file_offset));
            list.push(Module { info: info.clone(), kind, short, image, bias });
            opened(list.len() as u64);
        }
        list.sort_by_key(|module| module.info.base);
        let opened = RefCell::default();
        Symbols { modules: list, learned: HashMap::new(), told_apart: HashMap::new(), opened }
    }

    fn module(&self, pc: u64) -> Option<&Module> {
        self.modules.get(self.module_number(pc)? as usize)
    }

    /// The opened file that `pc` lies in, and what to add to its addresses.
    fn image(&self, pc: u64) -> Option<(&Image, u64)> {
        let module = self.module(pc)?;
        Some((module.image.as_ref()?, module.bias))
    }

    /// Which of the modules `pc` lies in, in the order of their addresses.
    pub(crate) fn module_number(&self, pc: u64) -> Option<u32> {
        let next = self.modules.partition_point(|module| module.info.base <= pc);
        let number = next.checked_sub(1)?;
        (pc < self.modules[number].info.end).then_some(number as u32)
    }

    /// The interpreter whose program or library `pc` lies in, as it is shown.
    pub(crate) fn interpreter(&self, pc: u64) -> Option<&'static str> {
        names::interpreter(&self.module(pc)?.short)
    }

    /// All of them, by number.
    pub(crate) fn into_modules(self) -> Vec<ModuleInfo> {
        self.modules.into_iter().map(|module| module.info).collect()
    }

    /// What kind of module `pc` lies in; unknown code counts as the user's (it may be
    /// JIT-compiled).
    pub(crate) fn kind(&self, pc: u64) -> ModuleKind {
        let Some(module) = self.module(pc) else { return ModuleKind::User };
        // On its way into the runtime.
        let stub =
            module.image.as_ref().and_then(|image| image.stub_target(pc.wrapping_sub(module.bias)));
        match stub {
            Some(callee) if outlined::is_of_a_runtime(&callee) => ModuleKind::Runtime,
            _ => module.kind,
        }
    }

    /// The functions that `pc` lies in, innermost first, never empty. For a return address pass the
    /// address less one.
    pub(crate) fn functions(&self, pc: u64) -> Rc<[Function]> {
        if let Some(found) = self.opened.borrow().functions.get(&pc) {
            return found.clone();
        }
        let found: Rc<[Function]> = self.look_up(pc).into();
        self.opened.borrow_mut().functions.insert(pc, found.clone());
        found
    }

    fn look_up(&self, pc: u64) -> Vec<Function> {
        let Some(module) = self.module(pc) else { return vec![unnamed(format!("{pc:#x}").into())] };
        let offset = (pc - module.info.base).wrapping_add(module.info.file_offset);
        if module.kind == ModuleKind::System && module.short.contains("vdso") {
            // The kernel's code has no file.
            return vec![unnamed(VDSO.into())];
        }
        let Some(image) = &module.image else {
            return vec![unnamed(format!("{}+{offset:#x}", module.short).into())];
        };
        let address = pc.wrapping_sub(module.bias);
        if let Some(callee) = image.stub_target(address) {
            return vec![Function { named: true, ..unnamed(names::display(&callee, None).into()) }];
        }
        let symbol = image.function_symbol(address);
        let start = symbol
            .map(|symbol| symbol.address)
            .or_else(|| image.function_bounds(address).map(|(start, _)| start));
        let process_start = start.map(|start| start.wrapping_add(module.bias));
        let raw = image.frames(address);
        let last = raw.len().saturating_sub(1);
        let mut functions: Vec<Function> = Vec::with_capacity(raw.len().max(1));
        for (i, frame) in raw.into_iter().enumerate() {
            // The symbol table knows clones that the line information gives the plain name.
            let by_symbol = (i == last).then(|| symbol.map(|symbol| symbol.name.clone())).flatten();
            let name = match (by_symbol, frame.name) {
                // Line information calls a lambda `operator()` and a Fortran program by its title.
                (Some(symbol), Some(_)) if names::is_mangled(&symbol) => Some(symbol),
                // The C library's line information has its internal names.
                (Some(symbol), Some(_)) if module.kind == ModuleKind::System => Some(symbol),
                (Some(symbol), Some(name)) if names::classify(&symbol).0 == Role::User => {
                    Some(name)
                }
                (Some(symbol), _) => Some(symbol),
                (None, name) => name,
            };
            let Some(mut name) = name else { continue };
            if qualified::has_scopes(frame.language)
                && names::classify(&name).0 == Role::User
                && !names::is_mangled(&name)
                && let Some(entry) = frame.entry
            {
                name = image.qualified_name(address, entry).unwrap_or(name);
            }
            let (role, base) = names::classify(&name);
            functions.push(Function {
                role,
                shown: names::display(base, frame.language).into(),
                named: true,
                file: frame.file,
                line: frame.line,
                start: if i == last { process_start } else { None },
            });
        }
        if functions.is_empty() {
            functions.push(match symbol {
                Some(symbol) => {
                    let (role, base) = names::classify(&symbol.name);
                    let shown = names::display(base, None).into();
                    let (file, line) = (None, 0);
                    Function { role, shown, named: true, file, line, start: process_start }
                }
                None => {
                    // All samples of one nameless function share the name of its start.
                    let at = start.map_or(offset, |start| {
                        start
                            .wrapping_add(module.bias)
                            .wrapping_sub(module.info.base)
                            .wrapping_add(module.info.file_offset)
                    });
                    let shown = format!("{}+{at:#x}", module.short).into();
                    Function { start: process_start, ..unnamed(shown) }
                }
            });
        }
        functions
    }

    /// The name of the datum at `address`, e.g. of a lock.
    pub(crate) fn datum(&self, address: u64) -> Option<String> {
        let module = self.module(address)?;
        let symbol = module.image.as_ref()?.data_symbol(address.wrapping_sub(module.bias))?;
        let offset = address.wrapping_sub(module.bias).wrapping_sub(symbol.address);
        // A variable of C may have a name that C++ has for a type.
        let name = match names::is_mangled(&symbol.name) {
            true => names::display(&symbol.name, None),
            false => symbol.name.to_string(),
        };
        Some(if offset == 0 { name } else { format!("{name}+{offset}") })
    }

    /// The construct whose code called the runtime with return address `codeptr_ra`.
    pub(crate) fn construct(&self, codeptr_ra: u64, kind: ConstructKind) -> Rc<Construct> {
        let key = (codeptr_ra, kind);
        if let Some(found) = self.opened.borrow().constructs.get(&key) {
            return found.clone();
        }
        let found = Rc::new(construct::find(self, codeptr_ra, kind));
        self.opened.borrow_mut().constructs.insert(key, found.clone());
        found
    }

    /// What the region of `target` is called whose code starts there.
    pub(crate) fn kernel(&self, start: u64) -> Rc<str> {
        construct::of_kernel(self, start).label
    }

    /// What the code around a `codeptr_ra` tells about the call.
    pub(crate) fn site(&self, codeptr_ra: u64) -> Site {
        if let Some(&(after, body)) = self.told_apart.get(&codeptr_ra) {
            // Only the body tells which of the regions it is.
            let body = Some(body);
            return Site { after, tail_called: true, is_unknown: true, is_direct: false, body };
        }
        let mut site = outlined::site(self, codeptr_ra);
        if site.body.is_none() {
            site.body = self.learned.get(&codeptr_ra).copied();
        }
        site
    }

    /// The outlined function that the one at `start` hands to a runtime for which it leaves by a
    /// jump, if it is one only.
    pub(crate) fn handed_by_jump(&self, start: u64) -> Option<u64> {
        let (image, bias) = self.image(start)?;
        let (_, body) = outlined::tail_call(image, start.wrapping_sub(bias))?;
        body.map(|body| body.wrapping_add(bias))
    }

    /// Tells regions apart that have one return address.
    pub(crate) fn tell_apart(&mut self, bodies: HashMap<u64, (u64, u64)>) {
        self.told_apart = bodies;
    }

    /// Tells where the outlined functions of constructs start whose code does not show it.
    pub(crate) fn learn(&mut self, bodies: HashMap<u64, u64>) {
        self.learned = bodies;
        self.opened.get_mut().constructs.clear();
    }

    /// The word of a named or unnamed critical that the code before the call loads, by its name.
    pub(crate) fn critical_word(&self, codeptr_ra: u64) -> Option<String> {
        outlined::critical_word(self, codeptr_ra)
    }

    /// The function of another module that the call which ends at `after` goes to.
    pub(crate) fn callee(&self, after: u64) -> Option<String> {
        let (image, bias) = self.image(after)?;
        let name = image.imported(after.wrapping_sub(bias))?;
        Some(name.to_string())
    }

    /// The name of the module at `pc`.
    pub(crate) fn module_name(&self, pc: u64) -> Option<Rc<str>> {
        self.module(pc).map(|module| module.short.clone())
    }
}

fn unnamed(shown: Rc<str>) -> Function {
    Function { role: Role::User, shown, named: false, file: None, line: 0, start: None }
}

fn kind_of(info: &ModuleInfo, short: &str) -> ModuleKind {
    const RUNTIMES: [&str; 4] = ["libomphalos.so", "libgomp", "libomp.so", "libiomp5"];
    const SYSTEM: [&str; 7] =
        ["libc.so", "libc-", "libpthread", "ld-linux", "ld-musl", "ld-2", "linux-vdso"];
    if info.flags & module_flag::AGENT != 0 || short.starts_with("libomphalos_agent") {
        ModuleKind::Agent
    } else if info.flags & module_flag::RUNTIME != 0
        || RUNTIMES.iter().any(|name| short.starts_with(name))
    {
        ModuleKind::Runtime
    } else if SYSTEM.iter().any(|name| short.starts_with(name)) || short.contains("[vdso]") {
        ModuleKind::System
    } else {
        ModuleKind::User
    }
}
