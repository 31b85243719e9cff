//! Reads a sampled stack for `omphalos attach` from outside the process: the regions that the
//! stack's thread began, the functions that the runtime called on it, and the code that it
//! executes. `attach/mod.rs` makes [`Places`] from all stacks, and `regions.rs` joins threads to
//! regions by them.
//!
//! An example: the stack of a primary thread, from inside to outside.
//!
//! ```text
//! 0  work               the program
//! 1  main._omp_fn.0     the program: the region's body
//! 2  GOMP_parallel      the runtime
//! 3  main               the program: it began the region
//! 4  __libc_start_main  the C library
//! ```
//!
//! `main` called the runtime to begin a region: that call is a *fork*, here (3, its return address
//! in `main`). The runtime called the region's *body*: `called` has (1, the start of
//! `main._omp_fn.0`). On the stack of a worker in this region, the runtime is also outside the
//! body, and nothing of the program's is outside the runtime: so its `base` is the body.
//!
//! A function may end in a jump to another one (a tail call). It then has no frame: the function
//! that it jumped to stands on the stack in its place. If a function jumps to `GOMP_parallel`, the
//! return address of the fork is in the function's caller.

use std::collections::{BTreeMap, HashMap};

use omphalos_inspect::sampling::{is_name_of_fork, state_in};
use omphalos_inspect::space::Module;
use omphalos_program::{Mapped, Names, Owner, library};

/// The code at a stack's outer end, where the thread began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The program's start, or the start of a thread that the program itself made.
    Start,
    /// A function of the program that the runtime called on a thread of the runtime's: its start.
    Body(u64),
    /// The runtime alone.
    Runtime,
}

/// The code at a stack's inner end, which the thread executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// The program's own code, or a function of the C library that this code called.
    Own,
    /// The runtime. If the program called a function of the runtime's in which threads wait, this
    /// is the `ompt_state_t` of that wait. It is [`REGION_END`] for a thread without a frame of the
    /// program's.
    Runtime(Option<u32>),
}

/// A thread's regions and code, as its stack shows them.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The regions that its thread began, outermost first: the frame that called the runtime, and
    /// the return address of that call.
    pub forks: Vec<(usize, u64)>,
    /// The place where the thread began.
    pub base: Base,
    /// The innermost code, which the thread executes.
    pub inner: Inner,
    /// Functions that the runtime called, outermost first: the frame, and the function's start.
    pub called: Vec<(usize, u64)>,
}

/// The shapes of all stacks.
pub struct Places {
    /// By the stacks' numbers.
    pub shapes: Vec<Shape>,
    /// The regions that have this body, by the body's start.
    pub regions: HashMap<u64, Vec<u64>>,
    /// Several regions may share one return address. By that address and the region's body: the
    /// number that stands for the region. The first region has the address itself, each other one a
    /// number with [`NO_ADDRESS`].
    pub apart: BTreeMap<(u64, u64), u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    User,
    Runtime,
    System,
}

/// The answers of symbol files. Each question is asked once.
struct Asked<'n> {
    names: &'n Names,
    kinds: HashMap<u64, Kind>,
    starts: HashMap<u64, Option<u64>>,
    callees: HashMap<u64, Option<String>>,
}

impl Asked<'_> {
    fn kind(&mut self, lookup: u64) -> Kind {
        *self.kinds.entry(lookup).or_insert_with(|| match self.names.owner(lookup) {
            Owner::User => Kind::User,
            Owner::System => Kind::System,
            Owner::Runtime | Owner::Tool => Kind::Runtime,
        })
    }

    /// Returns the start of the function.
    fn start(&mut self, lookup: u64) -> Option<u64> {
        let find = || self.names.functions(lookup).last().and_then(|function| function.start);
        *self.starts.entry(lookup).or_insert_with(find)
    }

    /// Whether the call that returns to `after` begins a region: it calls the runtime's function
    /// for that, or a function that ends in a jump to the runtime's. If the code shows no callee,
    /// the next frame of the program's further inside decides: it must be in a region's body.
    /// `inside`: an address in that frame.
    fn is_fork(&mut self, after: u64, inside: Option<u64>) -> bool {
        if let Some(callee) = self.callee(after) {
            return is_name_of_fork(callee);
        }
        let site = self.names.site(after);
        let is_body = |lookup: u64| {
            self.names.functions(lookup).last().is_some_and(|function| function.construct.is_some())
        };
        site.tail_called && site.body.is_some() || site.is_unknown && inside.is_some_and(is_body)
    }

    /// Returns the name of the function that is called by the call that returns to `after`.
    fn callee(&mut self, after: u64) -> Option<&str> {
        self.callees.entry(after).or_insert_with(|| self.names.callee(after)).as_deref()
    }
}

/// Opens the symbol files of the program. Runtimes and the C library are only recognised by name:
/// their symbols are not read. A file of data alone has none, and needs no note that says so.
pub fn names(files: &[(Module, Option<String>)], notes: &mut Vec<String>) -> Names {
    let mapped = |(module, place): &(Module, Option<String>)| {
        let others = [&library::RUNTIMES[..], &library::SYSTEM[..]];
        let is_users = !others.iter().any(|names| library::is_one_of(module.name(), names));
        // A place below `/proc` has another name, by which a runtime would not be recognised.
        let place = place.as_deref().filter(|_| is_users);
        Mapped {
            base: module.base,
            end: module.end,
            file: place.unwrap_or_else(|| module.place()).to_owned(),
            wanted: place.is_some() && module.path.starts_with('/') && module.executable,
        }
    };
    Names::open(&files.iter().map(mapped).collect::<Vec<_>>(), notes)
}

impl Places {
    /// Reads these stacks. The first address of each is the instruction that the thread executes;
    /// the others are return addresses.
    pub fn of<'s>(names: &Names, stacks: impl Iterator<Item = &'s [u64]>) -> Places {
        let (kinds, starts, callees) = Default::default();
        let mut asked = Asked { names, kinds, starts, callees };
        let mut shapes: Vec<Shape> = stacks.map(|stack| shape(&mut asked, stack)).collect();
        // By a fork's return address: the bodies of the regions. There are several if functions
        // that end in a jump to the runtime are called at one place.
        let mut bodies: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        // A body that ends in a jump has no frame. The pairs: the function that stands on the stack
        // in the body's place, and the fork's return address.
        let mut instead: Vec<(u64, u64)> = Vec::new();
        for (after, called) in shapes.iter().flat_map(|shape| shape.begun()) {
            let known = bodies.entry(after).or_default();
            // The body that the call passes on, if the code shows it.
            let handed = names.site(after).body;
            if let Some(body) = handed.or(called).filter(|body| !known.contains(body)) {
                known.push(body);
            }
            let other = called.filter(|called| handed.is_some_and(|handed| handed != *called));
            instead.extend(other.map(|called| (called, after)));
        }
        let mut apart = BTreeMap::new();
        for (after, bodies) in bodies.iter().filter(|(_, bodies)| bodies.len() > 1) {
            for (number, body) in bodies.iter().enumerate() {
                let own = NO_ADDRESS | apart.len() as u64;
                apart.insert((*after, *body), if number == 0 { *after } else { own });
            }
        }
        let mut regions: HashMap<u64, Vec<u64>> = HashMap::new();
        for (after, body) in
            bodies.iter().flat_map(|(after, all)| all.iter().map(|it| (*after, *it)))
        {
            let codeptr = apart.get(&(after, body)).copied().unwrap_or(after);
            regions.entry(body).or_default().push(codeptr);
        }
        for (called, after) in instead {
            let known = regions.entry(called).or_default();
            if !known.contains(&after) {
                known.push(after);
            }
        }
        for shape in &mut shapes {
            for (at, body) in shape.begun().map(|(_, body)| body).enumerate().collect::<Vec<_>>() {
                let codeptr = body.and_then(|body| apart.get(&(shape.forks[at].1, body)));
                shape.forks[at].1 = codeptr.copied().unwrap_or(shape.forks[at].1);
            }
        }
        Places { shapes, regions, apart }
    }
}

/// The bit of numbers that are no addresses: they stand for regions that share a return address.
const NO_ADDRESS: u64 = 1 << 63;

impl Shape {
    /// Returns for each fork its return address, and the start of the function that the runtime
    /// then called on this stack, if there is one: the body.
    fn begun(&self) -> impl Iterator<Item = (u64, Option<u64>)> {
        let inner = |at: usize| self.forks.get(at).map_or(0, |(inner, _)| *inner);
        self.forks.iter().enumerate().map(move |(number, (at, after))| {
            let between = |(called, _): &&(usize, u64)| called < at && *called >= inner(number + 1);
            (*after, self.called.iter().find(between).map(|(_, start)| *start))
        })
    }
}

/// Reads one stack, from inside to outside.
fn shape(asked: &mut Asked<'_>, stack: &[u64]) -> Shape {
    let lookup = |at: usize| if at == 0 { stack[at] } else { stack[at].wrapping_sub(1) };
    let kinds: Vec<Kind> = (0..stack.len()).map(|at| asked.kind(lookup(at))).collect();
    let is = |at: usize, kind: Kind| kinds.get(at) == Some(&kind);
    let (mut forks, mut called) = (Vec::new(), Vec::new());
    for at in (0..stack.len()).rev().filter(|at| is(*at, Kind::User)) {
        if is(at + 1, Kind::Runtime)
            && let Some(start) = asked.start(lookup(at))
        {
            called.push((at, start));
        }
        let inside = (0..at).rev().find(|inner| is(*inner, Kind::User)).map(lookup);
        if at > 0 && is(at - 1, Kind::Runtime) && asked.is_fork(stack[at], inside) {
            forks.push((at, stack[at]));
        }
    }
    let outermost = kinds.iter().rposition(|kind| *kind == Kind::User);
    let base = match outermost {
        Some(at) if is(at + 1, Kind::Runtime) => match asked.start(lookup(at)) {
            Some(start) => Base::Body(start),
            None => Base::Runtime,
        },
        None if kinds.contains(&Kind::Runtime) => Base::Runtime,
        _ => Base::Start,
    };
    let inner = match kinds.iter().position(|kind| *kind != Kind::System) {
        Some(at) if kinds[at] == Kind::Runtime => {
            let caller = kinds.iter().position(|kind| *kind == Kind::User);
            let state = caller.and_then(|at| state_in(asked.callee(stack[at])?));
            // A thread without a frame of the program's is a worker at the end of a region, or in
            // no region.
            Inner::Runtime(if caller.is_none() { Some(REGION_END) } else { state })
        }
        _ => Inner::Own,
    };
    Shape { forks, base, inner, called }
}

/// `ompt_state_wait_barrier_implicit_parallel`.
pub const REGION_END: u32 = 0x011;
